#!/usr/bin/env python3
"""Measures roll, chin and top of the hair on warped copies of portraits.

usage: heads.py PROGRAM FOLDER PHOTO... [-- ARGUMENTS OF PROGRAM]
needs: Pillow

Each photo must show one face. Its own result is the reference. FOLDER gets the copies: rotated by 0 to 180 degrees to either
side, with heads of 40 to 1500 pixels, blurred, darkened, with a drawn surgical mask or hat, or half hidden. For each kind the
script prints how many faces were found, how many of the rolls are within 2 degrees, the error of the roll in degrees
(median, 95th percentile, largest) and that of chin and top of the hair in percent of the head's height (median, 95th
percentile), and for how many the top of the hair is known.
"""
import json
import math
import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

ANGLES = [-180, -135, -90, -60, -45, -30, -20, -10, -5, 0, 5, 10, 20, 30, 45, 60, 90, 135]
SIZES = [40, 64, 120, 400, 1500]
TURNED = [-30, -20, -10, 0, 10, 20, 30]


def detect(program, arguments, files):
    """The largest face of each file, or None."""
    faces = {}
    for start in range(0, len(files), 200):
        command = [program, "detect", "--json", *arguments, *map(str, files[start : start + 200])]
        output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        for line in output.splitlines():
            record = json.loads(line)
            if "faces" in record:
                found = [face for face in record["faces"] if face["score"] >= 0.6]
                faces[record["path"]] = max(found, key=lambda face: face["size_px"], default=None)
    return faces


def rotate(photo, head, degrees, size):
    """The photo around a head, rotated clockwise, with a head of `size` pixels; also where a point of the photo goes."""
    scale = size / head["height_px"]
    side = int(size * 3.2)
    (x, y), angle = head["eyes"], math.radians(degrees)
    cos, sin = math.cos(angle) / scale, math.sin(angle) / scale
    # From a point of the copy to one of the photo, counter-clockwise.
    matrix = (cos, sin, x - (cos + sin) * side / 2, -sin, cos, y + (sin - cos) * side / 2)
    source = photo
    if scale < 0.6:
        # Bilinear sampling alone would skip pixels.
        source = photo.reduce(max(1, int(0.8 / scale)))
        factor = photo.width / source.width
        matrix = tuple(value / factor for value in matrix)
    filled = source.transform((side, side), Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC, fillcolor=(128, 128, 128))
    return filled


def place(point, head, degrees, size):
    scale, side, angle = size / head["height_px"], int(size * 3.2), math.radians(degrees)
    dx, dy = (point[0] - head["eyes"][0]) * scale, (point[1] - head["eyes"][1]) * scale
    return (side / 2 + dx * math.cos(angle) - dy * math.sin(angle), side / 2 + dx * math.sin(angle) + dy * math.cos(angle))


def cover(photo, face, kind):
    """The photo with something drawn on the face."""
    head, landmarks = face["head"], face["landmarks"]
    right, left, nose = landmarks[0:2], landmarks[2:4], landmarks[4:6]
    (ex, ey), (cx, cy), height = head["eyes"], head["chin"], head["height_px"]
    along = ((left[0] - right[0]) / math.dist(left, right), (left[1] - right[1]) / math.dist(left, right))
    up = (along[1], -along[0])

    def at(across, above):
        return (ex + height * (across * along[0] + above * up[0]), ey + height * (across * along[1] + above * up[1]))

    copy = photo.copy()
    draw = ImageDraw.Draw(copy)
    if kind == "mask":
        draw.polygon([at(-0.3, -0.14), at(0, -0.1), at(0.3, -0.14), at(0.27, -0.4), at(0, -0.53), at(-0.27, -0.4)], fill=(140, 190, 205))
    elif kind == "hat":
        draw.polygon([at(-0.42, 0.2), at(0.42, 0.2), at(0.36, 0.52), at(0.1, 0.62), at(-0.1, 0.62), at(-0.36, 0.52)], fill=(60, 50, 45))
    elif kind == "half":
        draw.polygon([at(0.02, 0.7), at(0.7, 0.7), at(0.7, -0.7), at(0.02, -0.7)], fill=(90, 110, 80))
    return copy


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def main():
    arguments = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    own = sys.argv[1 : sys.argv.index("--")] if "--" in sys.argv else sys.argv[1:]
    program, folder, photos = own[0], Path(own[1]), own[2:]
    folder.mkdir(parents=True, exist_ok=True)
    jobs = []
    for number, (path, face) in enumerate(detect(program, arguments, photos).items()):
        if face is None:
            print(f"no face: {path}")
            continue
        photo = Image.open(path).convert("RGB")
        head = face["head"]
        kinds = [("clean", size, degrees) for size in SIZES for degrees in ANGLES if size <= head["height_px"] * 2.5 or size <= 400]
        kinds += [(kind, 120, degrees) for kind in ("blurred", "dark", "mask", "hat", "half") for degrees in TURNED]
        for kind, size, degrees in kinds:
            source = cover(photo, face, kind) if kind in ("mask", "hat", "half") else photo
            copy = rotate(source, head, degrees, size)
            if kind == "blurred":
                copy = copy.filter(ImageFilter.GaussianBlur(size / 60))
            elif kind == "dark":
                copy = ImageEnhance.Brightness(copy).enhance(0.2)
            file = folder / f"{number}_{kind}_{size}_{degrees}.png"
            copy.save(file)
            jobs.append((file, kind, size, degrees, face))
    found = detect(program, arguments, [job[0] for job in jobs])
    groups = {}
    for file, kind, size, degrees, face in jobs:
        name = f"{kind}, {size} px" if kind == "clean" else kind
        groups.setdefault(name, []).append((found.get(str(file)), size, degrees, face))
        if kind == "clean" and abs(degrees) <= 30:
            groups.setdefault("clean, up to 30 degrees", []).append((found.get(str(file)), size, degrees, face))
    print(f"{'kind':26} {'n':>4} found  in 2°  roll p50/p95/max    chin p50/p95  hair n/p50/p95")
    for name, group in groups.items():
        rolls, chins, hairs = [], [], []
        for result, size, degrees, face in group:
            if result is None or result["head"] is None:
                continue
            error = (result["head"]["roll_deg"] - face["head"]["roll_deg"] - degrees + 180) % 360 - 180
            rolls.append(abs(error))
            chins.append(math.dist(result["head"]["chin"], place(face["head"]["chin"], face["head"], degrees, size)) / size * 100)
            if result["hair_top"] and face["hair_top"] and name != "hat":
                hairs.append(math.dist(result["hair_top"], place(face["hair_top"], face["head"], degrees, size)) / size * 100)
        close = sum(roll <= 2 for roll in rolls) / max(1, len(rolls)) * 100
        print(
            f"{name:26} {len(group):4} {len(rolls):5} {close:5.0f} %  {percentile(rolls, .5):5.1f} {percentile(rolls, .95):5.1f} {max(rolls, default=0):5.1f}"
            f"   {percentile(chins, .5):5.1f} {percentile(chins, .95):5.1f}   {len(hairs):4} {percentile(hairs, .5):5.1f} {percentile(hairs, .95):5.1f}"
        )


main()
