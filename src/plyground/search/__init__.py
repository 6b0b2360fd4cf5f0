"""Search that knows no game: it works over the functions in `slots`, which a game fills in."""
