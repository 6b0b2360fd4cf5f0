"""Commands that only this game has; one module a command."""
