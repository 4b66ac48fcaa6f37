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


class RollbackAdopted(Problem, code="ROLLBACK_ADOPTED", exit=REFUSED):
    """Going back into the chapters that moved in: nobody planned them, so there is nothing to write from."""

    message = "退不到第 {chapter} 章之后：第 {last} 章以前是搬进来的，没有规划，退回去没法接着写。"
    fix = (
        "要改其中哪一章，请改 chapters/ 里的文件，再运行 `novel sync 章号`；"
        "不要后面几章的，请建一个空项目，只搬前面的。"
    )


class BacklogNotNow(Problem, code="BACKLOG_NOT_NOW", exit=REFUSED):
    """Chapters that moved in cannot be recorded before there are characters and storylines."""

    message = "{detail}，搬进来的章还不能补记。"
    fix = "请先在 Claude Code 里输入 /novel:start，{how}。"
    cases = {
        "setup": "设定还没有定下\n把设定做完",
        "storylines": "还没有故事线\n排好下一卷：故事线由架构师在那时照搬进来的正文写",
    }


class BacklogWaits(Problem, code="BACKLOG_WAITS", exit=DONE, severity="warning"):
    """Of the last chapters that moved in some are not recorded: who writes on does not know of them."""

    message = "搬进来的最后 {needed} 章里还有 {count} 章没有补记，往下写的代理不知道里面的事。"
    fix = "请运行 `novel sync --backlog`，再在 Claude Code 里输入 /novel:continue；随时可以停，停了再来。"


class AdoptRefused(Problem, code="ADOPT_REFUSED", exit=REFUSED):
    """A file of a book that should move in cannot be read; nothing has been taken."""

    message = "「{place}」搬不进来：{detail}。"
    fix = "{how}"
    cases = {
        "no file": "没有这个文件\n请检查路径。",
        "other ending": "不是 TXT、Markdown、EPUB、DOCX\n请在原来的软件里另存为其中一种。",
        "nothing": "里面没有 TXT、Markdown、EPUB、DOCX\n请检查路径。",
        "too large": "超过 64 MB 或一万个文件\n请分几批搬。",
        "broken": "按 {encoding} 读到第 {offset} 个字节处读不下去\n"
        "请用编辑器打开，字都认得了再另存为 UTF-8；知道是什么编码，写在 --encoding 后面。",
        "marks": "按 {encoding} 读，第 {offset} 个字节处是认不出的字（乱码或控制字符）\n"
        "请用编辑器打开，改好那一处再搬；知道是什么编码，写在 --encoding 后面。",
        "several": "看不出是哪一种编码：{readings}\n请把读得通的那一种写在 --encoding 后面。",
        "package broken": "文件坏了，或不是它名字说的那种\n请在原来的软件里重新导出。",
        "package locked": "有加密\n请在原来的软件里去掉保护再导出。",
        "package too large": "解开后太大\n请只留正文再导出。",
    }


class AdoptPattern(Problem, code="ADOPT_PATTERN", exit=REFUSED):
    """The author's own pattern for headings cannot be used."""

    message = "--pattern 后面的「{pattern}」不是能用的正则表达式：{reason}。"
    fix = "例如 `--pattern '^(\\d+)、(.*)$'`：第一个括号是章号，第二个是章名。"


class AdoptNoChapters(Problem, code="ADOPT_NO_CHAPTERS", exit=REFUSED):
    """No heading of a chapter was found."""

    message = "「{place}」里没有认出章标题，这次什么也没有搬。"
    fix = (
        "章标题要单独一行，写作「第 12 章 夜雨」这样；别的写法，用 --pattern 说明，见 `novel adopt --help`。"
    )


class AdoptConflict(Problem, code="ADOPT_CONFLICT", exit=REFUSED):
    """A later batch does not join the book that moved in; nothing has been taken."""

    message = "这一批接不上：{detail}。"
    fix = "{how}"
    cases = {
        "differs": "第 {number} 章书里已经有了，和这一批里的不一样\n"
        "要换成新的，请改 chapters/ 里的那一章，再运行 `novel sync`；否则请从第 {last} 章之后搬起。",
        "gap": "它从第 {number} 章开始，书里只到第 {last} 章\n请把中间的章一起搬进来。",
    }


class AdoptNotNow(Problem, code="ADOPT_NOT_NOW", exit=REFUSED):
    """The book has gone on by itself, so nothing can move in any more."""

    message = "现在不能搬书进来：{detail}。"
    fix = "{how}"
    cases = {
        "chapters": "这本书里已有写好的章，到第 {last} 章\n请建一个空项目（`novel init`），在那里搬。",
        "writing": "这一卷已经排好，正在写\n要搬的是后面的章，请等这一卷写完；要另起一本，请建一个空项目。",
    }
