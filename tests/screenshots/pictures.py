"""Smaller PNGs: 256 colours instead of millions, chosen in the browser, where a picture's pixels are at hand.

Plain colours stay exactly what they are; only the many shades at the edges of letters are brought together.
"""

import base64
import struct
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

_REDUCE = """
async (encoded) => {
  const bytes = Uint8Array.from(atob(encoded), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }), { colorSpaceConversion: "none" });
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const data = context.getImageData(0, 0, image.width, image.height).data;
  const pixels = new Uint32Array(data.length / 4);
  const counts = new Map();
  for (let i = 0; i < pixels.length; i++) {
    const colour = (data[4 * i] << 16) | (data[4 * i + 1] << 8) | data[4 * i + 2];
    pixels[i] = colour;
    counts.set(colour, (counts.get(colour) || 0) + 1);
  }
  const ranked = [...counts.entries()].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const exact = ranked.length > 256 ? 128 : 256;
  const palette = ranked.slice(0, exact).map(([colour]) => colour);
  const part = (colour, channel) => (colour >> (16 - 8 * channel)) & 255;
  const spread = (box) => {
    let best = { width: -1, channel: 0 };
    for (let channel = 0; channel < 3; channel++) {
      let low = 255, high = 0;
      for (const [colour] of box) { low = Math.min(low, part(colour, channel)); high = Math.max(high, part(colour, channel)); }
      if (high - low > best.width) best = { width: high - low, channel };
    }
    return best;
  };
  let boxes = ranked.length > exact ? [ranked.slice(exact)] : [];
  while (boxes.length && boxes.length + palette.length < 256) {
    const found = boxes.map((box, at) => ({ at, ...spread(box) })).sort((a, b) => b.width - a.width || a.at - b.at)[0];
    if (found.width <= 0) break;
    const box = boxes[found.at].sort((a, b) => part(a[0], found.channel) - part(b[0], found.channel) || a[0] - b[0]);
    const total = box.reduce((sum, [, count]) => sum + count, 0);
    let middle = 1;
    for (let sum = box[0][1]; middle < box.length - 1 && sum < total / 2; middle++) sum += box[middle][1];
    boxes.splice(found.at, 1, box.slice(0, middle), box.slice(middle));
  }
  for (const box of boxes) {
    const total = box.reduce((sum, [, count]) => sum + count, 0);
    const mean = (channel) => Math.round(box.reduce((sum, [colour, count]) => sum + part(colour, channel) * count, 0) / total);
    palette.push((mean(0) << 16) | (mean(1) << 8) | mean(2));
  }
  const nearest = new Map();
  for (const [colour] of ranked) {
    let best = 0, least = Infinity;
    for (let i = 0; i < palette.length; i++) {
      let far = 0;
      for (let channel = 0; channel < 3; channel++) far += (part(colour, channel) - part(palette[i], channel)) ** 2;
      if (far < least) { least = far; best = i; }
    }
    nearest.set(colour, best);
  }
  let indexes = "";
  for (let i = 0; i < pixels.length; i++) indexes += String.fromCharCode(nearest.get(pixels[i]));
  return { width: image.width, height: image.height, palette, indexes: btoa(indexes) };
}
"""


def reduce(blank: "Page", png: bytes) -> bytes:
    """The same picture in at most 256 colours. `blank` is any page without a policy against it."""
    found: dict[str, Any] = blank.evaluate(_REDUCE, base64.b64encode(png).decode())
    width, height = found["width"], found["height"]
    indexes = base64.b64decode(found["indexes"])
    rows = b"".join(b"\0" + indexes[row * width : (row + 1) * width] for row in range(height))
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", b"".join(colour.to_bytes(3, "big") for colour in found["palette"])),
            _chunk(b"IDAT", zlib.compress(rows, 9)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
