"""Winning strategies of Mean Connect 4, made by `plyground prove`; see `certificate`."""
