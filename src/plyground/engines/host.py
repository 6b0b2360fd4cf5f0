"""A built-in agent as an engine process: reads requests, lets the agent think, answers.

One process can hold several games at a time (each with its own agent); they think one after the
other. While an agent thinks, its calls of `stop` look at the input, so that `stop`, `quit` and a
closed pipe take effect within a few milliseconds.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import select
import sys
import traceback
from collections import deque
from collections.abc import Iterator, Mapping
from typing import get_args

import msgspec

from plyground.core.agent import Agent
from plyground.core.errors import InputError, PlygroundError
from plyground.core.files import short_name, tell_fault
from plyground.core.game import CHANCE, Game, OptionValue, Position
from plyground.core.limits import Limit, Seconds, TimeBy
from plyground.core.registry import is_built_in, make_agent, make_game
from plyground.core.search import SearchInfo
from plyground.engines.line_reader import LineReader
from plyground.engines.messages import (
    BestMove,
    Deal,
    EngineComplaint,
    EngineHello,
    GameOver,
    Go,
    Hello,
    Info,
    Message,
    NewGame,
    PlayedMove,
    Quit,
    Ready,
    Stop,
    ToEngine,
    decode_to_engine,
    encode,
    wire_score,
)
from plyground.kernels import store
from plyground.kernels.compiler import load_compiler

_CLOCKS: dict[TimeBy, Seconds] = {by: Limit(by=by).now for by in get_args(TimeBy)}


class Session:
    """One game in this process: its agent and where the game stands."""

    def __init__(self, agent: Agent, position: Position) -> None:
        self.agent = agent
        self.position = position
        self._trusted = is_built_in(type(agent))

    @property
    def shown(self) -> Position:
        """The position as the agent gets it: a copy of its own if it is not one of ours."""
        if self._trusted:
            return self.position
        position = self.position
        return type(position)(position.game, position.state.copy(), position.last_move)


class Requests:
    """Messages from the arena; looking ahead for `stop` without losing the others."""

    def __init__(self, descriptor: int) -> None:
        self._lines = LineReader(descriptor)
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self._waiting: deque[ToEngine] = deque()

    def next(self) -> ToEngine:
        """The next message; `Quit` when the pipe is closed."""
        while not self._waiting:
            if self._lines.ended:
                return Quit()
            self._read()
        return self._waiting.popleft()

    def pending(self) -> bool:
        """Whether a message may be waiting."""
        return bool(self._waiting or self._poll.poll(0))

    def stop_asked(self, game: str) -> bool:
        """Whether to stop thinking about this game now."""
        while not self._lines.ended and self._poll.poll(0):
            self._read()
        return self._lines.ended or any(
            isinstance(message, Quit) or (isinstance(message, Stop) and message.id == game)
            for message in self._waiting
        )

    def _read(self) -> None:
        lines = self._lines.read()
        try:
            self._waiting += [decode_to_engine(line) for line in lines if line.strip()]
        except (msgspec.DecodeError, RecursionError) as error:
            raise InputError(f"the other side sent something that is no message: {error}") from None


class Host:
    """The loop of an engine process for one agent of one game."""

    def __init__(self, game: str, agent: str, requests: Requests, output: int) -> None:
        self.game = game
        self.agent = agent
        self.requests = requests
        self._output = output
        self._games: dict[tuple[tuple[str, OptionValue], ...], Game] = {}
        self._sessions: dict[str, Session] = {}
        self._spare: list[Agent] = [self.make_agent()]
        if "numba" in sys.modules and not is_built_in(type(self._spare[0])):
            load_compiler()  # it compiles functions of its own: no turn shall wait for Numba itself
        self._rehearsed: set[Game] = set()
        self._late = dict.fromkeys(_CLOCKS, 0.0)

    def make_agent(self) -> Agent:
        """A fresh agent for one more game at a time."""
        return make_agent(self.game, self.agent)

    def run(self) -> None:
        """Serve until `quit` or the end of the input."""
        while True:
            message = self.requests.next()
            if isinstance(message, Quit):
                return
            try:
                self._handle(message)
            except Exception as error:
                self._complain(getattr(message, "id", ""), error)

    def _complain(self, identity: str, error: Exception) -> None:
        """Say what went wrong, and if the game is to blame; an agent's own crash goes on."""
        faults = (game.fault_in(error) for game in self._games.values())
        if fault := next(filter(None, faults), None):
            self._send(EngineComplaint(id=identity, message=str(fault), kind=fault.kind))
        elif isinstance(error, PlygroundError):
            self._send(EngineComplaint(id=identity, message=tell_fault(error)))
        else:
            raise error

    def _handle(self, message: ToEngine) -> None:
        if isinstance(message, Hello):
            self._send(EngineHello(name=self.agent, games=(self.game,)))
        elif isinstance(message, NewGame):
            self._new_game(message)
        elif isinstance(message, Go):
            self._go(message)
        elif isinstance(message, PlayedMove):
            self._played(message)
        elif isinstance(message, Deal):
            session = self._session(message.id)
            session.position = session.position.game.apply_chance(session.position, message.deal)
        elif isinstance(message, GameOver):
            ended = self._sessions.pop(message.id, None)
            if ended is not None:
                self._spare.append(ended.agent)

    def _played(self, message: PlayedMove) -> None:
        """Follow a move. A `go` that came meanwhile has waited at most as long as this took."""
        started = {by: now() for by, now in _CLOCKS.items()}
        session = self._session(message.id)
        session.position = session.position.follow(message.move)
        session.agent.observe(session.shown, message.move)
        pending = self.requests.pending()
        self._late = {by: now() - started[by] if pending else 0.0 for by, now in _CLOCKS.items()}

    def _new_game(self, message: NewGame) -> None:
        if message.game != self.game:
            raise InputError(
                f"this engine plays {short_name(self.game)}, not {short_name(message.game)}"
            )
        game = self._make_game(message.options)
        agent = self._spare.pop() if self._spare else self.make_agent()
        agent.new_game(game, message.seed)
        agent.warm_up()
        position = game.parse_position(message.position) if message.position else game.start()
        if game not in self._rehearsed:
            self._rehearsed.add(game)
            rehearse(agent, position)
            agent.new_game(game, message.seed)
        session = self._sessions[message.id] = Session(agent, position)
        for move in message.moves:
            session.position = session.position.play(move)
            agent.observe(session.shown, move)
        self._send(Ready(id=message.id))

    def _make_game(self, options: Mapping[str, OptionValue]) -> Game:
        key = tuple(sorted(options.items()))
        if key not in self._games:
            self._games[key] = make_game(self.game, options)
        return self._games[key]

    def _session(self, identity: str) -> Session:
        if identity not in self._sessions:
            raise InputError(f"there is no game {identity!r} here")
        return self._sessions[identity]

    def _go(self, message: Go) -> None:
        session = self._session(message.id)

        def report(info: SearchInfo) -> None:
            said = {**msgspec.structs.asdict(info), "score": wire_score(info.score)}
            self._send(Info(id=message.id, turn=message.turn, **said))

        late, self._late = self._late[message.limit.by], dict.fromkeys(_CLOCKS, 0.0)
        think = session.agent.analyse if message.analyse else session.agent.search
        with no_collection(message.limit.timed and not message.analyse):
            result = think(
                session.shown,
                message.limit.after(late),
                report,
                lambda: self.requests.stop_asked(message.id),
            )
            if not isinstance(result.move, str):
                raise InputError(
                    f"its move is {result.move!r}, which is no text as in position.legal_moves"
                )
            self._send(
                BestMove(
                    id=message.id,
                    turn=message.turn,
                    move=result.move,
                    score=wire_score(result.score),
                    depth=result.depth,
                    nodes=result.nodes or None,
                    elapsed=result.elapsed,
                    line=result.line,
                    values=result.moves,
                    note=result.note,
                )
            )

    def _send(self, message: Message) -> None:
        view = memoryview(encode(message))
        while view:
            view = view[os.write(self._output, view) :]


