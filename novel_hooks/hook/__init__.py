"""The client's hooks: read an event, decide, answer. Source: protocol §1, §6.

`client` and `guard` are loaded at every call of an agent: together they load `os`, `stat`, `sys`, `time` and
the C half of `json`, and no more. A test lists these modules.
"""
