#!/usr/bin/env bash
# Starts the real window on a virtual screen with the sample photos and uses it: waits for faces, drops one more photo,
# takes a screenshot, measures the idle processor time, closes the window.
# usage: bash tests/smoke/window.sh        (the screenshot is saved in the target folder, under smoke/)
# needs: xvfb openbox imagemagick python3-xlib and the window's own libraries: see .ci/run
set -euo pipefail
cd "$(dirname "$0")/../.."

python=/usr/bin/python3 # Debian's, which sees the package python3-xlib
target=${CARGO_TARGET_DIR:-target}
pictures=$target/smoke
mkdir -p "$pictures"
rm -f "$pictures"/*.png
work=$(mktemp -d)
started=()

clean_up() {
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clean_up EXIT

fail() {
    echo "FAIL window: $*"
    import -window root "$pictures/failed.png" 2>/dev/null && echo "the screen is in $pictures/failed.png"
    echo "-- what the program printed"; tail -n 20 "$work/printed" 2>/dev/null || true
    echo "-- the end of its log"; logs | tail -n 40
    exit 1
}

logs() { find "$work/home/logs" -type f -exec cat {} + 2>/dev/null || true; }

# Number of photos with at least one detected face.
photos_with_faces() { logs | grep 'photo indexed' | grep -cE 'faces=[1-9]' || true; }

wait_for_photos() { # COUNT SECONDS
    for _ in $(seq $((2 * $2))); do
        kill -0 "$app" 2>/dev/null || fail "the program ended by itself"
        [ "$(photos_with_faces)" -ge "$1" ] && return
        sleep 0.5
    done
    fail "faces in $(photos_with_faces) photos after $2 s, expected $1"
}

ticks() { awk '{ print $14 + $15 }' "/proc/$app/stat"; }

cargo build --locked --bin iron-cropper

Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp 3>"$work/display" 2>/dev/null &
started+=($!)
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
[ -s "$work/display" ] || fail "Xvfb does not start"
DISPLAY=:$(<"$work/display")
export DISPLAY LIBGL_ALWAYS_SOFTWARE=1
unset WAYLAND_DISPLAY
openbox >/dev/null 2>&1 &
started+=($!)
"$python" tests/smoke/xwindow.py manager || fail "openbox does not start"

# The path of the dropped photo needs escaping.
dropped="$work/dröpped % #1/ä photo.png"
mkdir -p "$(dirname "$dropped")"
cp assets/samples/astronaut.png "$dropped"
photos=$(find assets/samples -type f | wc -l)
before=$(find assets/samples -type f -exec sha256sum {} + | sort)

IRON_CROPPER_HOME="$work/home" "$target/debug/iron-cropper" assets/samples >"$work/printed" 2>&1 &
app=$!
started+=("$app")
"$python" tests/smoke/xwindow.py wait "$app" --timeout 30 || fail "no window"

wait_for_photos "$photos" 120
echo "faces found in $photos photos"

"$python" tests/smoke/xwindow.py drop "$app" "$dropped" || fail "the drop did not work"
wait_for_photos $((photos + 1)) 60
echo "faces found in the dropped photo"

sleep 2
import -window root "$pictures/window.png"
colors=$(identify -format '%k' "$pictures/window.png")
deviation=$(identify -format '%[fx:round(1000*standard_deviation)]' "$pictures/window.png")
echo "screen: $colors colours, standard deviation 0.$(printf '%03d' "$deviation"), in $pictures/window.png"
[ "$colors" -ge 2000 ] && [ "$deviation" -ge 30 ] || fail "the screen looks blank"

# An idle window does not repaint. A tick is a hundredth of a second.
idle=fail
for _ in 1 2 3 4 5 6; do
    start=$(ticks); sleep 5; used=$(($(ticks) - start))
    echo "processor time in 5 s of idling: $used ticks"
    [ "$used" -le 5 ] && { idle=ok; break; }
done
[ $idle = ok ] || fail "the window does not come to rest"

"$python" tests/smoke/xwindow.py close "$app" || fail "the window cannot be closed"
for _ in $(seq 100); do kill -0 "$app" 2>/dev/null || break; sleep 0.1; done
kill -0 "$app" 2>/dev/null && fail "the program still runs 10 s after its window was closed"
code=0
wait "$app" || code=$?
[ $code -eq 0 ] || fail "exit code $code after closing"
! grep -qE 'panic: |panicked' "$work/printed" || fail "a panic was printed"
! logs | grep -qE 'panic: |panicked' || fail "a panic was logged"
[ "$before" = "$(find assets/samples -type f -exec sha256sum {} + | sort)" ] || fail "a sample photo was changed"
echo "PASS window: $((photos + 1)) photos, one of them dropped"
