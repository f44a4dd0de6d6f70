"""Avatars: five by five squares out of the id, as a PNG."""

import hashlib
import struct
import zlib

_CELL = 20
_PAPER = (240, 240, 240)


def avatar_png(user_id: int) -> bytes:
    digest = hashlib.sha256(str(user_id).encode()).digest()
    ink = (60 + digest[0] % 140, 60 + digest[1] % 140, 60 + digest[2] % 140)
    rows = []
    for y in range(5):
        half = [digest[3 + y * 3 + x] % 2 == 1 for x in range(3)]
        cells = [*half, half[1], half[0]]
        pixels = b"".join(bytes(ink if cell else _PAPER) * _CELL for cell in cells)
        rows.append((b"\0" + pixels) * _CELL)
    return _png(5 * _CELL, b"".join(rows))


def _png(size: int, rows: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
