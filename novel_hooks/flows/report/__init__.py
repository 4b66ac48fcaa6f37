"""`novel report`: the whole book read once, as data and as a page."""
