"""The compile cache: never stale, hit by the next process, and sturdy."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plyground.engines import sandbox
from processes import run_python
from tests.kernels.forks import Fork, Forks

CALLEE = "from plyground.kernels import kernel\n\n@kernel\ndef amount(x):\n    return x + {n}\n"
CALLER = (
    "from plyground.kernels import kernel\nfrom demo.callee import amount\n\n"
    "@kernel\ndef total(x):\n    return 10 * amount(x)\n"
)
TEMPLATE = (
    "from plyground.kernels import kernel\nfrom demo.slot import amount\n\n"
    "@kernel\ndef twice(x):\n    return 2 * amount(x)\n"
)
SLOT = "from plyground.kernels import kernel\n\n@kernel\ndef amount(x):\n    raise ValueError\n"

PROGRAM = """
import sys
from numba.core import event
from plyground import kernels

compiled = []
class Count(event.Listener):
    def on_start(self, event):
        compiled.append(event)
    def on_end(self, event):
        pass
event.register("numba:compile", Count())
module = kernels.compiled({module!r}, {slots!r})
with kernels.compilation(module):
    result = module.{function}(1)
print(result, len(compiled))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package `demo` with a caller, a callee and a template, and a cache folder of its own."""
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "callee.py").write_text(CALLEE.format(n=1))
    (folder / "caller.py").write_text(CALLER)
    (folder / "template.py").write_text(TEMPLATE)
    (folder / "slot.py").write_text(SLOT)
    return tmp_path


@pytest.fixture(scope="module", autouse=True)
def forks() -> Iterator[None]:
    """The process that those of `start` are forked from."""
    global _forks
    with Forks() as _forks:
        yield


def start(root: Path, module="demo.caller", function="total", slots=None) -> Fork:
    """Run the program in a process that has loaded Numba but no kernels."""
    code = PROGRAM.format(module=module, function=function, slots=slots)
    return _forks.start(code, root, {**os.environ, "PLYGROUND_CACHE_DIR": str(root / "cache")})


def start_anew(root: Path, wrap=(), **environment):
    """Run the program in a process that loads everything, behind the words of `wrap`."""
    settings = {**os.environ, "PLYGROUND_CACHE_DIR": str(root / "cache"), **environment}
    settings["PYTHONPATH"] = os.pathsep.join([str(root), *filter(None, sys.path)])
    code = PROGRAM.format(module="demo.caller", function="total", slots=None)
    return subprocess.Popen(
        [*wrap, sys.executable, "-c", code],
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: Fork | subprocess.Popen[str]) -> tuple[int, int, str]:
    """Result, number of compilations, standard error."""
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    result, compilations = output.split()
    return int(result), int(compilations), errors


def test_a_second_process_compiles_nothing(package):
    assert finish(start_anew(package))[:2] == (20, 2)
    result, compilations, errors = finish(start_anew(package))
    assert (result, compilations) == (20, 0)
    assert "compiling" not in errors


def test_an_edited_callee_is_never_served_stale(package):
    assert finish(start(package))[0] == 20
    callee = package / "demo" / "callee.py"
    status = callee.stat()
    callee.write_text(CALLEE.format(n=2))
    os.utime(callee, (status.st_atime, status.st_mtime))  # not even with the old time stamp
    assert finish(start(package))[0] == 30
    callee.write_text(CALLEE.format(n=1))
    assert finish(start(package))[:2] == (20, 0)


def test_instructions_that_come_later_are_taken(package):
    assert finish(start(package))[0] == 20
    (package / "demo" / "callee_native.py").write_text(CALLEE.format(n=3))
    assert finish(start(package))[0] == 40
    (package / "demo" / "callee_native.py").unlink()
    assert finish(start(package))[:2] == (20, 0)


def test_damaged_notes_on_sources_do_no_harm(package):
    finish(start(package))
    for note in (package / "cache" / "kernels").glob("recipe-*.json"):
        note.write_text('{"digest": 1')
    assert finish(start(package))[:2] == (20, 0)
    assert list((package / "cache" / "kernels").glob("recipe-*.json"))


LINEAR_ALGEBRA = """
import sys
import numpy as np
from plyground import kernels

