"""All changes of one commit, in their order (`changes`)."""
