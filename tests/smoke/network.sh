#!/usr/bin/env bash
# Runs the window under strace on a virtual display, with a photo: no call may open a network socket, and only the files listed in
# docs/user/privacy.md may be written below the home. With ONNX Runtime, it runs longer than the library waits before its first report.
# usage: bash tests/smoke/network.sh PROGRAM [DISPLAY NUMBER]        (needs strace, Xvfb and a graphics library)
#        IRON_CROPPER_TEST_ONNXRUNTIME names the library
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

runtime=(IRON_CROPPER_RUNTIME=tract) longer=3 with='without ONNX Runtime'
if [ -n "${IRON_CROPPER_TEST_ONNXRUNTIME:-}" ]; then
    runtime=(IRON_CROPPER_RUNTIME=ort ORT_DYLIB_PATH="$(realpath "$IRON_CROPPER_TEST_ONNXRUNTIME")")
    longer=16 with='with ONNX Runtime'
fi

Xvfb "$display" -screen 0 1280x800x24 -nolisten tcp >/dev/null 2>&1 &
screen=$!
sleep 1
mkdir "$work/home"
# A minimal environment: if a variable indicates a build service, the library disables telemetry itself.
env -i PATH="$PATH" HOME="$work/home" DISPLAY="$display" LIBGL_ALWAYS_SOFTWARE=1 "${runtime[@]}" \
    strace -f -qq -e trace=network -o "$work/trace" "$program" assets/samples/astronaut.png >"$work/output" 2>&1 &
window=$!
# Until detection has finished, then a little longer.
log=$work/home/.local/state/iron-cropper/logs/iron-cropper.log
for _ in $(seq 120); do
    grep -q "photo opened" "$log" 2>/dev/null && break
    kill -0 "$window" 2>/dev/null || fail "the window ended: $(tail -3 "$work/output")"
    sleep 0.5
done
grep -q "photo opened" "$log" || fail "the photo was not looked at"
sleep "$longer"
kill -0 "$window" 2>/dev/null || fail "the window ended: $(tail -3 "$work/output")"
calls=$(grep -cE 'socket\(|connect\(' "$work/trace") || true
[ "$calls" -gt 0 ] || fail "nothing was traced"
out=$(grep -E 'AF_(INET|INET6|PACKET|VSOCK|BLUETOOTH)' "$work/trace" || true)
[ -z "$out" ] || fail "calls to the network: $out"
strange=$(find "$work/home" -type f | grep -vE '/home/\.(config|cache|local/state|local/share)/iron-cropper/|/home/\.cache/mesa_shader_cache' || true)
[ -z "$strange" ] || fail "written below the home: $strange"
echo "PASS network: $with, none of the $calls sockets of the window leaves this machine, and the home folder has no other files"
