#!/usr/bin/env bash
# Writes indexes, zip files and contact sheets of the sample photos, and checks them with a script of its own.
# usage: bash tests/smoke/package.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export IRON_CROPPER_HOME="$work/home"
fail() { echo "FAIL package: $*"; exit 1; }

mkdir "$work/photos"
number=0
echo "photo,id,First name,Last name,Class,Note" >"$work/list.csv"
find assets/samples -type f | sort | while read -r sample; do
    number=$((number + 1))
    name=$(printf "IMG_%04d.%s" "$number" "${sample##*.}")
    cp "$sample" "$work/photos/$name"
    printf '%s,%05d,Zoë %d,"Müller, Łukasz",3%s,=1+1\n' "$name" "$number" "$number" "$([ $((number % 2)) = 0 ] && echo a || echo b)"
done >>"$work/list.csv"

cargo build --locked --quiet
crop() { target/debug/iron-cropper crop "$work/photos" --names "$work/list.csv" --runtime tract "$@" >/dev/null 2>"$work/notes"; }
check() { python3 tests/smoke/package.py "$@" || fail "${*}"; }

crop -o "$work/out" --names-output id --name "{column:Class}/{name}" --index csv --zip --contact-sheet pdf,html ||
    fail "exit code $?: $(cat "$work/notes")"
check "$work/out" --list "$work/list.csv" photo --zip
for sheet in contact-sheet.pdf contact-sheet.html; do [ -s "$work/out/$sheet" ] || fail "$sheet is missing"; done

# A crop that is removed comes back with --resume; another run without it leaves the index without it.
rm "$(find "$work/out" -name '00001.jpg')"
crop -o "$work/out" --names-output id --name "{column:Class}/{name}" --index csv --zip --resume || fail "resume: exit code $?"
check "$work/out" --list "$work/list.csv" photo --zip
rm "$(find "$work/out" -name '00001.jpg')"
mv "$work/photos/IMG_0001".* "$work"
crop -o "$work/out" --names-output id --name "{column:Class}/{name}" --index csv --zip --on-conflict overwrite ||
    fail "second run: exit code $?"
check "$work/out" --list "$work/list.csv" photo --zip
[ ! -e "$work/out/index (2).csv" ] || fail "the own index was not replaced"

crop -o "$work/yearbook" --preset pspa-yearbook --names-output id --name "images/{name}" --index pspa --zip ||
    fail "pspa: exit code $?"
check "$work/yearbook" --zip
echo "PASS package"
