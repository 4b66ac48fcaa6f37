"""`novel retry`: leave the error state, and repair a checkpoint that contradicts itself."""

from __future__ import annotations

from novel_hooks import errors
from novel_hooks.cli.answer import Answer, build
from novel_hooks.cli.context import Context
from novel_hooks.flows.book.book import Book
from novel_hooks.flows.pipeline import fail_retry


def run(context: Context) -> Answer:
    with context.writing(for_session=True) as session:
        try:
            point, again = fail_retry.retry(session), True
        except errors.NothingToRetry:
            if not session.finished:
                raise
            point, again = Book(session.project).checkpoint(), False
    data = {
        "orchestrator_state": point.state,
        "pipeline_stage": point.stage,
        "inflight_chapter": point.inflight,
        "revision_count": point.revisions,
    }
    kept = "写作锁取回来了，不接着写就运行 `novel lock release`。" if session.keep and again else ""
    where = f"第 {point.inflight} 章" if point.inflight else f"第 {point.last} 章之后"
    head = f"已恢复，接着从{where}继续。" if again else "没有别的要重试的步骤。"
    return build(data, f"{head}{kept}运行 `novel next` 查看下一步。", notes=session.notes)
