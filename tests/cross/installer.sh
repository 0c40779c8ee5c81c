#!/usr/bin/env bash
# Installs and uninstalls the Windows package silently under Wine, and compares files and registry before and after.
# usage: bash tests/cross/installer.sh SETUP.exe [with-program]
#   with-program: the installed program is run on the sample photos; otherwise it is a placeholder
# needs: wine64 xvfb
set -euo pipefail
setup=$(realpath "$1")
cd "$(dirname "$0")/../.."
real=${2:-}

work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEARCH=win64
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
started=()
clean_up() {
    WINEPREFIX=$work/prefix "${wine%64}server64" -k 2>/dev/null || true
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap clean_up EXIT
fail() { echo "FAIL installer: $*"; exit 1; }

Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp 3>"$work/display" 2>/dev/null &
started+=($!)
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
DISPLAY=:$(<"$work/display")
export DISPLAY
run() { timeout 300 "$wine" "$@"; }
run wineboot -i >/dev/null 2>&1
# A library that the program needs and Wine lacks.
[ -z "${STUB:-}" ] || cp "$STUB" "$WINEPREFIX/drive_c/windows/system32/"
user=$WINEPREFIX/drive_c/users/$(id -un)
installed="$user/AppData/Local/Programs/Iron Cropper"

# State before the installation: another program's entries, a search path, and in the second round a folder with a file.
classes='HKCU\Software\Classes'
run reg add "$classes\\.jpg\\OpenWithProgids" /v Other.Program /t REG_SZ /d '' /f >/dev/null
run reg add "$classes\\.png" /ve /d Other.Program /f >/dev/null
run reg add 'HKCU\Environment' /v Path /t REG_EXPAND_SZ /d 'C:\tools;%USERPROFILE%\bin' /f >/dev/null
mkdir -p "$WINEPREFIX/drive_c/chosen"
# The per-user programs folder, shared with other programs.
mkdir -p "$(dirname "$installed")"
echo "a user file" >"$WINEPREFIX/drive_c/chosen/notes.txt"

# Files, and the registry as stored by Wine, except its counters and the settings of its console host.
snapshot() {
    run wineboot -e >/dev/null 2>&1 || true
    "${wine%64}server64" -w
    (cd "$WINEPREFIX/drive_c" && find . -path './users/*/Temp' -prune -o -path ./windows -prune -o -print | sort) >"$work/$1.files"
    for hive in user system; do
        grep -vE '^#time|^;; |^$' "$WINEPREFIX/$hive.reg" | sed -E 's/^(\[.*\]) [0-9]+$/\1/'
    done | awk '/^\[/ { key = $0; print; next } { print key, $0 }' | grep -viE '^\[console|explorer\\\\(session|startpage)|CurrentControlSet|NetworkCards|DirectInput' | sort >"$work/$1.registry"
}

# If a folder is given, the installer's command line must be a single argument of cmd.
round() { # NAME FOLDER ARGUMENT...
    local name=$1 folder=$2
    shift 2
    run "$setup" /S "$@" || fail "$name: installing ended with $?"
    [ -f "$folder/iron-cropper.exe" ] && [ -f "$folder/uninstall.exe" ] || fail "$name: the program is not in $folder"
    [ -f "$folder/LICENSES-OF-LIBRARIES.txt" ] || fail "$name: no licences"
    [ -f "$user/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Iron Cropper.lnk" ] || fail "$name: not in the Start menu"
    run reg query "$classes\\Directory\\shell\\IronCropper\\command" /ve | grep -qa 'iron-cropper.exe" "%1"' ||
        fail "$name: folders do not offer it"
    run reg query "$classes\\.jpg\\OpenWithProgids" | grep -qa IronCropper.Picture || fail "$name: pictures do not offer it"
    run reg query 'HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\IronCropper' | grep -qa QuietUninstall ||
        fail "$name: it cannot be removed"
}
remove() { # FOLDER
    # It continues in a copy of itself: wait for the copy to exit.
    run "$(winepath_of "$1")\\uninstall.exe" /S || fail "removing ended with $?"
    for _ in $(seq 60); do [ -e "$1/uninstall.exe" ] || break; sleep 0.5; done
    "${wine%64}server64" -w
}
winepath_of() { run winepath -w "$1" 2>/dev/null | tr -d '\r'; }

same() { # NAME: the only difference from before
    diff "$work/before.files" "$work/after.files" || fail "$1: files differ"
    diff "$work/before.registry" "$work/after.registry" || fail "$1: the registry differs"
}

snapshot before
round plain "$installed" /PATH=yes
run reg query 'HKCU\Environment' /v Path | grep -qaF '%USERPROFILE%\bin;' || fail "the search path was not kept"
run reg query 'HKCU\Environment' /v Path | grep -qaF 'Programs\Iron Cropper' || fail "it is not on the search path"
if [ "$real" = with-program ]; then
    run "$(winepath_of "$installed")\\iron-cropper.exe" crop "$(winepath_of "$installed")\\assets\\samples" -o 'C:\crops' >"$work/output"
    crops=$(find "$WINEPREFIX/drive_c/crops" -maxdepth 1 -type f | wc -l)
    [ "$crops" -eq "$(find assets/samples -type f | wc -l)" ] || fail "the installed program wrote $crops crops"
    rm -r "$WINEPREFIX/drive_c/crops"
fi
# Reinstallation: the previous version is removed, and nothing is duplicated.
round again "$installed" /PATH=yes
count=$(run reg query 'HKCU\Environment' /v Path | grep -oaF 'Iron Cropper' | wc -l)
[ "$count" -eq 1 ] || fail "it is on the search path $count times"
remove "$installed"
[ ! -e "$installed" ] || fail "left behind: $(ls -A "$installed")"
if [ "$real" = with-program ]; then rm -rf "$user/AppData/Local/iron-cropper" "$user/AppData/Roaming/iron-cropper"; fi
snapshot after
same "default folder"
echo "installed, reinstalled and removed; nothing is left and nothing else is gone"

round chosen "$WINEPREFIX/drive_c/chosen" '/MENU=yes' '/D=C:\chosen'
remove "$WINEPREFIX/drive_c/chosen"
[ "$(ls -A "$WINEPREFIX/drive_c/chosen")" = notes.txt ] || fail "the user's folder contains $(ls -A "$WINEPREFIX/drive_c/chosen")"
snapshot after
same "folder with a user file"
echo "in a folder with a user file: the file is kept"

run "$setup" /S /MENU=no /ONNXRUNTIME=no || fail "without menus: ended with $?"
! run reg query "$classes\\Directory\\shell\\IronCropper" >/dev/null 2>&1 || fail "/MENU=no was not heard"
[ ! -e "$installed/onnxruntime" ] || fail "/ONNXRUNTIME=no was not heard"
remove "$installed"
snapshot after
same "without menus"
# A search path longer than the installer can read must not be truncated.
run reg add 'HKCU\Environment' /v Path /t REG_EXPAND_SZ /d "$(printf 'C:\tools\%.0s' $(seq 250));C:\last" /f >/dev/null
long=$(run reg query 'HKCU\Environment' /v Path)
run "$setup" /S /PATH=yes || fail "with a long search path: ended with $?"
[ "$long" = "$(run reg query 'HKCU\Environment' /v Path)" ] || fail "a long search path was changed by installing"
remove "$installed"
[ "$long" = "$(run reg query 'HKCU\Environment' /v Path)" ] || fail "a long search path was changed by removing"
echo "a search path too long to read is unchanged"
echo "PASS installer: four rounds, nothing left behind, nothing else changed"
