"""The page to hand to a student: what to mend, what to work on, opponents, games to replay.

Of other students it shows their names and what they did on the board, nothing else.
"""

from __future__ import annotations

import re
import statistics
from dataclasses import replace

from plyground.course.analysis import PHASES, StudentGame, look_at, suggest
from plyground.course.output import last_error, own_paths
from plyground.course.results import ClassResult
from plyground.course.submissions import plain_name
from plyground.course.verdict import ADVICE, SubmissionVerdict
from plyground.report.games import PlayedGame
from plyground.report.page import Cell, Link, Page, Replays, Section, Table
from plyground.report.replays import Replay, make_replay

KEPT_OUTPUT = 30
"""Lines of a submission's own output."""


def student_page(verdict: SubmissionVerdict, result: ClassResult | None = None) -> Page:
    """The page of one submission; without a result only what was found in it."""
    name = verdict.submission.name
    result = result or ClassResult((verdict,))
    rows = list(result.games_of(name))
    games = [
        look_at(row.id, (row.first, row.second), seat, row.record, row.seconds_a_move)
        for row, seat in rows
    ]
    sections = [*_mending(verdict)]
    if games:
        order = sorted(range(len(games)), key=lambda k: (games[k].score, _numbers(games[k].id)))
        ordered = [games[k] for k in order]
        advice = {str(kind): text for kind, text in ADVICE.items()}
        suggestions = suggest(ordered, advice)
        if suggestions:
            sections.append(Section("What to work on", tuple(suggestions)))
        replays = [_replay(rows[k][0], games[k], verdict) for k in order]
        shown = {replay.id for replay in replays if replay is not None}
        sections += [
            Section("Opponents", (_opponents(ordered),)),
            Section("Games", (_games(ordered, shown),)),
            Section("Points and time", (_phases(ordered), _time(ordered))),
        ]
        failures = _own_failures(verdict, rows, games)
        if failures:
            sections.append(Section("Failures in games", failures))
        kept = tuple(replay for replay in replays if replay is not None)
        sections.append(Section("Replays, losses first", (Replays(kept),)))
    sections += _boards(verdict)
    if result.places:
        back = Table(("the class",), ((Link("ranking of the class", "../index.html"),),))
        sections.append(Section("Others", (back,)))
    facts = (
        ("handed in as", plain_name(verdict.submission.origin.name)),
        ("framework", f"{verdict.generation} generation" if verdict.generation else "unknown"),
        *(fact for fact in result.facts if fact[0] in ("time a turn", "boards", "mode")),
    )
    return Page(name, _headline(verdict, result), facts, tuple(sections))


def _numbers(text: str) -> list[tuple[int, str]]:
    """A name of a game to sort by: numbers in it count as numbers."""
    parts = re.findall(r"\d+|\D+", text)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def _headline(verdict: SubmissionVerdict, result: ClassResult) -> str:
    name = verdict.submission.name
    if verdict.fault:
        headline = f"{name} cannot play: {verdict.fault}."
    elif not verdict.playable:
        headline = f"{name} made no move on any board: {verdict.summary}."
    elif verdict.flawless:
        headline = f"{name} keeps the rules on every board that was tried."
    elif all(check.ok for check in verdict.boards):
        headline = f"{name} {verdict.summary}."
    else:
        headline = f"{name} plays, but has faults to mend: {verdict.summary}."
    place = result.places_by_name.get(name)
    if place is not None:
        count = sum(not each.anchor for each in result.places)
        headline += (
            f" It came {place.rank} of {count} with {place.score:g}/{place.games}, Elo "
            f"{round(place.elo):+d} ({place.low:+.0f} to {place.high:+.0f})."
        )
    return headline


def _mending(verdict: SubmissionVerdict) -> list[Section]:
    rows = [(remark.found, remark.advice) for remark in verdict.remarks]
    if verdict.fault or verdict.advice:
        rows.insert(0, (verdict.fault, verdict.advice))
    if not rows:
        return []
    return [Section("What to mend", (Table(("found", "what to mend"), tuple(rows)),))]


def _opponents(games: list[StudentGame]) -> Table:
    met: dict[str, list[StudentGame]] = {}
    for game in games:
        met.setdefault(game.opponent, []).append(game)
    rows = []
    for name, played in sorted(met.items(), key=lambda item: sum(g.score for g in item[1])):
        scores = [game.score for game in played]
        rows.append(
            (
                name,
                f"{sum(scores):g}/{len(scores)}",
                f"{scores.count(1.0)} {scores.count(0.5)} {scores.count(0.0)}",
                " ".join(f"{g.points[0]:g}:{g.points[1]:g}" for g in played),
            )
        )
    return Table(("opponent", "score", "+ = -", "points"), tuple(rows), frozenset({1, 2, 3}))


