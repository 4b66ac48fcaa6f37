"""The adoption of a book: its files read, its chapters shown and landed, the backlog recorded later."""
