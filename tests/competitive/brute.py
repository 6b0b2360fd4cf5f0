"""Naive game values: full rules by brute force, and the reports' minimax by plain recursion."""

from __future__ import annotations

from plyground.games.competitive_sudoku.position_data import neighbours


def peers_and_members(units):
    """The cells that share a unit with each cell, itself among them, and the cells of each unit."""
    members = {}
    for cell, own in enumerate(units):
        for unit in own:
            members.setdefault(unit, []).append(cell)
    return [set().union(*(members[unit] for unit in own)) for own in units], members


def game_value(data) -> int:
    """The margin that the mover can still force, under the full rules, passes included."""
    size = data.size
    units = [data.units(cell) for cell in range(size * size)]
    peers, members = peers_and_members(units)
    solutions = []

    def solve(cells, cell):
        if cell == size * size:
            solutions.append(tuple(cells))
            return
        if cells[cell]:
            solve(cells, cell + 1)
            return
        for value in range(1, size + 1):
            if fits(cells, cell, value):
                cells[cell] = value
                solve(cells, cell + 1)
                cells[cell] = 0

    def fits(cells, cell, value):
        return all(cells[other] != value for other in peers[cell])

    solve(list(data.cells), 0)
    near = [set(neighbours(size, cell)) for cell in range(size * size)]

    def usable(cells, occupied, player):
        for cell in range(size * size):
            if cells[cell] == 0 and (
                data.allowed is None
                or cell in data.allowed[player]
                or near[cell] & occupied[player]
            ):
                yield cell

    memo = {}

    def value_of(cells, taboo, occupied, player):
        """For the mover, who has a square to play on unless the game is over."""
        key = cells, taboo, occupied, player
        if key in memo:
            return memo[key]
        if not any(usable(cells, occupied, player)) and not list(usable(cells, occupied, player)):
            return 0
        best = None
        for cell in usable(cells, occupied, player):
            for value in range(1, size + 1):
                if not fits(cells, cell, value) or (cell, value) in taboo:
                    continue
                after, used, own, gain = cells, taboo, occupied, 0
                filled = (*cells[:cell], value, *cells[cell + 1 :])
                if any(
                    all(v in (0, s) for v, s in zip(filled, solution, strict=True))
                    for solution in solutions
                ):
                    after = filled
                    done = sum(all(filled[c] for c in members[unit]) for unit in units[cell])
                    gain = (0, 1, 3, 7)[done]
                    if data.allowed is not None:
                        mine = occupied[player] | {cell}
                        own = (mine, occupied[1]) if player == 0 else (occupied[0], mine)
                else:
                    used = taboo | {(cell, value)}
                following = 1 - player
                if not list(usable(after, own, following)):
                    following = player
                rest = value_of(after, used, own, following)
                total = gain + (rest if following == player else -rest)
                best = total if best is None else max(best, total)
        memo[key] = best
        return best

    occupied = tuple(frozenset(part) for part in data.occupied)
    return value_of(data.cells, frozenset(data.taboo), occupied, data.player)


def report_minimax(data, moves, depth, bonus=False):
    """Value of each root move for the mover: points after `depth` plies, fitting moves only."""
    size = data.size
    units = [data.units(cell) for cell in range(size * size)]
    peers, members = peers_and_members(units)

    def fits(cells, cell, value):
        return cells[cell] == 0 and all(cells[other] != value for other in peers[cell])

    def reward(cells, cell):
        done = sum(all(cells[c] or c == cell for c in members[unit]) for unit in units[cell])
        return (0, 1, 3, 7)[done]

    def search(cells, diff, left, mine):
        playable = [m for m in moves if fits(cells, *m)]
        if left == 0 or not playable:
            share = cells.count(0) / len(cells)
            return diff + (0.1 * share if bonus and mine else 0)
        values = [after(cells, diff, left, mine, move) for move in playable]
        return max(values) if mine else min(values)

    def after(cells, diff, left, mine, move):
        cell, value = move
        gain = reward(cells, cell)
        filled = (*cells[:cell], value, *cells[cell + 1 :])
        return search(filled, diff + (gain if mine else -gain), left - 1, not mine)

    start = data.scores[data.player] - data.scores[1 - data.player]
    return {m: after(data.cells, start, depth, True, m) for m in moves if fits(data.cells, *m)}
