"""Why a move was a mistake, in a sentence: what it missed, or what it let the opponent do."""

from __future__ import annotations

from plyground.core.game import Position


def why(position: Position, played: str, better: str) -> str:
    """What a person would say who sees two turns ahead; empty if it is deeper than that."""
    mover = position.turn
    if better and _winner(position.play(better)) == mover:
        return f"{_name(better).capitalize()} made four in a line at once."
    after = position.play(played)
    if _winner(after) == 1 - mover:
        return f"{_name(played).capitalize()} made the opponent's four in a line."
    if after.is_over:
        return ""
    threats = _winning(after)
    if threats:
        others = f" and {len(threats) - 1} more" if len(threats) > 1 else ""
        return f"The opponent then makes four in a line by {_name(threats[0])}{others}."
    if better and _forces(position, better):
        return f"{_name(better).capitalize()} made more threats than one move can meet."
    forced = next((reply for reply in after.legal_moves if _forces(after, reply)), "")
    if forced:
        return f"The opponent then makes more threats than one move can meet, by {_name(forced)}."
    return ""


def _winning(position: Position) -> list[str]:
    """The moves with which the side to move wins at once."""
    mover = position.turn
    return [move for move in position.legal_moves if _winner(position.play(move)) == mover]


def _forces(position: Position, move: str) -> bool:
    """Whether the mover wins on the next turn after this move, whatever is played against it."""
    after = position.play(move)
    if after.is_over:
        return False
    for reply in after.legal_moves:
        answered = after.play(reply)
        if answered.is_over or not _winning(answered):
            return False
    return True


def _winner(position: Position) -> int | None:
    return position.outcome.winner if position.outcome is not None else None


def _name(move: str) -> str:
    start, _, end = move.partition("-")
    return f"the mean move {start} to {end}" if end else f"column {start}"
