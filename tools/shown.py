"""Writes anew what the pages show of `novel`: their terminals, the pictures, the report's screenshot.

Usage: python -m tools.shown        (`make pages`; the screenshot needs a Chromium on PATH)
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from novel_hooks import layout
from tools import pictures
from tools.terminal import CHECKOUT, DEMO, play

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGES = ("README.md", "docs/user/mending.md")
"""Their terminals come from one demo; those of the other pages are held by tests/unit/pages."""
FOLDER = "docs/pictures"
PICTURES = {
    "demo.svg": (DEMO, "第 2 章修订一轮，第 3 章再润色一遍，都入库"),
    "status.svg": ("$ novel status", "novel status：书走到哪里了"),
    "next.svg": ("$ novel next", "novel next：一章停下来等作者决定"),
}
"""Name → the command, what the picture is."""
REPORT = "report.png"
BLOCK = re.compile(r"```console\n(.*?)```", re.S)
BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_WINDOW, _SCALE = "1100,1730", "0.65"


def fresh(page: str, said: Mapping[str, str]) -> str:
    """Return the page's text, with the present output of `novel` below each `$ novel …`."""

    def again(found: re.Match[str]) -> str:
        command = found.group(1).partition("\n")[0]
        return f"```console\n{command}\n{said[command].strip(chr(10))}\n```"

    return BLOCK.sub(again, page)


def shot(page: Path, place: Path) -> bool:
    """Write the page's upper part as PNG; return False where there is no browser."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        return False
    with tempfile.TemporaryDirectory() as home:
        options = (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={home}",
        )
        size = (f"--window-size={_WINDOW}", f"--force-device-scale-factor={_SCALE}")
        command = [browser, *options, *size, f"--screenshot={place}", page.as_uri()]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    return True


def main() -> None:
    (CHECKOUT / FOLDER).mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        said = play(Path(place).resolve())
        for name in PAGES:
            page = CHECKOUT / name
            page.write_text(fresh(page.read_text("utf-8"), said), "utf-8")
        for name, (command, title) in PICTURES.items():
            picture = pictures.draw(f"{command}\n{said[command]}", title)
            (CHECKOUT / FOLDER / name).write_text(picture, "utf-8")
        if not shot(Path(place, "demo-novel", layout.REPORT).resolve(), CHECKOUT / FOLDER / REPORT):
            print(f"{FOLDER}/{REPORT} is as it was: no browser is on PATH")
    print(f"written: {', '.join(PAGES)}, {FOLDER}/")


if __name__ == "__main__":
    main()
