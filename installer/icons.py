#!/usr/bin/env python3
"""Generates the icon files of Windows and macOS from assets/icon.png.

    python3 installer/icons.py --ico FILE     16, 24, 32, 48, 64, 128 and 256 pixels
    python3 installer/icons.py --icns FILE    16 to 128 points, and as far as 128 points at double density

Needs nothing but Python 3.8: the picture is read, averaged down and written here. It must be a PNG with 8 bits and
transparency, not interlaced, and square.
"""

import argparse
import pathlib
import struct
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = ROOT / "assets" / "icon.png"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
ICO_SIZES = [16, 24, 32, 48, 64, 128, 256]
# Type and side in pixels of each entry of an icns file. The last three are for screens of double density.
ICNS_ENTRIES = [(b"icp4", 16), (b"icp5", 32), (b"ic07", 128), (b"ic08", 256), (b"ic11", 32), (b"ic12", 64), (b"ic13", 256)]


def read_png(data):
    """Side and rows of RGBA bytes of a square PNG."""
    if not data.startswith(SIGNATURE):
        raise ValueError("not a PNG")
    at, packed, head = len(SIGNATURE), b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        head = body if kind == b"IHDR" else head
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", head)
    if (width, depth, color, interlaced) != (height, 8, 6, 0):
        raise ValueError("the icon must be square, RGBA with 8 bits, and not interlaced")
    return width, unfiltered(zlib.decompress(packed), height, 4 * width)


def unfiltered(raw, height, stride):
    """Decodes the filtered rows of a PNG."""
    rows, above = [], bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, row = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for x in range(stride):
            left, up, corner = (row[x - 4] if x >= 4 else 0), above[x], (above[x - 4] if x >= 4 else 0)
            row[x] = (row[x] + [0, left, up, (left + up) // 2, paeth(left, up, corner)][kind]) & 255
        rows.append(row)
        above = row
    return rows


def paeth(left, up, corner):
    guess = left + up - corner
    return min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]


def scaled(side, rows, to):
    """The image scaled to `to` pixels a side: each pixel is the mean of the covered area, weighted by opacity."""
    if to == side:
        return rows
    spans = []
    for at in range(to):
        start, end = at * side / to, (at + 1) * side / to
        cells = range(int(start), min(side, int(end) + 1))
        weights = [(cell, min(end, cell + 1) - max(start, cell)) for cell in cells]
        spans.append([(cell, weight) for cell, weight in weights if weight > 1e-9])
    result = []
    for down in spans:
        line = bytearray()
        for across in spans:
            sums, opacity, area = [0.0, 0.0, 0.0], 0.0, 0.0
            for y, tall in down:
                row = rows[y]
                for x, wide in across:
                    alpha = row[4 * x + 3] * tall * wide
                    area, opacity = area + tall * wide, opacity + alpha
                    for channel in range(3):
                        sums[channel] += row[4 * x + channel] * alpha
            line += bytes(round(value / opacity) if opacity else 0 for value in sums) + bytes([round(opacity / area)])
        result.append(line)
    return result


def write_png(rows):
    side = len(rows)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    return SIGNATURE + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def bitmap(rows):
    """The image as an icon bitmap: bottom-up rows, BGRA, and a mask for systems without transparency."""
    side = len(rows)
    pixels, mask = bytearray(), bytearray()
    for row in reversed(rows):
        pixels += b"".join(bytes([row[x + 2], row[x + 1], row[x], row[x + 3]]) for x in range(0, 4 * side, 4))
        bits = "".join("1" if row[x + 3] < 128 else "0" for x in range(0, 4 * side, 4))
        bits += "0" * (-len(bits) % 32)
        mask += int(bits, 2).to_bytes(len(bits) // 8, "big")
    head = struct.pack("<IiiHHIIiiII", 40, side, 2 * side, 1, 32, 0, len(pixels) + len(mask), 0, 0, 0, 0)
    return head + bytes(pixels) + bytes(mask)


def windows_images(source=SOURCE):
    """Side and bytes of each image of the Windows icon: bitmaps, except the largest, which is a PNG."""
    side, rows = read_png(source.read_bytes())
    sizes = [(size, scaled(side, rows, size)) for size in ICO_SIZES if size <= side]
    return [(size, write_png(picture) if size >= 256 else bitmap(picture)) for size, picture in sizes]


def directory(images, places):
    """The icon directory: for each image its size and, from `places`, its offset."""
    head = struct.pack("<HHH", 0, 1, len(images))
    for (size, data), place in zip(images, places):
        head += struct.pack("<BBBBHHI", size & 255, size & 255, 0, 0, 1, 32, len(data)) + place
    return head


def ico(source=SOURCE):
    images = windows_images(source)
    at, places = 6 + 16 * len(images), []
    for _, data in images:
        places.append(struct.pack("<I", at))
        at += len(data)
    return directory(images, places) + b"".join(data for _, data in images)


def icns(source=SOURCE):
    side, rows = read_png(source.read_bytes())
    pictures = {size: write_png(scaled(side, rows, size)) for size in {size for _, size in ICNS_ENTRIES} if size <= side}
    entries = b"".join(
        kind + struct.pack(">I", 8 + len(pictures[size])) + pictures[size] for kind, size in ICNS_ENTRIES if size in pictures
    )
    return b"icns" + struct.pack(">I", 8 + len(entries)) + entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--ico", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--icns", type=pathlib.Path, metavar="FILE")
    arguments = parser.parse_args()
    if not arguments.ico and not arguments.icns:
        parser.error("name a file with --ico or --icns")
    if arguments.ico:
        arguments.ico.write_bytes(ico())
    if arguments.icns:
        arguments.icns.write_bytes(icns())


if __name__ == "__main__":
    main()
