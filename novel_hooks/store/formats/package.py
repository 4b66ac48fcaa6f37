"""A zip container of parts by name: EPUB, Word. The same parts give the same bytes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

STORED = ("mimetype",)
"""Parts that stay unpacked, as EPUB wants it of its first."""
_EPOCH = (1980, 1, 1, 0, 0, 0)


def pack(parts: Iterable[tuple[str, bytes]]) -> bytes:
    """Return the container's bytes: the parts in this order, without time, owner or system."""
    import io
    import zipfile

    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as container:
        for name, data in parts:
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.create_system, entry.external_attr = 0, 0
            entry.compress_type = zipfile.ZIP_STORED if name in STORED else zipfile.ZIP_DEFLATED
            container.writestr(entry, data)
    return whole.getvalue()
