"""Files that are no files: nothing hangs, nothing takes all memory."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from plyground.core import reading


def test_files_and_pipes_are_read(tmp_path):
    (tmp_path / "text").write_bytes("one\r\ntwö\rthree\n".encode())
    assert reading.read_text(tmp_path / "text") == "one\ntwö\nthree\n"
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b"x" * 300_000,))
    writer.start()
    assert len(reading.read_bytes(tmp_path / "pipe")) == 300_000
    writer.join()


def test_a_pipe_that_nobody_fills_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "SECONDS", 0.1)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="nothing came"):
        reading.read_bytes(tmp_path / "pipe")


def test_what_has_no_end_is_refused(monkeypatch):
    monkeypatch.setattr(reading, "MOST_BYTES", 5 << 20)
    with pytest.raises(OSError, match="more than 5 MiB"):
        reading.read_bytes("/dev/zero")


def test_folders_are_refused(tmp_path):
    with pytest.raises(IsADirectoryError):
        reading.read_bytes(tmp_path)


def test_threads_may_parse_at_once():
    code = "x = " + "(" * 60 + "1" + ")" * 60 + "\n" + "y = [a for a in b if c]\n" * 300
    with ThreadPoolExecutor(4) as threads:
        trees = list(threads.map(reading.parse_python, [code] * 40))
    assert {len(tree.body) for tree in trees} == {301}
