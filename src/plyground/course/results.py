"""All that the pages of a ranking are made from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from plyground.arena.class_table import Place
from plyground.course.verdict import SubmissionVerdict
from plyground.report.games import PlayedGame


@dataclass(frozen=True)
class ClassResult:
    """Verdicts, the table, the games; `labels` are the players in the crosstable's order."""

    verdicts: tuple[SubmissionVerdict, ...]
    facts: tuple[tuple[str, str], ...] = ()
    places: tuple[Place, ...] = ()
    games: tuple[PlayedGame, ...] = ()
    labels: tuple[str, ...] = ()
    crosstable: tuple[tuple[float | None, ...], ...] = ()

    @cached_property
    def places_by_name(self) -> dict[str, Place]:
        return {place.name: place for place in self.places}

    @cached_property
    def page_names(self) -> dict[str, str]:
        """What the pages of submissions are called, by their names, in the order of the verdicts.

        Many file systems do not tell `Team1` from `team1`, and some do not take every sign.
        """
        taken: set[str] = set()
        pages = {}
        for verdict in self.verdicts:
            name = verdict.submission.name
            stem = page = re.sub(r'[<>:"|?*\\]', "_", name)
            number = 2
            while (key := unicodedata.normalize("NFC", page).casefold()) in taken:
                page, number = f"{stem} ({number})", number + 1
            taken.add(key)
            pages[name] = page
        return pages

    def ordered_verdicts(self) -> list[SubmissionVerdict]:
        """In the order of the table, those that did not play at its end."""
        order = {place.name: number for number, place in enumerate(self.places)}
        return sorted(
            self.verdicts,
            key=lambda v: (order.get(v.submission.name, len(order)), v.submission.name),
        )

    def games_of(self, name: str) -> Iterator[tuple[PlayedGame, int]]:
        """The games of a player, each with its seat."""
        for game in self.games:
            if name in (game.first, game.second):
                yield game, int(game.second == name)
