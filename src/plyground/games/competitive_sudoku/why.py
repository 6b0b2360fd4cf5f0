"""Why a move was a mistake, in a sentence: points, passes and who has to open the regions."""

from __future__ import annotations

from plyground.core.game import Position


def why(position: Position, played: str, better: str) -> str:
    """What the move gave away beside the better one; empty if it is deeper than one reply."""
    mover = position.turn
    mine, best = _gain(position, played, mover), _gain(position, better, mover) if better else 0
    if best > mine:
        return f"It left {_points(best)} that the better move takes."
    after = position.play(played)
    gift = _largest_reply(after, 1 - mover)
    if better:
        other = position.play(better)
        if gift > _largest_reply(other, 1 - mover):
            return f"It opens a region: the opponent takes {_points(gift)} next."
        if better.endswith("!") and not played.endswith("!"):
            return "Parity: the pass would have handed the duty to open a region to the opponent."
        if played.endswith("!") and not better.endswith("!"):
            return (
                "Parity: the pass is spent and taboo from now on, "
                "and the duty to open a region comes back."
            )
    odd = len(_empty(after)) % 2
    return (
        "Parity: it leaves an odd number of squares, and the passes do not mend it." if odd else ""
    )


def _gain(position: Position, move: str, player: int) -> int:
    return _scores(position.play(move))[player] - _scores(position)[player]


def _largest_reply(position: Position, player: int) -> int:
    if position.is_over or position.turn != player:
        return 0
    return max((_gain(position, move, player) for move in _filling(position)), default=0)


def _filling(position: Position) -> list[str]:
    """One move for every square that can be played: points depend on the square alone."""
    squares: dict[str, str] = {}
    for move in position.legal_moves:
        if not move.endswith("!"):
            squares.setdefault(move.partition("->")[0], move)
    return list(squares.values())


def _scores(position: Position) -> tuple[int, int]:
    from plyground.games.competitive_sudoku import CompetitiveSudoku

    assert isinstance(position.game, CompetitiveSudoku)
    return position.game.scores(position.state)


def _empty(position: Position) -> set[str]:
    return {move.partition("->")[0] for move in position.legal_moves}


def _points(count: int) -> str:
    return "a point" if count == 1 else f"{count} points"
