#!/bin/sh
# Installs Iron Cropper from this folder.
# usage: ./install.sh [--prefix DIR]      (~/.local if not given; /usr/local needs root)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${HOME:?}/.local

while [ $# -gt 0 ]; do
    case $1 in
        --prefix) prefix=${2:?--prefix needs a folder}; shift 2 ;;
        -h | --help) sed -n '2,3s/^# //p' "$0"; exit 0 ;;
        *) echo "$1 is not understood; see ./install.sh --help" >&2; exit 2 ;;
    esac
done
# They have a special meaning in desktop entries and in the file list.
case $prefix in
    *[\"\`\$\\%\|\&]* | *"
"*) echo "the folder's name holds a character that a desktop entry cannot: $prefix" >&2; exit 2 ;;
esac
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
own=$prefix/share/iron-cropper
if [ -e "$own/uninstall.sh" ]; then
    echo "taking away the version that is there"
    sh "$own/uninstall.sh" --quiet
fi

list=$(mktemp)
trap 'rm -f "$list"' EXIT
[ -d "$prefix" ] || echo 'd .' >"$list"
mkdir -p "$prefix"
# A folder created here is listed, so that it can be removed when empty.
make_folder() {
    [ -d "$1" ] && return
    make_folder "$(dirname "$1")"
    mkdir "$1"
    case $1 in "$prefix"/*) printf 'd %s\n' "${1#"$prefix"/}" >>"$list" ;; esac
}
cd "$here"
find bin lib share ! -type d | LC_ALL=C sort | while IFS= read -r file; do
    make_folder "$prefix/$(dirname "$file")"
    cp -P "$file" "$prefix/$file.new"
    if [ "$file" = share/applications/iron-cropper.desktop ]; then
        # The desktop may not search this folder for programs.
        sed -e "s|^Exec=iron-cropper|Exec=\"$prefix/bin/iron-cropper\"|" -e "s|^TryExec=.*|TryExec=$prefix/bin/iron-cropper|" \
            "$file" >"$prefix/$file.new"
    fi
    mv -f "$prefix/$file.new" "$prefix/$file"
    printf 'f %s\n' "$file" >>"$list"
done
make_folder "$own"
cp uninstall.sh "$own/uninstall.sh"
printf 'f %s\n' share/iron-cropper/uninstall.sh share/iron-cropper/installed >>"$list"
cp "$list" "$own/installed"
chmod 755 "$own/uninstall.sh"
chmod 644 "$own/installed"

# Caches of the desktop.
if command -v update-mime-database >/dev/null; then update-mime-database "$prefix/share/mime" >/dev/null 2>&1 || true; fi
if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$prefix/share/applications" || true; fi

echo "installed: $prefix/bin/iron-cropper"
echo "to remove it: $own/uninstall.sh"
case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) echo "$prefix/bin is not on your PATH: log in again, or add it, to type iron-cropper" ;;
esac
