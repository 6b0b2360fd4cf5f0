"""What a user brings: Python files, and objects of a running program, known by their content.

A `Source` is a file together with the modules beside it that it imports, or a pickled object. Its
digest names that content. `keep` writes it into the cache, from where any process can load it by
name and digest: an engine, a worker of a cluster, a run that is resumed after the file was edited.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import msgspec

from plyground.core import reading
from plyground.core.errors import InputError, PlygroundError
from plyground.core.paths import cache_root, expanded

MOST_BYTES = 16 << 20
"""A file with all that it imports may have so much."""

_FILE = re.compile(r"(?P<path>.*?\.py)(?:@(?P<digest>[0-9a-f]{16}))?(?::(?P<rest>.*))?")
_PICKLED = re.compile(r"(?P<name>[\w.-]+)@(?P<digest>[0-9a-f]{16})(?::(?P<rest>.*))?")
_PICKLE = ".pickle"
_ORIGIN = "origin.txt"
Base = TypeVar("Base")
_loaded: dict[str, ModuleType] = {}


class Source(msgspec.Struct, frozen=True):
    """Content by name and digest. `files` are paths relative to the folder, `name` one of them.

    `origin` is where a file was read; a module loaded from the source finds its data files there.
    """

    name: str
    digest: str
    files: dict[str, bytes]
    origin: str = ""

    @classmethod
    def read(cls, path: Path | str) -> Source:
        """A Python file and what it imports from its own folder; InputError says what is wrong."""
        main = expanded(path)
        check_text(str(main.resolve()), "the name of a player's or game's file")
        files: dict[str, bytes] = {}
        waiting = [main]
        while waiting:
            file = waiting.pop()
            name = file.relative_to(main.parent).as_posix()
            if name in files:
                continue
            files[name] = _read(file)
            if sum(map(len, files.values())) > MOST_BYTES:
                raise InputError(f"{main}: more than {MOST_BYTES >> 20} MB with what it imports")
            if file.parent == main.parent:
                waiting += _siblings(file, files[name])
        return cls(main.name, _digest(files), files, str(main.resolve()))

    @classmethod
    def pickled(cls, name: str, target: object) -> Source:
        """A class or instance of this program, by value; InputError if it cannot leave it."""
        files = {name + _PICKLE: _pickle(name, target)}
        return cls(name + _PICKLE, _digest(files), files)

    @classmethod
    def kept(cls, name: str, digest: str) -> Source:
        """What was kept under this name and digest; InputError if it is not there any more."""
        folder = _folder(digest)
        if not (folder / name).is_file():
            raise InputError(f"the source of {name} ({digest}) is not on this machine any more")
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in paths
            if path.name != _ORIGIN and "__pycache__" not in path.parts
        }
        with contextlib.suppress(OSError):
            return cls(name, digest, files, (folder / _ORIGIN).read_text())
        return cls(name, digest, files)

    def keep(self) -> None:
        """Put the content into the cache, whole or not at all."""
        folder = _folder(self.digest)
        if (folder / self.name).is_file():
            return
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
                made = Path(scratch) / "source"
                for name, content in self.files.items():
                    path = made / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
                if self.origin:
                    (made / _ORIGIN).write_text(self.origin)
                shutil.rmtree(folder, ignore_errors=True)
                with contextlib.suppress(FileExistsError):
                    made.rename(folder)
        except OSError as error:
            if not (folder / self.name).is_file():
                raise InputError(
                    f"cannot keep {self.name} in {folder}: {error.strerror or error}; "
                    "set PLYGROUND_CACHE_DIR to a writable folder"
                ) from error

    def module(self) -> ModuleType:
        """The file as a loaded module, once for each content. InputError names a line at fault."""
        if self.digest not in _loaded:
            self.keep()
            _loaded[self.digest] = self._load()
        return _loaded[self.digest]

    def _load(self) -> ModuleType:
        folder = _folder(self.digest)
        _forget_others(folder)
        sys.path.insert(0, str(folder))
        shown = self.origin if Path(self.origin).is_file() else str(folder / self.name)
        module = ModuleType(f"plyground_file_{Path(self.name).stem}_{self.digest}")
        module.__file__ = shown
        module.__spec__ = ModuleSpec(module.__name__, None, origin=str(folder / self.name))
        module.__dict__["__source__"] = self.files[self.name].decode(errors="replace")
        sys.modules[module.__name__] = module
        try:
            exec(compile(self.files[self.name], shown, "exec"), module.__dict__)
        except BaseException as error:
            del sys.modules[module.__name__]
            if isinstance(error, KeyboardInterrupt):
                raise
            raise InputError(_where(error, shown, self.name)) from error
        return module

    def unpickled(self) -> Any:
        """A fresh copy of a pickled object."""
        import pickle

        try:
            return pickle.loads(self.files[self.name])
        except Exception as error:
            raise InputError(
                f"{self.name.removesuffix(_PICKLE)} cannot be read back: "
                f"{type(error).__name__}: {error}"
            ) from error


class FileName(msgspec.Struct, frozen=True):
    """A file on a command line: `bot.py`, `bot.py@DIGEST`, either followed by `:` and a rest."""

    path: str
    digest: str
    rest: str

    @classmethod
    def parse(cls, text: str) -> FileName | None:
        """The parts of the text, None if it does not name a Python file."""
        found = _FILE.fullmatch(text)
        if found is None or not Path(found["path"]).name.removesuffix(".py"):
            return None
        return cls(found["path"], found["digest"] or "", found["rest"] or "")

    def source(self) -> Source:
        """What the file is now, or what it was when its digest was taken."""
        return Source.kept(self.path, self.digest) if self.digest else Source.read(self.path)

    def pinned(self, source: Source) -> str:
        """The same text with the content fixed."""
        return f"{source.name}@{source.digest}" + (f":{self.rest}" if self.rest else "")


def short_name(game: str) -> str:
    """The name of a game as people read it: `othello` for `othello.py@DIGEST`."""
    file = FileName.parse(game)
    return Path(file.path).stem if file is not None and file.digest else game


class PickleName(msgspec.Struct, frozen=True):
    """A pickled object as text: `Name@DIGEST`, perhaps followed by `:` and a rest."""

    name: str
    digest: str
    rest: str

    @classmethod
    def parse(cls, text: str) -> PickleName | None:
        """The parts of the text, None if it is something else."""
        found = _PICKLED.fullmatch(text)
        return found and cls(found["name"], found["digest"], found["rest"] or "")

    def source(self) -> Source:
        """The kept object."""
        return Source.kept(self.name + _PICKLE, self.digest)


def defined_in(module: ModuleType, base: type[Base]) -> dict[str, type[Base]]:
    """The subclasses of `base` that a module defines itself, by class name, in their order."""
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, base)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    }


def check_text(text: str, what: str) -> None:
    """InputError for what no file or database of ours could keep: bytes that are no characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what} is no text in UTF-8: {short_name(text)!r}") from None


