"""The report on a whole book: chapters, threads, people, pace, the most urgent points, the page."""
