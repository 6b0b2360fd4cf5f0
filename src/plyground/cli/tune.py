"""`plyground tune`: find good parameters of an agent by playing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from plyground.arena.config import DEFAULT_LIMIT, PlayerEntry, RunConfig, SprtSettings
from plyground.arena.table import describe_elo, describe_sprt
from plyground.arena.task import MatchRules, derive_seed
from plyground.arena.tournament import Tournament
from plyground.arena.tuning import Setting, Space, Trial, Tuning
from plyground.cli.app import Json, Options, Thinking, console, open_game, print_json
from plyground.cli.preparing import progress
from plyground.core.errors import InputError
from plyground.core.paths import data_root
from plyground.core.registry import make_game
from plyground.core.writing import check_target
from plyground.stats.elo import EloEstimate, estimate_elo, pentanomial
from plyground.stats.sprt import SprtState


def tune(
    game: str,
    agent: Annotated[str, Parameter(help="With ranges: mcts:c=0.5..3, mybot.py:d=1..6,o=yes|no.")],
    *,
    against: Annotated[
        str | None, Parameter(help="The opponent (default: the agent itself).")
    ] = None,
    games: Annotated[int, Parameter(help="Games in all, the confirmation apart.")] = 400,
    trial: Annotated[int, Parameter(help="Games of one trial.")] = 10,
    confirm: Annotated[int, Parameter(help="Most games of the match that confirms.")] = 400,
    elo1: Annotated[
        float, Parameter(help="What SPRT tests: so much better than the default.")
    ] = 30,
    thinking: Thinking = Thinking(),  # noqa: B008
    option: Options = None,
    turns: Annotated[int, Parameter(help="Cap of one-player games, in turns.")] = 500,
    seed: Annotated[int, Parameter(help="Decides trials, starts and all randomness.")] = 0,
    jobs: Annotated[int, Parameter(help="Games at the same time.")] = 1,
    out: Annotated[Path | None, Parameter(help="Folder of trials and plot; resumed from.")] = None,
    json: Json = False,
) -> None:
    """Find good parameters of an agent. Called again, it goes on where it stopped.

    Ends with the best setting, a match of it against the defaults, and a sequential test. In a
    one-player game who lives longer on the same deals has won.

    Example: plyground tune connect4 "mcts:c=0.2..6" --against alphabeta --nodes 500 --games 400
    """
    space = Space.parse(agent)
    settings = SprtSettings(elo0=0.0, elo1=elo1)
    settings.test()
    if trial < 2:
        raise InputError(f"--trial {trial}: a trial needs at least 2 games")
    if games < trial:
        raise InputError(f"--games {games} is less than one trial (--trial {trial})")
    if confirm < 2:
        raise InputError(f"--confirm {confirm}: the match that confirms needs at least 2 games")
    rules = open_game(game, option, match=True)
    solo = rules.info.players == 1
    limit = thinking.limit(DEFAULT_LIMIT)
    opponent = against or space.default()
    key = hashlib.blake2b(
        repr((rules.info.name, rules.options, agent, opponent, str(limit), trial, seed)).encode(),
        digest_size=4,
    ).hexdigest()
    folder = out or data_root() / "tuning" / f"{Path(game).stem}-{key}"
    tuning = Tuning(space, folder / "trials.jsonl", seed)

    def config(player: str, other: str, count: int, number: object) -> RunConfig:
        return RunConfig(
            kind="match",
            game=rules.info.name,
            options=rules.options,
            players=(PlayerEntry(player), PlayerEntry(other)),
            games=count,
            limit=limit,
            seed=derive_seed(seed, "tune", number),
            rules=MatchRules(turns=turns if solo else None),
        ).pinned()

    def play(setting: Setting, number: int) -> Sequence[float]:
        played = play_run(config(space.player(setting), opponent, trial, number), jobs)
        if solo:
            return played.results.deal_scores(0, 1)
        pairs, single = played.results.pair_scores(0, 1)
        return [points / 2.0 for points in pairs] or single

    config(space.player(_first(space)), opponent, 2, 0).check()
    with progress(remaining=True) as bar:
        task = bar.add_task("trials", total=games // trial, completed=len(tuning.trials))

        def advance(done: Trial) -> None:
            shown = space.player(tuning.best()).rpartition(":")[2]
            bar.update(task, advance=1, description=f"best so far {shown}")

        tuning.run(games // trial, play, advance)
    best = space.player(tuning.best())
    plot = draw(tuning, folder / "trials.svg")
    estimate, state = _confirm(config(best, space.default(), confirm, "confirm"), settings, jobs)
    if json:
        fields = {"best": best, "setting": tuning.best(), "trials": len(tuning.trials)}
        elo = {"difference": estimate.elo, "low": estimate.low, "high": estimate.high}
        decision = state.decision if state else None
        print_json({**fields, "elo": elo, "sprt": decision, "plot": str(plot)})
        return
    console.print(f"best of {len(tuning.trials)} trials: {best}", highlight=False)
    console.print(describe_elo(estimate, best, space.default()), highlight=False, soft_wrap=True)
    if state is not None:
        console.print(describe_sprt(state), highlight=False)
    console.print(plot, highlight=False, soft_wrap=True)


def _first(space: Space) -> Setting:
    """Some setting, to see before any game whether the agent takes such parameters."""
    return {
        entry.name: entry.choices[0]
        if entry.choices
        else round(entry.low)
        if entry.whole
        else entry.low
        for entry in space.parameters
    }


def _confirm(
    config: RunConfig, settings: SprtSettings, jobs: int
) -> tuple[EloEstimate, SprtState | None]:
    """The best setting against the default: how much better, and what the test says."""
    if make_game(config.game, config.options).info.players == 1:
        points = [2.0 * score for score in play_run(config, jobs).results.deal_scores(0, 1)]
        return estimate_elo(points), settings.test().test(pentanomial(points))
    run = play_run(msgspec.structs.replace(config, sprt=settings), jobs)
    return run.results.elo(0, 1), run.sprt_state


def play_run(config: RunConfig, jobs: int) -> Tournament:
    """Play a run to its end without keeping its games."""
    from plyground.notebook import played

    with played(config, jobs) as (run, _):
        return run


WIDE = 30.0
"""Ranges that span so many times their low end are drawn on a logarithmic axis."""


def draw(tuning: Tuning, path: Path) -> Path:
    """Scores over each parameter, with the smoothed curve through them and the best setting."""
    from matplotlib.figure import Figure

    entries, best = tuning.space.parameters, tuning.best()
    figure = Figure(figsize=(4.2 * len(entries), 3.2), layout="constrained")
    for ax, entry in zip(figure.subplots(1, len(entries), squeeze=False)[0], entries, strict=True):
        values = [trial.setting[entry.name] for trial in tuning.trials]
        ax.scatter(values, [100 * trial.score for trial in tuning.trials], s=14, alpha=0.5)
        order = sorted(tuning.trials, key=lambda trial: trial.setting[entry.name])
        ax.plot(
            [trial.setting[entry.name] for trial in order],
            [100 * tuning.smooth(trial.setting) for trial in order],
            lw=1.6,
        )
        chosen = best[entry.name]
        ax.plot([chosen], [100 * tuning.smooth(best)], "o", color="C3", label=f"best: {chosen}")
        ax.legend()
        ax.grid(alpha=0.3)
        if entry.low > 0 and entry.high >= WIDE * entry.low:
            ax.set_xscale("log")
        ax.set_xlabel(entry.name)
        ax.set_ylabel("score in %")
    path.parent.mkdir(parents=True, exist_ok=True)
    check_target(path)
    figure.savefig(path)
    return path
