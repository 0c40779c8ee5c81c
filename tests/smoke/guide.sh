#!/usr/bin/env bash
# Takes the screenshots of docs/user/guide.md from the real window on a virtual display, using shortcuts and the command palette.
# usage: bash tests/smoke/guide.sh [FOLDER]        (default: docs/images/guide)
# needs: what tests/smoke/window.sh needs, and xdotool; a Japanese font for the last screenshot
set -euo pipefail
cd "$(dirname "$0")/../.."

python=/usr/bin/python3
target=${CARGO_TARGET_DIR:-target}
program=${IRON_CROPPER:-$target/debug/iron-cropper}
pictures=${1:-docs/images/guide}
mkdir -p "$pictures"
work=$(mktemp -d)
started=()
clean_up() {
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clean_up EXIT

# Thirty photos made from four: mirrored, rotated, cropped, dark, blurred and small ones, one without a face, two damaged ones.
photos="$work/School 4b"
mkdir "$photos"
number=0
photo() { # SOURCE MAGICK-ARGUMENTS...
    number=$((number + 1))
    convert "assets/samples/$1" -resize 400% "${@:2}" -quality 90 "$photos/$(printf 'DSC_%04d.jpg' $((4100 + number)))"
}
for gain in 100 92 108; do
    photo astronaut.png -modulate "$gain"
    photo astronaut.png -flop -modulate "$gain"
    photo three_prints.jpg -modulate "$gain"
    photo near_the_edge.jpg -modulate "$gain"
    photo sideways.jpg -modulate "$gain"
    photo astronaut.png -distort SRT $((gain - 100)) -modulate 104
done
photo astronaut.png -modulate 24
photo astronaut.png -blur 0x20
photo astronaut.png -resize 12%
photo astronaut.png -distort SRT 38
photo near_the_edge.jpg -flop
photo astronaut.png -crop 1200x1200+480+0 +repage
photo three_prints.jpg -flop
photo astronaut.png -colorspace Gray
photo astronaut.png -modulate 100,60
convert -seed 7 -size 900x700 plasma:tan-sienna -quality 90 "$photos/DSC_4190.jpg"
convert assets/samples/astronaut.png -quality 90 "$work/whole.jpg"
head -c 40000 "$work/whole.jpg" >"$photos/DSC_4191.jpg"
echo "no picture" >"$photos/DSC_4192.jpg"
count=$(find "$photos" -type f | wc -l)

screen() { # WIDTH HEIGHT
    width=$1 height=$2
    Xvfb -displayfd 3 -screen 0 "$1x$2x24" -nolisten tcp 3>"$work/display" 2>/dev/null &
    started+=($!)
    for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
    DISPLAY=:$(<"$work/display")
    export DISPLAY
    openbox >/dev/null 2>&1 &
    started+=($!)
    "$python" tests/smoke/xwindow.py manager
    : >"$work/display"
}

logs() { find "$work/home/logs" -type f -exec cat {} + 2>/dev/null || true; }
indexed() { logs | grep -c 'photo indexed' || true; }

# ONNX Runtime, if .ci/run has downloaded it.
library=()
for file in "$target"/onnxruntime/libonnxruntime.so*; do [ ! -f "$file" ] || library=(--onnxruntime "$file"); done

open_window() { # PHOTOS PATH...
    local wanted=$1
    shift
    # As on the first start, except for the settings.
    rm -rf "${work:?}/home"
    mkdir -p "$work/home"
    cp "$work/settings" "$work/home/settings.toml"
    IRON_CROPPER_HOME="$work/home" IRON_CROPPER_RUNTIME=tract "$program" "${library[@]}" "$@" >"$work/printed" 2>&1 &
    app=$!
    started+=("$app")
    "$python" tests/smoke/xwindow.py wait "$app" --timeout 60
    for _ in $(seq 240); do [ "$(indexed)" -ge "$wanted" ] && break; sleep 0.5; done
    window=$(xdotool search --pid "$app" --onlyvisible | tail -n 1)
    # The whole screen except the title bar.
    xdotool windowmove "$window" 0 0 windowsize "$window" "$width" $((height - 24)) 2>/dev/null || true
    xdotool windowactivate "$window" 2>/dev/null || true
    sleep 3
}

close_window() {
    kill "$app" 2>/dev/null || true
    wait "$app" 2>/dev/null || true
}

key() { xdotool key --clearmodifiers "$@"; sleep 0.6; }

# Runs an action by its English name.
act() {
    key ctrl+k
    xdotool type --delay 15 "$1"
    sleep 0.5
    key Return
    sleep 0.6
}

take() { # NAME
    xdotool mousemove 2 2
    sleep 1
    import -window "$window" "$work/shot.png"
    convert "$work/shot.png" -quality "${2:-82}" "$pictures/$1.webp"
    echo "$pictures/$1.webp"
}

export LIBGL_ALWAYS_SOFTWARE=1 LC_ALL=C.UTF-8
unset WAYLAND_DISPLAY
screen 1440 900
printf 'output_folder = "%s"\n[window]\ntheme = "light"\n' "$work/Crops" >"$work/settings"
open_window 0
take empty
close_window

open_window $((count - 1)) "$photos"
key Home
take loaded
key l
take review
key l
key Home
act "Guides: thirds"
act "Edit frame"
key --repeat 12 --delay 40 Right
key --repeat 6 --delay 40 Up
key Escape
key --repeat 8 --delay 60 period
take edited
act "Reset photo"
act "Guides: none"
act "Before and after"
take before-and-after
act "Before and after"
act "Contact sheet"
take grid
act "Contact sheet"
key ctrl+k
xdotool type --delay 15 "review"
take palette
key Escape
key question
take keys
key Escape
act "Compare runtimes"
# Start.
xdotool mousemove --window "$window" 543 190 click 1
sleep 25
take compare
act "Compare runtimes"
act "Export all"
sleep 0.7
take export-running
for _ in $(seq 240); do logs | grep -q 'batch ended' && break; sleep 0.5; done
sleep 2
take export-done
act "Theme: dark"
take dark
close_window

screen 2200 1400
WINIT_X11_SCALE_FACTOR=2 open_window $((count - 1)) "$photos"
take scale-200
close_window

screen 1440 900
export LC_ALL=ja_JP.UTF-8 LANG=ja_JP.UTF-8
open_window $((count - 1)) "$photos"
take japanese
close_window
