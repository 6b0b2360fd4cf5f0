"""The plan of a ranking and how far it has come, kept in its output folder as `ranking.json`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from plyground.core.errors import InputError
from plyground.core.game import OptionValue
from plyground.core.limits import Limit
from plyground.course.attempts import Remark
from plyground.course.submissions import Submission
from plyground.course.verdict import BoardCheck, SubmissionVerdict, can_play

STATE_FILE = "ranking.json"

RankingFormat = Literal["round-robin", "swiss", "anchors"]


_OPTIONS = {
    "options": "--option",
    "limit": "--time",
    "anchors": "--anchor",
    "openings": "--boards",
}
"""How the fields of a plan are given in the terminal, where that is not by their names."""


class RankingPlan(msgspec.Struct, frozen=True, kw_only=True):
    """All that decides a ranking. `submissions` are digests of what was handed in, by name.

    `rounds` are pairs of games between every two that meet, of a Swiss ranking its rounds (None: as
    many as the class needs). `boards` are the starts of a suite; without them every pair of games
    has a board of its own.
    """

    options: dict[str, OptionValue] = {}
    limit: Limit = Limit(time=0.5)
    format: RankingFormat = "round-robin"
    rounds: int | None = None
    anchors: tuple[str, ...] = ()
    boards: tuple[dict[str, OptionValue], ...] = ()
    openings: tuple[str, ...] = ()
    seed: int = 0
    python: str = ""
    submissions: dict[str, str] = {}

    def differences(self, other: RankingPlan) -> list[str]:
        """What another plan has otherwise, in words."""
        names = [
            _OPTIONS.get(name, f"--{name}")
            for name in self.__struct_fields__
            if name != "submissions" and getattr(self, name) != getattr(other, name)
        ]
        before, now = self.submissions, other.submissions
        handed = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)]
        for name in handed:
            word = "has changed" if name in before else "is new"
            names.append(f"submission {name} {word if name in now else 'is gone'}")
        return names

    def without(self, names: Collection[str]) -> RankingPlan:
        """The same plan for those that are not named."""
        kept = {name: mark for name, mark in self.submissions.items() if name not in names}
        return msgspec.structs.replace(self, submissions=kept)

    def joined_by(self, other: RankingPlan) -> bool:
        """Whether another plan differs in submissions that were handed in later, and they can join.

        In a Swiss ranking nobody can: its rounds are over.
        """
        return self.format != "swiss" and self.only_later(other)

    def only_later(self, other: RankingPlan) -> bool:
        """Whether nothing is different in another plan but that more was handed in."""
        return all(word.endswith(" is new") for word in self.differences(other))


class _StoredVerdict(msgspec.Struct, frozen=True):
    generation: str
    fault: str
    advice: str
    boards: tuple[BoardCheck, ...]
    remarks: tuple[Remark, ...]
    log: str

    @property
    def playable(self) -> bool:
        return can_play(self.fault, self.boards)


class _State(msgspec.Struct):
    plan: RankingPlan
    verdicts: dict[str, _StoredVerdict] = {}


class RankingState:
    """The plan and the verdicts so far; every verdict is on disk before the next is asked for."""

    def __init__(self, folder: Path, state: _State, *, resumed: bool) -> None:
        self._folder, self._state = folder, state
        self.resumed = resumed

    @classmethod
    def open(cls, folder: Path, plan: RankingPlan) -> RankingState:
        """Begin a ranking in a folder, or go on with the one that is there if it is the same."""
        path = folder / STATE_FILE
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            state = cls(folder, _State(plan), resumed=False)
            state._write()
            return state
        try:
            stored = msgspec.json.decode(path.read_bytes(), type=_State)
        except (OSError, msgspec.DecodeError) as error:
            raise InputError(f"{path} cannot be read: {error}; choose another --output") from error
        changed = stored.plan.differences(plan)
        if changed and not stored.verdicts:
            stored.plan, changed = plan, []  # nobody has been judged yet
        idle = [name for name, verdict in stored.verdicts.items() if not verdict.playable]
        if changed and stored.plan.without(idle).joined_by(plan.without(idle)):
            for name in idle:
                if stored.plan.submissions.get(name) != plan.submissions.get(name):
                    del stored.verdicts[name]
            order = {**stored.plan.submissions, **plan.submissions}  # latecomers last
            stored.plan = msgspec.structs.replace(plan, submissions=order)
            state = cls(folder, stored, resumed=True)
            state._write()
            return state
        if changed:
            reason = "has the ranking of another class or with other settings"
            if stored.plan.only_later(plan):
                reason = "has a Swiss ranking, which nobody can join later"
            raise InputError(
                f"{folder} {reason} (different: {', '.join(changed)}); choose another --output, or "
                "remove that folder"
            )
        return cls(folder, stored, resumed=True)

    def in_order(self, submissions: Sequence[Submission]) -> list[Submission]:
        """As they were handed in: those who came later after the others."""
        order = list(self._state.plan.submissions)
        return sorted(submissions, key=lambda each: order.index(each.name))

    def verdict(self, submission: Submission) -> SubmissionVerdict | None:
        """The verdict on a submission if it is known."""
        known = self._state.verdicts.get(submission.name)
        if known is None:
            return None
        return SubmissionVerdict(
            submission,
            known.generation,
            known.fault,
            known.advice,
            known.boards,
            known.remarks,
            log=known.log,
        )

    def keep(self, verdict: SubmissionVerdict) -> None:
        """Store a verdict."""
        self._state.verdicts[verdict.submission.name] = _StoredVerdict(
            verdict.generation,
            verdict.fault,
            verdict.advice,
            verdict.boards,
            verdict.remarks,
            verdict.log,
        )
        self._write()

    def _write(self) -> None:
        draft = self._folder / f".{STATE_FILE}.draft"
        with draft.open("wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(self._state)))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._folder / STATE_FILE)


def digests(submissions: Sequence[Submission]) -> dict[str, str]:
    """What was handed in, by name, as digests of its files."""
    return {each.name: _digest(each) for each in submissions}


def _digest(submission: Submission) -> str:
    content = hashlib.blake2b(submission.fault.encode(), digest_size=8)
    if submission.folder is not None:
        for path in sorted(submission.folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                content.update(str(path.relative_to(submission.folder)).encode() + b"\0")
                content.update(path.read_bytes() + b"\0")
    return content.hexdigest()
