#!/usr/bin/env bash
# Runs the window under strace on a screen of its own, with a photo: no call may open a network socket.
# usage: bash tests/smoke/network.sh PROGRAM [DISPLAY NUMBER]        (needs strace, Xvfb and a graphics library)
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "$1")
display=:${2:-97}
for tool in strace Xvfb; do
    command -v "$tool" >/dev/null || { echo "SKIPPED network: $tool is not installed"; exit 0; }
done
work=$(mktemp -d)
screen='' window=''
end() {
    [ -z "$window" ] || kill "$window" 2>/dev/null || true
    [ -z "$screen" ] || kill "$screen" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
fail() { echo "FAIL network: $*"; exit 1; }

Xvfb "$display" -screen 0 1280x800x24 -nolisten tcp >/dev/null 2>&1 &
screen=$!
sleep 1
DISPLAY=$display IRON_CROPPER_HOME="$work/home" IRON_CROPPER_RUNTIME=tract LIBGL_ALWAYS_SOFTWARE=1 \
    strace -f -qq -e trace=network -o "$work/trace" "$program" assets/samples/astronaut.png >"$work/told" 2>&1 &
window=$!
# Until the photo was looked at, then a little longer.
for _ in $(seq 120); do
    grep -q "inspected" "$work/home/logs/iron-cropper.log" 2>/dev/null && break
    kill -0 "$window" 2>/dev/null || fail "the window ended: $(tail -3 "$work/told")"
    sleep 0.5
done
grep -q "inspected" "$work/home/logs/iron-cropper.log" || fail "the photo was not looked at"
sleep 3
calls=$(grep -cE 'socket\(|connect\(' "$work/trace") || true
[ "$calls" -gt 0 ] || fail "nothing was traced"
out=$(grep -E 'AF_(INET|INET6|PACKET|VSOCK|BLUETOOTH)' "$work/trace" || true)
[ -z "$out" ] || fail "calls to the network: $out"
echo "PASS network: of $calls sockets of the window none goes past this machine"
