"""The conversation with a program that speaks the project's own protocol (`messages.py`).

Every `go` has the number of its turn. A program that repeats the number in its answers can never
be misunderstood; of one that does not, anything heard between its answer and its next `go` is out
of turn.
"""

from __future__ import annotations

from plyground.core.errors import GameFileError
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.search import SearchInfo
from plyground.engines.conversation import Conversation, Greeted, OutputLimits, Phase, Prepared
from plyground.engines.engine import Answer, GameSetup
from plyground.engines.failure import EngineError, GameFaultError
from plyground.engines.messages import (
    LONG_LINE,
    PROTOCOL_VERSION,
    BestMove,
    Deal,
    EngineComplaint,
    EngineHello,
    FromEngine,
    GameOver,
    Go,
    Hello,
    Info,
    NewGame,
    PlayedMove,
    Quit,
    Ready,
    Stop,
    decode_briefly,
    decode_from_engine,
    encode,
    read_count,
    read_note,
    read_score,
)


class JsonConversation(Conversation):
    """JSON lines; one program can hold several games, told apart by their ids."""

    def __init__(self, limits: OutputLimits | None = None, grace: float = 1.0) -> None:
        super().__init__(limits, grace)
        self.hello = EngineHello()
        self._game = ""
        self._turn = 0
        self._side = 0
        self._repeats_turns = False
        self._analyses = False

    @property
    def _names_turns(self) -> bool:
        return self._repeats_turns

    # What is said ---------------------------------------------------------------------------

    def observe(self, game: str, move: str, player: int) -> None:
        self._unsent += encode(PlayedMove(id=game, move=move, player=player))

    def deal(self, game: str, event: str) -> None:
        self._unsent += encode(Deal(id=game, deal=event))

    def finish(self, game: str, outcome: Outcome) -> None:
        self._unsent += encode(GameOver(id=game, outcome=outcome))

    def quit(self) -> None:
        super().quit()
        self._outgoing += encode(Quit())

    def _greeting(self) -> bytes:
        return encode(Hello())

    def _game_request(self, setup: GameSetup) -> bytes:
        name = setup.game.info.name
        if self.hello.games and name not in self.hello.games:
            plays = ", ".join(self.hello.games)
            raise EngineError(Termination.CRASH, f"does not play {name}, only {plays}")
        return encode(
            NewGame(
                id=setup.id,
                game=name,
                options=setup.game.options,
                position=setup.start,
                moves=setup.opening,
                side=setup.side,
                seed=setup.seed,
                limit=setup.limit,
            )
        )

    def _turn_request(self, game: str, position: Position, limit: Limit, analyse: bool) -> bytes:
        self._game = game
        self._side = max(position.turn, 0)
        self._turn += 1
        self._analyses = analyse
        wants = self.hello.wants
        return encode(
            Go(
                id=game,
                turn=self._turn,
                limit=limit,
                analyse=analyse,
                position=position.text if "position" in wants else None,
                legal_moves=tuple(position.legal_moves) if "legal_moves" in wants else None,
            )
        )

    def _stop_request(self) -> bytes:
        return encode(Stop(id=self._game, turn=self._turn))

    # What is heard --------------------------------------------------------------------------

    def _hear(self, line: bytes, now: float) -> None:
        long = len(line) > LONG_LINE and not self._analyses
        message = decode_briefly(line) if long else decode_from_engine(line)
        if isinstance(message, Info):
            self._hear_info(message, now)
        elif isinstance(message, BestMove):
            self._hear_answer(message, now)
        elif isinstance(message, EngineComplaint):
            if message.kind == GameFileError.kind:
                raise GameFaultError(Termination.CRASH, message.message)
            raise EngineError(Termination.CRASH, f"says: {message.message[:300]}")
        elif isinstance(message, EngineHello) and self.phase is Phase.GREETING:
            self._hear_hello(message)
        elif isinstance(message, Ready) and self.phase is Phase.PREPARING:
            self._reached(Prepared())
        else:
            raise self._unexpected(_kind(message))

    def _hear_hello(self, hello: EngineHello) -> None:
        if hello.protocol != PROTOCOL_VERSION:
            raise EngineError(
                Termination.CRASH, f"speaks protocol {hello.protocol}, not {PROTOCOL_VERSION}"
            )
        self.hello = hello
        self._reached(Greeted())

    def _hear_info(self, message: Info, now: float) -> None:
        """Progress; of an earlier turn it means nothing any more."""
        if message.turn is not None and message.turn != self._turn:
            return
        self._progress(
            SearchInfo(
                move=message.move,
                score=read_score(message.score, self._side),
                depth=read_count(message.depth),
                nodes=read_count(message.nodes) or 0,
                elapsed=message.elapsed,
                line=message.line,
                moves=message.moves,
                note=read_note(message.note),
            ),
            now,
        )

    def _hear_answer(self, message: BestMove, now: float) -> None:
        if self.phase not in (Phase.THINKING, Phase.STOPPED, Phase.RETURNING):
            raise self._unexpected(_kind(message))
        if message.turn is None and self._repeats_turns:
            raise self._out_of_turn("'bestmove' without the number of its turn, as if")
        if message.turn is not None and message.turn != self._turn:
            raise self._out_of_turn(f"'bestmove' for turn {message.turn} in turn {self._turn},")
        self._repeats_turns = message.turn is not None
        moves = message.moves or ((message.move,) if message.move else ())
        if not moves and not message.resign:
            raise EngineError(Termination.NO_MOVE, "sent a bestmove without a move")
        self._answer(
            Answer(
                moves=() if message.resign else moves,
                elapsed=0.0,
                score=read_score(message.score, self._side),
                nodes=read_count(message.nodes),
                depth=read_count(message.depth),
                line=message.line,
                values=message.values,
                note=read_note(message.note),
            ),
            now,
        )


def _kind(message: FromEngine) -> str:
    return repr(message.__struct_config__.tag)
