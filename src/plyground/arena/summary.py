"""Results as JSON, in the shapes of `docs/json-output.md`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from plyground.arena.results import ResultLine
from plyground.arena.tournament import Tournament
from plyground.core.record import GameRecord
from plyground.stats.elo import EloEstimate
from plyground.stats.sprt import SprtState
from plyground.store.database import Store


def match_summary(tournament: Tournament, store: Store, *, games: bool = True) -> dict[str, Any]:
    """A match of two players; indices go by the order of `players`."""
    results = tournament.results
    rows = sorted(results.standings(), key=lambda row: row.player)
    summary: dict[str, Any] = {
        "run": tournament.run,
        "game": tournament.config.game,
        "options": tournament.config.options,
        "players": list(tournament.config.labels),
        "wins": [row.wins for row in rows],
        "draws": rows[0].draws,
        "score": [row.score for row in rows],
        "elo": elo_fields(results.elo(0, 1)),
        "failures": [row.failures for row in rows],
        "seconds_per_move": [row.seconds_per_move for row in rows],
        "starts": count_starts(store, tournament.run),
    }
    margin = results.margin(0, 1)
    if margin is not None:
        summary["margin"] = {"mean": margin.mean, "low": margin.low, "high": margin.high}
    if any(row.points is not None for row in rows):
        summary["points"] = [row.points or 0.0 for row in rows]
    if tournament.sprt_state is not None:
        summary["sprt"] = sprt_fields(tournament.sprt_state)
    if games:
        summary["games"] = game_list(tournament, store)
    return summary


def solo_summary(tournament: Tournament) -> dict[str, Any]:
    """Players of a one-player game on the same deals: turns, deaths, deaths per turn."""
    rows = []
    for row in tournament.results.solo_standings():
        rows.append(
            {
                "player": tournament.config.labels[row.player],
                "games": len(row.lines),
                "turns": row.turns,
                "deaths": row.deaths,
                "hazard": list(row.hazard),
                "turns_per_game": [line.survived for line in row.lines],
                "scores": [
                    line.outcome.scores[0] if line.outcome.scores else None for line in row.lines
                ],
                "terminations": [str(line.outcome.termination) for line in row.lines],
                "seconds_per_move": row.seconds_per_move,
            }
        )
    summary: dict[str, Any] = {
        "run": tournament.run,
        "game": tournament.config.game,
        "options": tournament.config.options,
        "players": list(tournament.config.labels),
        "results": rows,
    }
    if len(rows) == 2:
        summary["hazard_ratio"] = [_finite(x) for x in _compare_on_deals(tournament)]
    return summary


def _compare_on_deals(tournament: Tournament) -> Sequence[float]:
    """Hazard of the first player over that of the second, paired by the deals they met."""
    # Here because it loads a part of scipy, which takes a while.
    from plyground.stats.survival import Exposure, paired_hazard_ratio

    exposures: dict[str, dict[int, Exposure]] = {}
    for line in tournament.results.lines.values():
        player = line.seats[0]
        exposures.setdefault(line.pair_id, {})[player] = Exposure(line.survived, int(line.died))
    return paired_hazard_ratio(
        [(pair[0], pair[1]) for pair in exposures.values() if len(pair) == 2]
    )


def tournament_summary(tournament: Tournament, *, complete: bool) -> dict[str, Any]:
    """The table of a tournament, best player first."""
    labels = tournament.config.labels
    results = tournament.results
    rows = []
    for row in results.standings():
        entry: dict[str, Any] = {
            "rank": row.rank,
            "player": labels[row.player],
            "games": row.games,
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
            "score": row.score,
            "elo": {"rating": row.rating.elo, "low": row.rating.low, "high": row.rating.high},
            "seconds_per_move": row.seconds_per_move,
            "failures": row.failures,
            "superiority": row.superiority,
        }
        if row.points is not None:
            entry["points"] = row.points
        rows.append(entry)
    return {
        "run": tournament.run,
        "game": tournament.config.game,
        "options": tournament.config.options,
        "format": tournament.config.format,
        "players": list(labels),
        "games": len(results.lines),
        "complete": complete,
        "table": rows,
        "crosstable": results.crosstable(),
    }


def count_starts(store: Store, run: str) -> int:
    """How many different starts (boards, positions, openings) the games of a run had."""
    return len({game.record.beginning for game in store.games(run)})


def elo_fields(estimate: EloEstimate) -> dict[str, Any]:
    """An estimate with null for what is infinite or unknown."""
    return {
        "difference": _finite(estimate.elo),
        "low": _finite(estimate.low),
        "high": _finite(estimate.high),
        "los": estimate.los,
        "score": estimate.score,
        "expected": estimate.expected,
        "score_low": estimate.score_low,
        "score_high": estimate.score_high,
        "pairs": estimate.pairs,
    }


def sprt_fields(state: SprtState) -> dict[str, Any]:
    """The state of the sequential test."""
    return asdict(state)


def game_list(tournament: Tournament, store: Store) -> list[dict[str, Any]]:
    """Every game with its moves, in the order of the schedule ids."""
    entries = []
    for game in store.games(tournament.run):
        line = tournament.results.lines[game.schedule_id]
        entries.append(game_fields(line, game.record))
    return sorted(entries, key=lambda entry: _natural(str(entry["id"])))


def game_fields(line: ResultLine, record: GameRecord) -> dict[str, Any]:
    """One game; `first` and `winner` are players' numbers."""
    fields: dict[str, Any] = {
        "id": line.schedule_id,
        "first": line.seats[0],
        "winner": line.winner,
        "termination": str(line.outcome.termination),
        "moves": [entry.move for entry in record.moves],
        "opening": int(record.tags.get("opening", "0")),
        "times": [entry.time for entry in record.moves],
    }
    if record.start:
        fields["start"] = record.start
    if line.outcome.detail:
        fields["detail"] = line.outcome.detail
    if line.outcome.scores is not None:
        fields["scores"] = _by_player(line, line.outcome.scores)
        fields["margin"] = fields["scores"][0] - fields["scores"][1]
    if line.outcome.points is not None:
        fields["points"] = _by_player(line, line.outcome.points)
    return fields


def _by_player(line: ResultLine, values: tuple[float, ...]) -> list[float]:
    """Values of the two players of a match in the order of the players, not of the seats."""
    return list(values) if line.seats[0] < line.seats[1] else list(reversed(values))


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _natural(text: str) -> list[tuple[int, str]]:
    """Sort key by which `0-1/2a` comes before `0-1/10a`."""
    words: list[tuple[int, str]] = []
    for part in text.replace("-", "/").split("/"):
        digits = part.rstrip("ab").lstrip("sf")
        words.append((int(digits) if digits.isdigit() else 0, part))
    return words
