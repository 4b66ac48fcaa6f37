"""Writes `docs/errors.md`: every refusal that an author can meet, from the classes in `errors`."""

from __future__ import annotations

import os
from importlib import import_module

from novel_hooks import errors

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = "docs/errors.md"
HEAD = """\
# 错误信息大全 Errors

在这一页里找你看到的那句话：挑一段没有名字、没有数字的字来查。每一条先是报错的原话，再是“下一步”；
`{…}` 是当时填进去的名字和数字；有 `{detail}`、`{how}` 的，会是下面列出的一种，箭头后面是它的下一步。
英文是给写工具的人看的。

Generated from `novel_hooks/errors/` by `make errors`; do not edit. A code is stable: tools may rely on it.
The author reads the message and the one next action; `{…}` is filled in when the problem is met.

| exit | 意思 | meaning |
| --- | --- | --- |
| 1 | 查出了问题 | findings: a step's outputs do not pass |
| 2 | 命令写法有误 | usage |
| 3 | 先改好一处才行 | refused: something must change first |
| 4 | 别处正在写这本书 | busy: someone else is at work |
| 5 | 写作助手自己的文件坏了 | damaged: a file that only `novel` writes is broken |
| 70 | 写作助手自己出了错 | a bug of ours |
"""


def problem_classes() -> list[type[errors.Problem]]:
    """Return every class with a code of its own, sorted by code."""
    areas = [import_module(f"{errors.__name__}.{name}") for name in ("base", *errors._AREAS)]
    held = [one for area in areas for one in vars(area).values()]
    kinds = {one for one in held if isinstance(one, type) and issubclass(one, errors.Problem)}
    own = [kind for kind in kinds - {errors.Problem} if "code" in vars(kind)]
    return sorted(own, key=lambda kind: kind.code)


def page() -> str:
    """Return the whole page."""
    return HEAD + "".join(_class_entry(kind) for kind in problem_classes())


def _class_entry(kind: type[errors.Problem]) -> str:
    when = " ".join((kind.__doc__ or "").split())
    severity = "" if kind.severity == "error" else f" · {kind.severity}"
    return (
        f"\n## `{kind.code}`\n\n"
        f"> {_template_line(kind.message)}\n>\n> 下一步：{_template_line(kind.fix)}\n\n"
        f"{_case_lines(kind)}"
        f"Exit {kind.exit}{severity}. {when}\n"
    )


def _case_lines(kind: type[errors.Problem]) -> str:
    """A line for each case: what it puts into the sentences, and what is to be done about it."""
    cases = (" → ".join(part for part in case.split("\n") if part) for case in kind.cases.values())
    listed = "".join(f"- {case}\n" for case in cases)
    return f"{listed}\n" if listed else ""


def _template_line(template: str) -> str:
    return " ".join(template.split())


def main() -> None:
    with open(os.path.join(CHECKOUT, PAGE), "w", encoding="utf-8", newline="\n") as handle:
        handle.write(page())
    print(f"written: {PAGE}")


if __name__ == "__main__":
    main()
