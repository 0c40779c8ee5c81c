#!/usr/bin/env bash
# Kills the program at random moments of a run and resumes the run, many times: no file may be missing, incomplete, or
# different from an uninterrupted run.
# usage: bash tests/smoke/kill.sh PROGRAM [KILLS] [FOLDER OF PHOTOS]
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "$1")
kills=${2:-100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export IRON_CROPPER_HOME="$work/home" IRON_CROPPER_RUNTIME=tract
fail() { echo "FAIL kill: $*"; exit 1; }

photos=${3:+$(realpath "$3")}; photos=${photos:-$work/in}
if [ -z "${3:-}" ]; then
    # The samples in several folders, so that names clash, and one file that is not an image.
    for folder in a b c d; do mkdir -p "$photos/$folder"; cp assets/samples/* "$photos/$folder"; done
    echo "no picture" >"$photos/b/broken.jpg"
fi
# The output folder is a relative path, as most users give it.
cd "$work"
crop() { "$program" crop "$photos" -o "$1" --select all --size 200x250px --resume >"$work/output" 2>&1; }
sums() { (cd "$1" && find . -type f -not -path './.iron-cropper/*' -exec sha256sum {} + | sort -k2); }

originals=$(cd "$photos" && find . -type f -exec sha256sum {} + | sort)
begin=$(date +%s%N)
crop whole || [ $? -eq 1 ] || fail "the uninterrupted run: $(tail -2 "$work/output")"
took=$(( ($(date +%s%N) - begin) / 1000000 ))
sums whole >"$work/expected"
echo "uninterrupted: $(wc -l <"$work/expected") files in $took ms"

killed=0 rounds=0
while [ "$killed" -lt "$kills" ]; do
    rm -rf out
    rounds=$((rounds + 1))
    # Several kills per run, distributed over its whole duration.
    for _ in 1 2 3; do
        "$program" crop "$photos" -o out --select all --size 200x250px --resume >/dev/null 2>&1 &
        run=$!
        sleep "$(awk -v seed="$RANDOM$RANDOM" -v took="$took" 'BEGIN { srand(seed); print rand() * took / 1000 }')"
        kill -9 "$run" 2>/dev/null && killed=$((killed + 1))
        wait "$run" 2>/dev/null || true
        [ -d out ] || continue
        # Every file with a final name is complete and identical to that of an uninterrupted run.
        sums out | grep -v '\./\.iron-cropper-' >"$work/now" || true
        [ -z "$(comm -13 <(sort "$work/expected") <(sort "$work/now"))" ] || fail "a file that is not whole: $(comm -13 <(sort "$work/expected") <(sort "$work/now"))"
    done
    crop out || [ $? -eq 1 ] || fail "resume: $(tail -2 "$work/output")"
    sums out >"$work/now"
    cmp -s "$work/expected" "$work/now" || fail "round $rounds differs: $(diff "$work/expected" "$work/now" | head -5)"
    echo "round $rounds: $killed kills so far, the same files"
done
[ "$originals" = "$(cd "$photos" && find . -type f -exec sha256sum {} + | sort)" ] || fail "a photo was changed"
echo "PASS kill: $killed kills in $rounds rounds, every round ended in the same $(wc -l <"$work/expected") files"
