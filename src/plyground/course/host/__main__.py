"""`python -m plyground.course.host FOLDER GENERATION STRICT PACKAGE [SIBLING...]`: serve one."""

from __future__ import annotations

import os
import sys

from plyground.core.errors import PlygroundError
from plyground.course.host.messages import write_message
from plyground.course.host.service import Service
from plyground.course.host.submission import Submission
from plyground.course.host.watch import Watch, hide_host

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_COPIED = 16 << 20
"""Bytes of data beside a submission that are copied for it."""


HANDED_IN = "/home/player/.handed-in"
"""Where the submission is in the sandbox; its own folder is empty there, and gets a copy."""

LEFT_OUT = ("__pycache__", "__MACOSX", "venv", "node_modules")
"""Folders that are no part of a submission, and those whose names begin with a dot."""


def main() -> None:
    """Serve on standard input and output; prints of the submission go to standard error."""
    folder, generation, strict, package = sys.argv[1:5]
    siblings = sys.argv[5:]
    # Nothing that a turn does to its standard streams may reach the pipes of the game.
    requests, output = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    if os.path.isdir(HANDED_IN) and not os.listdir(folder):
        copy_folder(HANDED_IN, folder)
    work = enter_own_folder(folder, package, siblings)
    house = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    watch = Watch(work, folder, (house, HANDED_IN, *siblings))
    hide_host()
    try:
        watch.on = True
        submission = Submission(folder, generation, package)
        watch.on = False
        service = Service(submission, requests, output, watch, strict=strict == "strict")
        with service:
            service.run()
    except BrokenPipeError:
        pass
    except PlygroundError as error:
        line = write_message({"type": "error", "message": str(error)})
        os.write(output, line.encode() + b"\n")
    finally:
        watch.on = False
        leave(work)


def contents(folder: str) -> Iterator[str]:
    """All files and links of a submission."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in LEFT_OUT and name[0] != "."]
        yield from (os.path.join(place, name) for name in names)


def copy_folder(source: str, target: str) -> None:
    """Copy a submission; links stay links."""
    for path in contents(source):
        place = target + path[len(source) :]
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if os.path.islink(path):
            os.symlink(os.readlink(path), place)
        elif os.path.isfile(path):
            with open(path, "rb") as file, open(place, "wb") as copy:
                copy.write(file.read())
            os.chmod(place, os.stat(path).st_mode | 0o200)


def enter_own_folder(folder: str, package: str, siblings: list[str]) -> str:
    """Make a working folder in which a submission sees its own folder and what is beside it.

    What its `package` lies in is the folder from which the course runs it. As in the course it may
    write to data there: it gets a copy, if that is not too much.
    """
    parent = os.environ.get("TMPDIR", "/tmp")
    work = os.path.join(parent, f"plyground-work-{os.getpid()}-{os.urandom(8).hex()}")
    os.mkdir(work, 0o700)
    os.chdir(work)
    for name in {package, os.path.basename(folder)}:
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        os.symlink(folder, name)
    left = MOST_COPIED
    seen = (os.path.dirname(folder), folder[: -len(package)].rstrip("/"))
    for place in siblings:
        if os.path.dirname(place) in seen and not os.path.lexists(os.path.basename(place)):
            name, files = os.path.basename(place), list(_files(place))
            left -= sum(map(os.path.getsize, files))
            code = any(path.endswith(".py") for path in files)
            if left < 0 or (code and name.removesuffix(".py").isidentifier()):
                os.symlink(place, name)
                continue
            for path in files:
                target = name + path[len(place) :]
                os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
                with open(path, "rb") as source, open(target, "wb") as copy:
                    copy.write(source.read())
    os.environ["TMPDIR"] = os.path.join(work, ".tmp")
    os.mkdir(os.environ["TMPDIR"])
    return work


def _files(place: str) -> Iterator[str]:
    """A file, or those in a folder."""
    if os.path.isfile(place):
        yield place
    for folder, _, names in os.walk(place):
        yield from (os.path.join(folder, name) for name in names)


def leave(work: str) -> None:
    """Forget what was written into the working folder."""
    import shutil

    os.chdir("/")
    shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
