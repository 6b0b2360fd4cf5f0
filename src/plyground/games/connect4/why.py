"""Why a move was a mistake, in a sentence: what it missed, or what it let the opponent do."""

from __future__ import annotations

from plyground.core.game import Position


def why(position: Position, played: str, better: str) -> str:
    """What a person would say who sees one turn ahead; empty if it is deeper than that."""
    mover = position.turn
    if better and _winner(position.play(better)) == mover:
        return f"{_name(better)} made four in a line at once."
    after = position.play(played)
    if _winner(after) == 1 - mover:
        return f"{_name(played)} made the opponent's four in a line."
    if after.is_over:
        return ""
    threats = [reply for reply in after.legal_moves if _winner(after.play(reply)) == 1 - mover]
    if not threats:
        return ""
    others = f" and {len(threats) - 1} more" if len(threats) > 1 else ""
    return f"The opponent then makes four in a line by {_name(threats[0])}{others}."


def _winner(position: Position) -> int | None:
    return position.outcome.winner if position.outcome is not None else None


def _name(move: str) -> str:
    start, _, end = move.partition("-")
    return f"the mean move {start} to {end}" if end else f"column {start}"
