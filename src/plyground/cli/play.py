"""`plyground play`: a game in the terminal, people against agents or each other."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from plyground.cli.app import (
    Json,
    Options,
    Thinking,
    console,
    notes,
    open_agent,
    open_game,
    open_position,
    print_board,
    print_json,
)
from plyground.core.agent import Agent
from plyground.core.errors import MoveError
from plyground.core.game import CHANCE, Game, Position
from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.record import GameRecord, MoveRecord
from plyground.core.registry import strongest_agent

DEFAULT_LIMIT = Limit(time=1.0)
HELP = "type a move, or: moves, hint, undo, resign, quit"


def play(
    game: str,
    /,
    *,
    first: Annotated[str, Parameter(help="human, or an agent.")] = "human",
    second: Annotated[str | None, Parameter(help="human, or an agent.")] = None,
    position: str | None = None,
    seed: int = 0,
    thinking: Thinking = Thinking(),  # noqa: B008
    option: Options = None,
    json: Json = False,
) -> None:
    """Play in the terminal. With --json the finished game's record is printed at the end.

    Example: plyground play connect4 --second champion --time 1
    """
    rules = open_game(game, option)
    names = [first]
    if rules.info.players == 2:
        names.append(second or strongest_agent(rules.info.name))
    screen = notes if json else console
    table = Session(rules, names, seed, thinking.limit(DEFAULT_LIMIT), position, screen)
    table.run()
    if json:
        print_json(table.record())


class Session:
    """A game at the terminal: who plays, the positions so far, the commands of the person."""

    def __init__(
        self,
        game: Game,
        names: list[str],
        seed: int,
        limit: Limit,
        start: str | None,
        screen: Console,
    ) -> None:
        self.game, self.names, self.seed, self.limit = game, names, seed, limit
        self.screen = screen
        self.start_text = start or ""
        self.positions = [open_position(game, start)]
        self.moves: list[MoveRecord] = []
        self.resigned = False
        self.agents = [self._agent(name, index) for index, name in enumerate(names)]
        self.adviser: Agent | None = None

    def _agent(self, name: str, index: int) -> Agent | None:
        if name == "human":
            return None
        return open_agent(self.game, name, self.seed + index)

    @property
    def position(self) -> Position:
        """The position on the board now."""
        return self.positions[-1]

    def run(self) -> None:
        """Play until the end, a resignation or the end of input."""
        drawn: Position | None = None
        self.screen.print(f"{self.game.info.title}: {' against '.join(self.names)}. {HELP}")
        while not self.position.is_over and not self.resigned:
            if self.position.turn == CHANCE:
                event = self.game.chance_event(self.position, self.seed)
                self._add(self.game.apply_chance(self.position, event), event, CHANCE)
                if self.game.info.players == 2:
                    self.screen.print(f"a random event: {event}")
                continue
            agent = self.agents[self.position.turn]
            if agent is None:
                if self.position is not drawn:
                    drawn = self.position
                    print_board(drawn, self.screen)
                if not self._ask():
                    return
            else:
                result = agent.search(self.position, self.limit)
                self.screen.print(f"{self.names[self.position.turn]} plays {result.move}")
                self._play(result.move)
        print_board(self.position, self.screen)
        self.screen.print(self._result())

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the rules or by resignation."""
        if self.resigned and self.game.info.players == 2:
            return Outcome(1 - self.position.turn, Termination.RESIGN)
        return self.position.outcome

    def _result(self) -> str:
        outcome = self.outcome
        if outcome is None:
            return "unfinished"
        if outcome.winner is None:
            return f"{outcome.termination.value}: " + (
                "a draw" if self.game.info.players == 2 else "the game is over"
            )
        return f"{self.names[outcome.winner]} ({self.game.info.player_names[outcome.winner]}) wins"

    def _add(self, following: Position, move: str, player: int) -> None:
        self.positions.append(following)
        self.moves.append(MoveRecord(move, player))
        for agent in self.agents:
            if agent is not None:
                agent.observe(following, move)

    def _play(self, text: str) -> None:
        player = self.position.turn
        following = self.position.play(text)
        self._add(following, following.last_move, player)

    def _ask(self) -> bool:
        """One line of the person at the keyboard; False at the end of input."""
        side = self.game.info.player_names[self.position.turn]
        print(f"{side}> ", end="", flush=True, file=self.screen.file)
        line = sys.stdin.readline()
        if not line:
            return False
        word = line.strip()
        commands: dict[str, Callable[[], bool]] = {
            "": lambda: True,
            "moves": self._show_moves,
            "hint": self._hint,
            "undo": self._undo,
            "resign": self._resign,
            "quit": lambda: False,
            "q": lambda: False,
            "help": self._help,
        }
        if word in commands:
            return commands[word]()
        try:
            self._play(word)
        except MoveError as error:
            self.screen.print(f"{error}", highlight=False)
        return True

    def _help(self) -> bool:
        self.screen.print(HELP)
        return True

    def _show_moves(self) -> bool:
        self.screen.print(" ".join(self.position.legal_moves), highlight=False)
        return True

    def _hint(self) -> bool:
        if self.adviser is None:
            self.adviser = self._agent(strongest_agent(self.game.info.name), 0)
        assert self.adviser is not None
        result = self.adviser.search(self.position, self.limit)
        self.screen.print(f"hint: {result.move} ({result.score})", highlight=False)
        return True

    def _undo(self) -> bool:
        """Take back to the last position where a person was to move."""
        for index in range(len(self.positions) - 2, -1, -1):
            turn = self.positions[index].turn
            if turn != CHANCE and self.agents[turn] is None:
                del self.positions[index + 1 :], self.moves[index:]
                for number, agent in enumerate(self.agents):
                    if agent is not None:
                        agent.new_game(self.game, self.seed + number)
                return True
        self.screen.print("there is nothing to undo")
        return True

    def _resign(self) -> bool:
        self.resigned = True
        return True

    def record(self) -> GameRecord:
        """The game so far."""
        return GameRecord(
            game=self.game.info.name,
            options=self.game.options,
            players=tuple(self.names),
            start=self.start_text,
            seed=self.seed,
            moves=tuple(self.moves),
            outcome=self.outcome,
        )
