"""Makes small engine programs for tests: one good, many bad in one way each."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import psutil

PREAMBLE = """
import json, os, sys, time

def send(**message):
    print(json.dumps(message), flush=True)

def requests():
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        yield json.loads(line)

turn = 0
for request in requests():
    kind = request["type"]
    if kind == "hello":
        HELLO
        send(type="hello", name="scripted", wants=["legal_moves"])
    elif kind == "new_game":
        turn = 0
        NEW_GAME
        send(type="ready", id=request["id"])
    elif kind == "go":
        turn += 1
        move = request["legal_moves"][0]
        GO
        send(type="bestmove", id=request["id"], move=move)
    elif kind == "quit":
        QUIT
        break
"""


def write_engine(
    folder: Path, name: str, *, hello: str = "", new_game: str = "", go: str = "", quit: str = ""
) -> str:
    """Write a program that does these extra things; its player spec."""
    program = PREAMBLE
    for slot, code in (("HELLO", hello), ("NEW_GAME", new_game), ("GO", go), ("QUIT", quit)):
        body = textwrap.indent(textwrap.dedent(code).strip() or "pass", " " * 8)
        program = program.replace(f"        {slot}\n", body + "\n")
    path = folder / f"{name}.py"
    path.write_text(program)
    return f"exec:{sys.executable} {path}"


def processes_of(folder: Path) -> list[str]:
    """Command lines of living processes that mention this folder."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        command = " ".join(process.info["cmdline"] or [])
        if str(folder) in command and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(command)
    return found
