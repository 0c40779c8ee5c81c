#!/usr/bin/env bash
# Installs the .deb with apt in a clean root created by debootstrap, runs the program as an ordinary user without a network,
# removes it again, and compares every file of the root with its previous state.
# usage: bash tests/smoke/deb.sh --binary PATH         (packs the program first, without its debug information)
#        bash tests/smoke/deb.sh --packages DIR        (uses the .deb built by installer/linux/package.py)
# needs: root, the Debian this runs on as the one that is installed, debootstrap binutils xvfb openbox imagemagick
#        python3-xlib; a screenshot is saved in the target folder, as smoke/deb.png
set -euo pipefail
cd "$(dirname "$0")/../.."

fail() {
    echo "FAIL deb: $*"
    [ -z "${DISPLAY:-}" ] || import -window root "$pictures/deb-failed.png" 2>/dev/null || true
    tail -n 20 "$work"/printed 2>/dev/null || true
    exit 1
}

# Separate mount and process namespaces: nothing stays mounted or keeps running, even after an error.
if [ "${IN_NAMESPACE:-}" != yes ]; then
    [ "$(id -u)" = 0 ] || { echo "this needs root: chroot and mount"; exit 2; }
    IN_NAMESPACE=yes exec unshare --mount --pid --fork --kill-child --mount-proc bash "$0" "$@"
fi

binary="" packages=""
case ${1:-} in
    --binary) binary=${2:?} ;;
    --packages) packages=${2:?} ;;
    *) sed -n '4,5s/^# //p' "$0"; exit 2 ;;
esac
python=/usr/bin/python3 # Debian's, which sees the package python3-xlib
pictures=${CARGO_TARGET_DIR:-target}/smoke
mkdir -p "$pictures"
work=$(mktemp -d)
root=$work/root
clean_up() {
    for place in "$root/tmp/.X11-unix" "$root/dev/shm" "$root/proc"; do umount "$place" 2>/dev/null || true; done
    rm -rf --one-file-system "$work"
}
trap clean_up EXIT

if [ -n "$binary" ]; then
    strip -o "$work/iron-cropper" "$binary"
    packages=$work/packages
    python3 installer/linux/package.py --binary "$work/iron-cropper" --to "$packages"
fi
deb=$(find "$packages" -name 'iron-cropper_*.deb' | sort | tail -n 1)
[ -n "$deb" ] || fail "no .deb in $packages"

step() { printf '== %s\n' "$*"; }
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
# As an ordinary user, with the loopback interface only.
as_person=(unshare --net chroot --userspec=person:person "$root" env -i PATH=/usr/bin:/bin HOME=/home/person LC_ALL=C.UTF-8)
apt_install() { in_root apt-get install -y -qq "$@" >"$work/printed" 2>&1 || fail "apt cannot install $*"; }

step "a clean root"
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(CODENAME) $(SITE)' 'Created-By: Packages' | awk -v name="$codename" '$1 == name { print $2; exit }')
[ -n "$mirror" ] || fail "apt has no mirror of $codename"
debootstrap --variant=minbase "$codename" "$root" "$mirror" >"$work/printed" 2>&1 || fail "debootstrap ended with an error"
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm" && mount -t tmpfs shm "$root/dev/shm"
in_root apt-get update -qq
# Desktop databases of applications and MIME types, for the queries below.
apt_install --no-install-recommends shared-mime-info desktop-file-utils libglib2.0-bin hicolor-icon-theme
in_root useradd --create-home person
in_root apt-get clean

# Files that every use of apt changes, and the user's own files.
ignored=(./proc ./dev/shm ./tmp/.X11-unix ./home/person ./var/lib/apt ./var/lib/dpkg ./var/cache ./var/log)
# Files that systemd and dbus, dependencies of xdg-desktop-portal, create on installation and leave behind.
ignored+=(./run ./etc/machine-id ./etc/mtab ./etc/{passwd,group,shadow,gshadow}{,-} ./root/.ssh ./var/lib/systemd ./var/lib/private)
# Every other file, folder and link, with owner, mode and content; for databases, the names of their files.
listing() {
    local prune=()
    for path in "${ignored[@]}"; do prune+=(-path "$path" -o); done
    (
        cd "$root"
        find . -xdev \( "${prune[@]}" -false \) -prune -o -type f -printf '%M %u:%g %p ' -exec sha256sum {} \; -o -printf '%M %u:%g %p %l\n'
        find ./var/lib/dpkg/info ./var/cache ./var/lib/systemd -type f -printf '%p\n'
    ) | LC_ALL=C sort
}
listing >"$work/before"
echo "$(wc -l <"$work/before") entries"

