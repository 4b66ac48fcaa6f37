"""Notes and books that move in, and a book that goes out to readers."""

from __future__ import annotations

from novel_hooks.errors.base import DONE, REFUSED, Problem


class ExportNothing(Problem, code="EXPORT_NOTHING", exit=REFUSED):
    """The part of the book that was asked for does not exist, or has not landed."""

    cases = {
        "none": "这本书还没有入库的章，没有可导出的\n写完一章、入了库再导出。",
        "not landed": "第 {number} 章还没有入库：现在写到第 {last} 章\n请改 --chapters，只写已入库的章。",
        "no chapter": "这本书没有第 {number} 章：写到第 {last} 章，大纲排到第 {planned} 章\n"
        "请改 --chapters，只写已入库的章。",
        "no volume": "这本书没有第 {number} 卷：现在只到第 {last} 卷\n请改 --volumes。",
        "unwritten volume": "第 {number} 卷还没有入库的章：现在写到第 {last} 章\n请改 --volumes。",
        "apart": "--chapters 的那些章不在 --volumes 的那些卷里\n请只留一样，或改成对得上的。",
    }


class ExportPlace(Problem, code="EXPORT_PLACE", exit=REFUSED):
    """The place for an export holds something else; nothing has been written."""

    message = "不能导出到「{place}」：{detail}"
    cases = {
        "book": "那里是这本书自己的文件夹\n请写到别处；不写 --to 就放在 {folder}/ 里。",
        "taken": "那里已有别的东西\n请在 --to 后面换一个还没有的文件夹。",
        "link": "那里是链接或特殊文件\n请在 --to 后面写真正的路径，或换一个地方。",
    }


class ExportCover(Problem, code="EXPORT_COVER", exit=REFUSED):
    """The cover's image cannot be used."""

    message = "封面「{place}」用不了：{detail}。"
    fix = "请在 --cover 后面写一张 JPG 或 PNG 图片。"
    cases = {"no file": "没有这个文件", "too large": "超过 20 MB", "no image": "不是 JPG 也不是 PNG"}


class ExportMark(Problem, code="EXPORT_MARK", exit=REFUSED):
    """A landed text has a control character that no EPUB and no Word document can hold."""

    message = "{path} 里有一个看不见的控制字符（{mark}），EPUB 和 Word 装不下，在「{near}」这一段。"
    fix = "请打开 {path} 把它从正文里去掉，再运行 `novel sync {chapter} --accept`。"


class ExportWord(Problem, code="EXPORT_WORD", exit=DONE, severity="warning"):
    """Chapters to be exported hold a word of the author's list of forbidden words."""

    message = "第 {chapters} 章里有 {path} 列着的「{word}」。"
    fix = "运行 `novel find {word}` 看在哪一句。"


class ExportLength(Problem, code="EXPORT_LENGTH", exit=DONE, severity="warning"):
    """Chapters to be exported are shorter or longer than the author wants."""

    message = "第 {chapters} 章的字数不在 {least}–{most} 之间。"
    fix = "不改也能导出；想换一个字数范围，运行 `novel config 一章字数`。"


class ExportThreads(Problem, code="EXPORT_THREADS", exit=DONE, severity="warning"):
    """Threads that should be resolved by the end of an exported volume are open."""

    message = "到卷末该收而没收的伏笔有 {count} 条：{threads}。"
    fix = "不改也能导出；运行 `novel foreshadow list --status 未收` 看全部。"


class ExportEdited(Problem, code="EXPORT_EDITED", exit=DONE, severity="warning"):
    """Chapters to be exported were changed by hand and not recorded since."""

    message = "第 {chapters} 章入库后手改过，还没有重新记录。"
    fix = "导出的是你改过的正文；要让后面的章也知道，运行 `novel sync {first}`。"


class RollbackAdopted(Problem, code="ROLLBACK_ADOPTED", exit=REFUSED):
    """The author asks for a rollback into adopted chapters.

    Nobody planned them, so there is nothing to write from.
    """

    message = "退不到第 {chapter} 章之后：第 {last} 章以前是搬进来的，没有规划，退回去没法接着写。"
    fix = (
        "要改其中哪一章，请改 chapters/ 里的文件，再运行 `novel sync 章号`；"
        "不要后面几章的，请建一个空项目，只搬前面的。"
    )


class BacklogNotNow(Problem, code="BACKLOG_NOT_NOW", exit=REFUSED):
    """Adopted chapters cannot be recorded before there are characters and storylines."""

    message = "{detail}，搬进来的章还不能补记。"
    fix = "请先在 Claude Code 里输入 /novel:start，{how}。"
    cases = {
        "setup": "设定还没有定下\n把设定做完",
        "storylines": "还没有故事线\n排好下一卷：故事线由架构师在那时照搬进来的正文写",
    }


