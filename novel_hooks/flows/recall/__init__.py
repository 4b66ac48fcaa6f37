"""Words of earlier chapters: the index of names, the packet's part, `find`, `who`."""
