"""One module per group of experiments. Each registers what it declares; nobody keeps a list."""
