"""Matches and tournaments: referee, schedules, executors, results."""
