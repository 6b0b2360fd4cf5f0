"""The page: play, watch and analyse every game in the browser."""
