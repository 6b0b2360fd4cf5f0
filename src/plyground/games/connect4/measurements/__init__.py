"""What `plyground bench` measures of this game; each module has a function `measure`."""
