"""Reasons of the system, in the author's words."""

from __future__ import annotations

import errno

import pytest

from novel_hooks.store.files.oserror import system_reason


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.ENOSPC, "磁盘空间不够"),
        (errno.EDQUOT, "磁盘配额用完了"),
        (errno.EROFS, "这个磁盘是只读的"),
        (errno.EACCES, "没有权限"),
        (errno.ENOENT, "文件或文件夹被别的程序移走了"),
        (errno.ENOTEMPTY, "系统报错 ENOTEMPTY"),
        (99_999, "系统报错 99999"),
        (None, "系统报错 0"),
    ],
)
def test_a_reason_is_a_phrase_or_a_name(number: int | None, reason: str) -> None:
    assert system_reason(OSError() if number is None else OSError(number, "English")) == reason
