"""Submissions as they were handed in: folders or zip files."""

from __future__ import annotations

import lzma
import os
import re
import shutil
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from plyground.core.errors import InputError

MAIN_FILE = "sudokuai.py"
LEFT_OUT = ("__pycache__", "__MACOSX", "venv", "node_modules")
MOST_FILES = 2000
MOST_BYTES = 200 * 2**20
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
)
"""What reading a damaged zip file may raise."""


@dataclass(frozen=True)
class Submission:
    """One hand-in; `folder` has its `sudokuai.py`, or is None and `fault` says why."""

    name: str
    origin: Path
    folder: Path | None
    fault: str = ""


def collect(folder: Path, workspace: Path) -> list[Submission]:
    """All submissions in a folder, each copied or unpacked into its own place in `workspace`.

    Names are made unique. The places depend on what is in the folder only.
    """
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}")
    found: list[Submission] = []
    shutil.rmtree(workspace, ignore_errors=True)
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith((".", "__")) or entry.resolve() == workspace.parent.resolve():
            continue
        place = workspace / f"{len(found) + 1:03d}"
        if entry.is_dir():
            found.append(_from_copy(entry, place))
        elif entry.suffix.lower() == ".zip":
            found.append(from_zip(entry, place))
    if not found:
        raise InputError(f"{folder} has no submissions (folders or zip files with {MAIN_FILE})")
    return _with_unique_names(found)


def _from_copy(entry: Path, place: Path) -> Submission:
    try:
        _copy(entry, place / entry.name)
    except (OSError, ValueError) as error:
        return Submission(entry.name, entry, None, f"the folder cannot be copied: {error}")
    return from_folder(entry.name, entry, place / entry.name)


def _copy(source: Path, target: Path) -> None:
    """Copy a folder that may be hostile: no links, nothing endless, nothing but files."""
    files, left = 0, MOST_BYTES
    for folder, names, leaves in os.walk(source):
        names[:] = [name for name in names if name not in LEFT_OUT and not name.startswith(".")]
        place = target / Path(folder).relative_to(source)
        place.mkdir(parents=True, exist_ok=True)
        for leaf in leaves:
            path = Path(folder) / leaf
            if path.is_symlink() or not path.is_file():
                continue
            files, left = files + 1, left - path.stat().st_size
            if files > MOST_FILES or left < 0:
                raise ValueError(f"at most {MOST_FILES} files and {MOST_BYTES >> 20} MiB")
            shutil.copyfile(path, place / leaf)


def _with_unique_names(found: list[Submission]) -> list[Submission]:
    used: set[str] = set()
    unique = []
    for submission in found:
        name = submission.name
        number = 2
        while name in used:
            name, number = f"{submission.name}-{number}", number + 1
        used.add(name)
        unique.append(Submission(name, submission.origin, submission.folder, submission.fault))
    return unique


def from_folder(name: str, origin: Path, folder: Path) -> Submission:
    """The nearest `sudokuai.py` at or below a folder."""
    mains = sorted(folder.rglob(MAIN_FILE), key=lambda path: (len(path.parts), str(path)))
    mains = [path for path in mains if "__MACOSX" not in path.parts]
    if not mains:
        return Submission(name, origin, None, f"there is no {MAIN_FILE} in it")
    depth = len(mains[0].parts)
    if len([path for path in mains if len(path.parts) == depth]) > 1:
        listing = ", ".join(str(path.relative_to(folder)) for path in mains[:3])
        return Submission(name, origin, None, f"it has more than one {MAIN_FILE}: {listing}")
    return Submission(name, origin, mains[0].parent)


def from_zip(path: Path, workspace: Path) -> Submission:
    """The submission in a zip file, unpacked below `workspace`."""
    name = re.sub(r"[^\w.-]+", "_", path.stem) or "submission"
    target = workspace / name
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    try:
        _unpack(path, target)
    except UNREADABLE as error:
        return Submission(name, path, None, f"the zip file cannot be unpacked: {error}")
    return from_folder(name, path, target)


def _unpack(path: Path, target: Path) -> None:
    """Unpack a zip file that may be hostile: no way out of the folder, no bombs, no links."""
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if len(entries) > MOST_FILES:
            raise ValueError(f"it has {len(entries)} files, at most {MOST_FILES} are accepted")
        left = MOST_BYTES
        for entry in entries:
            place = PurePosixPath(entry.filename.replace("\\", "/"))
            if place.is_absolute() or ".." in place.parts or ":" in entry.filename:
                raise ValueError(f"{entry.filename!r} points outside of the archive")
            if entry.is_dir():
                continue
            file = target.joinpath(*place.parts)
            file.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(entry) as source, file.open("wb") as copy:
                while block := source.read(1 << 16):
                    left -= len(block)
                    if left < 0:
                        raise ValueError(f"it unpacks to more than {MOST_BYTES >> 20} MiB")
                    copy.write(block)
