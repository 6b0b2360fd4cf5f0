"""Finds good parameters of an agent by playing: games are noisy observations of a setting's worth.

A trial is a few pairs of games of one setting against a fixed opponent, on starts of its own. The
first ones are spread evenly; what to try then is Optuna's business (its tree-structured Parzen
estimator, which needs no assumption about noise and takes numbers and choices alike). The best
setting is not the luckiest trial but the one whose neighbourhood scored best. Every trial is
written to a file as it ends; a tuning that is called again goes on from there.
"""

from __future__ import annotations

import math
import random
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from plyground.arena.task import derive_seed
from plyground.core.errors import InputError, UnsupportedError

Value = float | int | str
Setting = dict[str, Value]
_RANGE = re.compile(r"(-?[0-9.]+(?:e-?\d+)?)\.\.(-?[0-9.]+(?:e-?\d+)?)")
STARTUP_TRIALS = 8
_NEIGHBOURHOOD = 0.12
"""Width of the neighbourhood over which scores are averaged, as a share of a parameter's range."""


class Parameter(msgspec.Struct, frozen=True):
    """A number from `low` to `high` (whole if both are), or one of `choices`."""

    name: str
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, name: str, text: str) -> Parameter | None:
        """`0.5..3`, `1..8` or `yes|no`; None for a plain value."""
        if "|" in text:
            return cls(name, choices=tuple(text.split("|")))
        if ".." not in text:
            return None
        found = _RANGE.fullmatch(text)
        if found is None:
            raise InputError(f"{name}={text}: a range is written as 0.5..3")
        low, high = (float(end) for end in found.groups())
        if not low < high:
            raise InputError(f"{name}={text}: the range is empty")
        whole = all(end.lstrip("-").isdigit() for end in found.groups())
        return cls(name, low, high, whole)

    def at(self, share: float) -> Value:
        """The value at a share of the range (0 to below 1)."""
        if self.choices:
            return self.choices[int(share * len(self.choices))]
        if self.whole:
            return round(self.low) + int(share * (round(self.high) - round(self.low) + 1))
        return _rounded(self.low + share * (self.high - self.low))

    def distance(self, one: Value, other: Value) -> float:
        """How far two values are apart, as a share of the range; different choices are far."""
        if self.choices:
            return 0.0 if one == other else 1.0
        return abs(float(one) - float(other)) / (self.high - self.low)


class Space(msgspec.Struct, frozen=True):
    """An agent with parameters to be found: its name, what is fixed, what is not."""

    agent: str
    fixed: tuple[str, ...]
    parameters: tuple[Parameter, ...]

    @classmethod
    def parse(cls, text: str) -> Space:
        """`mcts:c=0.5..3`, `mybot.py:Bot:depth=1..6,order=yes|no`."""
        agent, _, rest = text.rpartition(":")
        if not agent or "=" not in rest:
            raise InputError(f"{text!r}: say what to tune, as in mcts:c=0.5..3")
        fixed, parameters = [], []
        for item in rest.split(","):
            name, _, value = item.partition("=")
            parameter = Parameter.parse(name.strip(), value.strip())
            if parameter is None:
                fixed.append(item)
            else:
                parameters.append(parameter)
        if not parameters:
            raise InputError(f"{text!r}: nothing to tune; give a range as in c=0.5..3")
        return cls(agent, tuple(fixed), tuple(parameters))

    def player(self, setting: Mapping[str, Value]) -> str:
        """The agent with a setting, as a player."""
        words = [*self.fixed, *(f"{name}={_text(value)}" for name, value in setting.items())]
        return f"{self.agent}:{','.join(words)}"

    def default(self) -> str:
        """The agent with only what is fixed."""
        return self.agent + (f":{','.join(self.fixed)}" if self.fixed else "")

    def distance(self, one: Mapping[str, Value], other: Mapping[str, Value]) -> float:
        """The largest distance over the parameters."""
        return max(entry.distance(one[entry.name], other[entry.name]) for entry in self.parameters)


def _text(value: Value) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Trial(msgspec.Struct, frozen=True):
    """A setting and the mean scores of its pairs."""

    setting: Setting
    scores: tuple[float, ...]

    @property
    def score(self) -> float:
        return math.fsum(self.scores) / len(self.scores)


