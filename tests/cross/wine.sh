#!/usr/bin/env bash
# Uses the Windows program under wine: command line, console, window with a dropped file, ONNX Runtime, installer.
# usage: bash tests/cross/wine.sh FOLDER        the folder of iron-cropper.exe and iron-cropper.com, built by run.sh
# needs: what run.sh needs
set -euo pipefail
cd "$(dirname "$0")/../.."
built=$(realpath "$1")
pictures=$built/pictures
mkdir -p "$pictures"
rm -f "$pictures"/*.png

work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEARCH=win64
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
python=/usr/bin/python3 # Debian's, which sees the package python3-xlib
started=()
clean_up() {
    "${wine%64}server64" -k 2>/dev/null || true
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clean_up EXIT
fail() {
    echo "FAIL wine: $*"
    import -window root "$pictures/failed.png" 2>/dev/null && echo "the screen is in $pictures/failed.png"
    exit 1
}
logs() { find "$work/home/logs" -type f -exec cat {} + 2>/dev/null || true; }
surveyed() { logs | grep 'surveyed' | grep -cE 'faces=[1-9]' || true; }
wait_for_surveyed() { # COUNT SECONDS
    for _ in $(seq "$2"); do
        kill -0 "$app" 2>/dev/null || fail "the program ended by itself"
        [ "$(surveyed)" -ge "$1" ] && return
        sleep 1
    done
    fail "faces in $(surveyed) photos after $2 s, expected $1"
}

Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp 3>"$work/display" 2>/dev/null &
started+=($!)
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
DISPLAY=:$(<"$work/display")
export DISPLAY LIBGL_ALWAYS_SOFTWARE=1
openbox >/dev/null 2>&1 &
started+=($!)

# Wine 8 has no bcryptprimitives.dll, from which Rust's library takes random numbers: its one function, made of another's.
cat >"$work/stub.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return SystemFunction036(data, (ULONG)length); }
C
mkdir "$work/program"
cp "$built/iron-cropper.exe" "$built/iron-cropper.com" "$work/program"
x86_64-w64-mingw32-gcc-win32 -shared -o "$work/program/bcryptprimitives.dll" "$work/stub.c" -ladvapi32
cp -r assets/samples "$work/samples"
photos=$(find "$work/samples" -type f | wc -l)
export IRON_CROPPER_HOME="Z:$work/home" IRON_CROPPER_RUNTIME=tract
run() { timeout 900 "$wine" "$@"; }
run wineboot -i >/dev/null 2>&1

echo "-- command line"
run "$work/program/iron-cropper.exe" crop "Z:$work/samples" -o "Z:$work/out" --json >"$work/lines.json" || fail "crop ended with $?"
crops=$(find "$work/out" -maxdepth 1 -type f | wc -l)
[ "$crops" -eq "$photos" ] || fail "$photos photos gave $crops crops"
grep -c '"outcome":"cropped"' "$work/lines.json" | grep -qx "$photos" || fail "the lines do not say so"
echo "$crops crops of $photos photos"

echo "-- console: to a file, through the program a shell waits for, and its exit codes"
run cmd /c "Z:$work/program/iron-cropper.exe --version > Z:$work/version.txt" || fail "--version ended with $?"
grep -q 'iron-cropper' "$work/version.txt" || fail "--version wrote nothing to the file"
run "$work/program/iron-cropper.com" presets 2>/dev/null | tr -d '\r' | grep -q . || fail "the program a shell waits for passes nothing on"
said=$(script -qec "timeout 300 '$wine' cmd /c Z:$work/program/iron-cropper.exe --version" /dev/null </dev/null)
grep -q 'iron-cropper' <<<"$said" || fail "the windowed program says nothing in a console"
code=0
run "$work/program/iron-cropper.com" crop "Z:$work/nothing-there" -o "Z:$work/out" >/dev/null 2>&1 || code=$?
[ "$code" -eq 2 ] || [ "$code" -eq 1 ] || fail "a folder that is not there gave exit code $code"
echo "$(tr -d '\r' <"$work/version.txt"); exit code $code for a folder that is not there"

echo "-- window"
run "$work/program/iron-cropper.exe" "Z:$work/samples" >"$work/printed" 2>&1 &
app=$!
started+=("$app")
window=
for _ in $(seq 120); do
    window=$(xdotool search --onlyvisible --name '^Iron Cropper' 2>/dev/null | head -n 1) && [ -n "$window" ] && break
    sleep 1
done
[ -n "$window" ] || fail "no window"
wait_for_surveyed "$photos" 300
dropped="$work/dröpped % #1/ä photo.png"
mkdir -p "$(dirname "$dropped")"
cp assets/samples/astronaut.png "$dropped"
"$python" tests/smoke/xwindow.py drop "$(xdotool getwindowpid "$window")" "$dropped" --timeout 60 || fail "the drop did not work"
wait_for_surveyed $((photos + 1)) 120
sleep 5
import -window root "$pictures/window.png"
colors=$(identify -format '%k' "$pictures/window.png")
[ "$colors" -ge 2000 ] || fail "the screen looks blank"
"$python" tests/smoke/xwindow.py close "$(xdotool getwindowpid "$window")" || fail "the window cannot be closed"
for _ in $(seq 60); do kill -0 "$app" 2>/dev/null || break; sleep 0.5; done
kill -0 "$app" 2>/dev/null && fail "the program still runs after its window was closed"
! logs | grep -qE 'panic: |panicked' || fail "a panic was logged"
echo "faces in $photos photos and in the dropped one; the screen is in $pictures/window.png"

echo "-- ONNX Runtime (what comes of it is told, not judged: wine lacks much that the library asks for)"
for flavour in cpu directml; do
    python3 installer/onnxruntime/fetch.py --flavour $flavour --system windows --machine x86_64 --to "$built/onnxruntime-$flavour" >/dev/null
    provider=$([ $flavour = cpu ] && echo ort:cpu || echo ort:directml)
    run "$work/program/iron-cropper.exe" detect "Z:$work/samples/astronaut.png" --runtime $provider \
        --onnxruntime "Z:$built/onnxruntime-$flavour" 2>&1 | tr -d '\r' | tail -n 2 | sed "s/^/$provider: /" || true
done

echo "-- installer"
echo "see the release" >"$work/licences"
python3 installer/windows/package.py --binary "$built/iron-cropper.exe" --to "$work/dist" --licences "$work/licences" \
    --onnxruntime "$built/onnxruntime-directml"
STUB=$work/program/bcryptprimitives.dll bash tests/cross/installer.sh "$work"/dist/*-setup.exe with-program
echo "PASS wine"
