"""Names of the commands and pages about them: other names, the front page, the page of one command."""
