"""What every part speaks: games, positions, outcomes, limits, search results, records, errors."""