loaded = lambda: "scipy.linalg" in sys.modules
module = kernels.compiled("demo.caller")
module.total(1)
print(loaded())
print(kernels.compiled("demo.dot").squares(np.array([3.0, 4.0])), loaded())
import scipy.stats
print(round(scipy.stats.norm.cdf(0), 3))
"""


def test_scipy_is_loaded_only_by_kernels_that_use_it(package):
    (package / "demo" / "dot.py").write_text(
        "import numpy as np\nfrom plyground.kernels import kernel\n\n"
        "@kernel\ndef squares(x):\n    return np.dot(x, x)\n"
    )
    path = os.pathsep.join([str(package), *filter(None, sys.path)])
    settings = {"PLYGROUND_CACHE_DIR": str(package / "cache"), "PYTHONPATH": path}
    for _ in range(2):  # compiled, then from disk
        done = subprocess.run(
            [sys.executable, "-c", LINEAR_ALGEBRA],
            env={**os.environ, **settings},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        first, second, third = done.stdout.splitlines()
        assert (first, second.split()[0], third) == ("False", "25.0", "0.5")


def test_machine_code_from_disk_needs_no_compiler(package):
    program = (
        "import sys\nfrom plyground import kernels\n"
        "module = kernels.compiled('demo.caller')\n"
        "parts = {'numba.np.arraymath', 'numba.np.arrayobj', 'numba.cpython.unicode'}\n"
        "print(module.total(1), sorted(parts & set(sys.modules)))\n"
        "print(module.total(1.5), sorted(parts & set(sys.modules)))\n"
    )
    path = os.pathsep.join([str(package), *filter(None, sys.path)])
    settings = {"PLYGROUND_CACHE_DIR": str(package / "cache"), "PYTHONPATH": path}
    parts = ["numba.cpython.unicode", "numba.np.arraymath", "numba.np.arrayobj"]
    for loaded in (parts, []):
        done = run_python("-c", program, env={**os.environ, **settings}, timeout=120)
        assert done.stdout.splitlines() == [f"20 {loaded}", f"25.0 {loaded}"]


def test_slots_take_the_functions_of_another_module(package):
    slots = {"demo.slot": "demo.callee"}
    assert finish(start(package, "demo.template", "twice", slots))[0] == 4
    assert finish(start(package, "demo.template", "twice", slots))[:2] == (4, 0)


def test_it_says_that_it_compiles(package):
    assert "compiling demo.caller (first run only, about " in finish(start(package))[2]


def test_several_processes_at_once_compile_once(package):
    processes = [start(package) for _ in range(4)]
    results = [finish(process) for process in processes]
    assert [result for result, _, _ in results] == [20] * 4
    assert sorted(compilations for _, compilations, _ in results) == [0, 0, 0, 2]


def damaged_files(root: Path) -> list[Path]:
    return [path for path in (root / "cache").rglob("*") if path.is_file()]


def test_damaged_machine_code_is_compiled_again(package):
    finish(start(package))
    for path in damaged_files(package):
        if path.suffix in (".nbi", ".nbc"):
            path.write_bytes(path.read_bytes()[:-20] + b"x" * 20)
    assert finish(start(package))[:2] == (20, 2)
    assert finish(start(package))[:2] == (20, 0)


def test_who_can_only_read_packages_holds_nobody_up(package):
    """Programs in a sandbox see the packages: a lock needs no more than that."""
    finish(start(package))
    for path in damaged_files(package):
        if path.suffix in (".nbi", ".nbc"):
            path.write_bytes(path.read_bytes()[:-20] + b"x" * 20)
    with contextlib.ExitStack() as held:
        for path in (package / "cache" / "kernels").rglob("*"):
            if path.is_file():
                fcntl.flock(held.enter_context(path.open("rb")), fcntl.LOCK_EX)
        assert finish(start(package))[:2] == (20, 2)


def test_damage_everywhere_is_mended(package):
    finish(start(package))
    for path in damaged_files(package):
        path.write_bytes(b"\x00garbage")
    assert finish(start(package))[0] == 20
    assert finish(start(package))[:2] == (20, 0)


def test_truncated_files_are_mended(package):
    finish(start(package))
    for path in damaged_files(package):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert finish(start(package))[0] == 20


def test_a_file_in_place_of_the_cache_folder_is_reported_once(package):
    (package / "cache").write_text("not a folder")
    result, _, errors = finish(start(package))
    assert result == 20
    assert errors.count("cannot use the cache folder") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_cache_folder_is_reported(package):
    (package / "cache").mkdir(mode=0o500)
    assert "cannot use the cache folder" in finish(start(package))[2]


@pytest.mark.skipif(not sandbox.state().available, reason="no bubblewrap here")
def test_a_cache_that_can_only_be_read_is_used_nevertheless(package):
    finish(start(package))
    read_only = ["bwrap", "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    read_only += ["--ro-bind", str(package / "cache"), str(package / "cache")]
    assert finish(start_anew(package, wrap=read_only)) == (20, 0, "")
    shutil.rmtree(package / "cache" / "kernels")
    result, compilations, errors = finish(start_anew(package, wrap=read_only))
    assert (result, compilations) == (20, 2)
    assert errors.count("cannot use the cache folder") == 1


@pytest.mark.parametrize("place", ["cache", "cache/kernels"])
def test_a_folder_that_others_may_write_is_not_used(package, place):
    finish(start(package))
    (package / place).chmod(0o777)
    result, compilations, errors = finish(start(package))
    assert (result, compilations) == (20, 2)  # nothing that lies there was loaded
    assert "others may write" in errors
    (package / place).chmod(0o755)
    assert finish(start(package)) == (20, 0, "")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_folder_of_another_user_is_not_used(package):
    finish(start(package))
    os.chown(package / "cache" / "kernels", 12345, 12345)
    result, compilations, errors = finish(start(package))
    assert (result, compilations) == (20, 2)
    assert "belongs to another user" in errors


@pytest.mark.parametrize("record", [None, "{}", "[]"])
def test_machine_code_without_a_checksum_is_compiled_again(package, record):
    finish(start(package))
    for path in (package / "cache").rglob("checksums.json"):
        path.unlink() if record is None else path.write_text(record)
    assert finish(start(package))[:2] == (20, 2)
    assert finish(start(package))[:2] == (20, 0)


def test_a_read_only_package_folder_is_no_obstacle(package):
    for path in (package / "demo").iterdir():
        path.chmod(0o444)
    (package / "demo").chmod(0o555)
    try:
        assert finish(start(package))[:2] == (20, 2)
        assert finish(start(package))[:2] == (20, 0)
        assert not (package / "demo" / "__pycache__" / "caller.nbi").exists()
    finally:
        (package / "demo").chmod(0o755)


def test_plain_python_needs_no_numba(package):
    settings = {**os.environ, "PLYGROUND_CACHE_DIR": str(package / "cache")}
    settings["PYTHONPATH"] = os.pathsep.join([str(package), *filter(None, sys.path)])
    settings["NUMBA_DISABLE_JIT"] = "1"
    code = (
        "import sys; from plyground import kernels; m = kernels.compiled('demo.caller'); "
        "print(m.total(1), 'numba' in sys.modules)"
    )
    output = run_python("-c", code, env=settings, timeout=60)
    assert output.stdout.split() == ["20", "False"]


def test_bounds_checks_are_a_build_of_their_own(package):
    (package / "demo" / "callee.py").write_text(
        "import numpy as np\nfrom plyground.kernels import kernel\n\n"
        "@kernel\ndef amount(x):\n    a = np.zeros(3)\n    return int(a[x + 5])\n"
    )
    process = start_anew(package, NUMBA_BOUNDSCHECK="1")
    _, errors = process.communicate(timeout=120)
    assert process.returncode != 0
    assert "IndexError" in errors


def test_clean_deletes_what_was_not_used(package, monkeypatch):
    from plyground.kernels import store

    finish(start(package))
    monkeypatch.setenv("PLYGROUND_CACHE_DIR", str(package / "cache"))
    packages, size = store.size()
    assert packages == 1 and size > 0
    assert store.clean(unused_days=1) == 0
    assert store.clean() == 1
    assert store.size() == (0, 0)
    assert finish(start(package))[:2] == (20, 2)


def test_a_missing_module_is_a_clear_error():
    from plyground import kernels

    with pytest.raises(kernels.KernelBuildError, match=r"no\.such\.module"):
        kernels.compiled("no.such.module")


def test_unfollowable_imports_are_refused(package, monkeypatch):
    from plyground import kernels

    (package / "demo" / "odd.py").write_text("import demo.callee\n")
    monkeypatch.syspath_prepend(str(package))
    shutil.rmtree(package / "cache", ignore_errors=True)
    with pytest.raises(kernels.KernelBuildError, match=r"from demo\.callee import name"):
        kernels.plain("demo.odd")
