"""A terminal's screen: widths of marks, wrapped lines, pages of a chapter."""
