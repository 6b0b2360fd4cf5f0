"""Runs course submissions: the modules that they import, and a process that plays their turns."""
