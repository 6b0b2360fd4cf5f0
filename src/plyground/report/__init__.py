"""Reports: what happened in a run, as numbers, plots and one self-contained HTML file."""
