"""The configuration of a match or tournament: from the command line, from TOML, from the store."""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from plyground.arena.adjudication import Adjudication
from plyground.arena.openings import OpeningBook, makes_boards, read_openings, read_suite
from plyground.arena.schedule import Fixture, Format, Schedule
from plyground.arena.task import GameTask, MatchRules, derive_seed
from plyground.core import reading
from plyground.core.agent import Agent
from plyground.core.errors import InputError, LimitError
from plyground.core.files import FileName, Source, check_text, short_name
from plyground.core.game import Game, OptionValue
from plyground.core.limits import Clock, Limit, TimeBy
from plyground.core.paths import is_file
from plyground.core.registry import find_game, game_name, make_game
from plyground.engines.engine import EngineSettings
from plyground.engines.failure import Interrupt
from plyground.engines.players import (
    accepts_openings,
    carry,
    files_of,
    make_engine,
    pin_player,
    split_player,
)
from plyground.engines.process import ProcessLimits
from plyground.engines.sandbox import SandboxMode
from plyground.stats.sprt import Sprt

DEFAULT_LIMIT = Limit(time=0.1)
MOST_GAMES = 10_000_000
MOST_PLAYERS = 1000
NAME_CHARACTERS = 200
DEFAULT_OPENING_PLIES = 4
"""Of games where every pair has the same board."""

FailurePolicy = Literal["lose", "skip"]
"""What a game lost by a failure is for ratings and tests: a loss, or nothing."""


class PlayerEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player of a run; `limit` replaces the run's own for handicap games."""

    player: str
    name: str = ""
    limit: Limit | None = None

    @property
    def label(self) -> str:
        """What tables and records call the player."""
        return self.name or self.player


def enter_player(player: str | type[Agent] | Agent) -> PlayerEntry:
    """A player as text, as a class or as an instance."""
    return PlayerEntry(player) if isinstance(player, str) else PlayerEntry(*carry(player))


def name_players(players: Sequence[str], names: Sequence[str]) -> tuple[PlayerEntry, ...]:
    """Players with the names that tables shall give them, the first name for the first player."""
    if len(names) > len(players):
        raise InputError(f"{len(names)} names for {len(players)} players")
    given = [*names, *[""] * (len(players) - len(names))]
    return tuple(PlayerEntry(text, name) for text, name in zip(players, given, strict=True))


class SprtSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """Bounds of the sequential test in Elo, and its error rates."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def test(self) -> Sprt:
        """The test itself; InputError for bounds that make no sense."""
        try:
            return Sprt(self.elo0, self.elo1, self.alpha, self.beta)
        except ValueError as error:
            raise InputError(str(error)) from None


class RunConfig(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that decides which games are played and how; the same config gives the same games."""

    kind: Literal["match", "tournament"]
    game: str
    options: dict[str, OptionValue] = {}
    players: tuple[PlayerEntry, ...]
    format: Format = "round-robin"
    games: int = 2
    swiss_rounds: int | None = None
    limit: Limit = DEFAULT_LIMIT
    seed: int = 0
    opening_plies: int | None = None
    openings: tuple[str, ...] = ()
    boards: tuple[dict[str, OptionValue], ...] = ()
    rules: MatchRules = MatchRules()
    sprt: SprtSettings | None = None
    failures: FailurePolicy = "lose"
    anchors: int = 0
    own_openings: bool = False
    sources: tuple[Source, ...] = ()

    def pinned(self) -> RunConfig:
        """The same run with the content of every player's file fixed, under the name as written."""
        entries, sources = [], {source.digest: source for source in self.sources}
        for source in self.sources:
            source.keep()
        game = FileName.parse(self.game)
        if game is not None:
            sources[game.digest] = game.source()
        for entry in self.players:
            text, brought = pin_player(self.game, entry.player)
            if brought is not None:
                sources[brought.digest] = brought
                entry = msgspec.structs.replace(entry, player=text, name=entry.label)
            entries.append(entry)
        return msgspec.structs.replace(
            self, players=tuple(entries), sources=tuple(sources.values())
        )

    def check(self) -> Game:
        """The game, after a check of everything that can be checked without playing."""
        game = make_game(self.game, self.options)
        solo = game.info.players == 1
        self._check_names()
        if len(self.players) < (1 if solo else 2):
            missing = "a second" if self.players else "them"
            wanted = "a player" if solo else f"two players: name {missing}, such as random"
            raise InputError(f"{short_name(self.game)} needs {wanted}")
        if self.kind == "match" and not solo and len(self.players) != 2:
            raise InputError(f"a match has two players, not {len(self.players)}; see `tournament`")
        if not 1 <= self.games <= MOST_GAMES:
            raise InputError(f"the number of games must be 1 to {MOST_GAMES}, not {self.games}")
        if self.opening_plies is not None and self.opening_plies < 0:
            raise InputError(f"opening plies must be at least 0, not {self.opening_plies}")
        if self.format == "anchors" and not 0 < self.anchors < len(self.players):
            raise InputError("the format `anchors` needs anchors, and players to meet them")
        if self.sprt is not None:
            self.sprt.test()
            if self.kind != "match" or solo:
                raise InputError("SPRT compares the two players of a match")
        self.rules.adjudication.check()
        for source in self.sources:
            source.keep()
        for entry in self.players:
            if (entry.limit or self.limit).endless:
                raise LimitError("give a limit: --time, --nodes, --depth or --clock")
            make_engine(self.game, entry.player, self.rules.engine, Interrupt())
        return game

    def _check_names(self) -> None:
        """Not more players than a table can show, and names that it can."""
        if len(self.players) > MOST_PLAYERS:
            raise InputError(f"at most {MOST_PLAYERS} players, not {len(self.players)}")
        for entry in self.players:
            check_text(entry.player, "a player")
            if len(entry.name) > NAME_CHARACTERS or not entry.name.isprintable():
                raise InputError(
                    f"a name has at most {NAME_CHARACTERS} characters that can be printed, not"
                    f" {entry.name[:NAME_CHARACTERS]!r}"
                )

    @property
    def labels(self) -> tuple[str, ...]:
        """The players' names in order; players of the same name are numbered."""
        names: list[str] = []
        for entry in self.players:
            number = 2
            name = entry.label
            while name in names:
                name, number = f"{entry.label} ({number})", number + 1
            names.append(name)
        return tuple(names)

    def identity(self) -> str:
        """Short text that two configs share only if they mean the same games."""
        bare = msgspec.structs.replace(self, sources=())  # players' texts have their digests
        digest = hashlib.blake2b(msgspec.json.encode(bare, order="sorted"), digest_size=4)
        return digest.hexdigest()

    def to_builtins(self) -> dict[str, Any]:
        """As stored with the run."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain

    @classmethod
    def from_builtins(cls, plain: dict[str, Any]) -> RunConfig:
        """As read back from the store."""
        engine = plain.get("rules", {}).get("engine", {})
        if isinstance(engine.get("sandbox"), bool):
            engine = {**engine, "sandbox": _sandbox_mode(engine["sandbox"])}
            plain = {**plain, "rules": {**plain["rules"], "engine": engine}}
        try:
            return msgspec.convert(plain, cls)
        except msgspec.ValidationError as error:
            raise InputError(f"the configuration of this run cannot be read: {error}") from error


class TaskMaker:
    """Turns scheduled games into tasks."""

    def __init__(self, config: RunConfig, game: Game, private: Sequence[str] = ()) -> None:
        """`private` are files that no program shall see, as it shall not see the others' files."""
        self._config = config
        files = {file for entry in config.players for file in files_of(entry.player)}
        engine = msgspec.structs.replace(
            config.rules.engine, private=tuple(sorted({*private, *files}))
        )
        self._rules = msgspec.structs.replace(config.rules, engine=engine)
        self._players = game.info.players
        plies, given = config.opening_plies, config.openings
        if plies is None:
            varied = config.boards or makes_boards(game) or game.info.chance
            plies = 0 if varied else DEFAULT_OPENING_PLIES
        if not all(accepts_openings(entry.player) for entry in config.players):
            if given:
                raise InputError("a player of this run can only begin with the usual start")
            plies = 0
        self._book = OpeningBook(game, config.seed, plies, given, config.boards)
        self.schedule = Schedule(
            players=len(config.players),
            games=config.games,
            format=config.format,
            swiss_rounds=config.swiss_rounds,
            seats=self._players,
            anchors=config.anchors,
            own_openings=config.own_openings,
        )

    def task(self, fixture: Fixture) -> GameTask:
        """The work behind a fixture. Seeds depend on the run's seed, fixture and seat only."""
        config = self._config
        entries = [config.players[seat] for seat in fixture.seats]
        labels = config.labels
        opening = self._book[fixture.opening] if self._players == 2 else None
        return GameTask(
            schedule_id=fixture.id,
            pair_id=fixture.pair_id,
            game=config.game,
            options=(opening.options if opening else {}) or config.options,
            players=tuple(entry.player for entry in entries),
            labels=tuple(labels[seat] for seat in fixture.seats),
            seats=fixture.seats,
            start=opening.start if opening else "",
            opening=opening.moves if opening else (),
            limits=tuple(entry.limit or config.limit for entry in entries),
            seed=derive_seed(config.seed, "game", fixture.opening),
            engine_seeds=tuple(
                derive_seed(config.seed, fixture.id, "player", seat) for seat in fixture.seats
            ),
            rules=self._rules,
            sources=tuple(
                source
                for source in config.sources
                if any(
                    f"@{source.digest}" in text
                    for text in (config.game, *(entry.player for entry in entries))
                )
            ),
        )


