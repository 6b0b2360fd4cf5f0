"""Named players: search, evaluation and parameters put together."""
