"""A Chromium without a window, driven over its debugging pipe (DevTools protocol): no package beside it."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_SECONDS = 60
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-extensions",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
_NOISE = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


def binary() -> str | None:
    """The browser on PATH, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One page of one browser. `noise` is all that the page wrote to its console, faults included."""

    def __init__(self, command: str, home: Path) -> None:
        ours_out, theirs_in = _pipe()
        theirs_out, ours_in = _pipe()
        # A shell puts the two ends where the browser wants them, fd 3 and 4.
        line = ["bash", "-c", f'exec "$@" 3<&{ours_out} 4>&{ours_in}', "bash", command, *_OPTIONS]
        env = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "XDG_CACHE_HOME": str(home)}
        self.process = subprocess.Popen(
            [*line, f"--user-data-dir={home}"],
            pass_fds=(ours_out, ours_in),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=env,
        )
        os.close(ours_out)
        os.close(ours_in)
        self._out, self._in = theirs_in, theirs_out
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.noise: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send one command and return its result; events that come before it are noted."""
        self._number += 1
        sent: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            sent["sessionId"] = self._session
        os.write(self._out, json.dumps(sent).encode("utf-8") + b"\0")
        while True:
            got = self._next()
            if got.get("id") == self._number:
                assert "error" not in got, got
                result: dict[str, Any] = got["result"]
                return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._in, 1 << 20)
            assert more, "the browser ended"
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\0")
        got: dict[str, Any] = json.loads(line)
        if got.get("method") in _NOISE:
            self.noise.append(got["params"])
        return got

    def open(self, path: Path, width: int = 1100, height: int = 900, dark: bool = False) -> None:
        """Open a file at a size of the window and in a colour scheme, and wait until it is loaded."""
        phone = width < 600
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=path.as_uri())
        while self._next().get("method") != "Page.loadEventFired":
            pass
        self.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")

    def value(self, expression: str) -> Any:
        """Evaluate JavaScript in the page and return its value, awaited when it is a promise."""
        got = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in got, got["exceptionDetails"]
        return got["result"].get("value")

    def click(self, selector: str) -> None:
        """Click the middle of the first element that the selector finds, as a mouse does."""
        self.value(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        box = self.value(
            f"(b => [b.x + b.width / 2, b.y + b.height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def picture(self, place: Path) -> None:
        """Write a screenshot of the whole page, as PNG."""
        size = self.value("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
        got = self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        place.write_bytes(base64.b64decode(got["data"]))

    def close(self) -> None:
        """End the browser."""
        os.close(self._out)
        os.close(self._in)
        self.process.terminate()
        self.process.wait(_SECONDS)


def _pipe() -> tuple[int, int]:
    """Two ends of a pipe, both above the numbers that the browser's own ends get: (read, write)."""
    ends = os.pipe()
    moved = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
    for end in ends:
        os.close(end)
    return moved[0], moved[1]