class AdoptRefused(Problem, code="ADOPT_REFUSED", exit=REFUSED):
    """A file of a manuscript cannot be read; nothing has been taken."""

    message = "「{place}」搬不进来：{detail}。"
    cases = {
        "no file": "没有这个文件\n请检查路径。",
        "other ending": "不是 TXT、Markdown、EPUB、DOCX\n请在原来的软件里另存为其中一种。",
        "nothing": "里面没有 TXT、Markdown、EPUB、DOCX\n请检查路径。",
        "blank": "里面没有文字{beside}\n请检查是不是交错了文件。",
        "unsettled": "它正在被别的程序写，读不到一份完整的\n请等它写完，再运行一次 `novel adopt`。",
        "link": "它是链接或特殊文件\n请把它换成真正的文件，或拿到别处。",
        "own folder": "这本书自己的文件夹在里面，设定和大纲不是书稿\n"
        "请写书稿文件的名字，或把书稿放进一个单独的文件夹，写那个文件夹。",
        "own file": "它是这本书自己的文件，不是书稿\n请写书稿的文件名；要搬的就是它，请先另存到别处。",
        "nothing of yours": "这本书的文件夹里，没有你放进来的 TXT、Markdown、EPUB、DOCX\n"
        "请把书稿放进来再运行一次，或写它在哪里：`novel adopt 书稿的路径`。",
        "which": "里面不止一份（{names}），看不出要搬哪一份\n请写要搬的文件，或文件夹：`novel adopt 名字`。",
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
    """A later batch does not join the adopted book; nothing has been taken."""

    message = "这一批接不上：{detail}。"
    cases = {
        "differs": "第 {number} 章书里已经有了，和这一批里的不一样\n"
        "要换成新的，请改 chapters/ 里的那一章，再运行 `novel sync`；否则请从第 {last} 章之后搬起。",
        "differs renumbered": "它的第 {written} 章是书里的第 {number} 章，已经有了，和这一批里的不一样\n"
        "要换成新的，请改 chapters/ 里的那一章，再运行 `novel sync`；否则请从书里第 {last} 章的后一章搬起。",
        "before": "它从第 {number} 章开始，比书里的第一章还早\n"
        "前面的章补不进来：请建一个空项目（`novel init`），从头一起搬。",
        "gap": "它从第 {number} 章开始，上一批只到第 {last} 章\n请把中间的章一起搬进来。",
        "taken": "第 {number} 章还没有搬，{file} 却已经在了，搬进来会盖掉它\n"
        "请先把它移到书的文件夹外面，再运行一次 `novel adopt`。",
    }


class AdoptNotNow(Problem, code="ADOPT_NOT_NOW", exit=REFUSED):
    """The book has chapters of its own already, so no more can be adopted."""

    message = "现在不能搬书进来：{detail}。"
    cases = {
        "chapters": "这本书里已有写好的章，到第 {last} 章\n请建一个空项目（`novel init`），在那里搬。",
        "writing": "这一卷已经排好，正在写\n要搬的是后面的章，请等这一卷写完；要另起一本，请建一个空项目。",
    }


class BackupPlace(Problem, code="BACKUP_PLACE", exit=REFUSED):
    """A backup cannot go where the author wants it; nothing has been written."""

    message = "不能备份到「{place}」：{detail}"
    cases = {
        "book": "那里在这本书自己的文件夹里，书丢了备份也跟着丢\n"
        "请写到书的文件夹外面，如 `novel backup U盘的文件夹`。",
        "no folder": "没有这个文件夹\n请检查路径；是 U 盘或网盘的，先看看它接上了没有。",
    }


class PlaceTaken(Problem, code="PLACE_TAKEN", exit=REFUSED):
    """A new file was to be written where one is already; nothing has been written."""

    message = "「{place}」已经有了，没有动它。"
    fix = "请换一个名字，或只写文件夹，名字由写作助手来起。"


class BackupNames(Problem, code="BACKUP_NAMES", exit=REFUSED):
    """Two files of the book would be one on a disk that does not tell capital letters from small ones."""

    message = "{path} 和 {other} 在别的电脑上分不开，这样备份了也取不回来，所以没有备份。"
    fix = "请给其中一个改名，再运行一次 `novel backup`。"


class BackupUnsettled(Problem, code="BACKUP_UNSETTLED", exit=REFUSED):
    """A file changes while it is read."""

    message = "{path} 正在被别的程序写，读不到一份完整的，这次没有备份。"
    fix = "请等它写完，再运行一次 `novel backup`。"


class BackupLeft(Problem, code="BACKUP_LEFT", exit=DONE, severity="warning"):
    """Links, and names that another system cannot read, are left out of a backup."""

    message = "有 {count} 样没有收进备份：{paths}。它们是链接、特殊文件，或名字别的电脑读不了。"
    fix = "要一起备份的，请把链接换成真正的文件，或改个名字，再备份一次。"


class BackupUnusable(Problem, code="BACKUP_UNUSABLE", exit=REFUSED):
    """A file is no backup from which a book can be made; nothing has been written."""

    message = "「{place}」不能取回成一本书：{detail}"
    cases = {
        "no file": "没有这个文件\n请检查路径，它从你敲命令的这个文件夹算起。",
        "broken": "文件坏了，或没有拷完\n请重新拷一次；还是不行，换更早的一份备份。",
        "no backup": "它不是 `novel backup` 做的备份\n请找名字里有「备份」和日期的那个 .zip。",
        "other version": "它是另一个版本的写作助手做的\n请把写作助手更新到做它的那个版本，再试一次。",
        "changed": "里面的 {file} 和备份时的不一样\n它被改过或坏了，请换一份备份。",
        "outside": "里面的「{file}」会写到文件夹外面去\n这不是写作助手做的备份，请不要用它。",
        "alike": "里面的「{file}」和「{other}」是同一个地方\n这不是写作助手做的备份，请不要用它。",
        "link": "里面有链接\n这不是写作助手做的备份，请不要用它。",
        "others": "里面的文件和它的清单对不上\n它被改过，请换一份备份。",
        "too large": "里面的东西超过 8 GB\n这不像一本书，请换一份备份。",
    }


class BackupTarget(Problem, code="BACKUP_TARGET", exit=REFUSED):
    """The folder for a book from a backup holds something already; nothing has been written."""

    message = "不能取回到「{place}」：{detail}"
    fix = "请写一个空文件夹，或还没有的文件夹，如 `novel restore 备份.zip 新文件夹`。"
    cases = {
        "book": "那里已经有一本书",
        "taken": "那里已有别的东西（{found}）",
        "file": "它是文件，不是文件夹",
    }


class NoteRefused(Problem, code="NOTE_REFUSED", exit=REFUSED):
    """A file cannot be taken as a note."""

    message = "「{place}」收不进来：{detail}。"
    cases = {
        "there already": "已经在 {folder}/ 里了\n不用再交。",
        "linked folder": "是链接\n请交原来的文件夹。",
        "no such file": "没有这个文件\n请检查路径。",
        "other ending": "不是 .md 或 .txt\n只收 .md 和 .txt；请在写作软件里另存为纯文本再交来。",
        "book inside": "这本书就在这个文件夹里\n请指明放笔记的那个文件夹。",
        "too much": "里面有 {most} 个以上的文件和文件夹，没有再往下看\n"
        "请检查是不是交错了文件夹；只交放笔记的那一个。",
        "no notes": "里面没有 .md 或 .txt\n请检查是不是交错了文件夹。",
        "too many": "里面有 {count} 份，一次最多收 {most} 份\n请分几次交，或先并一并。",
        "linked file": "是{kind}\n请交原来的文件。",
        "no file": "是{kind}，不是普通文件\n请交原来的文件。",
        "same name": "和「{twin}」都要叫「{name}」\n请分两次交，给一份用 --as 另起名字。",
        "too large together": "连同一起交的有 {size} MB，一次最多收 {most} MB\n请分几次交。",
        "too large": "有 {size} MB，最多收 2 MB\n请拆成几份，一份只讲一件事。",
        "all blank": "里面的 .md、.txt 都是空的\n请检查是不是交错了文件夹。",
        "like a copy": "收进来要叫「{name}」，像是「{original}」的副本，收了也没有人读\n"
        "是副本就先把它移走；是另一份笔记，用 --as 给它另起名字，再单独交来。",
        "blank": "是空的\n请检查是不是交错了文件。",
        "bad name": "「{name}」不能当文件名\n请用 --as 另起一个短些的名字，不要斜杠和冒号。",
        "odd marks": "里面有不是文字的字节，像是别的格式\n请在写作软件里另存为纯文本（.txt 或 .md）再交来。",
        "not utf-8": "不是 UTF-8 编码（第 {offset} 个字节处读不下去）\n{advice}",
        "other encoding": "按 {encoding} 读到第 {offset} 个字节就读不下去了\n{advice}",
        "no bom": "开头没有 {encoding} 的记号，读不出来\n{advice}",
        "unread": "{cause}\n{advice}",
    }


class NoteTaken(Problem, code="NOTE_TAKEN", exit=REFUSED):
    """There is another note of that name."""

    message = "{path} 已经在了，和「{place}」内容不同，没有动它。"
    fix = "给新的另起名字：在 `novel import` 后面加 `--as 名字`；要换掉旧的，先把旧的移走。"
