"""Outside programs of Blockudoku."""