def _folder(digest: str) -> Path:
    return cache_root() / "sources" / digest


def _digest(files: dict[str, bytes]) -> str:
    state = hashlib.blake2b(digest_size=8)
    for name, content in sorted(files.items()):
        state.update(f"{name}\0{len(content)}\0".encode() + content)
    return state.hexdigest()


def _read(path: Path) -> bytes:
    try:
        return reading.read_bytes(path)
    except FileNotFoundError as error:
        raise InputError(f"there is no file {str(path)!r}") from error
    except OSError as error:
        raise InputError(f"cannot read {str(path)!r}: {error.strerror or error}") from error


def _siblings(file: Path, content: bytes) -> Iterator[Path]:
    """The modules and packages beside a file that it imports, functions' imports included."""
    try:
        tree = reading.parse_python(content)
    except (SyntaxError, ValueError) as error:
        raise InputError(_where(error, "<unknown>", file.name)) from error
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module.partition(".")[0])
    for name in sorted(names - sys.stdlib_module_names - {"plyground", "numpy", "numba"}):
        if (file.parent / f"{name}.py").is_file():
            yield file.parent / f"{name}.py"
        elif (file.parent / name / "__init__.py").is_file():
            yield from sorted((file.parent / name).rglob("*.py"))


def _forget_others(folder: Path) -> None:
    """Modules of other sources make room: two bots may each bring a `helpers` of their own."""
    root = str(folder.parent) + os.sep
    sys.path[:] = [entry for entry in sys.path if not entry.startswith(root)]
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(root):
            del sys.modules[name]


def _where(error: BaseException, path: str, name: str) -> str:
    """An error while a file was loaded in one line, behind the file's name and line."""
    number = None
    if isinstance(error, SyntaxError):
        number, text = error.lineno, f"{type(error).__name__}: {error.msg}"
    else:
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == path:
                number = trace.tb_lineno
            trace = trace.tb_next
        own = isinstance(error, PlygroundError)
        text = str(error) if own else f"{type(error).__name__}: {error}"
    return f"{name}:{number}: {text}" if number else f"{name} cannot be loaded: {text}"


def tell_fault(error: BaseException) -> str:
    """An error in one line, behind file and line of the last place in the user's own code."""
    foreign = ("<frozen ", str(cache_root() / "games"), *_installed_roots())
    place, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith(foreign):
            place = f"{Path(file).name}:{trace.tb_lineno}: "
        trace = trace.tb_next
    if isinstance(error, PlygroundError):
        return f"{place}{error}"
    words = " ".join(str(error).split())
    return f"{place}{type(error).__name__}: {words}" if words else place + type(error).__name__


def _pickle(name: str, target: object) -> bytes:
    """Pickle by value what a fresh process could not import."""
    import cloudpickle

    modules = [module for module in list(sys.modules.values()) if _is_users_own(module)]
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        content: bytes = cloudpickle.dumps(target)
        return content
    except Exception as error:
        raise InputError(
            f"{name} cannot be sent to a process of its own ({error}): "
            "keep what cannot be pickled out of it, or put it into a file and name that"
        ) from error
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


def _is_users_own(module: ModuleType) -> bool:
    """Whether a module lies in the user's folders, not among installed packages or here."""
    file = getattr(module, "__file__", None)
    name = getattr(module, "__name__", "")
    if not file or name == "__main__" or sys.modules.get(name) is not module:
        return False
    return not any(file.startswith(root) for root in _installed_roots())


def _installed_roots() -> list[str]:
    import sysconfig

    names = ("stdlib", "platstdlib", "purelib", "platlib")
    package = Path(__file__).parents[1]
    return [*(sysconfig.get_path(name) for name in names), str(package)]