class Tuning:
    """The trials so far and the choice of the next one. `play` gives mean scores of pairs."""

    def __init__(self, space: Space, path: Path, seed: int = 0) -> None:
        self.space = space
        self.path = path
        self.seed = seed
        self.trials: list[Trial] = list(_read(path, space)) if path.exists() else []

    def run(
        self,
        trials: int,
        play: Callable[[Setting, int], Sequence[float]],
        listen: Callable[[Trial], None] = lambda trial: None,
    ) -> None:
        """Play until there are so many trials; `play` gets a setting and the trial's number."""
        while len(self.trials) < trials:
            number = len(self.trials)
            setting = self.propose()
            trial = Trial(setting, tuple(play(setting, number)))
            self.trials.append(trial)
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(trial) + b"\n")
            listen(trial)

    def propose(self) -> Setting:
        """What to try next; the same trials and seed give the same proposal.

        The first ones are spread evenly over the ranges, whatever they score.
        """
        if len(self.trials) < STARTUP_TRIALS:
            return self._spread(len(self.trials))
        optuna = _optuna()
        sampler = optuna.samplers.TPESampler(
            seed=derive_seed(self.seed, len(self.trials)) % (1 << 32),
            multivariate=True,
            n_startup_trials=STARTUP_TRIALS,
        )
        study = optuna.create_study(direction="maximize", sampler=sampler)
        spaces = {entry.name: _distribution(optuna, entry) for entry in self.space.parameters}
        for trial in self.trials:
            study.add_trial(
                optuna.trial.create_trial(
                    params=trial.setting, distributions=spaces, value=trial.score
                )
            )
        asked = study.ask(spaces)
        return {name: _rounded(asked.params[name]) for name in spaces}

    def _spread(self, number: int) -> Setting:
        """A point such that the first two lie in different halves of a range, four in quarters."""
        return {
            entry.name: entry.at(_stratum(number * (2 * place + 1), f"{self.seed}-{entry.name}"))
            for place, entry in enumerate(self.space.parameters)
        }

    def best(self) -> Setting:
        """The setting whose neighbourhood scored best; InputError before the first trial."""
        if not self.trials:
            raise InputError("no trial has been played yet")
        return max(self.trials, key=lambda trial: self.smooth(trial.setting)).setting

    def smooth(self, setting: Mapping[str, Value]) -> float:
        """The mean score of trials near a setting, drawn to that of all by two trials' weight."""
        total = math.fsum(trial.score for trial in self.trials) / len(self.trials)
        weights = [
            math.exp(-0.5 * (self.space.distance(setting, trial.setting) / _NEIGHBOURHOOD) ** 2)
            for trial in self.trials
        ]
        near = math.fsum(w * trial.score for w, trial in zip(weights, self.trials, strict=True))
        return (near + 2.0 * total) / (math.fsum(weights) + 2.0)


def _stratum(number: int, seed: str) -> float:
    """A share of a range by the binary digits of a number, the lowest decides the half."""
    share, part, seen = 0.0, 1.0, ""
    for _ in range(STARTUP_TRIALS.bit_length() - 1):
        part /= 2
        share += part * (number % 2 ^ random.Random(f"{seed}-{seen}").randrange(2))
        seen, number = f"{seen}{number % 2}", number // 2
    return share + part * random.Random(f"{seed}-{seen}").random()


def _rounded(value: Value) -> Value:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _distribution(optuna: Any, entry: Parameter) -> Any:
    if entry.choices:
        return optuna.distributions.CategoricalDistribution(entry.choices)
    if entry.whole:
        return optuna.distributions.IntDistribution(round(entry.low), round(entry.high))
    return optuna.distributions.FloatDistribution(entry.low, entry.high)


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise UnsupportedError(
            "tuning needs the extra `tune`: pip install 'plyground[tune]'"
        ) from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    return optuna


def _read(path: Path, space: Space) -> Iterable[Trial]:
    """The trials in a file; InputError if they are of another tuning.

    A last line without an end was cut off when the tuning was killed; it is taken away.
    """
    names = {entry.name for entry in space.parameters}
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        path.write_bytes(whole)
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            trial = msgspec.json.decode(line, type=Trial)
        except msgspec.DecodeError as error:
            raise InputError(f"{path}, line {number}: this is no trial: {error}") from error
        if set(trial.setting) != names or not trial.scores:
            raise InputError(f"{path}, line {number}: this trial is of another tuning")
        yield trial
