"""A folder for `sys.path`: the package `competitive_sudoku` as the older submissions know it."""
