"""Submissions as they were handed in: folders or zip files."""

from __future__ import annotations

import lzma
import os
import shutil
import struct
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from plyground.core.errors import InputError
from plyground.course.host.__main__ import LEFT_OUT

MAIN_FILE = "sudokuai.py"
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
    LookupError,
    struct.error,
    MemoryError,
)
"""What reading a damaged zip file may raise."""

OTHER_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".py")
"""Files that somebody has handed in instead of a folder or a zip file."""

LONGEST_NAME = 100
FRAMEWORK = "competitive_sudoku"
EXAMPLES = ("greedy_player", "naive_player", "random_player", "random_save_player")
"""What lies in the course's framework beside submissions, for those who hand in all of it."""

NESTING = 2
"""So deep zip files are looked for in what was handed in: platforms pack folders that hold one."""


@dataclass(frozen=True)
class Submission:
    """One hand-in; `folder` has its `sudokuai.py`, or is None and `fault` says why."""

    name: str
    origin: Path
    folder: Path | None
    fault: str = ""


def collect(folder: Path, workspace: Path) -> list[Submission]:
    """All submissions in a folder, each copied or unpacked into its own place in `workspace`.

    Names are made unique. The places depend on what is in the folder only. Files that nobody hands
    in (notes, lists) are not looked at.
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
        elif entry.suffix.lower() in (".zip", *OTHER_ARCHIVES):
            found.append(from_file(entry, place))
    if not found:
        raise InputError(f"{folder} has no submissions (folders or zip files with {MAIN_FILE})")
    return _with_unique_names(found)


def plain_name(text: str) -> str:
    """A name of a file or folder that can be printed, written and be a file's name again."""
    try:
        text.encode()
    except UnicodeEncodeError:  # from a system that spells names otherwise
        text = os.fsencode(text).decode("latin-1")
    text = "".join(sign if sign.isprintable() else "_" for sign in text).replace("/", "_")
    while len(text.encode()) > LONGEST_NAME:
        text = text[:-1]
    return text.strip() or "submission"


def _from_copy(entry: Path, place: Path) -> Submission:
    name = plain_name(entry.name)
    try:
        _copy(entry, place / name)
    except (OSError, ValueError) as error:
        return Submission(name, entry, None, f"the folder cannot be copied: {_reason(error)}")
    return from_folder(name, entry, place / name, place / "unpacked")


def _reason(error: BaseException) -> str:
    """What went wrong, with the name of a file but no path of ours: students read it."""
    if isinstance(error, OSError) and error.strerror:
        file = error.filename
        return f"{error.strerror}: {plain_name(Path(file).name)}" if file else error.strerror
    return str(error)[:200]


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


def from_folder(
    name: str, origin: Path, folder: Path, workspace: Path, nesting: int = NESTING
) -> Submission:
    """The nearest `sudokuai.py` at or below a folder, or in the only zip file there."""
    mains = _own_mains(_files_below(folder, MAIN_FILE))
    if not mains:
        zips = _files_below(folder, "*.zip")
        if len(zips) == 1 and nesting:
            target = workspace / plain_name(zips[0].stem)
            return _from_zip(Submission(name, origin, target), zips[0], nesting - 1)
        inside = f" (but {len(zips)} zip files)" if zips else ""
        return Submission(name, origin, None, f"there is no {MAIN_FILE} in it{inside}")
    depth = len(mains[0].parts)
    if len([path for path in mains if len(path.parts) == depth]) > 1:
        places = (path.relative_to(folder).parent for path in mains[:3])
        listing = ", ".join("/".join(map(plain_name, place.parts)) for place in places)
        return Submission(name, origin, None, f"it has more than one {MAIN_FILE}, in {listing}")
    return Submission(name, origin, mains[0].parent)


def _own_mains(mains: list[Path]) -> list[Path]:
    """Those that are not the framework's: its examples are taken only if there is nothing else."""
    mains = [path for path in mains if not _is_framework(path.parent)]
    return [path for path in mains if path.parent.name not in EXAMPLES] or mains


def _is_framework(folder: Path) -> bool:
    return folder.name == FRAMEWORK and (folder / "sudoku.py").is_file()


def _files_below(folder: Path, pattern: str) -> list[Path]:
    """Files at or below a folder whose name fits, the nearest first."""
    found = [path for path in folder.rglob(pattern) if path.is_file()]
    found = [path for path in found if "__MACOSX" not in path.parts]
    return sorted(found, key=lambda path: (len(path.parts), str(path)))


def from_file(path: Path, workspace: Path) -> Submission:
    """The submission in a zip file, unpacked below `workspace`."""
    name = plain_name(path.stem)
    suffix = path.suffix.lower()
    other = suffix != ".zip" and not (path.is_file() and zipfile.is_zipfile(path))
    if not path.is_file() or suffix in OTHER_ARCHIVES or other:
        name = plain_name(path.stem if suffix == ".zip" else path.name)
        return Submission(name, path, None, "it is neither a folder nor a zip file")
    return _from_zip(Submission(name, path, workspace / name), path, NESTING)


def _from_zip(wanted: Submission, path: Path, nesting: int) -> Submission:
    """Unpack a zip file into the folder of the submission that is wanted, and look for it there."""
    target = wanted.folder
    assert target is not None
    try:
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        _unpack(path, target)
    except UNREADABLE as error:
        fault = f"the zip file cannot be unpacked: {_reason(error)}"
        return Submission(wanted.name, wanted.origin, None, fault)
    return from_folder(wanted.name, wanted.origin, target, target / ".unpacked", nesting)


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
