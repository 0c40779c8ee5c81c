#!/usr/bin/env bash
# Ends the window by SIGSEGV while it reads a photo, and starts it again: it says so once, names the photo, and does not read it.
# A second window is no crash, and neither is one that was closed.
# usage: bash tests/smoke/crash.sh PROGRAM [DISPLAY NUMBER]
# needs: xvfb openbox imagemagick python3-xlib and the window's own libraries; the picture stays in the
# target folder, as smoke/crash.png
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "$1")
python=/usr/bin/python3 # Debian's, which sees the package python3-xlib
display=:${2:-96}
pictures=${CARGO_TARGET_DIR:-target}/smoke
work=$(mktemp -d)
state=$work/home
screen='' running=()
end() {
    for id in "${running[@]}" $screen; do kill "$id" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
fail() { echo "FAIL crash: $*"; exit 1; }
log=$state/logs/iron-cropper.log
ulimit -c 0

command -v Xvfb >/dev/null || { echo "SKIPPED crash: Xvfb is not installed"; exit 0; }
Xvfb "$display" -screen 0 1280x800x24 -nolisten tcp >/dev/null 2>&1 &
screen=$!
sleep 1
export DISPLAY=$display IRON_CROPPER_HOME=$state IRON_CROPPER_RUNTIME=tract LIBGL_ALWAYS_SOFTWARE=1
unset WAYLAND_DISPLAY
openbox >/dev/null 2>&1 &
running+=($!)
"$python" tests/smoke/xwindow.py manager
open() { "$program" "$@" >"$work/told" 2>&1 & running+=($!); last=$!; }
until_said() {
    for _ in $(seq 240); do
        grep -q "$1" "$log" 2>/dev/null && return
        kill -0 "$last" 2>/dev/null || fail "the window ended: $(tail -3 "$work/told")"
        sleep 0.25
    done
    fail "never said in the log: $1"
}
at_hand() { head -qn1 "$state"/sessions/*.session 2>/dev/null | grep -o '[a-z0-9-]*\.png' | head -1 || true; }

mkdir "$work/photos"
for number in $(seq 40); do cp assets/samples/astronaut.png "$work/photos/photo-$number.png"; done
open "$work/photos"
first=$last photo=''
for _ in $(seq 4000); do
    photo=$(at_hand)
    [ -z "$photo" ] || break
    kill -0 "$first" 2>/dev/null || fail "the window ended: $(tail -3 "$work/told")"
    sleep 0.01
done
[ -n "$photo" ] || fail "no photo was ever at hand"
# The first is taken for a stack that has grown too far; the second ends the program.
kill -SEGV "$first"
sleep 0.2
kill -SEGV "$first" 2>/dev/null || true
wait "$first" 2>/dev/null || true
photo=$(at_hand)
[ -n "$photo" ] || { echo "SKIPPED crash: the window was between two photos when it ended; run it again"; exit 0; }
echo "ended while reading $photo"

open "$work/photos"
second=$last
until_said "ended without closing"
grep "ended without closing" "$log" | grep -q "$photo" || fail "the log does not name $photo"
until_said "surveyed"
sleep 8
grep -E "surveyed|inspected" "$log" | grep -q "/$photo" && fail "$photo was read again"
if command -v import >/dev/null; then mkdir -p "$pictures"; import -window root "$pictures/crash.png"; fi

# Another window while this one runs.
open
third=$last
"$python" tests/smoke/xwindow.py wait "$third" --timeout 30 || fail "no window"
sleep 2
grep -q "ended without closing" "$log" && fail "a window that runs was taken for one that crashed"

# Closed as a window manager does it: nothing is left, and the next start says nothing.
for id in "$third" "$second"; do
    "$python" tests/smoke/xwindow.py close "$id" || fail "the window cannot be closed"
    wait "$id" || fail "exit code $? after closing"
done
[ -z "$(ls "$state/sessions")" ] || fail "left behind: $(ls "$state/sessions")"
open
until_said "runtime ready"
sleep 2
grep -q "ended without closing" "$log" && fail "a window that was closed was taken for one that crashed"
grep -q "$photo" "$state/settings.toml" || fail "the settings do not keep that $photo is held back"
echo "PASS crash: told once, $photo named and not read again; a second window and a closed one are no crash"
