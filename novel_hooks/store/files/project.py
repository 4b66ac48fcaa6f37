"""The files of a project, read safely by project-relative POSIX paths.

*Safely*: only regular files, never through a link below the root, never outside the root. The root itself may
be reached by links. `atomic` writes. A landed chapter has its plain path (`chapters/chapter-012.md`)
everywhere; its file may carry the title (`第012章 夜雨.md`). Only this module finds that file (ADR 0020).
"""

from __future__ import annotations

import os
import stat

from novel_hooks import errors, layout
from novel_hooks.annotations import Callable, Mapping, T
from novel_hooks.store.files import chapter_names
from novel_hooks.store.formats import jsonio
from novel_hooks.store.formats.text import decode as decode  # offered here too

KIND_NAMES = {"folder": "文件夹", "link": "链接", "other": "特殊文件", "file": "普通文件"}

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_PIECE = 1 << 20
"""Least bytes to ask for at once: from then on glibc keeps memory of that size, and gets less of it anew."""
_WINDOWS_JUNCTION = 0xA0000003


def is_inside(rel: str) -> bool:
    """Tell whether `rel` is a plain project-relative path that cannot lead out of the project."""
    parts = rel.split("/")
    if "" in parts or "." in parts or ".." in parts or "\0" in rel:
        return False
    return os.sep == "/" or not ("\\" in rel or ":" in rel)


class Project:
    """One project; `root` is the absolute path of the folder that holds `.checkpoint.json`."""

    __slots__ = ("_has_titles", "_inside", "_listing", "root")

    def __init__(self, root: str) -> None:
        self.root = root
        self._inside = os.path.join(root, "")
        self._has_titles: bool | None = None
        self._listing: tuple[tuple[int, int], Mapping[int, tuple[str, ...]]] | None = None

    def disk(self) -> Project:
        """Return the same project by the names on disk: there a path of `chapters/` is a file's own name."""
        return Disk(self.root)

    def place(self, rel: str) -> str:
        """Return the path of the file that `rel` names: of a chapter with its title the titled one.

        Any other path is itself. Raises `ChapterTwice` where several files bear the chapter's number.
        """
        files = self.titled() if chapter_names.may_be_plain(rel) else None
        number = chapter_names.plain_number(rel) if files else None
        found = files.get(number, ()) if files and number is not None else ()
        if len(found) > 1:
            raise errors.ChapterTwice(rel, chapter=number, count=len(found), names="、".join(found))
        return f"{layout.CHAPTERS}/{found[0]}" if found else rel

    def titled(self) -> Mapping[int, tuple[str, ...]]:
        """Map each chapter that has a titled file to the names of all its files; {} in most books.

        The folder is listed once, and the list is kept while the folder does not change. A book that never
        had the setting is not listed: a titled file there is the author's own and no chapter's.
        """
        if not self._may_have_titles():
            return {}
        listed = chapter_names.folder_mark(self.absolute(layout.CHAPTERS))
        if self._listing is not None and listed is not None and self._listing[0] == listed:
            return self._listing[1]
        try:
            found = chapter_names.titled(self._names_on_disk(layout.CHAPTERS))
        except errors.NotAFolder:  # who reads or lists there is told
            found = {}
        self._listing = None if listed is None else (listed, found)
        return found

    def look_again(self) -> None:
        """Forget the listing of the chapters and the setting, because this process has changed them."""
        self._listing = self._has_titles = None

    def _may_have_titles(self) -> bool:
        if self._has_titles is None:
            try:
                chosen = chapter_names.is_set(self.read(layout.CONFIG) or b"")
                self._has_titles = chosen or self.has(layout.TITLED_CHAPTERS)
            except errors.Problem:  # who reads the settings is told
                self._has_titles = os.path.lexists(self.absolute(layout.TITLED_CHAPTERS))
        return self._has_titles

    def absolute(self, rel: str) -> str:
        """Return the absolute path of `rel`; `""` is the root. Raises `PathOutside`, `ChapterTwice`."""
        if rel == "":
            return self.root
        rel = self.place(rel)
        if not is_inside(rel):
            raise errors.PathOutside(rel)
        return self._inside + (rel if os.sep == "/" else rel.replace("/", os.sep))

    def kind(self, rel: str) -> str:
        """Return what is at `rel`: `absent`, `file`, `folder`, `link` or `other`.

        A link on the way counts as `link`, a file on the way as `other`. Raises `ChapterTwice`.
        """
        rel = self.place(rel)
        where, kind = self._locate(rel)
        return "other" if where != rel and kind == "file" else kind

    def has(self, rel: str) -> bool:
        """Tell whether a regular file is at `rel`."""
        return self.kind(rel) == "file"

    def read(self, rel: str) -> bytes | None:
        """Return the bytes of a regular file; None only when it is absent.

        Raises `NotARegularFile`, `NotAFolder` (something on the way), `ChapterTwice` or `FileUnreadable`.
        """
        return self._through(rel, _read_all)

    def tail(self, rel: str, size: int) -> tuple[bytes, bool]:
        """Return the file's last `size` bytes and whether they are all of it; (b"", True) when it is absent.

        Raises as `read`.
        """
        return self._through(rel, lambda handle: _read_end(handle, size)) or (b"", True)

    def text(self, rel: str) -> str | None:
        """Return the file's text, decoded by `decode`; None when it is absent. Raises as both."""
        data = self.read(rel)
        return None if data is None else decode(data, rel)

    def json(self, rel: str, own: bool = False) -> object | None:
        """Return the file's value, parsed by `jsonio.parse`; None when it is absent or holds `null`."""
        data = self.read(rel)
        return None if data is None else jsonio.parse(data, rel, own)

    def names(self, rel: str) -> list[str]:
        """List the names in the folder `rel`, by code point; [] when it is absent.

        A chapter with its title is listed once, by its plain name. Raises `NotAFolder`, `FileUnreadable`.
        """
        found = self._names_on_disk(rel)
        return chapter_names.plain(found) if rel == layout.CHAPTERS and self._may_have_titles() else found

    def _names_on_disk(self, rel: str) -> list[str]:
        where, kind = self._locate(rel)
        if kind == "absent":
            return []
        if kind != "folder":
            raise errors.NotAFolder(where, kind=KIND_NAMES[kind])
        try:
            return sorted(os.listdir(self.absolute(rel)))
        except FileNotFoundError:
            return []
        except OSError as wrong:
            raise _unreadable(rel, wrong) from wrong

    def destination(self, rel: str) -> str:
        """Return the absolute path of `rel`, where a regular file is or nothing.

        Raises `NotARegularFile` or `NotAFolder`, naming the obstacle.
        """
        self._is_file(rel)
        return self.absolute(rel)

    def folder_destination(self, rel: str) -> str:
        """Return the absolute path of `rel`, a folder that is there or can be made. Raises `NotAFolder`."""
        where, kind = self._locate(rel)
        if kind not in ("absent", "folder"):
            raise errors.NotAFolder(where, kind=KIND_NAMES[kind])
        return self.absolute(rel)

    def _through(self, rel: str, use: Callable[[int], T]) -> T | None:
        """Return the result of `use` with the open file; None when the file is absent."""
        rel = self.place(rel)
        if not self._is_file(rel):
            return None
        try:
            handle = os.open(self.absolute(rel), _READ)
        except FileNotFoundError:
            return None
        except OSError as wrong:
            raise _unreadable(rel, wrong) from wrong
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise errors.NotARegularFile(rel, kind=KIND_NAMES["other"])
            return use(handle)
        except OSError as wrong:
            raise _unreadable(rel, wrong) from wrong
        finally:
            os.close(handle)

    def _is_file(self, rel: str) -> bool:
        rel = self.place(rel)
        where, kind = self._locate(rel)
        if where != rel:
            raise errors.NotAFolder(where, kind=KIND_NAMES[kind])
        if kind not in ("absent", "file"):
            raise errors.NotARegularFile(rel, kind=KIND_NAMES[kind])
        return kind == "file"

    def _locate(self, rel: str) -> tuple[str, str]:
        """Return `rel` and its kind, or path and kind of the first thing on the way that is no folder."""
        place = self.absolute(rel)
        # Where each name on the way ends; the root may itself be reached by links.
        end = rel.find("/")
        while end >= 0:
            kind = _kind_of(place[: end - len(rel)], rel[:end])
            if kind == "absent":
                return rel, kind
            if kind != "folder":
                return rel[:end], kind
            end = rel.find("/", end + 1)
        return rel, _kind_of(place, rel)


