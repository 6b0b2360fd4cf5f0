"""What a submission put out, and what it tells: where it failed, what it should not do."""

from __future__ import annotations

import re

from plyground.course.attempts import Remark
from plyground.course.host.watch import FAILURE, MARK
from plyground.course.submissions import Submission

LOG_CHARACTERS = 4000
MUCH_OUTPUT = 50_000
"""A submission that prints more characters than this on one board is told so."""

LOST_SAVE = "save: not kept, cannot be pickled"
"""What the course's framework prints when something cannot be saved."""

LONGEST_REASON = 150

_OUR_LINE = re.compile(rf"\n{re.escape(MARK)}.*\n?")
_TRACE = re.compile(r"Traceback \(most recent call last\):\n((?:[ \t].*\n|\n)*)(\S.*)?", re.M)
_FRAME = re.compile(r'^ *File "([^"<]+\.py)", line (\d+)', re.M)
_OF_OTHERS = re.compile(r"/lib(64)?/python|/site-packages/|/plyground/course/host/")
"""Paths of code that is not the submission's own."""


def last_error(log: str) -> str:
    """The last error in an output, with the line of the submission's own code that led to it.

    Empty if there is none.
    """
    traces = _TRACE.findall(_OUR_LINE.sub("", log))
    frames, error = traces[-1] if traces else ("", "")
    if not re.match(r"[A-Za-z_][\w.]*(: |$)", error):
        return ""
    lines = _FRAME.findall(frames)
    own = [line for line in lines if not _OF_OTHERS.search(line[0])] or lines
    where = f" ({own[-1][0].rpartition('/')[2]}, line {own[-1][1]})" if own else ""
    return f"{error[:LONGEST_REASON]}{where}"


def read_output(output: str, submission: Submission) -> list[Remark]:
    """What the output of a submission tells about it."""
    found = []
    if f"{MARK}{FAILURE}" in output:
        error = own_paths(last_error(output), submission) or "its process ends by itself"
        found.append(
            Remark(
                f"it fails after it has proposed a move: {error}",
                "handle that case: the move stands, but all that it would have found later is lost",
                "fails after its first proposal",
            )
        )
    if LOST_SAVE in output:
        found.append(
            Remark(
                "what it saves cannot be pickled and is lost",
                "save plain data only (numbers, texts, lists, dictionaries): functions, lambdas "
                "and open files cannot be kept from turn to turn",
            )
        )
    if len(output) > MUCH_OUTPUT:
        found.append(
            Remark(
                "it prints very much",
                "take out the prints: they cost time to think, and only the first "
                f"{MUCH_OUTPUT // 1000} kB are kept",
            )
        )
    return found


def own_paths(text: str, submission: Submission) -> str:
    """A text in which paths are the student's own: no others, and nothing of where it ran."""
    if submission.folder is not None:
        text = text.replace(f"{submission.folder.parent}/", "")
    return re.sub(r"(?<![\w.<])/(?:[^\s/\"':,]+/)*([^\s/\"':,]+)", r"\1", text)


def tail(output: str, submission: Submission) -> str:
    """The end of what it printed, without what is among the remarks anyway."""
    rest = _OUR_LINE.sub("", output)
    if len(rest) > LOG_CHARACTERS:
        rest = rest[-LOG_CHARACTERS:].partition("\n")[2]  # from the beginning of a line
    return own_paths(rest, submission)
