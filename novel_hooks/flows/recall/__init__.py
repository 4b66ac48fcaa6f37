"""Words of earlier chapters: the index of names, the packet's part, a word found, a person looked up."""
