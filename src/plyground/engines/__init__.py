"""Players as processes: the protocol, the process owner, the host loop, and player specs."""
