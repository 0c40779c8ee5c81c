#!/usr/bin/env bash
# Unpacks the tarball, runs the program in place, installs it, runs the installed program, and uninstalls it.
# Packs a second time: the same files must give the same bytes.
# usage: bash tests/smoke/tarball.sh --binary PATH         (packs the program first, without its debug information)
#        bash tests/smoke/tarball.sh --packages DIR        (uses the tarball built by installer/linux/package.py)
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL tarball: $*"; exit 1; }

packages=""
case ${1:-} in
    --binary)
        strip -o "$work/iron-cropper" "${2:?}"
        packages=$work/packages
        python3 installer/linux/package.py --binary "$work/iron-cropper" --to "$packages"
        ;;
    --packages) packages=${2:?} ;;
    *) sed -n '4,5s/^# //p' "$0"; exit 2 ;;
esac
tarball=$(find "$packages" -name 'iron-cropper-*-linux-*.tar.xz' | sort | tail -n 1)
[ -n "$tarball" ] || fail "no tarball in $packages"

# No network, and a separate home.
person="$work/a person"
mkdir "$person" "$work/a folder"
tar -C "$work/a folder" -xf "$tarball"
unpacked=$(echo "$work/a folder"/*)
as_person() { env -i HOME="$person" PATH=/usr/bin:/bin "$@"; }
samples=$unpacked/share/iron-cropper/assets/samples
count=$(find "$samples" -type f | wc -l)
crop() { # PROGRAM OUT
    as_person "$1" crop "$samples" -o "$2" >"$work/printed" 2>&1 || { cat "$work/printed"; fail "crop ended with an error"; }
    [ "$(find "$2" -maxdepth 1 -type f | wc -l)" -eq "$count" ] || fail "$count photos gave other than $count files"
}
crop "$unpacked/bin/iron-cropper" "$work/out"
echo "where it was unpacked: $count crops"

find "$person" -path "$person/.local/state" -prune -o -path "$person/.cache" -prune -o -print | sort >"$work/before"
as_person "$unpacked/install.sh"
crop "$person/.local/bin/iron-cropper" "$work/out 2"
entry=$person/.local/share/applications/iron-cropper.desktop
if command -v desktop-file-validate >/dev/null; then desktop-file-validate "$entry" || fail "the desktop entry is not valid"; fi
grep -qxF "Exec=\"$person/.local/bin/iron-cropper\" %F" "$entry" || fail "the desktop entry starts another program"
as_person man -w "$person/.local/share/man/man1/iron-cropper-crop.1.gz" >/dev/null || fail "no manual"
as_person "$person/.local/share/iron-cropper/uninstall.sh"
find "$person" -path "$person/.local/state" -prune -o -path "$person/.cache" -prune -o -print | sort >"$work/after"
diff "$work/before" "$work/after" || fail "something is left, or too much is gone"
echo "installed in a home, run there, and removed"

# Any small program shows whether dates, order or owners affect the archive.
for run in first second; do
    TZ=UTC-$((${#run})) python3 installer/linux/package.py --binary /bin/true --program "$unpacked/bin/iron-cropper" --to "$work/$run"
    sleep 1.1
done
diff -r "$work/first" "$work/second" || fail "packing twice gave other bytes"
echo "PASS tarball: unpacked, installed, removed, and packed twice alike"
