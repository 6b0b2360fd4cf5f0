"""What the lab has found so far, on disk: games in the results database, measurements in a file.

Everything is written the moment it is known. A run that is killed loses only what was being
played or measured; the next one goes on from there.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import msgspec

from plyground.core.errors import InputError
from plyground.lab.experiment import Experiment, Measure, Scale, Series
from plyground.lab.results import Results
from plyground.report.games import gather_games
from plyground.store import RunInfo, Store, StoredGame, default_path


def lab_folder() -> Path:
    """Where measurements and the lab's database go."""
    return default_path().parent / "lab"


class Journal:
    """Results of all experiments under one folder. One process writes, from one thread."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or lab_folder()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.store = Store(self.folder / "games.sqlite")
        self._measured = self.folder / "measurements.jsonl"
        self._values = self._read_values()
        self._runs = {run.id: run for run in self.store.runs()}

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()

    def claim(self) -> None:
        """Become the only process that writes here."""
        self.store.claim("lab")

    def pending(self, experiment: Experiment, scale: Scale) -> list[tuple[Series | Measure, int]]:
        """What is still to be done: measurements, and games by number."""
        run = experiment.run_name(scale)
        played = self.store.schedule_ids(run) if run in self._runs else set()
        work: list[tuple[Series | Measure, int]] = []
        for item in experiment.plan(scale):
            if isinstance(item, Measure):
                if item.key() not in self._values:
                    work.append((item, 0))
            else:
                numbers = range(item.games)
                work += [(item, number) for number in numbers if item.key(number) not in played]
        return work

    def add_game(self, experiment: Experiment, scale: Scale, game: StoredGame) -> None:
        """Keep a finished game."""
        name = experiment.run_name(scale)
        players = _players(experiment, scale)
        if name not in self._runs:
            config = {"experiment": experiment.name, "scale": scale.value}
            series = next(i for i in experiment.plan(scale) if isinstance(i, Series))
            run = RunInfo(name, "experiment", series.game, players, config)
            self.store.create_run(run)
            self._runs[name] = run
        elif not set(players) <= set(self._runs[name].players):
            self.store.add_players(name, players)
            self._runs[name] = self.store.run(name)
        names = self._runs[name].players
        seats = [names.index(player) for player in game.record.players]
        self.store.add_game(
            name,
            msgspec.structs.replace(
                game, first=seats[0], second=seats[1] if len(seats) > 1 else None
            ),
        )

    def add_value(self, item: Measure, value: dict[str, Any], seconds: float) -> None:
        """Keep a measurement."""
        entry = {"key": item.key(), "value": value, "seconds": round(seconds, 3)}
        with open(self._measured, "a", encoding="utf-8") as out:
            out.write(json.dumps(entry) + "\n")
            out.flush()
            os.fsync(out.fileno())
        self._values[item.key()] = value

    def results(self, experiment: Experiment, scale: Scale) -> Results:
        """All that is known about an experiment at this scale."""
        games: dict[str, list[Any]] = defaultdict(list)
        name = experiment.run_name(scale)
        if name in self._runs:
            run = self._runs[name]
            wanted = {
                item.key(number): item.name
                for item in experiment.plan(scale)
                if isinstance(item, Series)
                for number in range(item.games)
            }
            stored = [game for game in self.store.games(name) if game.schedule_id in wanted]
            for row in gather_games(stored, run.players, run.config):
                games[wanted[row.id]].append(row)
        values = {
            item.name: self._values[item.key()]
            for item in experiment.plan(scale)
            if isinstance(item, Measure) and item.key() in self._values
        }
        return Results(experiment, scale, dict(games), values)

    def forget(self, experiment: Experiment, scale: Scale) -> None:
        """Drop all results of an experiment at this scale."""
        keys = {i.key() for i in experiment.plan(scale) if isinstance(i, Measure)}
        if keys & self._values.keys():
            self._values = {key: v for key, v in self._values.items() if key not in keys}
            text = "".join(
                json.dumps({"key": key, "value": value}) + "\n"
                for key, value in self._values.items()
            )
            spare = self._measured.with_suffix(".new")
            spare.write_text(text, encoding="utf-8")
            spare.replace(self._measured)
        name = experiment.run_name(scale)
        if name in self._runs:
            self.store.connection.execute("DELETE FROM games WHERE run = ?", (name,))

    def _read_values(self) -> dict[str, dict[str, Any]]:
        values: dict[str, dict[str, Any]] = {}
        if not self._measured.exists():
            return values
        lines = self._measured.read_text(encoding="utf-8").split("\n")
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                entry = json.loads(line)
                values[entry["key"]] = entry["value"]
            except (ValueError, KeyError, TypeError):
                if number == len(lines):
                    self._mend(lines[:-1])
                    continue
                raise InputError(
                    f"{str(self._measured)!r}, line {number}, is damaged: remove that line"
                ) from None
        return values

    def _mend(self, lines: list[str]) -> None:
        """A line without its end was being written when the process died: drop it."""
        text = "".join(line + "\n" for line in lines)
        self._measured.write_text(text, encoding="utf-8")


def _players(experiment: Experiment, scale: Scale) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for item in experiment.plan(scale):
        if isinstance(item, Series):
            names[item.first] = None
            if item.second:
                names[item.second] = None
    return tuple(names)
