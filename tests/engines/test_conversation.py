"""The protocol without processes: every order of events, every chunking of bytes."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.core.limits import Limit
from plyground.core.outcome import Outcome, Termination
from plyground.core.registry import make_game
from plyground.engines.conversation import (
    SETTLING_SECONDS,
    Answered,
    Conversation,
    Failed,
    Greeted,
    OutputLimits,
    Phase,
    Prepared,
    Progress,
)
from plyground.engines.engine import GameSetup, TurnBudget
from plyground.engines.failure import EngineError
from plyground.engines.json_conversation import JsonConversation
from plyground.games.codecup_sudoku.bridge import ContestConversation

GAME = make_game("connect4", {"mean": "none"})
START = GAME.start()
BUDGET = TurnBudget(1.0, 1.5)
GRACE = 0.5


def line(**message) -> bytes:
    return json.dumps(message).encode() + b"\n"


def events(talk: Conversation) -> list:
    found = []
    while (event := talk.next_event()) is not None:
        found.append(event)
    return found


def setup(**more) -> GameSetup:
    fields = {"id": "g", "game": GAME, "position": START}
    return GameSetup(**{**fields, "side": 0, "seed": 1, "limit": Limit(time=1.0), **more})


def ready_to_play(limits: OutputLimits | None = None) -> JsonConversation:
    talk = JsonConversation(limits, GRACE)
    talk.greet(0.0, 5.0)
    assert json.loads(talk.take_outgoing())["type"] == "hello"
    talk.receive(line(type="hello", name="x"), 0.1)
    talk.prepare(setup(), 0.2, 5.0)
    assert json.loads(talk.take_outgoing())["type"] == "new_game"
    talk.receive(line(type="ready", id="g"), 0.3)
    assert [type(event) for event in events(talk)] == [Greeted, Prepared]
    return talk


def ask(talk: Conversation, now: float) -> dict:
    """Let it have its turn at the instant `now`; the request."""
    talk.go("g", START, Limit(time=1.0), BUDGET, now - SETTLING_SECONDS)
    talk.tick(now)
    return json.loads(talk.take_outgoing().splitlines()[-1])


def verdict(talk: Conversation) -> EngineError:
    (failure,) = [event for event in events(talk) if isinstance(event, Failed)]
    return failure.error


def test_an_answer_has_all_that_was_said_and_the_time_from_the_request():
    talk = ready_to_play()
    request = ask(talk, 10.0)
    assert (request["type"], request["id"], request["turn"]) == ("go", "g", 1)
    talk.receive(line(type="bestmove", turn=1, move="4", nodes=7, depth=2, score=1.5), 10.25)
    (event,) = events(talk)
    assert event.answer.moves == ("4",)
    assert event.answer.elapsed == pytest.approx(0.25)
    assert (event.answer.nodes, event.answer.depth) == (7, 2)
    assert event.answer.score.points == 1.5
    assert talk.deadline is None


def test_moves_and_deals_travel_with_the_next_request_only():
    talk = ready_to_play()
    talk.observe("g", "4", 0)
    talk.observe("g", "3", 1)
    assert talk.take_outgoing() == b""
    talk.go("g", START, Limit(time=1.0), BUDGET, 1.0)
    assert talk.take_outgoing() == b"", "not before the turn begins"
    talk.tick(1.0 + SETTLING_SECONDS)
    kinds = [json.loads(text)["type"] for text in talk.take_outgoing().splitlines()]
    assert kinds == ["move", "move", "go"]


def test_time_runs_out_in_two_steps():
    talk = ready_to_play()
    ask(talk, 10.0)
    assert talk.deadline == 11.0
    talk.tick(11.0)
    assert json.loads(talk.take_outgoing()) == {"type": "stop", "id": "g", "turn": 1}
    assert talk.deadline == 11.5
    talk.tick(11.5)
    assert verdict(talk).termination is Termination.TIMEOUT


def test_a_proposal_counts_if_the_program_comes_back():
    talk = ready_to_play()
    ask(talk, 10.0)
    talk.receive(line(type="info", move="3", nodes=5), 10.5)
    talk.receive(line(type="info", note="still here"), 10.6)
    talk.tick(11.5)
    talk.receive(line(type="info", move="2"), 11.6)
    assert talk.phase is Phase.RETURNING
    talk.receive(line(type="bestmove", move="1"), 11.9)
    answer = next(event.answer for event in events(talk) if isinstance(event, Answered))
    assert answer.moves == ("3",), "neither the late proposal nor the late answer"
    assert answer.overran
    assert answer.elapsed == pytest.approx(1.9)
    ask(talk, 20.0)
    talk.receive(line(type="info", move="3"), 20.5)
    talk.tick(21.5)
    talk.tick(21.5 + GRACE)
    assert "ignores stop" in verdict(talk).detail


def test_who_comes_back_late_in_every_turn_thinks_no_longer_in_all():
    """Else a program would think on for its next move in every turn, and only propose in time."""
    talk = ready_to_play()
    now, turns, told = 10.0, 0, []
    while turns < 20:
        turns += 1
        told.append(ask(talk, now)["limit"]["time"])
        talk.receive(line(type="info", move="3"), now)
        while talk.phase is not Phase.RETURNING:
            talk.tick(talk.deadline)
        back = talk.deadline - 0.001
        talk.receive(line(type="bestmove", move="3"), back)
        assert any(isinstance(event, Answered) for event in events(talk))
        now = back
    assert now - 10.0 <= turns * BUDGET.hard + GRACE
    assert told[0] == 1.0 and told[1] == pytest.approx(1.0 - GRACE, abs=0.01)
    talk.prepare(setup(), now, 5.0)  # another game begins with nothing owed
    talk.receive(line(type="ready", id="g"), now)
    events(talk)
    ask(talk, now)
    assert talk.deadline == now + 1.0


@pytest.mark.parametrize(
    "second",
    [
        line(type="bestmove", move="4"),
        line(type="ready"),
        line(type="hello"),
    ],
)
@pytest.mark.parametrize("when", ["with the answer", "after it", "while it settles"])
def test_what_is_said_after_the_answer_is_out_of_turn(second, when):
    talk = ready_to_play()
    ask(talk, 10.0)
    answer = line(type="bestmove", move="3")
    if when == "with the answer":
        talk.receive(answer + second, 10.1)
    else:
        talk.receive(answer, 10.1)
    assert isinstance(talk.next_event(), Answered), "the answer itself counts"
    if when == "after it":
        talk.receive(second, 10.2)
    talk.go("g", START, Limit(time=1.0), BUDGET, 11.0)
    if when == "while it settles":
        talk.receive(second, 11.0 + SETTLING_SECONDS)
    talk.tick(11.0 + SETTLING_SECONDS)
    assert verdict(talk).termination is Termination.OUT_OF_TURN
    assert talk.take_outgoing() == b""


def test_turn_numbers_tell_a_late_answer_from_a_new_one():
    talk = ready_to_play()
    ask(talk, 10.0)
    talk.receive(line(type="bestmove", turn=1, move="3"), 10.1)
    assert ask(talk, 11.0)["turn"] == 2
    talk.receive(line(type="info", turn=1, move="7"), 11.1)
    talk.receive(line(type="bestmove", turn=1, move="7"), 11.1)
    assert not [event for event in events(talk) if isinstance(event, Progress)]
    talk = ready_to_play()
    ask(talk, 10.0)
    talk.receive(line(type="bestmove", turn=1, move="3"), 10.1)
    ask(talk, 11.0)
    talk.receive(line(type="bestmove", move="7"), 11.1)
    assert verdict(talk).termination is Termination.OUT_OF_TURN, "it knows turns, and names none"


def test_a_program_that_names_turns_is_asked_at_once():
    talk = ready_to_play()
    ask(talk, 10.0)
    talk.receive(line(type="bestmove", turn=1, move="3"), 10.1)
    talk.go("g", START, Limit(time=1.0), BUDGET, 11.0)
    talk.tick(11.0)
    assert json.loads(talk.take_outgoing())["turn"] == 2


def test_late_chatter_is_no_proposal_of_the_next_turn():
    talk = ready_to_play()
    ask(talk, 10.0)
    talk.receive(line(type="bestmove", move="3") + line(type="info", move="7"), 10.1)
    events(talk)
    ask(talk, 11.0)
    talk.tick(12.5)
    assert verdict(talk).termination is Termination.TIMEOUT


def test_empty_lines_do_not_hold_up_the_deadline():
    talk = ready_to_play(OutputLimits(lines=1000))
    ask(talk, 10.0)
    now = 10.0
    while talk.phase is not Phase.FAILED and now < 20.0:
        now += 0.3
        talk.receive(b"\n \r\n", now)
    assert verdict(talk).termination is Termination.TIMEOUT
    assert now < 11.9


@pytest.mark.parametrize("junk", [b"\n", b"\r\n", b'{"type":"info"}\n', b"x"])
def test_a_flood_ends_the_game(junk):
    talk = ready_to_play(OutputLimits(line=5000, flood=20_000, lines=500))
    ask(talk, 10.0)
    for _ in range(1000):
        talk.receive(junk * 100, 10.1)
    error = verdict(talk)
    assert error.termination is Termination.NO_MOVE
    assert "flooded" in error.detail or "line of more than" in error.detail


@pytest.mark.parametrize(
    "bad",
    [
        b"thinking hard\n",
        bytes(range(256)) + b"\n",
        b"[" * 50_000 + b"\n",
        b'{"type":"info","x":' + b"[" * 50_000 + b"\n",
        b'{"type":"bestmove","move":"\\ud800"}\n',
        b'{"type":"bestmove","nodes":' + b"9" * 5000 + b',"move":"4"}\n',
        b'{"type":"bestmove"}\n',
        b'{"type":"bestmove","move":7}\n',
        line(type="bestmove", move="9" * 5000),
        line(type="info", move="9" * 5000),
        line(type="bestmove", moves=["4"] * 500),
        line(type="error", message="\x1b[2J" * 100_000),
    ],
)
def test_whatever_cannot_be_read_is_the_senders_loss(bad):
    talk = ready_to_play()
    ask(talk, 10.0)
    talk.receive(bad, 10.1)
    error = verdict(talk)
    assert len(error.detail) <= 500
    assert error.detail.isprintable()


MANY = ["4"] * 30_000


def test_of_a_long_line_a_match_reads_what_it_needs():
    """As objects, the lists of a megabyte would hold up all other games."""
    talk = ready_to_play()
    ask(talk, 10.0)
    talk.receive(line(type="info", move="3", nodes=7, line=MANY, moves=[{"move": "4"}] * 9), 10.1)
    worth = [{"move": "4"}] * 9
    talk.receive(line(type="bestmove", moves=["4", "3"], depth=2, line=MANY, values=worth), 10.2)
    progress, answered = events(talk)
    assert (progress.info.move, progress.info.nodes) == ("3", 7)
    assert progress.info.line == progress.info.moves == ()
    assert (answered.answer.moves, answered.answer.depth) == (("4", "3"), 2)
    assert answered.answer.line == answered.answer.values == ()


def test_of_a_long_line_an_analysis_reads_everything():
    talk = ready_to_play()
    talk.go("g", START, Limit(time=1.0), BUDGET, 10.0 - SETTLING_SECONDS, analyse=True)
    talk.tick(10.0)
    talk.receive(line(type="info", line=MANY, moves=[{"move": "4"}]), 10.1)
    (progress,) = events(talk)
    assert len(progress.info.line) == len(MANY)
    assert len(progress.info.moves) == 1


@pytest.mark.parametrize("kind", ["hello", "ready", "bestmove"])
def test_no_lists_without_end_where_none_is_due(kind):
    talk = ready_to_play()
    ask(talk, 10.0)
    talk.receive(line(type=kind, games=MANY, moves=MANY), 10.1)
    assert verdict(talk).termination is Termination.NO_MOVE


def test_a_long_hello_is_refused():
    talk = JsonConversation()
    talk.greet(0.0, 5.0)
    talk.receive(line(type="hello", games=MANY), 0.1)
    assert "no message" in verdict(talk).detail


def test_numbers_out_of_range_are_left_out_and_cost_nothing():
    talk = ready_to_play()
    ask(talk, 10.0)
    score = {"player": 9, "probability": 7.0, "distance": -4}
    talk.receive(line(type="bestmove", move="4", nodes=10**30, depth=-1, score=score), 10.1)
    (event,) = events(talk)
    assert (event.answer.nodes, event.answer.depth) == (None, None)
    found = event.answer.score
    assert (found.player, found.probability, found.distance) == (0, None, None)


STIMULI = {
    "answer": line(type="bestmove", move="4"),
    "numbered": line(type="bestmove", turn=1, move="4"),
    "stale": line(type="bestmove", turn=0, move="4"),
    "proposal": line(type="info", move="3"),
    "chatter": line(type="info"),
    "ready": line(type="ready"),
    "empty": b"\n",
    "garbage": b"?\n",
    "half": b'{"type":',
}


@pytest.mark.parametrize("steps", [(0.1,) * 4, (0.6,) * 4, (1.2,) * 4, (0.0, 1.6, 0.1, 1.0)])
def test_every_order_of_events_ends_a_turn_exactly_once_and_in_time(steps):
    """All sequences of four stimuli at several paces: one ending, never later than the grace."""
    for names in itertools.product(STIMULI, repeat=4):
        talk = ready_to_play()
        ask(talk, 10.0)
        now, ends, ended = 10.0, [], None
        for step, name in zip(steps, names, strict=True):
            now += step
            talk.tick(now)
            talk.receive(STIMULI[name], now)
            ends += [event for event in events(talk) if isinstance(event, (Answered, Failed))]
            ended = ended or (now if ends else None)
        talk.tick(10.0 + BUDGET.hard)
        talk.tick(10.0 + BUDGET.hard + max(steps) + GRACE)
        talk.tick(10.0 + BUDGET.hard + 2 * max(steps) + 2 * GRACE)
        ends += [event for event in events(talk) if isinstance(event, (Answered, Failed))]
        assert 1 <= len(ends) <= 2, names
        if len(ends) == 2:
            assert isinstance(ends[0], Answered), names
            assert isinstance(ends[1], Failed), names
        answer = ends[0].answer if isinstance(ends[0], Answered) else None
        if answer is not None:
            assert answer.overran == (answer.elapsed > BUDGET.hard), names
            assert answer.moves == (("3",) if answer.overran else ("4",)), names
        assert (talk.phase is Phase.IDLE) == (not isinstance(ends[-1], Failed)), names
        assert talk.deadline is None, names


def outline(talk: Conversation) -> list:
    """What happened, without the times."""
    return [
        (type(event).__name__, event.answer.moves)
        if isinstance(event, Answered)
        else (type(event).__name__, str(event.error))
        if isinstance(event, Failed)
        else type(event).__name__
        for event in events(talk)
    ]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from([*STIMULI.values(), b"\xff\n", b"\r\n"]), max_size=8),
    st.lists(st.integers(1, 40), min_size=1, max_size=40),
)
def test_any_chunking_of_the_same_bytes_gives_the_same_events(lines, sizes):
    data = b"".join(lines)
    whole, pieces = ready_to_play(), ready_to_play()
    for talk in (whole, pieces):
        ask(talk, 10.0)
    whole.receive(data, 10.1)
    start = 0
    for size in itertools.cycle(sizes):
        if start >= len(data):
            break
        pieces.receive(data[start : start + size], 10.1)
        start += size
    assert outline(whole) == outline(pieces)
    assert whole.phase is pieces.phase


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.binary(max_size=60), st.floats(0.0, 1.0)), max_size=10))
def test_no_bytes_at_all_raise_or_hang(chunks):
    for talk in (ready_to_play(), contest_program()):
        talk.go("g", START, Limit(time=1.0), BUDGET, 10.0)
        now = 10.0
        for data, step in chunks:
            now += step
            talk.receive(data, now)
            talk.tick(now)
        for _ in range(5):
            now += 2.0
            talk.tick(now)
        assert talk.phase in (Phase.IDLE, Phase.FAILED)


def contest_program() -> ContestConversation:
    talk = ContestConversation(None, GRACE)
    talk.greet(0.0, 1.0)
    talk.prepare(setup(), 0.0, 1.0)
    assert [type(event) for event in events(talk)] == [Greeted, Prepared]
    return talk


class TestContestLines:
    def ask(self, talk, now):
        talk.go("g", START, Limit(time=1.0), BUDGET, now - SETTLING_SECONDS)
        talk.tick(now)
        return talk.take_outgoing()

    def test_turns_go_to_and_fro(self):
        talk = contest_program()
        assert self.ask(talk, 1.0) == b"Start\n"
        talk.receive(b"\nAa1\r\n", 1.5)
        (event,) = events(talk)
        assert (event.answer.moves, event.answer.elapsed) == (("Aa1",), 0.5)
        talk.observe("g", "Aa1", 0)
        talk.observe("g", "Bb2", 1)
        assert self.ask(talk, 2.0) == b"Bb2\n"

    def test_two_turns_at_once_are_one_too_many(self):
        talk = contest_program()
        self.ask(talk, 1.0)
        talk.receive(b"Aa1\nBb2\n", 1.5)
        assert isinstance(talk.next_event(), Answered)
        self.ask(talk, 2.0)
        assert verdict(talk).termination is Termination.OUT_OF_TURN

    def test_no_stop_is_sent_and_late_is_late(self):
        talk = contest_program()
        self.ask(talk, 1.0)
        talk.tick(2.1)
        assert talk.take_outgoing() == b""
        talk.receive(b"Aa1\n", 2.6)
        assert verdict(talk).termination is Termination.TIMEOUT

    def test_quit_is_not_said_to_a_program_that_has_won(self):
        for winner, said in ((0, b""), (1, b"Quit\n")):
            talk = contest_program()
            talk.observe("g", "Aa1", 0)
            talk.finish("g", Outcome(winner))
            talk.send_held()
            assert talk.take_outgoing() == said

    def test_an_opening_cannot_be_told(self):
        with pytest.raises(EngineError, match="empty grid"):
            contest_program().prepare(setup(opening=("Aa1",)), 1.0, 1.0)


def test_time_in_which_nobody_listened_is_not_charged():
    """The arena was stopped for a minute; what it finds in the pipe then came in time."""
    talk = ready_to_play()
    ask(talk, 10.0)
    talk.excuse(70.0 - 11.0)
    talk.receive(line(type="bestmove", turn=1, move="4"), 70.0)
    (event,) = events(talk)
    assert isinstance(event, Answered) and event.answer.elapsed == pytest.approx(1.0)
