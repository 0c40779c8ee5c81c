#!/usr/bin/env bash
# Makes docs/images/background.jpg: crops of the sample portrait in four difficult versions, with the photo's background above and a
# white one below.
# usage: bash docs/images/background.sh [FILE]        (default: docs/images/background.jpg)
# needs: ImageMagick
set -euo pipefail
cd "$(dirname "$0")/../.."

program=${IRON_CROPPER:-${CARGO_TARGET_DIR:-target}/debug/iron-cropper}
sheet=${1:-docs/images/background.jpg}
portrait=assets/samples/astronaut.png
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Objects beside the person, and a helmet that she holds.
convert "$portrait" "$work/1-objects.png"
# Dark and noisy.
convert -seed 3 "$portrait" -resize 200% -evaluate multiply 0.2 -attenuate 0.25 +noise Gaussian "$work/2-dark.png"
# Small: the head has 33 pixels.
convert "$portrait" -resize 22% "$work/3-small.png"
# A wall of the hair's colour: light pixels with little saturation, except face, suit and flag.
convert "$portrait" -alpha off \( -clone 0 -colorspace HSL -channel G -separate +channel -blur 0x0.7 -level 22%,42% -negate \) \
    \( -clone 0 -colorspace Gray -level 42%,58% \) -delete 0 -compose multiply -composite -colorspace Gray -fill black \
    -draw "ellipse 222,95 40,62 0,360" -draw "ellipse 222,110 44,50 0,360" \
    -draw "polygon 0,512 70,240 112,205 119,187 129,176 151,162 185,153 188,140 256,140 255,167 266,174 289,198 300,229 312,245 345,290 380,512" \
    -draw "polygon 0,0 46,0 68,70 84,165 40,330 0,330" "$work/wall.miff"
convert "$portrait" -alpha off \( +clone -fill "#7A6040" -colorize 100 -clone 0 -compose multiply -composite \) "$work/wall.miff" \
    -compose over -composite -resize 200% "$work/4-wall.png"

crop() { # BACKGROUND PHOTO FLAGS...
    IRON_CROPPER_HOME="$work/home" IRON_CROPPER_RUNTIME=tract ORT_DISABLE_TELEMETRY=1 \
        "$program" crop "$work/$2.png" -o "$work/$1" --size 400x400px --format png --background "$1" "${@:3}" >/dev/null
}
for background in keep white; do
    crop "$background" 1-objects --head-height 26 --position eye-line=70
    for photo in 2-dark 3-small 4-wall; do crop "$background" "$photo" --head-height 58; done
done
montage "$work"/keep/*.png "$work"/white/*.png -tile 4x2 -geometry 400x400+4+4 -background '#808080' -strip -quality 84 "$sheet"
