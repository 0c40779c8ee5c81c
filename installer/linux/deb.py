"""The .deb: what it depends on, its copyright file, and the archive itself, byte for byte the same from the same files."""

import hashlib
import io
import lzma
import re
import subprocess
import sys
import tarfile
import time

import licences

PACKAGE = "iron-cropper"
MACHINES = {"Advanced Micro Devices X86-64": "amd64", "AArch64": "arm64"}
# Linked libraries, and the packages that contain them.
LIBRARIES = {
    "libc.so.6": "libc6",
    "libm.so.6": "libc6",
    "libdl.so.2": "libc6",
    "libpthread.so.0": "libc6",
    "ld-linux-x86-64.so.2": "libc6",
    "ld-linux-aarch64.so.1": "libc6",
    "libgcc_s.so.1": "libgcc-s1",
}
# Libraries that the window loads at run time, which are not in the binary's headers. The command line needs none of them.
RECOMMENDS = [
    "libx11-6",
    "libx11-xcb1",
    "libxcursor1",
    "libxi6",
    "libxkbcommon0",
    "libxkbcommon-x11-0",
    "libwayland-client0",
    "libwayland-egl1",
    "libgl1",
    "libegl1",
    # System fonts, for names in any script.
    "libfontconfig1",
    # File dialogs.
    "xdg-desktop-portal | zenity",
    # HEIC.
    "libheif1",
]
# For fetch.py, which fetches ONNX Runtime.
SUGGESTS = ["python3-pip"]

# Texts in Debian's /usr/share/common-licenses.
COMMON = {"Apache-2.0", "CC0-1.0", "MPL-2.0"}


def dynamic_of(binary):
    """Debian's architecture name, the linked libraries, and the required symbol versions."""
    command = ["readelf", "--wide", "--file-header", "--dynamic", "--version-info", str(binary)]
    done = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}, check=False)
    machine = re.search(r"^\s*Machine:\s*(.+?)\s*$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not machine:
        sys.exit(f"{binary} is no program for Linux, or readelf (binutils) is not installed")
    if machine[1] not in MACHINES:
        sys.exit(f"{binary} is for {machine[1]}; packages are made for {', '.join(MACHINES)}")
    needed = re.findall(r"\(NEEDED\)\s+Shared library: \[(.+?)\]", done.stdout)
    return MACHINES[machine[1]], needed, set(re.findall(r"Name: (\S+)\s+Flags:", done.stdout))


def newest(versions, prefix):
    """The newest of `versions` that are `prefix` and a number."""
    # A relocation format introduced in 2.36.
    told = [version.replace("GLIBC_ABI_DT_RELR", "GLIBC_2.36") for version in versions]
    numbers = [re.fullmatch(rf"{prefix}(\d+(?:\.\d+)*)", version) for version in told]
    return max((tuple(map(int, number[1].split("."))) for number in numbers if number), default=None)


def depends(needed, versions):
    """The packages the binary needs to start, from its symbol versions."""
    unknown = [library for library in needed if library not in LIBRARIES]
    if unknown:
        sys.exit(f"the binary is linked with {', '.join(unknown)}: LIBRARIES in installer/linux/deb.py must name the package")
    found = {}
    for library in needed:
        package = LIBRARIES[library]
        number = newest(versions, "GLIBC_" if package == "libc6" else "GCC_")
        # GCC_4.2.0 was introduced in 4.2.
        text = None if number is None else ".".join(map(str, number[:2]))
        found[package] = f"{package} (>= {text})" if text else package
    return [found[package] for package in sorted(found)]


def version_of(version):
    """Debian's form of a version: `1.0.0-rc.1` comes before `1.0.0`."""
    return version.replace("-", "~", 1) + "-1"


def control(version, architecture, maintainer, needs, installed_kb):
    lines = [
        f"Package: {PACKAGE}",
        f"Version: {version_of(version)}",
        f"Architecture: {architecture}",
        f"Maintainer: {maintainer}",
        f"Installed-Size: {installed_kb}",
        f"Depends: {', '.join(needs)}",
        f"Recommends: {', '.join(RECOMMENDS)}",
        f"Suggests: {', '.join(SUGGESTS)}",
        "Section: graphics",
        "Priority: optional",
        "Description: turns photos into well-framed face crops",
        " Iron Cropper turns a folder of photos into face crops: headshots, profile",
        " pictures, document photos. It finds the faces, frames each one the way you",
        " ask, and writes the crops beside your photos or wherever you like. It has a",
        " window and a command line, and both do the same work.",
        " .",
        " The models are inside the program, and the program never uses the",
        " network. The recommended packages are what the window and the reading of",
        " HEIC need; the command line works without them.",
    ]
    return "\n".join(lines) + "\n"


def debian_changelog(version, maintainer, epoch):
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(epoch))
    return (
        f"{PACKAGE} ({version_of(version)}) unstable; urgency=medium\n\n"
        f"  * Version {version}; what changed is in changelog.gz.\n\n"
        f" -- {maintainer}  {date}\n"
    )


