"""A small program that speaks the project's protocol and thinks as a benchmark wants it to."""

from __future__ import annotations

PROGRAM = """
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    kind = request["type"]
    if kind == "hello":
        print(json.dumps({"type": "hello", "wants": ["legal_moves"]}), flush=True)
    elif kind == "new_game":
        print(json.dumps({"type": "ready"}), flush=True)
    elif kind == "go":
        told = {}
        THOUGHT
        answer = {"type": "bestmove", "turn": request["turn"], "move": request["legal_moves"][0]}
        print(json.dumps({**answer, **told}), flush=True)
    elif kind == "quit":
        break
"""


def program(thought: str) -> str:
    """The text of a program that runs these statements in each turn, then plays the first move.

    What the statements put into `told` goes with the answer.
    """
    return PROGRAM.replace("THOUGHT", thought.replace("\n", "\n        "))
