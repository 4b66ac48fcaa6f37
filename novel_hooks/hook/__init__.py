"""The client's hooks: read an event, decide, answer. Source: issue of the write boundary, protocol §1, §6.

Every module here is loaded at every call that an agent makes, so all of them together load `os`, `sys`,
`time` and the C half of `json`, and no more; a test pins the list.
"""
