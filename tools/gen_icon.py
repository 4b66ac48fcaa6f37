"""Draws `.claude-plugin/icon.png`: a manuscript page in vertical columns, a brush, a seal.

Shapes are signed distances (negative inside, in units of a 512-pixel square), so that every edge is
smooth without any drawing library. Standard library only.
"""

from __future__ import annotations

import math
import os
import struct
import zlib
from collections.abc import Callable

Shape = Callable[[float, float], float]
Colour = tuple[int, int, int]

SIZE = 512
ICON = ".claude-plugin/icon.png"
CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

INK = (30, 41, 59)
PAPER = (250, 244, 230)
SHADE = (17, 24, 37)
TEXT = (138, 131, 119)
BAMBOO = (190, 142, 84)
RING = (225, 186, 120)
HAIR = (24, 24, 28)
SEAL = (190, 52, 42)


def box(left: float, top: float, right: float, bottom: float, radius: float) -> Shape:
    """Return the shape of a rectangle with round corners."""
    centre_x, centre_y = (left + right) / 2, (top + bottom) / 2
    half_x, half_y = (right - left) / 2 - radius, (bottom - top) / 2 - radius

    def distance(x: float, y: float) -> float:
        over_x, over_y = abs(x - centre_x) - half_x, abs(y - centre_y) - half_y
        outside = math.hypot(max(over_x, 0.0), max(over_y, 0.0))
        return outside + min(max(over_x, over_y), 0.0) - radius

    return distance


def tapered(start: tuple[float, float], end: tuple[float, float], thick: float, thin: float) -> Shape:
    """Return the shape of a stroke from `start`, half `thick` wide there, to `end`, half `thin` wide."""
    (start_x, start_y), (end_x, end_y) = start, end
    along_x, along_y = end_x - start_x, end_y - start_y
    length = along_x * along_x + along_y * along_y

    def distance(x: float, y: float) -> float:
        share = ((x - start_x) * along_x + (y - start_y) * along_y) / length
        share = min(max(share, 0.0), 1.0)
        gap = math.hypot(x - start_x - share * along_x, y - start_y - share * along_y)
        return gap - (thick + (thin - thick) * share)

    return distance


def _columns() -> list[tuple[Shape, Colour]]:
    """Lines of writing, top to bottom and right to left, the last one still being written."""
    ends = (390.0, 390.0, 344.0, 306.0)
    lefts = (316.0, 268.0, 220.0, 172.0)
    return [(box(x, 132, x + 16, end, 8), TEXT) for x, end in zip(lefts, ends)]


def _layers() -> list[tuple[Shape, Colour]]:
    """From the back to the front."""
    return [
        (box(0, 0, 512, 512, 112), INK),
        (box(126, 92, 386, 440, 22), SHADE),
        (box(118, 80, 378, 428, 22), PAPER),
        *_columns(),
        (box(150, 346, 206, 402, 10), SEAL),
        (box(163, 359, 193, 367, 4), PAPER),
        (box(163, 375, 193, 389, 4), PAPER),
        (tapered((440, 74), (262, 252), 15, 15), BAMBOO),
        (tapered((282, 232), (252, 262), 19, 21), RING),
        (tapered((250, 264), (186, 326), 20, 1.5), HAIR),
    ]


def pixels(size: int = SIZE) -> bytes:
    """Return the RGBA rows from top to bottom, each after PNG's filter byte 0."""
    layers = _layers()
    scale = SIZE / size
    rows = bytearray()
    for row in range(size):
        rows.append(0)
        for column in range(size):
            rows += _pixel(layers, (column + 0.5) * scale, (row + 0.5) * scale, scale)
    return bytes(rows)


def _pixel(layers: list[tuple[Shape, Colour]], x: float, y: float, scale: float) -> bytes:
    red = green = blue = alpha = 0.0
    for shape, colour in layers:
        cover = min(max(0.5 - shape(x, y) / scale, 0.0), 1.0)
        if cover:
            red += (colour[0] - red) * cover
            green += (colour[1] - green) * cover
            blue += (colour[2] - blue) * cover
            alpha += (1.0 - alpha) * cover
    return bytes((round(red), round(green), round(blue), round(alpha * 255)))


def png(rows: bytes, size: int = SIZE) -> bytes:
    """Return the bytes of the PNG file; `rows` as `pixels` makes them."""
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main() -> None:
    with open(os.path.join(CHECKOUT, ICON), "wb") as handle:
        handle.write(png(pixels()))
    print(f"written: {ICON}")


if __name__ == "__main__":
    main()
