"""`--sandbox`: no network, nothing written, or a clear message where it cannot work."""

from __future__ import annotations

import shutil
import socket

import pytest

from plyground.core.errors import UnsupportedError
from plyground.core.game import Position
from plyground.core.limits import Limit
from plyground.core.registry import make_game
from plyground.engines.engine import EngineSettings, GameSetup
from plyground.engines.players import make_engine
from plyground.engines.sandbox import sandboxed
from scripted_players import write_engine

SETTINGS = EngineSettings(sandbox=True)


def test_missing_bubblewrap_is_explained(monkeypatch, tmp_path):
    player = write_engine(tmp_path, "bot")
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "bwrap" else name)
    with pytest.raises(UnsupportedError, match="bubblewrap"):
        make_engine("connect4", player, SETTINGS)


def test_the_program_can_neither_write_nor_reach_the_network(tmp_path):
    try:
        sandboxed(["true"])
    except UnsupportedError as error:
        pytest.skip(str(error))
    game = make_game("connect4")
    position: Position = game.start()
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        player = write_engine(
            tmp_path,
            "curious",
            go=f"""
            found = []
            try:
                open({str(tmp_path / "trace")!r}, "w").close()
                found.append("disk")
            except OSError:
                pass
            try:
                import socket
                socket.create_connection(("127.0.0.1", {port}), timeout=2).close()
                found.append("network")
            except OSError:
                pass
            import tempfile
            with tempfile.TemporaryFile() as file:
                file.write(b"x")
            send(type="info", note=" ".join(found) or "nothing")
            """,
        )
        engine = make_engine("connect4", player, SETTINGS)
        try:
            engine.start()
            engine.new_game(
                GameSetup(
                    id="g",
                    game=game,
                    start="",
                    opening=(),
                    position=position,
                    side=0,
                    seed=1,
                    limit=Limit(time=10.0),
                )
            )
            notes = []
            engine.think(position, Limit(time=10.0), lambda info: notes.append(info.note))
        finally:
            engine.close()
    assert notes == ["nothing"]
    assert not (tmp_path / "trace").exists()
