"""Pins the requirements anew: `requirements/*.txt` with hashes, and the keys that name them.

Needs `uv` on PATH and the network. One lock file holds for every system and each Python from the oldest it
is for up to 3.14; uv takes older releases where a newer one has left a Python behind. The keys stand in
files of their own so that the launcher reads one line and hashes nothing.
"""

from __future__ import annotations

import hashlib
import os
import subprocess

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(CHECKOUT, "requirements")
# Each with the oldest Python that it is for.
OLDEST = {"runtime": "3.9", "dev": "3.9", "mutants": "3.10"}
NAMES = tuple(OLDEST)
OPTIONS = (
    "--universal",
    "--generate-hashes",
    "--no-emit-index-url",
    "--no-header",
    "--no-annotate",
    "--no-config",
    "--quiet",
)


def key(name: str) -> str:
    """Return the first 16 hexadecimal digits of the lock file's SHA-256, with LF line ends as committed."""
    with open(os.path.join(FOLDER, f"{name}.txt"), "rb") as handle:
        return hashlib.sha256(handle.read()).hexdigest()[:16]


def main() -> None:
    for name in NAMES:
        python = f"--python-version={OLDEST[name]}"
        command = ["uv", "pip", "compile", *OPTIONS, python, f"{name}.in", "-o", f"{name}.txt"]
        subprocess.run(command, cwd=FOLDER, check=True)
        with open(os.path.join(FOLDER, f"{name}.key"), "w", encoding="ascii", newline="\n") as handle:
            handle.write(key(name) + "\n")
        print(f"written: requirements/{name}.txt, {name}.key")


if __name__ == "__main__":
    main()
