"""The experiments of the source documents as code: claim beside measurement."""
