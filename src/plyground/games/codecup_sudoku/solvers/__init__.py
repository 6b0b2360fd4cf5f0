"""Exact answers for this game."""
