#!/usr/bin/env bash
# Tests the Windows program under Wine: command line, console, window with a dropped file, ONNX Runtime, installer.
# usage: bash tests/cross/wine.sh FOLDER        the folder of iron-cropper.exe and iron-cropper.com, built by run.sh
# needs: the packages that run.sh needs
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
photos_with_faces() { logs | grep 'photo indexed' | grep -cE 'faces=[1-9]' || true; }
wait_for_photos() { # COUNT SECONDS
    for _ in $(seq "$2"); do
        kill -0 "$app" 2>/dev/null || fail "the program ended by itself"
        [ "$(photos_with_faces)" -ge "$1" ] && return
        sleep 1
    done
    fail "faces in $(photos_with_faces) photos after $2 s, expected $1"
}

Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp 3>"$work/display" 2>/dev/null &
started+=($!)
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
DISPLAY=:$(<"$work/display")
export DISPLAY LIBGL_ALWAYS_SOFTWARE=1
openbox >/dev/null 2>&1 &
started+=($!)

# Wine 8 has no bcryptprimitives.dll, which Rust's library uses for random numbers: implements its one function with another API.
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

run "$work/program/iron-cropper.com" runtimes >"$work/runtimes" || fail "runtimes ended with $?"
for runtime in tract rten; do
    grep -q "^$runtime  *ready" "$work/runtimes" || fail "$runtime is not ready"
done
run "$work/program/iron-cropper.com" doctor >"$work/doctor" || fail "doctor ended with $?"
grep -q 'A photo can be cropped' "$work/doctor" || fail "doctor could not crop"

echo "-- console: to a file, through the program a shell waits for, and its exit codes"
run cmd /c "Z:$work/program/iron-cropper.exe --version > Z:$work/version.txt" || fail "--version ended with $?"
grep -q 'iron-cropper' "$work/version.txt" || fail "--version wrote nothing to the file"
run "$work/program/iron-cropper.com" presets 2>/dev/null | grep . >/dev/null || fail "the program a shell waits for passes nothing on"
printed=$(script -qec "timeout 300 '$wine' cmd /c Z:$work/program/iron-cropper.exe --version" /dev/null </dev/null)
grep -q 'iron-cropper' <<<"$printed" || fail "the GUI program prints nothing in a console"
code=0
run "$work/program/iron-cropper.com" crop "Z:$work/nothing-there" -o "Z:$work/out" >/dev/null 2>&1 || code=$?
[ "$code" -eq 1 ] || fail "a folder that is not there gave exit code $code"
echo "$(tr -d '\r' <"$work/version.txt"); exit code $code for a folder that is not there"

# Wine 8 has Direct3D 12 on Vulkan, but cannot compile shaders for it: by default the program falls back to OpenGL. wgpu, the
# renderer on Windows, is tested on Vulkan instead.
open_window() { # VARIABLE=VALUE...
    rm -rf "${work:?}/home"
    env "$@" timeout 900 "$wine" "$work/program/iron-cropper.exe" "Z:$work/samples" >"$work/printed" 2>&1 &
    app=$!
    started+=("$app")
    window=
    for _ in $(seq 120); do
        window=$(xdotool search --onlyvisible --name '^Iron Cropper' 2>/dev/null | head -n 1) && [ -n "$window" ] && break
        kill -0 "$app" 2>/dev/null || fail "the program ended by itself"
        sleep 1
    done
    [ -n "$window" ] || fail "no window"
    shown=$(xdotool getwindowpid "$window")
    wait_for_photos "$photos" 300
}
close_window() { # PICTURE
    sleep 5
    import -window root "$pictures/$1"
    [ "$(identify -format '%k' "$pictures/$1")" -ge 2000 ] || fail "the screen looks blank"
    "$python" tests/smoke/xwindow.py close "$shown" || fail "the window cannot be closed"
    for _ in $(seq 240); do kill -0 "$app" 2>/dev/null || break; sleep 0.5; done
    kill -0 "$app" 2>/dev/null && fail "the program still runs after its window was closed"
    wait "$app" || fail "exit code $? after closing"
    ! logs | grep -qE 'panic: |panicked' || fail "a panic was logged"
}

echo "-- window, drawn by wgpu"
open_window WGPU_BACKEND=vulkan
dropped="$work/dröpped % #1/ä photo.png"
mkdir -p "$(dirname "$dropped")"
cp assets/samples/astronaut.png "$dropped"
"$python" tests/smoke/xwindow.py drop "$shown" "$dropped" --timeout 60 || fail "the drop did not work"
wait_for_photos $((photos + 1)) 120
close_window window.png
echo "faces in $photos photos and in the dropped one; the screen is in $pictures/window.png"

echo "-- window, where Direct3D 12 cannot be used"
open_window
logs | grep -q 'cannot be drawn.*wgpu' || fail "Direct3D 12 works after all"
close_window opengl.png
echo "drawn by OpenGL; the screen is in $pictures/opengl.png"

echo "-- ONNX Runtime (DirectML results are shown but not checked: wine's Direct3D 12 is not representative)"
for flavour in cpu directml; do
    library=$built/onnxruntime-$flavour
    python3 installer/onnxruntime/fetch.py --flavour $flavour --system windows --machine x86_64 --to "$library" >/dev/null
    for provider in cpu directml; do
        code=0
        run "$work/program/iron-cropper.com" detect "Z:$work/samples/astronaut.png" --runtime "ort:$provider" \
            --onnxruntime "Z:$library" >"$work/output" 2>&1 || code=$?
        echo "$flavour library, ort:$provider: exit code $code, $(tr -d '\r' <"$work/output" | tail -n 1)"
        [ "$code" -eq 0 ] || [ $provider = directml ] || fail "ONNX Runtime does not find the face"
    done
done

echo "-- installer"
echo "see the release" >"$work/licences"
python3 installer/windows/package.py --binary "$built/iron-cropper.exe" --to "$work/dist" --licences "$work/licences" \
    --onnxruntime "$built/onnxruntime-directml"
# The folders it uses are tested too.
unset IRON_CROPPER_HOME IRON_CROPPER_RUNTIME
STUB=$work/program/bcryptprimitives.dll bash tests/cross/installer.sh "$work"/dist/*-setup.exe with-program
echo "PASS wine"
