"""Landed chapters as readers get them: plain text, Markdown, EPUB, Word; names of the files."""
