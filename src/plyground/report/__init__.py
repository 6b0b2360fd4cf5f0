"""Reports: what happened in a run, as numbers, plots and one self-contained HTML file."""

from plyground.report.games import PlayedGame, load_run
from plyground.report.runs import write_run_report
from plyground.report.summary import Summary, summarise

__all__ = ["PlayedGame", "Summary", "load_run", "summarise", "write_run_report"]
