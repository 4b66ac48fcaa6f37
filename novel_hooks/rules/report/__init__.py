"""The report on a whole book: its chapters, threads, people and pace, what to look at first, the page."""
