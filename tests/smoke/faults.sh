#!/usr/bin/env bash
# Full, read-only and disconnected disks, each with the expected error message. Needs permission to mount.
# usage: bash tests/smoke/faults.sh PROGRAM
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "$1")
work=$(mktemp -d)
export IRON_CROPPER_HOME="$work/home" IRON_CROPPER_RUNTIME=tract
mounted=""
tidy() { [ -z "$mounted" ] || umount -l "$mounted" 2>/dev/null || true; rm -rf "$work"; }
trap tidy EXIT
fail() { echo "FAIL faults: $*"; exit 1; }
mkdir -p "$work/in" "$work/disk"
for number in $(seq 1 12); do cp assets/samples/sideways.jpg "$work/in/photo$number.jpg"; done
mount -t tmpfs -o size=1m tmpfs "$work/disk" 2>/dev/null || { echo "SKIP faults: nothing can be mounted here"; exit 0; }
mounted="$work/disk"
run() { "$program" crop "$work/in" -o "$1" "${@:2}" >"$work/output" 2>&1; }

echo "== a disk of 1 MB"
# Large crops, so that a few fill it.
run "$work/disk/out" --size 1500x1875px --quality 100 && fail "a full disk is no success"
grep -E "^stopped:|photos left" "$work/output" || fail "no reason: $(cat "$work/output")"
grep -q "the disk is full" "$work/output" || fail "no clear word: $(cat "$work/output")"
[ -z "$(find "$work/disk" -name '.iron-cropper-*')" ] || fail "a half file is left"
whole=$(find "$work/disk/out" -name '*.jpg' | wc -l)
mount -o remount,size=64m "$work/disk"
run "$work/disk/out" --size 1500x1875px --quality 100 --resume || fail "resume: $(tail -3 "$work/output")"
[ "$(grep -cE "already done" "$work/output")" -ge 1 ] && [ "$(find "$work/disk/out" -name '*.jpg' | wc -l)" -eq 12 ] || fail "resume: $(cat "$work/output")"
echo "$whole crops before, 12 after --resume"

echo "== a read-only disk"
mount -o remount,ro "$work/disk"
run "$work/disk/elsewhere" && fail "a read-only disk is no success"
[ "$(grep -c ": failed: " "$work/output")" -eq 12 ] || fail "$(cat "$work/output")"
tail -3 "$work/output"

echo "== photos that go away"
mount -o remount,rw "$work/disk"
mkdir "$work/disk/in" && cp "$work"/in/* "$work/disk/in"
"$program" crop "$work/disk/in" -o "$work/out" --jobs 1 >"$work/output" 2>&1 &
sleep 0.7; umount -l "$work/disk"; mounted=""
wait $! && fail "photos that are gone are no success"
grep -q ": failed: " "$work/output" || fail "$(cat "$work/output")"
tail -2 "$work/output"
echo "PASS faults"
