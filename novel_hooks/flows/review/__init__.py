"""Reports over landed chapters."""
