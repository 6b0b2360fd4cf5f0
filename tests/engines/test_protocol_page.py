"""The bots on the protocol page work as printed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from plyground.arena.compliance import check_player
from plyground.core.registry import make_game
from plyground.engines.engine import EngineSettings

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


@pytest.mark.parametrize("language", ["python", "javascript"])
@pytest.mark.parametrize("game", ["connect4", "blockudoku"])
def test_example_bot_keeps_the_protocol(language, game, tmp_path):
    interpreter = {"python": "python3", "javascript": "node"}[language]
    if shutil.which(interpreter) is None:
        pytest.skip(f"{interpreter} is not installed")
    code = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL).group(1)
    assert len(code.splitlines()) <= 30
    bot = tmp_path / "bot"
    bot.write_text(code)
    bot.chmod(0o755)
    checks = list(check_player(make_game(game), f"exec:{bot}", EngineSettings()))
    assert all(check.ok for check in checks), checks


def test_page_lists_every_message_and_field():
    from plyground.engines import messages

    text = PAGE.read_text()
    for name in ("NewGame", "Go", "PlayedMove", "Deal", "GameOver"):
        message = getattr(messages, name)
        assert f"`{message.__struct_config__.tag}`" in text
        for field in message.__struct_fields__:
            assert f"`{field}`" in text, f"{name}.{field} is not on the page"


def test_messages_ignore_unknown_fields():
    from plyground.engines.messages import decode_from_engine, decode_to_engine

    line = json.dumps({"type": "bestmove", "move": "4", "mood": "good"}).encode()
    assert decode_from_engine(line).move == "4"
    line = json.dumps({"type": "stop", "id": "g", "why": "time"}).encode()
    assert decode_to_engine(line).id == "g"
