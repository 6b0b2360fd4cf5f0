"""A folder for `sys.path`: the package `competitive_sudoku` as the newer submissions know it."""
