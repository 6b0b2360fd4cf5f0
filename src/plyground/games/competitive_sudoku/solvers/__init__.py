"""Exact play once the solutions of a board are known: many of them, or one."""
