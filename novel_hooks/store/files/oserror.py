"""Refusals of the operating system in Chinese."""

from __future__ import annotations

import errno

_REASONS = {
    errno.ENOSPC: "磁盘空间不够",
    getattr(errno, "EDQUOT", -1): "磁盘配额用完了",
    errno.EROFS: "这个磁盘是只读的",
    errno.EACCES: "没有权限",
    errno.EPERM: "没有权限",
    errno.EIO: "磁盘读写出错",
    errno.EMFILE: "同时打开的文件太多",
    errno.ENFILE: "同时打开的文件太多",
    errno.ENAMETOOLONG: "文件名太长",
    errno.EFBIG: "文件太大",
    errno.EBUSY: "正被别的程序占用",
    errno.ENOENT: "文件或文件夹被别的程序移走了",
    errno.EISDIR: "这里是文件夹，不是文件",
    errno.ENOTDIR: "路径中间有一段不是文件夹",
    errno.ELOOP: "这里是链接，不是普通文件",
    errno.EXDEV: "跨了两个磁盘",
}


def system_reason(wrong: OSError) -> str:
    """Return the reason of a system error as a Chinese phrase without full stop.

    An error without a phrase of its own is named: `系统报错 ENOTEMPTY`.
    """
    number = wrong.errno or 0
    return _REASONS.get(number) or f"系统报错 {errno.errorcode.get(number, str(number))}"
