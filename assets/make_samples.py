#!/usr/bin/env python3
"""Generates the other sample photos from astronaut.png.

usage: make_samples.py            (writes into the folder samples/ beside this script)
needs: pip install pillow
"""
import pathlib

from PIL import Image, ImageDraw, ImageFilter, ImageOps

HERE = pathlib.Path(__file__).resolve().parent / "samples"
ORIENTATION = 0x0112


def wall(size):
    """A plain wall, a little brighter at the top."""
    ramp = Image.linear_gradient("L").resize(size)
    return Image.composite(Image.new("RGB", size, (150, 152, 156)), Image.new("RGB", size, (204, 206, 208)), ramp)


def hang(canvas, photo, box, mat=14):
    """Hangs `photo` on the wall as a framed print whose mat is the box [x, y, w, h]."""
    x, y, w, h = box
    shadow = Image.new("L", canvas.size, 0)
    ImageDraw.Draw(shadow).rectangle((x + 6, y + 10, x + w + 6, y + h + 10), fill=110)
    canvas.paste((40, 42, 46), mask=shadow.filter(ImageFilter.GaussianBlur(9)))
    draw = ImageDraw.Draw(canvas)
    draw.rectangle((x, y, x + w, y + h), fill=(52, 54, 58))
    draw.rectangle((x + 5, y + 5, x + w - 5, y + h - 5), fill=(244, 243, 240))
    canvas.paste(ImageOps.fit(photo, (w - 2 * mat, h - 2 * mat), Image.LANCZOS), (x + mat, y + mat))


def three_prints(photo):
    """Three faces of different sizes, for the choice of face."""
    canvas = wall((1600, 1000))
    portrait = photo.crop((60, 0, 440, 475))
    hang(canvas, ImageOps.mirror(portrait), (110, 330, 320, 400))
    hang(canvas, portrait, (560, 120, 560, 700))
    hang(canvas, ImageOps.grayscale(portrait).convert("RGB"), (1220, 375, 256, 320))
    canvas.save(HERE / "three_prints.jpg", quality=85, optimize=True)


def sideways(photo):
    """Stored sideways with EXIF orientation 6: rotate by 90 degrees clockwise to view."""
    upright = wall((900, 1200))
    hang(upright, photo, (130, 220, 640, 720), mat=18)
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    stored = upright.transpose(Image.Transpose.ROTATE_90)
    stored.save(HERE / "sideways.jpg", quality=85, optimize=True, exif=exif)


def near_the_edge(photo):
    """A face close to the right edge and the top: a wide crop extends beyond them."""
    photo.crop((0, 40, 330, 400)).resize((990, 1080), Image.LANCZOS).save(HERE / "near_the_edge.jpg", quality=85, optimize=True)


if __name__ == "__main__":
    astronaut = Image.open(HERE / "astronaut.png").convert("RGB")
    three_prints(astronaut)
    sideways(astronaut)
    near_the_edge(astronaut)
