"""Many games of this kind stepped at once, for learning."""
