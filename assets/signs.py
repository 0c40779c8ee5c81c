"""Generates signs.ttf: symbols that the window draws as text and that egui's fonts lack.

    python3 assets/signs.py          needs the package fonttools
"""

import pathlib

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

# The corners of each symbol, clockwise, in thousandths of the em above the baseline.
TICK = [(60, 330), (150, 420), (310, 260), (640, 680), (740, 600), (325, 70)]
SIGNS = {"tick": (0x2714, TICK)}
WIDTH = 800


def glyph(corners):
    pen = TTGlyphPen(None)
    if corners:
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()


def main():
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder([".notdef", *SIGNS])
    font.setupCharacterMap({code: name for name, (code, _) in SIGNS.items()})
    font.setupGlyf({".notdef": glyph([]), **{name: glyph(corners) for name, (_, corners) in SIGNS.items()}})
    left = {name: min(x for x, _ in corners) for name, (_, corners) in SIGNS.items()}
    font.setupHorizontalMetrics({name: (WIDTH, left.get(name, 0)) for name in (".notdef", *SIGNS)})
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    font.setupNameTable({"familyName": "Iron Cropper signs", "styleName": "Regular"})
    font.setupPost()
    font.font["head"].created = font.font["head"].modified = 0
    font.font.recalcTimestamp = False
    font.save(pathlib.Path(__file__).with_name("signs.ttf"))


main()
