"""Foreshadowing: `item` is one thread; `facts` merges all threads and picks a chapter's tasks; replay."""
