#!/bin/sh
# Removes Iron Cropper as installed by install.sh. Settings, presets and projects stay.
# usage: PREFIX/share/iron-cropper/uninstall.sh [--quiet]
set -eu
own=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$own/../.." && pwd)
list=$own/installed
[ -f "$list" ] || { echo "$list is not there: nothing is known to be installed" >&2; exit 1; }
copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
cp "$list" "$copy"

sed -n 's/^f //p' "$copy" | while IFS= read -r file; do rm -f "$prefix/$file"; done

made() { grep -qxF "d $1" "$copy"; }
# True if a folder contains only the named entry.
only() { # FOLDER NAME
    [ -z "$(find "$prefix/$1" -mindepth 1 ! -name "$2" | head -n 1)" ]
}
# Files written by desktop tools stay if other programs use them.
if [ -d "$prefix/share/mime" ]; then
    if made share/mime && [ -z "$(find "$prefix/share/mime/packages" -type f 2>/dev/null | head -n 1)" ]; then
        rm -rf "${prefix:?}/share/mime"
    elif command -v update-mime-database >/dev/null; then
        update-mime-database "$prefix/share/mime" >/dev/null 2>&1 || true
    fi
fi
if [ -d "$prefix/share/applications" ]; then
    if made share/applications && only share/applications mimeinfo.cache; then
        rm -f "$prefix/share/applications/mimeinfo.cache"
    elif command -v update-desktop-database >/dev/null; then
        update-desktop-database -q "$prefix/share/applications" || true
    fi
fi

# Deepest first.
sed -n 's/^d //p' "$copy" | LC_ALL=C sort -r | while IFS= read -r folder; do
    case $folder in
        .) rmdir "$prefix" 2>/dev/null || true ;;
        *) rmdir "$prefix/$folder" 2>/dev/null || true ;;
    esac
done
[ "${1:-}" = --quiet ] || echo "removed from $prefix"
