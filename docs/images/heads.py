#!/usr/bin/env python3
"""Draws docs/images/heads.jpg: what is measured on a portrait, upright and rotated.

usage: heads.py PROGRAM
needs: Pillow
"""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw

HERE = Path(__file__).resolve().parent
PORTRAIT = HERE.parents[1] / "assets/samples/astronaut.png"
SIDE = 420
RED, BLUE, YELLOW, GREEN, WHITE = (225, 60, 50), (60, 120, 235), (245, 200, 40), (40, 190, 90), (255, 255, 255)


def rotated(degrees):
    """The head rotated clockwise, enlarged to 1.5 times; outside the photo, its edge is repeated."""
    photo = Image.open(PORTRAIT).convert("RGB")
    wide = Image.new("RGB", (photo.width + 400, photo.height + 400))
    for x in range(-1, 2):
        for y in range(-1, 2):
            edge = photo.crop((0 if x < 1 else 511, 0 if y < 1 else 511, 512 if x == 0 else (1 if x < 0 else 512), 512 if y == 0 else (1 if y < 0 else 512)))
            size = (512 if x == 0 else 200, 512 if y == 0 else 200)
            wide.paste(edge.resize(size), (0 if x < 0 else 200 if x == 0 else 712, 0 if y < 0 else 200 if y == 0 else 712))
    center = (225 + 200, 110 + 200)
    turned = wide.rotate(-degrees, Image.Resampling.BICUBIC, center=center)
    half = SIDE / 3
    box = (center[0] - half, center[1] - half, center[0] + half, center[1] + half)
    return turned.resize((SIDE, SIDE), Image.Resampling.LANCZOS, box=box)


def draw(image, face):
    pen = ImageDraw.Draw(image)
    x, y, width, height = face["box"]
    pen.rectangle((x, y, x + width, y + height), outline=WHITE, width=2)
    head = face["head"]
    roll = math.radians(head["roll_deg"])
    along = (math.cos(roll), math.sin(roll))

    def line(center, length, colour):
        (cx, cy), (dx, dy) = center, along
        pen.line((cx - dx * length, cy - dy * length, cx + dx * length, cy + dy * length), fill=colour, width=3)

    pen.line((*head["crown"], *head["chin"]), fill=YELLOW, width=3)
    line(head["crown"], 70, RED)
    line(head["chin"], 70, RED)
    line(head["eyes"], 90, BLUE)
    if face["hair_top"]:
        line(face["hair_top"], 70, GREEN)
    for index in range(0, 10, 2):
        px, py = face["landmarks"][index : index + 2]
        pen.ellipse((px - 5, py - 5, px + 5, py + 5), outline=(170, 80, 220), width=3)


def main():
    sheet = Image.new("RGB", (3 * SIDE + 20, SIDE), WHITE)
    with tempfile.TemporaryDirectory() as folder:
        for index, degrees in enumerate((0, -25, 35)):
            image = rotated(degrees)
            path = Path(folder) / f"{degrees}.png"
            image.save(path)
            output = subprocess.run([sys.argv[1], "detect", "--json", path], capture_output=True, text=True, check=True).stdout
            draw(image, json.loads(output.splitlines()[0])["faces"][0])
            sheet.paste(image, (index * (SIDE + 10), 0))
    sheet.save(HERE / "heads.jpg", quality=85)


main()
