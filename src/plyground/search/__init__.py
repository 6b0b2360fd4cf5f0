"""Search that knows no game: it works over the functions of `contract`, which a game gives."""
