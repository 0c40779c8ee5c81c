#!/usr/bin/env bash
# Starts the real window on a virtual screen and checks what screen readers are told of it through AT-SPI.
# usage: bash tests/smoke/accessible.sh [PROGRAM]        (built in the target folder, if not given)
# needs: xvfb dbus-daemon at-spi2-core python3-pyatspi and the window's own libraries: see .ci/run
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${CARGO_TARGET_DIR:-target}
program=${1:-$target/debug/iron-cropper}
[ $# -gt 0 ] || cargo build --locked --bin iron-cropper
work=$(mktemp -d)
started=()

clean_up() {
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clean_up EXIT

# Without a reset: it breaks connections that begin when the last client leaves.
Xvfb -displayfd 3 -screen 0 1400x900x24 -noreset -nolisten tcp 3>"$work/display" 2>/dev/null &
started+=($!)
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
[ -s "$work/display" ] || { echo "FAIL accessible: Xvfb does not start"; exit 1; }
DISPLAY=:$(<"$work/display")
export DISPLAY LIBGL_ALWAYS_SOFTWARE=1 IRON_CROPPER_HOME="$work/home"
unset WAYLAND_DISPLAY

# A session bus of its own. Debian's Python sees the package python3-pyatspi.
dbus-run-session -- /usr/bin/python3 tests/smoke/accessible.py "$program" assets/samples
