# Everything runs in .venv, which `make install` sets up; no other preparation is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test lint bench docs clean install

demo: install
	$(BIN)/plyground demo

test: install
	$(BIN)/python -m pytest -n 2 --dist loadgroup -q

lint: install
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/ruff format --check src tests benchmarks examples
	$(BIN)/mypy

bench: install
	$(BIN)/python -m pip install --quiet -e ".[bench]"
	$(BIN)/plyground bench

docs: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	$(BIN)/mkdocs build --strict --quiet

install: $(STAMP)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $(STAMP)

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
