"""plyground: a laboratory for game-playing programs."""

__version__ = "0.1.0"
