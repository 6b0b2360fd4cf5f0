"""A module beside the submission, imported by a relative import."""


def fits(board, i, j, value):
    top, left = i - i % board.region_height(), j - j % board.region_width()
    return all(
        board.get(i, k) != value
        and board.get(k, j) != value
        and board.get(top + k // board.n, left + k % board.n) != value
        for k in range(board.N)
    )