def _games(games: list[StudentGame], shown: set[str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    marks = []
    for game in games:
        result = {1.0: "won", 0.5: "drawn", 0.0: "lost"}[game.score]
        rows.append(
            (
                Link(game.id, f"#game-{game.id}") if game.id in shown else game.id,
                game.opponent,
                ("first", "second")[game.seat],
                result,
                f"{game.points[0]:g}:{game.points[1]:g}",
                game.reason if game.lost else "",
                _cost(game),
            )
        )
        marks.append("muted" if game.score == 1.0 else "")
    columns = ("game", "opponent", "moved", "result", "points", "why it was lost")
    return Table(
        (*columns, "the move that decided it, or cost most"),
        tuple(rows),
        frozenset({4}),
        marks=tuple(marks),
    )


def _cost(game: StudentGame) -> str:
    """The move that decided a lost game or cost most, or the turn in which the program failed."""
    if game.failed:
        return f"failed in turn {len(game.turns) + 1} (see Failures in games)"
    if game.hopeless:
        return "nothing: it was lost from its first turn on"
    if not game.lost or game.turning_point is None:
        return ""
    turn, words = game.turning_point
    return f"{turn.number}. {turn.move} {words}"


def _phases(games: list[StudentGame]) -> Table:
    rows = []
    for phase in PHASES:
        turns = [(g, t) for g in games for t in g.turns if t.phase == phase]
        own = sum(turn.earned for game, turn in turns if turn.seat == game.seat)
        other = sum(turn.earned for game, turn in turns if turn.seat != game.seat)
        rows.append((phase, str(own), str(other), f"{(own - other) / len(games):+.1f}"))
    columns = ("phase", "own points", "opponents'", "difference a game")
    return Table(columns, tuple(rows), frozenset({1, 2, 3}))


def _time(games: list[StudentGame]) -> Table:
    rows = []
    for phase in (*PHASES, "all"):
        used = sorted(
            turn.seconds
            for game in games
            for turn in game.own_turns
            if turn.seconds is not None and phase in (turn.phase, "all")
        )
        if used:
            cells = (statistics.fmean(used), statistics.median(used), used[-1])
            rows.append((phase, str(len(used)), *(f"{cell:.3f}" for cell in cells)))
    columns = ("phase", "turns", "mean (s)", "median (s)", "slowest (s)")
    return Table(columns, tuple(rows), frozenset({1, 2, 3, 4}))


def _own_failures(
    verdict: SubmissionVerdict, rows: list[tuple[PlayedGame, int]], games: list[StudentGame]
) -> tuple[Table, ...]:
    """What its program said when it failed in a game."""
    found = []
    for (row, seat), game in zip(rows, games, strict=True):
        if row.failed and game.lost:
            detail = own_paths(game.detail, verdict.submission)
            detail = detail.removeprefix(f"{verdict.submission.name} says: ")
            found.append((game.id, game.termination, detail, _last_words(row, seat, verdict)))
    if not found:
        return ()
    return (Table(("game", "failure", "what happened", "its last words"), tuple(found)),)


def _last_words(row: PlayedGame, seat: int, verdict: SubmissionVerdict) -> str:
    """What its program put out last in a game: of a crash the error and where it happened."""
    said = row.record.tags.get(f"stderr {seat}", "")
    words = last_error(said) or next(reversed(log_lines(said)), "")
    return own_paths(words.strip(), verdict.submission)


def _replay(row: PlayedGame, game: StudentGame, verdict: SubmissionVerdict) -> Replay | None:
    """The game to step through, with its own output only; a lost one opens where it turned."""
    replay = make_replay(row)
    if replay is None:
        return None
    said = own_paths(row.record.tags.get(f"stderr {game.seat}", ""), verdict.submission).strip()
    turned = game.turning_point if game.lost else None
    at = -1 if turned is None else min(turned[0].number, len(replay.frames) - 1)
    most = "decided it" if game.ending and game.ending.decided else "cost most"
    turn = f"What {most}: {_cost(game)}" if game.lost and _cost(game) else ""
    if game.failed:
        last = _last_words(row, game.seat, verdict)
        turn = f"Its program failed in turn {len(game.turns) + 1}: {last or game.termination}"
    return replace(replay, at=at, turn=turn, logs=(("its output", said),) if said else ())


def _boards(verdict: SubmissionVerdict) -> list[Section]:
    sections = []
    if verdict.boards:
        rows = tuple(
            (
                check.board,
                str(check.turns),
                f"{check.slowest:.2f}",
                "fine" if check.ok else check.fault,
                check.advice,
            )
            for check in verdict.boards
        )
        marks = tuple("good" if check.ok else "bad" for check in verdict.boards)
        columns = ("board", "turns", "slowest (s)", "found", "what to mend")
        table = Table(columns, rows, frozenset({1, 2}), marks=marks)
        sections.append(Section("Checked boards", (table,)))
    lines = log_lines(verdict.log)
    if lines:
        output = tuple((line,) for line in lines)
        log = Table(("last lines of its output",), output, marks=("code",) * len(output))
        sections.append(Section("Output", (log,)))
    return sections


def log_lines(log: str) -> list[str]:
    """The last lines without our own remarks; a line that repeats itself is shown once."""
    shown: list[tuple[str, int]] = []
    for line in log.splitlines():
        if not line.strip() or line.startswith(("plyground:", '  File "<frozen ')):
            continue
        times = shown.pop()[1] + 1 if shown and shown[-1][0] == line[:300] else 1
        shown.append((line[:300], times))
    return [
        line if times == 1 else f"{line}  ({times} times)" for line, times in shown[-KEPT_OUTPUT:]
    ]
