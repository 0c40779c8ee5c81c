"""The program's icon in the sizes of a desktop, made from `assets/icon.png` with nothing but Python.

Each pixel of a smaller icon is the mean of the area it covers, weighted by how opaque that is.
"""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def read_png(data):
    """Width, height and the RGBA bytes of an 8-bit RGBA PNG that is not interlaced."""
    if not data.startswith(SIGNATURE):
        raise ValueError("no PNG")
    at, packed, header = len(SIGNATURE), b"", None
    while at < len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, depth, colour, _, _, interlaced = header
    if (depth, colour, interlaced) != (8, 6, 0):
        raise ValueError("only 8-bit RGBA without interlacing is read")
    raw, stride, pixels = zlib.decompress(packed), width * 4, bytearray()
    above = bytearray(stride)
    for row in range(height):
        start = row * (stride + 1)
        line = bytearray(raw[start + 1 : start + 1 + stride])
        unfilter(raw[start], line, above)
        pixels += line
        above = line
    return width, height, bytes(pixels)


def unfilter(kind, line, above):
    for at in range(len(line)):
        left = line[at - 4] if at >= 4 else 0
        up = above[at]
        corner = above[at - 4] if at >= 4 else 0
        if kind == 1:
            add = left
        elif kind == 2:
            add = up
        elif kind == 3:
            add = (left + up) // 2
        elif kind == 4:
            guess = left + up - corner
            near = (abs(guess - left), abs(guess - up), abs(guess - corner))
            add = (left, up, corner)[near.index(min(near))]
        else:
            add = 0
        line[at] = (line[at] + add) & 255


def write_png(width, height, pixels):
    """The PNG of RGBA bytes."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    stride = width * 4
    raw = b"".join(b"\0" + pixels[row * stride : (row + 1) * stride] for row in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b"")


def shares(old, new):
    """For each of `new` places, the old ones it covers and how much of each."""
    step, table = old / new, []
    for place in range(new):
        start, end = place * step, (place + 1) * step
        table.append([(at, min(end, at + 1) - max(start, at)) for at in range(int(start), min(old, int(end - 1e-9) + 1))])
    return table


def shrink(width, height, pixels, size):
    """The RGBA bytes of `pixels` as a square of `size`."""
    across, down = shares(width, size), shares(height, size)
    # Colour times opacity, then opacity; first along each row, then down.
    rows = []
    for row in range(height):
        line = []
        for covered in across:
            red = green = blue = alpha = 0.0
            for at, share in covered:
                pixel = (row * width + at) * 4
                weight = share * pixels[pixel + 3]
                red += weight * pixels[pixel]
                green += weight * pixels[pixel + 1]
                blue += weight * pixels[pixel + 2]
                alpha += weight
            line.append((red, green, blue, alpha))
        rows.append(line)
    area, out = (width / size) * (height / size), bytearray()
    for covered in down:
        for column in range(size):
            red, green, blue, alpha = (sum(rows[at][column][part] * share for at, share in covered) for part in range(4))
            colours = [round(part / alpha) if alpha else 0 for part in (red, green, blue)]
            out += bytes([*colours, round(alpha / area)])
    return bytes(out)


def sized(data, sizes):
    """The PNG `data` in each of `sizes`, as size and PNG; its own size as it is."""
    width, height, pixels = read_png(data)
    return {size: data if size == width == height else write_png(size, size, shrink(width, height, pixels, size)) for size in sizes}