class _TomlPlayer(msgspec.Struct, forbid_unknown_fields=True):
    player: str
    name: str = ""
    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: str | None = None
    time_by: TimeBy | None = None


class _Toml(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    players: list[str | _TomlPlayer]
    options: dict[str, OptionValue] = {}
    format: Format = "round-robin"
    games: int = 2
    rounds: int | None = None
    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    clock: str | None = None
    time_by: TimeBy = "wall"
    threads: int = 1
    seed: int = 0
    opening_plies: int | None = None
    openings: str | None = None
    boards: str | None = None
    adjudicate: bool = False
    resign: float | None = None
    draw: float | None = None
    turns: int | None = None
    margin: float = EngineSettings().margin
    startup: float = EngineSettings().startup
    patience: float = EngineSettings().patience
    memory_mb: int | None = None
    sandbox: SandboxMode | bool = "auto"
    failures: FailurePolicy = "lose"


def _game_of(config: Path, text: str) -> str:
    """The name of a game in a TOML file; a game's file is looked for beside it."""
    beside = config.parent / text
    return game_name(str(beside) if FileName.parse(text) and is_file(beside) else text)


def read_config(path: Path) -> RunConfig:
    """A tournament from a TOML file; InputError says what is wrong with it."""
    try:
        plain = tomllib.loads(reading.read_text(path))
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # also of numbers with thousands of digits
        raise InputError(f"{path} is not valid TOML: {error}") from error
    try:
        toml = msgspec.convert(plain, _Toml)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {error}{_suggestion(str(error))}") from error
    name = _game_of(path, toml.game)
    made = find_game(name)
    game = made({**made.match_options, **toml.options})
    openings: tuple[str, ...] = ()
    boards: tuple[dict[str, OptionValue], ...] = ()
    if toml.openings is not None:
        openings = read_openings(path.parent / toml.openings, game)
    if toml.boards is not None:
        openings, boards = read_suite(game, toml.boards, path.parent)
    return RunConfig(
        kind="tournament",
        game=name,
        options=game.options,
        players=tuple(_player_entry(entry, path.parent, toml) for entry in toml.players),
        format=toml.format,
        games=toml.games,
        swiss_rounds=toml.rounds,
        limit=_limit(toml, toml.time_by, toml.threads)
        or msgspec.structs.replace(DEFAULT_LIMIT, by=toml.time_by, threads=toml.threads),
        seed=toml.seed,
        opening_plies=toml.opening_plies,
        openings=openings,
        boards=boards,
        failures=toml.failures,
        rules=MatchRules(
            adjudication=Adjudication(toml.adjudicate, toml.resign, toml.draw),
            turns=toml.turns,
            engine=EngineSettings(
                margin=toml.margin,
                startup=toml.startup,
                patience=toml.patience,
                sandbox=_sandbox_mode(toml.sandbox),
                limits=process_limits(toml.memory_mb),
            ),
        ),
    )


def _sandbox_mode(given: SandboxMode | bool) -> SandboxMode:
    """Also as it was written once: true or false."""
    return ("on" if given else "off") if isinstance(given, bool) else given


def _suggestion(complaint: str) -> str:
    """What was probably meant by a key that is not known."""
    unknown = re.search(r"unknown field `(\w+)`", complaint)
    if unknown is None:
        return ""
    known = (_TomlPlayer if "`$.players" in complaint else _Toml).__struct_fields__
    near = difflib.get_close_matches(unknown[1], known, n=1)
    return f"; did you mean {near[0]!r}?" if near else f" (known: {', '.join(sorted(known))})"


def process_limits(memory_mb: int | None) -> ProcessLimits:
    """The limits of engine processes with this much memory (None: the default)."""
    if memory_mb is None:
        return ProcessLimits()
    if memory_mb < 1:
        raise InputError(f"memory must be at least 1 MB, not {memory_mb}")
    return ProcessLimits(memory=memory_mb << 20)


def _limit(entry: _Toml | _TomlPlayer, by: TimeBy, threads: int) -> Limit | None:
    clock = Clock.parse(entry.clock) if entry.clock else None
    limit = Limit(entry.time, entry.nodes, entry.depth, clock, by, threads)
    return None if limit.endless else limit


def _player_entry(given: str | _TomlPlayer, folder: Path, toml: _Toml) -> PlayerEntry:
    """The entry; a Python file is meant relative to the folder of the configuration."""
    entry = _TomlPlayer(given) if isinstance(given, str) else given
    player, name = entry.player, entry.name
    if not split_player(player)[0] and FileName.parse(player) is not None:
        player, name = str(folder / player), name or player
    return PlayerEntry(player, name, _limit(entry, entry.time_by or toml.time_by, toml.threads))