def expression(tree, outer=None):
    """A licence expression in the syntax of Debian's copyright files, which have no brackets."""
    if isinstance(tree, str):
        return tree.replace(" WITH ", " with ").replace("LLVM-exception", "LLVM exception")
    word, *parts = tree
    if word == "OR":
        return " or ".join(expression(part, "OR") for part in parts)
    return (" and " if outer else ", and ").join(expression(part, "AND") for part in parts)


def folded(text):
    """Text as continuation lines of a field: each after a space, empty ones as a dot."""
    return "\n".join(f" {line}" if line.strip() else " ." for line in text.strip("\n").splitlines())


def copyright_file(parts):
    """Debian's copyright file, in its machine-readable form."""
    allow, extra = licences.rules()
    stanzas = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: Iron Cropper\n"
        "Comment:\n"
        " The folders named here hold what the program is built from: vendor/ the crates,\n"
        " models/ the models, rust/ the standard library of Rust. Of licences to\n"
        " choose from, those that are not taken are left out. THIRD-PARTY.txt.gz beside\n"
        " this file has the text that came with each, word for word.",
        "Files: *\nCopyright: Iron Cropper contributors\nLicense: MIT or Apache-2.0",
    ]
    used = {"MIT", "Apache-2.0"}
    for part in parts:
        tree = licences.chosen(licences.parse(part.licence), allow | extra.get(part.name, set()))
        if tree is None:
            sys.exit(f"{part.name} {part.version}: {part.licence} is not allowed by deny.toml")
        used |= licences.names_in(tree)
        lines = list(dict.fromkeys(re.sub(r"(?i)^(copyright\b|\(c\)|©|[\s:])+", "", line) for line in licences.holders(part)))
        stanzas.append(
            f"Files: {part.place}\n"
            f"Copyright: {lines[0]}\n" + "".join(f" {line}\n" for line in lines[1:]) + f"License: {expression(tree)}"
        )
    for name in sorted(used):
        if name in COMMON:
            body = f"On Debian systems the full text is in /usr/share/common-licenses/{name}."
        else:
            text = licences.common_text(name, parts)
            if text is None:
                sys.exit(f"no component has the text of {name}; licences.py must find it")
            body = licences.bare(text)
        stanzas.append(f"License: {name}\n{folded(body)}")
    return "\n\n".join(stanzas) + "\n"


def tar_of(files, epoch, top):
    """A tar of `files` (path to content and mode), sorted, owned by root, with all parent folders.

    Content is bytes, or text for a link: what it points to.
    """
    folders = {top} if top == "." else set()
    for path in files:
        steps = path.split("/")[:-1]
        folders |= {f"{top}/{'/'.join(steps[:count])}" for count in range(1, len(steps) + 1)} | {top}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in sorted({*folders, *(f"{top}/{path}" for path in files)}):
            entry = tarfile.TarInfo(name)
            entry.mtime, entry.uname, entry.gname = epoch, "root", "root"
            if name in folders:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            else:
                data, entry.mode = files[name.removeprefix(f"{top}/")]
                if isinstance(data, str):
                    entry.type, entry.linkname = tarfile.SYMTYPE, data
                    archive.addfile(entry)
                else:
                    entry.size = len(data)
                    archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def packed(data):
    return lzma.compress(data, preset=6)


def member(name, data, epoch):
    header = f"{name:<16}{epoch:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode()
    return header + data + (b"\n" if len(data) % 2 else b"")


def archive(files, epoch, describe):
    """The .deb of `files`; `describe` gives the control file for the installed size in kB."""
    folders = {path.rsplit("/", count)[0] for path in files for count in range(1, path.count("/") + 1)}
    installed_kb = len(folders) + 1 + sum(-(-len(data) // 1024) for data, _ in files.values())
    contents = sorted((path, data) for path, (data, _) in files.items() if isinstance(data, bytes))
    sums = "".join(f"{hashlib.md5(data, usedforsecurity=False).hexdigest()}  {path}\n" for path, data in contents)
    about = {"control": (describe(installed_kb).encode(), 0o644), "md5sums": (sums.encode(), 0o644)}
    return b"!<arch>\n" + b"".join(
        [
            member("debian-binary", b"2.0\n", epoch),
            member("control.tar.xz", packed(tar_of(about, epoch, ".")), epoch),
            member("data.tar.xz", packed(tar_of(files, epoch, ".")), epoch),
        ]
    )