class Disk(Project):
    """A project by the names on disk, for code that lands, copies or compares files under their own names."""

    __slots__ = ()

    def disk(self) -> Project:
        return self

    def place(self, rel: str) -> str:
        return rel

    def names(self, rel: str) -> list[str]:
        return self._names_on_disk(rel)


def _kind_of(place: str, rel: str) -> str:
    try:
        found = os.lstat(place)
    except (FileNotFoundError, NotADirectoryError):
        return "absent"
    except OSError as wrong:
        raise _unreadable(rel, wrong) from wrong
    if stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _WINDOWS_JUNCTION:
        return "link"
    if stat.S_ISREG(found.st_mode):
        return "file"
    return "folder" if stat.S_ISDIR(found.st_mode) else "other"


def _read_end(handle: int, size: int) -> tuple[bytes, bool]:
    length = os.fstat(handle).st_size
    os.lseek(handle, max(0, length - size), os.SEEK_SET)
    return _read_all(handle), length <= size


def _read_all(handle: int) -> bytes:
    pieces: list[bytes] = []
    size = max(_PIECE, os.fstat(handle).st_size + 1)  # one piece, unless the file grows meanwhile
    while True:
        piece = os.read(handle, size)
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)


def _unreadable(rel: str, wrong: OSError) -> errors.Problem:
    import errno

    from novel_hooks.store.files.oserror import system_reason

    if wrong.errno == errno.ELOOP:
        return errors.NotARegularFile(rel, kind=KIND_NAMES["link"])
    return errors.FileUnreadable(rel, reason=system_reason(wrong))
