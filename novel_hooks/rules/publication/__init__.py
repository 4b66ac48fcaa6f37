"""Landed chapters as readers get them: plain text, Markdown, EPUB, Word; XML (`markup`), names of files."""
