"""The source documents' experiments with this game; each module registers what it declares."""
