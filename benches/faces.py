#!/usr/bin/env python3
"""Compares the faces found by `iron-cropper detect` with the known faces of a folder of photos.

usage: iron-cropper detect PHOTOS --json > found.jsonl
       python3 benches/faces.py truth.json found.jsonl [MIN_SCORE]

truth.json lists the photos: [{"file": "a.jpg", "faces": [{"box": [x, y, width, height]}, ...]}, ...], boxes in pixels of the
upright photo; a face with "ignore": true is not counted. A photo without faces has an empty list. A face counts as found if its
intersection over union (IoU) with a detected box is at least 0.3; each box is matched once, by falling score. Unmatched boxes
below 16 pixels are not counted.
"""
import json
import sys
from collections import Counter
from pathlib import Path

HEIGHTS = [0, 16, 24, 32, 64]
MIN_IOU = 0.3
FIRST_PASS = 640 * 640


def iou(a, b):
    width = max(0, min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]))
    height = max(0, min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]))
    both = width * height
    return both / max(1e-9, a[2] * a[3] + b[2] * b[3] - both)


def main():
    truth = {Path(photo["file"]).name: photo["faces"] for photo in json.load(open(sys.argv[1]))}
    min_score = float(sys.argv[3]) if len(sys.argv) > 3 else 0.6
    known, found, extra, photos, wrong, pixels, passes = Counter(), Counter(), 0, 0, 0, 0, 0
    for line in open(sys.argv[2]):
        record = json.loads(line)
        faces = truth.get(Path(record.get("path", "")).name)
        if faces is None:
            continue
        photos += 1
        passes += len(record["passes"])
        pixels += sum(one["input"][0] * one["input"][1] for one in record["passes"])
        met, of_photo = set(), 0
        for face in sorted(record["faces"], key=lambda face: -face["score"]):
            if face["score"] < min_score:
                continue
            candidates = [(iou(face["box"], other["box"]), i) for i, other in enumerate(faces) if i not in met]
            best, index = max(candidates, default=(0, -1))
            if best >= MIN_IOU:
                met.add(index)
            elif face["box"][3] >= 16:
                of_photo += 1
        extra += of_photo
        wrong += of_photo > 0
        for index, face in enumerate(faces):
            if not face.get("ignore"):
                height = max(low for low in HEIGHTS if face["box"][3] >= low)
                known[height] += 1
                found[height] += index in met
    print(f"{photos} photos: found {sum(found.values())} of {sum(known.values())}, {extra} more boxes in {wrong} photos")
    print(f"{passes / max(1, photos):.1f} passes a photo, {pixels / max(1, photos) / FIRST_PASS:.2f} times the first pass in pixels")
    for height in sorted(known):
        print(f"  {height} pixels and higher: {found[height]} of {known[height]}")


main()
