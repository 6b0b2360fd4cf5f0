"""The form of an experiment: where it comes from, what is played or measured, what was claimed.

An experiment has a plan (series of games, measurements) for a scale, and claims. A claim is the
document's statement with a function that looks at the results and says what we found. Everything
in a plan has a key made of its content, so that results on disk are found again, and results of
other settings are not.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from plyground.core import rooms
from plyground.core.errors import UnknownNameError
from plyground.core.game import OptionValue
from plyground.core.limits import Limit
from plyground.lab.versions import content_digest, player_version

if TYPE_CHECKING:
    from plyground.lab.results import Results
    from plyground.report.page import Block

Choice = TypeVar("Choice")

NO_LIMIT = Limit()
"""For agents that stop by their own depth or number of playouts."""


class Scale(StrEnum):
    """How much of an experiment is run. Only FULL has the documents' own conditions throughout."""

    QUICK = "quick"
    MEDIUM = "medium"
    FULL = "full"

    def pick(self, quick: Choice, full: Choice, medium: Choice | None = None) -> Choice:
        """The value for this scale; without a medium one the quick value serves there too."""
        if self is Scale.FULL:
            return full
        if self is Scale.MEDIUM and medium is not None:
            return medium
        return quick


@dataclass(frozen=True)
class Series:
    """Games between two players under one condition (or of one player, `second` empty).

    `first` sits first in every game unless `swap` makes them change seats after every game. `cap`
    ends a one-player game after that many turns.
    """

    name: str
    game: str
    first: str
    second: str
    games: int
    limit: Limit = NO_LIMIT
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    swap: bool = False
    setting: str = ""
    cap: int | None = None
    opening_plies: int = 0
    """Random plies before the players take over, the same for both games of a swapped pair."""

    @property
    def versions(self) -> tuple[str, str]:
        """The versions of the two players."""
        return player_version(self.game, self.first), player_version(self.game, self.second)

    def key(self, number: int) -> str:
        """Names one game of the series by all that decides it, the players' versions included."""
        content = [
            self.game,
            self.first,
            self.second,
            msgspec.to_builtins(self.limit),
            sorted(self.options.items()),
            self.swap,
            self.cap,
            self.opening_plies,
            *self.versions,
        ]
        return f"{self.name}.{fingerprint(content)}.{number:04d}"


@dataclass(frozen=True)
class Measure:
    """A number or several, found by a function of a module (not a lambda) with plain arguments.

    `alone`: nothing else may run beside it, because it measures time.
    """

    name: str
    function: Callable[..., dict[str, Any]]
    arguments: Mapping[str, Any] = field(default_factory=dict)
    alone: bool = False

    def key(self) -> str:
        """Names the measurement by function, its version and arguments."""
        module = self.function.__module__
        content = [
            f"{module}.{self.function.__qualname__}",
            sorted(self.arguments.items()),
            content_digest(module),
        ]
        return f"{self.name}.{fingerprint(content)}"


def fingerprint(content: Any) -> str:
    """A short text that depends on all of the content."""
    encoded = msgspec.json.encode(content, enc_hook=str)
    return hashlib.blake2b(encoded, digest_size=4).hexdigest()


Item = Series | Measure


@dataclass(frozen=True)
class Finding:
    """What we found about a claim. `agrees` is None where the results cannot decide it; `games`
    then says about how many in all would.
    """

    ours: str
    agrees: bool | None
    games: int | None = None


@dataclass(frozen=True)
class Claim:
    """A document's statement. `because` explains a disagreement in one sentence, and `tested` says
    what comes out when the one thing that is blamed is changed.
    """

    says: str
    check: Callable[[Results], Finding]
    because: str = ""
    tested: Callable[[Results], str] | None = None


Plan = Callable[[Scale], Sequence[Item]]


@dataclass(eq=False)
class Experiment:
    """What a document did, done again. `reduced`: what a quick or medium run leaves out."""

    name: str
    document: str
    title: str
    plan: Plan
    claims: Sequence[Claim] = ()
    reduced: str = ""
    plots: Callable[[Results], Sequence[Block]] | None = None

    def run_name(self, scale: Scale) -> str:
        """The name under which its games are stored."""
        return f"lab-{self.name}-{scale.value}"


_experiments: dict[str, Experiment] = {}
_discovered = False


def experiment(name: str, document: str) -> Callable[[Plan], Experiment]:
    """Make an experiment known, as a decorator of its plan, whose docstring is its title.

    Its `claims`, and `reduced` and `plots` if there are any, are set afterwards.
    """

    def register(plan: Plan) -> Experiment:
        title = (inspect.getdoc(plan) or name).splitlines()[0].removesuffix(".")
        _experiments[name] = Experiment(name, document, title, plan)
        return _experiments[name]

    return register


def experiments() -> dict[str, Experiment]:
    """All experiments by name, in the order of the documents."""
    global _discovered
    if not _discovered:
        _discovered = True
        for module in rooms.modules("experiments"):
            importlib.import_module(module)
    return dict(sorted(_experiments.items(), key=lambda entry: (entry[1].document, entry[0])))


def find(name: str) -> list[Experiment]:
    """An experiment by name, or all of a document (`003`)."""
    known = experiments()
    if name in known:
        return [known[name]]
    of_document = [entry for entry in known.values() if entry.document == name]
    if not of_document:
        documents = {entry.document for entry in known.values()}
        raise UnknownNameError.of("experiment", name, [*known, *documents])
    return of_document


def missing_agents(experiment: Experiment) -> list[str]:
    """The players of its games, as GAME/AGENT, that this installation does not have."""
    from plyground.core.registry import agents, games

    known = games()
    wanted = {
        (item.game, player.partition(":")[0])
        for item in experiment.plan(Scale.QUICK)
        if isinstance(item, Series)
        for player in (item.first, item.second)
        if player
    }
    return [
        f"{game}/{agent}"
        for game, agent in sorted(wanted)
        if game not in known or agent not in agents(game)
    ]
