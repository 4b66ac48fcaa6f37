"""What a disk may hold after a power cut: of all that was not synced, any part is there or lost.

A model of the strictest disk that POSIX allows. `fsync` of a file keeps its bytes, `fsync` of a folder
keeps its names; everything else may or may not have got there, file by file and folder by folder.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random


class Disk:
    """Follows what is done below `root`; `cut` makes a folder as a power cut would leave it."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.bytes: dict[int, bytes] = {}
        self.names: dict[int, dict[str, int]] = {}
        self.live_bytes: dict[int, bytes] = {}
        self.live_names: dict[int, dict[str, int]] = {}
        self._serial: dict[int, int] = {}
        self._last = 0
        self.examine()
        self.bytes, self.names = dict(self.live_bytes), dict(self.live_names)

    def examine(self) -> None:
        """Take in the live state. An inode number that went and came again is another file."""
        self.live_bytes, self.live_names = {}, {}
        seen: set[int] = set()
        self._folder(self.root, seen)
        self._serial = {inode: serial for inode, serial in self._serial.items() if inode in seen}

    def synced(self, place: str) -> None:
        """`fsync` of the file or folder at `place` went through."""
        self.examine()
        found = os.lstat(place)
        serial = self._serial.get(found.st_ino)
        if serial is None:
            return
        if stat.S_ISDIR(found.st_mode):
            self.names[serial] = dict(self.live_names[serial])
        else:
            self.bytes[serial] = self.live_bytes[serial]

    def cut(self, to: str, luck: random.Random | None) -> None:
        """Write one possible outcome to the new folder `to`; without `luck` the poorest."""
        self._write(self._serial[os.lstat(self.root).st_ino], to, luck)

    def _folder(self, place: str, seen: set[int]) -> int:
        serial = self._known(place, seen)
        names = {}
        for name in sorted(os.listdir(place)):
            inner = os.path.join(place, name)
            names[name] = self._folder(inner, seen) if os.path.isdir(inner) else self._file(inner, seen)
        self.live_names[serial] = names
        return serial

    def _file(self, place: str, seen: set[int]) -> int:
        serial = self._known(place, seen)
        with open(place, "rb") as handle:
            self.live_bytes[serial] = handle.read()
        return serial

    def _known(self, place: str, seen: set[int]) -> int:
        inode = os.lstat(place).st_ino
        seen.add(inode)
        if inode not in self._serial:
            self._last += 1
            self._serial[inode] = self._last
        return self._serial[inode]

    def _write(self, serial: int, to: str, luck: random.Random | None) -> None:
        os.mkdir(to)
        for name, inner in self._some(self.names, self.live_names, serial, luck, {}).items():
            place = os.path.join(to, name)
            if inner in self.names or inner in self.live_names:
                self._write(inner, place, luck)
                continue
            with open(place, "wb") as handle:
                handle.write(self._some(self.bytes, self.live_bytes, inner, luck, b""))

    @staticmethod
    def _some(kept: dict, live: dict, serial: int, luck: random.Random | None, nothing: object) -> object:
        safe = kept.get(serial, nothing)
        return live.get(serial, safe) if luck is not None and luck.random() < 0.5 else safe
