# Everything runs in .venv, which `make install` sets up; no other preparation is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test coverage lint bench docs clean install install-dev

demo: install
	$(BIN)/plyground demo

# What the tests compile is compiled first, on all cores and once. Tests that failed run once more, one at a
# time: many play against real clocks, and a machine shared with others may stop for a second. Failing twice fails.
test: install-dev
	$(BIN)/plyground warm-up
	$(BIN)/python -m pytest -n 2 -q || \
	    { echo "once more, those that failed:"; $(BIN)/python -m pytest -q --last-failed --last-failed-no-failures=none; }

coverage: install-dev
	$(BIN)/python -m pytest -n 2 -q --cov=plyground --cov-report=term:skip-covered

lint: install-dev
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/ruff format --check src tests benchmarks examples
	$(BIN)/mypy

bench: install
	$(PIP) -e ".[bench]"
	$(BIN)/plyground bench

docs: install-dev
	$(BIN)/mkdocs build --strict --quiet

install: $(STAMP)

install-dev: $(DEV_STAMP)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --upgrade pip
	$(PIP) -e .
	touch $(STAMP)

$(DEV_STAMP): $(STAMP)
	$(PIP) -e ".[dev]"
	touch $(DEV_STAMP)

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
