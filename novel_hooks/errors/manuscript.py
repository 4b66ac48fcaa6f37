"""A book that moves in, and one that goes out to readers."""

from __future__ import annotations

from novel_hooks.errors.base import DONE, REFUSED, Problem


class ExportNothing(Problem, code="EXPORT_NOTHING", exit=REFUSED):
    """No landed chapter is in the range that was asked for."""

    message = "{detail}"
    fix = "{how}"
    cases = {
        "none": "这本书还没有入库的章，没有可导出的\n写完一章、入了库再导出。",
        "not landed": "要导出的章里有还没入库的：现在写到第 {last} 章\n"
        "请改 --chapters 或 --volumes，只写已入库的章。",
    }


class ExportPlace(Problem, code="EXPORT_PLACE", exit=REFUSED):
    """The place for an export holds something else; nothing has been written."""

    message = "不能导出到「{place}」：{detail}"
    fix = "{how}"
    cases = {
        "book": "那里是这本书自己的文件夹\n请写到别处；不写 --to 就放在 {folder}/ 里。",
        "taken": "那里已有别的东西\n请在 --to 后面换一个还没有的文件夹。",
    }


class ExportCover(Problem, code="EXPORT_COVER", exit=REFUSED):
    """The image for the cover cannot be used."""

    message = "封面「{place}」用不了：{detail}。"
    fix = "请在 --cover 后面写一张 JPG 或 PNG 图片。"
    cases = {"no file": "没有这个文件", "too large": "超过 20 MB", "no image": "不是 JPG 也不是 PNG"}


class ExportMark(Problem, code="EXPORT_MARK", exit=REFUSED):
    """A landed text has a control character that no EPUB and no Word document can hold."""

    message = "{path} 里有一个看不见的控制字符（{mark}），EPUB 和 Word 装不下，在「{near}」这一段。"
    fix = "请打开 {path} 把它从正文里去掉，再运行 `novel sync {chapter} --accept`。"


class ExportWord(Problem, code="EXPORT_WORD", exit=DONE, severity="warning"):
    """A word of the author's own list stands in chapters that go out."""

    message = "第 {chapters} 章里有 {path} 列着的「{word}」。"
    fix = "运行 `novel find {word}` 看在哪一句。"


class ExportLength(Problem, code="EXPORT_LENGTH", exit=DONE, severity="warning"):
    """Chapters that go out are shorter or longer than the author wants a chapter to be."""

    message = "第 {chapters} 章的字数不在 {least}–{most} 之间。"
    fix = "不改也能导出；想换一个字数范围，运行 `novel config 一章字数`。"


class ExportThreads(Problem, code="EXPORT_THREADS", exit=DONE, severity="warning"):
    """Threads that should be resolved by the end of a volume that goes out, and are open."""

    message = "到卷末该收而没收的伏笔有 {count} 条：{threads}。"
    fix = "不改也能导出；运行 `novel foreshadow list --status 未收` 看全部。"


class ExportEdited(Problem, code="EXPORT_EDITED", exit=DONE, severity="warning"):
    """Chapters that go out were changed by hand and not recorded since."""

    message = "第 {chapters} 章入库后手改过，还没有重新记录。"
    fix = "导出的是你改过的正文；要让后面的章也知道，运行 `novel sync {first}`。"
