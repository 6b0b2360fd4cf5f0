"""What submissions import: `competitive_sudoku.sudoku` and `competitive_sudoku.sudokuai`."""
