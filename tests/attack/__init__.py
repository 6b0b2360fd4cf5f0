"""Attacks on everything that reads what others wrote: scripted, seeded, bounded in time.

The suite runs a little of each; `python -m tests.attack` runs all of it for as long as it is told.
"""
