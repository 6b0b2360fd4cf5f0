"""What a game puts into a search: modules of documented functions, replaced when it is compiled."""