@contextlib.contextmanager
def no_collection(wanted: bool) -> Iterator[None]:
    """Keep Python's garbage collector off the clock: a full collection takes tens of milliseconds.

    It runs again as soon as the answer is sent; not wanted for analyses, which may be endless.
    """
    if wanted:
        gc.disable()
    try:
        yield
    finally:
        gc.enable()


def rehearse(agent: Agent, position: Position) -> None:
    """One tiny move and search, so that nothing is loaded for the first time on the clock.

    A stranger's `choose` knows no limit and might never return here, where nobody watches the time.
    """
    with contextlib.suppress(Exception):
        while position.turn == CHANCE:
            event = position.game.chance_event(position, 1)
            position = position.game.apply_chance(position, event)
        child = position.play(position.legal_moves[0])
        _ = child.legal_moves
        if type(agent).search is not Agent.search or type(agent).__module__.startswith(
            "plyground."
        ):
            agent.search(position, Limit(time=0.01, nodes=1, depth=1))
    store.seal_used()
    gc.collect()
    gc.freeze()


def serve(game: str, agent: str) -> None:
    """Run an agent on this process's standard input and output until it is told to quit.

    What the agent prints goes to standard error, so that it cannot garble the protocol.
    """
    output = os.dup(1)
    os.dup2(2, 1)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # each game keeps what was said in it
    try:
        Host(game, agent, Requests(0), output).run()
    except BrokenPipeError:
        pass


def run_host(game: str, agent: str) -> int:
    """The same with one line about what went wrong; the exit code."""
    try:
        serve(game, agent)
    except PlygroundError as error:
        print(f"plyground: {error}", file=sys.stderr)
        return error.exit_code
    except Exception as error:
        traceback.print_exc()
        # The last line is the one that failures quote.
        print(tell_fault(error), file=sys.stderr)
        return 1
    return 0


def main() -> None:
    """`python -m plyground.engines.host GAME AGENT`, a quick start without the command line."""
    sys.exit(run_host(sys.argv[1], sys.argv[2]))


if __name__ == "__main__":
    main()
