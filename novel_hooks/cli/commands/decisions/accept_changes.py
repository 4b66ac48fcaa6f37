"""`novel accept-changes`: the author accepts changes outside staging as his own. Source: protocol §2."""

from __future__ import annotations

from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.context import Context
from novel_hooks.flows.session import accept_changes, fence


def run(context: Context) -> Answer:
    with context.writing() as session:
        found = accept_changes.run(session)
    data = {"accepted": [{"path": one.path, "what": one.what} for one in found]}
    lines = [f"  · {one.path}（{fence.WHAT[one.what]}）" for one in found]
    text = "\n".join(["记下了，这些是你自己改的；刚才那一步可以再来一次：", *lines])
    return build(data, text if found else "没有要认下的改动。", notes=session.notes)
