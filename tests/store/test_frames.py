"""Games and moves as data frames and Parquet agree with the records."""

from __future__ import annotations

import pytest

import plyground as pg
from plyground.cli import run
from plyground.store import Store

pandas = pytest.importorskip("pandas", reason="needs the extra `data`")


def test_frames_and_parquet_hold_what_the_records_hold(tmp_path, capsys):
    database = tmp_path / "r.sqlite"
    words = ["match", "connect4", "mcts", "random", "--games", "4", "--nodes", "20", "--run", "m"]
    assert run([*words, "--database", str(database), "--json"]) == 0
    capsys.readouterr()
    with Store(database, create=False) as store:
        records = {stored.schedule_id: stored.record for stored in store.games("m")}
    games = pg.games("last", database=database)
    assert set(games["game"]) == set(records) and (games["opening"] == 4).all()
    moves = pg.load_games("m", moves=True, database=database)
    for name, record in records.items():
        own = moves[moves["game"] == name]
        assert list(own["move"]) == [entry.move for entry in record.moves]
        assert list(own["nodes"].dropna()) == [e.nodes for e in record.moves if e.nodes is not None]
    assert moves["value"].dropna().between(-1.0, 1.0).all()
    words = ["export", "--moves", "--output", str(tmp_path / "moves.csv")]  # by the file's name
    assert run([*words, "--database", str(database)]) == 0
    told = pandas.read_csv(tmp_path / "moves.csv", dtype={"move": str})
    assert list(told["move"]) == list(moves["move"]) and list(told.columns) == list(moves.columns)
    assert run(["export", "--moves", "--database", str(database)]) == 2
    path = tmp_path / "games.parquet"
    pytest.importorskip("pyarrow")
    words = ["export", "--format", "parquet", "--output", str(path), "--database", str(database)]
    assert run(["export", *words[3:]]) == 0
    assert list(pandas.read_parquet(path)["winner"]) == list(games["winner"])
    assert run(words[:3]) == 2 and run(["export", "nosuch", "--database", str(database)]) == 2