step "apt install"
cp "$deb" "$root/tmp/iron-cropper.deb"
chmod 644 "$root/tmp/iron-cropper.deb"
installed_before=$(in_root dpkg-query --show | wc -l)
apt_install /tmp/iron-cropper.deb
rm "$root/tmp/iron-cropper.deb"
echo "$(($(in_root dpkg-query --show | wc -l) - installed_before)) packages installed"
(cd "$root" && in_root dpkg --verify iron-cropper) || fail "dpkg --verify: files differ from the package"

step "the command line"
"${as_person[@]}" iron-cropper --version
samples=/usr/share/iron-cropper/assets/samples
count=$(find "$root$samples" -type f | wc -l)
"${as_person[@]}" iron-cropper crop "$samples" -o /home/person/out >"$work/printed" 2>&1 || fail "crop ended with exit code $?"
written=$(find "$root/home/person/out" -maxdepth 1 -type f | wc -l)
[ "$written" -eq "$count" ] || fail "$count photos gave $written files"
echo "$written crops of $count photos"

step "what a desktop knows of it"
for type in image/jpeg image/heif image/x-canon-cr2 inode/directory application/x-iron-cropper-project; do
    in_root gio mime "$type" | grep iron-cropper.desktop >/dev/null || fail "it is not offered for $type"
done
printf '# A project of Iron Cropper\n' >"$root/home/person/x.ironcrop"
in_root gio info -a standard::content-type /home/person/x.ironcrop | grep >/dev/null application/x-iron-cropper-project || fail "the MIME type of a project is wrong"
for file in man/man1/iron-cropper-crop.1.gz bash-completion/completions/iron-cropper icons/hicolor/48x48/apps/iron-cropper.png; do
    [ -s "$root/usr/share/$file" ] || fail "$file is not there"
done
echo "offered for photos, folders and projects"

step "the window"
Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp 3>"$work/display" 2>/dev/null &
for _ in $(seq 100); do [ -s "$work/display" ] && break; sleep 0.1; done
[ -s "$work/display" ] || fail "Xvfb does not start"
DISPLAY=:$(<"$work/display")
export DISPLAY
openbox >/dev/null 2>&1 &
mkdir -p "$root/tmp/.X11-unix" && mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
"${as_person[@]}" DISPLAY="$DISPLAY" LIBGL_ALWAYS_SOFTWARE=1 iron-cropper "$samples" >"$work/printed" 2>&1 &
app=$!
"$python" tests/smoke/xwindow.py wait "$app" --timeout 60 || fail "no window"
photos_with_faces() { grep -rhs 'photo indexed' "$root/home/person/.local" "$root/home/person/.cache" | grep -cE 'faces=[1-9]' || true; }
for _ in $(seq 240); do
    kill -0 "$app" 2>/dev/null || fail "the program ended by itself"
    [ "$(photos_with_faces)" -ge "$count" ] && break
    sleep 0.5
done
[ "$(photos_with_faces)" -ge "$count" ] || fail "faces in $(photos_with_faces) of $count photos after 2 minutes"
sleep 3
import -window root "$pictures/deb.png"
colors=$(identify -format '%k' "$pictures/deb.png")
[ "$colors" -ge 2000 ] || fail "the screen looks blank: $colors colours"
"$python" tests/smoke/xwindow.py close "$app" || fail "the window cannot be closed"
code=0
wait "$app" || code=$?
[ $code -eq 0 ] || fail "exit code $code after closing"
echo "faces found in $count photos; the screen is in $pictures/deb.png"
umount "$root/tmp/.X11-unix"

step "apt purge, apt autoremove"
in_root apt-get purge -y -qq iron-cropper >"$work/printed" 2>&1 || fail "apt cannot purge it"
in_root apt-get autoremove --purge -y -qq >"$work/printed" 2>&1 || fail "apt cannot take away what it had brought"
in_root apt-get clean
[ "$(in_root dpkg-query --show | wc -l)" -eq "$installed_before" ] || fail "packages are left"

listing >"$work/after"
diff "$work/before" "$work/after" || fail "the root is not what it was"
echo "PASS deb: installed, used and removed; $(wc -l <"$work/after") entries are what they were"
