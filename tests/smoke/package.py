#!/usr/bin/env python3
"""Checks an index, and the zip file with it, row by row, with nothing but Python's standard library.

usage: package.py FOLDER [--list LIST.csv COLUMN] [--zip]

FOLDER has index.csv or index.txt. With --list, every row of the list that has a crop must be in index.csv with exactly its
cells; COLUMN is the list's column of photos. With --zip, the zip file must hold the index and exactly the crops it lists.
"""

import csv
import struct
import sys
import zipfile
from pathlib import Path

PSPA = ["Volume Name", "Image Folder", "Image File Name", "Grade", "Last Name", "First Name", "Home Room", "Period",
        "Teacher Name", "Track", "Department", "Title", "Image Size"]
PICTURES = {".jpg", ".png", ".webp", ".avif", ".tif"}


def jpeg_size(content):
    """Width and height in the frame header of a JPEG."""
    at = 2
    while content[at] == 0xFF:
        marker, length = content[at + 1], struct.unpack(">H", content[at + 2:at + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[at + 5:at + 9])
            return width, height
        at += 2 + length
    raise AssertionError("no frame header")


def csv_rows(path):
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf"), "no byte order mark"
    rows = list(csv.DictReader(content.decode("utf-8-sig").splitlines(keepends=True)))
    return rows, [row["file"] for row in rows]


def pspa_rows(path):
    lines = path.read_bytes().decode("ascii").split("\r\n")
    assert lines.pop() == "" and not any("\n" in line for line in lines), "lines must end with CR LF"
    rows = [line.split("\t") for line in lines]
    assert rows.pop(0) == PSPA, "other columns"
    for row in rows:
        assert len(row) == 13 and row[0] == path.parent.name and row[4], row
        content = (path.parent / row[1] / row[2]).read_bytes()
        size = {(320, 400): "SMALL", (640, 800): "LARGE"}.get(jpeg_size(content), "OTHER")
        assert row[12] == size, (row, size)
    return rows, ["/".join(part for part in row[1:3] if part) for row in rows]


def main():
    arguments = sys.argv[1:]
    folder = Path(arguments[0])
    index = folder / "index.csv"
    if index.exists():
        rows, files = csv_rows(index)
    else:
        index = folder / "index.txt"
        rows, files = pspa_rows(index)
    on_disk = {path.relative_to(folder).as_posix() for path in folder.rglob("*")
               if path.suffix in PICTURES and ".iron-cropper" not in path.parts}
    assert len(files) == len(set(files)), "a file is listed twice"
    assert set(files) == on_disk, (sorted(set(files) ^ on_disk))
    if "--list" in arguments:
        name, column = arguments[arguments.index("--list") + 1:][:2]
        with open(name, encoding="utf-8-sig", newline="") as list_file:
            wanted = {row[column]: row for row in csv.DictReader(list_file)}
        for row in rows:
            expected = wanted[row["photo"]]
            assert {heading: row[heading] for heading in expected} == expected, (row, expected)
    if "--zip" in arguments:
        with zipfile.ZipFile(folder / f"{folder.name}.zip") as archive:
            assert archive.testzip() is None
            names = archive.namelist()
            assert sorted(names) == sorted([index.name, *files]), sorted(set(names) ^ {index.name, *files})
            for entry in archive.infolist():
                assert entry.compress_type == zipfile.ZIP_STORED
                assert archive.read(entry) == (folder / entry.filename).read_bytes(), entry.filename
    print(f"{index}: {len(rows)} rows")


main()
