"""Kalah: sow seeds around the board, catch more of them than the other."""

from plyground.board import BoardGame, option


class Kalah(BoardGame):
    houses = option(6, 1, 10, "houses of each side")
    seeds = option(4, 1, 10, "seeds in each house at the start")
    shape = 2 * houses + 2
    squares = tuple(f"a{n + 1}" for n in range(houses + 1))
    squares += tuple(f"b{n + 1}" for n in range(houses + 1))
    pieces = "0123456789"
    scoring = "points"

    def setup(self):
        self.cells[:] = self.seeds
        self.cells[self.houses] = self.cells[2 * self.houses + 1] = 0

    def first(self, player):
        """Where a player's houses begin; the store is after the last one."""
        return 0 if player == 1 else self.houses + 1

    def moves(self):
        for house in range(self.first(self.player), self.first(self.player) + self.houses):
            if self.cells[house]:
                yield house

    def play(self, house):
        around, first = 2 * self.houses + 2, self.first(self.player)
        store, other = first + self.houses, self.first(self.opponent) + self.houses
        hand, self.cells[house] = self.cells[house], 0
        place = house
        while hand:
            place = (place + 1) % around
            if place != other:
                self.cells[place] += 1
                hand -= 1
        opposite = 2 * self.houses - place
        if first <= place < store and self.cells[place] == 1 and self.cells[opposite]:
            self.cells[store] += self.cells[opposite] + 1
            self.cells[place] = self.cells[opposite] = 0
        return self.player if place == store else self.opponent

    def result(self):
        mine = sum(self.cells[: self.houses])
        theirs = sum(self.cells[self.houses + 1 : 2 * self.houses + 1])
        if mine and theirs:
            return None
        return mine + self.cells[self.houses] - theirs - self.cells[2 * self.houses + 1]
