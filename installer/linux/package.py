#!/usr/bin/env python3
"""Builds the Linux packages of a built program: a .deb, and a relocatable tarball.

    python3 installer/linux/package.py --binary target/dist/iron-cropper --to dist
    python3 installer/linux/package.py --binary PATH --tree DIR       the files alone, below DIR (Flatpak)

The same program from the same commit gives the same bytes: dates are those of the last commit, or of SOURCE_DATE_EPOCH.
Needs Python 3.9, cargo with the crates (for their licences), git and readelf.
"""

import argparse
import gzip
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE.parent))

import deb
import icons
import licences

NAME = "iron-cropper"
METAINFO = "io.github.ironcropper.ironcropper.metainfo.xml"
MAINTAINER = "Iron Cropper contributors <ironcropper@users.noreply.github.com>"
ICON_SIZES = [16, 22, 24, 32, 48, 64, 128, 256]
TRIPLES = {"amd64": "x86_64-unknown-linux-gnu", "arm64": "aarch64-unknown-linux-gnu"}


def last_change():
    """Time of the last change to the sources, in seconds since 1970."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    done = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0 or not done.stdout.strip():
        sys.exit("not a git checkout: set SOURCE_DATE_EPOCH to the seconds since 1970 of the sources' last change")
    return int(done.stdout)


def said_by(program, *arguments):
    """Output of the program, run with temporary folders."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "IRON_CROPPER_HOME": home}
        done = subprocess.run([str(program), *arguments], stdout=subprocess.PIPE, env=environment, check=False)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(arguments)} ended with exit code {done.returncode}")
    return done.stdout


def man_pages(program):
    with tempfile.TemporaryDirectory() as folder:
        said_by(program, "man", "--to", folder)
        return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}


def zipped(data):
    """Compressed like `gzip -9n`: without name and date."""
    return gzip.compress(data, 9, mtime=0)


def text(path):
    return (ROOT / path).read_bytes()


def share(program, third_party, zsh):
    """Everything below the prefix except the program, as path to content and mode; `zsh` is that shell's completion folder."""
    files = {
        f"share/applications/{NAME}.desktop": text(f"installer/linux/{NAME}.desktop"),
        f"share/metainfo/{METAINFO}": text(f"installer/linux/{METAINFO}"),
        f"share/mime/packages/{NAME}.xml": text(f"installer/linux/{NAME}.xml"),
        f"share/icons/hicolor/scalable/apps/{NAME}.svg": text("assets/icon.svg"),
        f"share/bash-completion/completions/{NAME}": said_by(program, "completions", "bash"),
        f"share/zsh/{zsh}/_{NAME}": said_by(program, "completions", "zsh"),
        f"share/fish/vendor_completions.d/{NAME}.fish": said_by(program, "completions", "fish"),
        f"share/{NAME}/installer/onnxruntime/pins.json": text("installer/onnxruntime/pins.json"),
    }
    side, rows = icons.read_png(text("assets/icon.png"))
    for size in ICON_SIZES:
        png = icons.write_png(icons.scaled(side, rows, size))
        files[f"share/icons/hicolor/{size}x{size}/apps/{NAME}.png"] = png
    for name, page in man_pages(program).items():
        files[f"share/man/man1/{name}.gz"] = zipped(page)
    doc = f"share/doc/{NAME}"
    files[f"{doc}/NOTICE.md"] = text("NOTICE.md")
    files[f"{doc}/THIRD-PARTY.txt.gz"] = zipped(third_party.encode())
    files[f"{doc}/changelog.gz"] = zipped(text("CHANGELOG.md"))
    for path in sorted((ROOT / "assets/samples").iterdir()):
        files[f"share/{NAME}/assets/samples/{path.name}"] = path.read_bytes()
    files = {path: (data, 0o644) for path, data in files.items()}
    files[f"share/{NAME}/installer/onnxruntime/fetch.py"] = (text("installer/onnxruntime/fetch.py"), 0o755)
    return files


def program_files(binary):
    """The program in its own folder with its data files, and a link to it on the PATH."""
    return {
        f"lib/{NAME}/{NAME}": (binary, 0o755),
        f"lib/{NAME}/assets": (f"../../share/{NAME}/assets", 0o777),
        f"bin/{NAME}": (f"../lib/{NAME}/{NAME}", 0o777),
    }


def deb_files(binary, common, parts, version, maintainer, epoch):
    """Contents of the .deb."""
    doc = f"usr/share/doc/{NAME}"
    files = {f"usr/{path}": content for path, content in {**common, **program_files(binary)}.items()}
    files[f"{doc}/copyright"] = (deb.copyright_file(parts).encode(), 0o644)
    files[f"{doc}/changelog.Debian.gz"] = (zipped(deb.debian_changelog(version, maintainer, epoch).encode()), 0o644)
    files[f"usr/share/lintian/overrides/{NAME}"] = (text("installer/linux/lintian-overrides"), 0o644)
    return files


def tarball_files(binary, common):
    """Contents of the tarball."""
    files = {**common, **program_files(binary)}
    for name in ["LICENSE-MIT", "LICENSE-APACHE"]:
        files[f"share/doc/{NAME}/{name}"] = (text(name), 0o644)
    for name in ["install.sh", "uninstall.sh"]:
        files[name] = (text(f"installer/linux/{name}"), 0o755)
    files["README.md"] = (text("installer/linux/tarball.md"), 0o644)
    return files


def check_metainfo(version):
    """Checks that the latest release in the metainfo is this version."""
    release = xml.etree.ElementTree.parse(HERE / METAINFO).find("releases/release")
    if release is None or release.get("version") != version:
        sys.exit(f"{METAINFO} does not begin its releases with {version}, the version in Cargo.toml")


def write(folder, name, data):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    print(f"{hashlib.sha256(data).hexdigest()}  {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--binary", type=pathlib.Path, required=True, metavar="PATH", help="the built program")
    parser.add_argument("--to", type=pathlib.Path, metavar="DIR", help="where the packages go")
    parser.add_argument("--tree", type=pathlib.Path, metavar="DIR", help="write the files themselves below this prefix")
    parser.add_argument("--program", type=pathlib.Path, metavar="PATH",
                        help="the same program built for this machine, to write man pages; --binary if not given")
    parser.add_argument("--newest-glibc", metavar="VERSION", help="refuse a program that asks for a newer one, such as 2.36")
    parser.add_argument("--maintainer", default=MAINTAINER, help="who makes this package: Name <address>")
    arguments = parser.parse_args()
    if not arguments.to and not arguments.tree:
        parser.error("one of --to and --tree says where to")
    if not re.fullmatch(r"[^<>]+ <[^<>@\s]+@[^<>@\s]+>", arguments.maintainer):
        parser.error("--maintainer is Name <address>")

    program = (arguments.program or arguments.binary).resolve()
    version, epoch = licences.own_version(), last_change()
    check_metainfo(version)
    binary = arguments.binary.read_bytes()
    architecture, needed, versions = deb.dynamic_of(arguments.binary)
    needs = deb.depends(needed, versions)
    if arguments.newest_glibc and deb.newest(versions, "GLIBC_") > tuple(map(int, arguments.newest_glibc.split("."))):
        sys.exit(f"{arguments.binary} asks for {needs[0]}; build it on an older system")
    target = TRIPLES[architecture]
    parts = licences.collect(target)
    third_party = licences.write(parts, target)

    common = share(program, third_party, "site-functions")
    if arguments.tree:
        for path, (data, mode) in sorted(tarball_files(binary, common).items()):
            if not path.startswith(("bin/", "lib/", "share/")):
                continue
            place = arguments.tree / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)
            if isinstance(data, str):
                place.symlink_to(data)
            else:
                place.write_bytes(data)
                place.chmod(mode)
    if not arguments.to:
        return
    machine = target.split("-")[0]
    top = f"{NAME}-{version}-linux-{machine}"
    write(arguments.to, f"{top}.tar.xz", deb.packed(deb.tar_of(tarball_files(binary, common), epoch, top)))

    # Debian's zsh uses another folder.
    debian = {path.replace("/zsh/site-functions/", "/zsh/vendor-completions/"): content for path, content in common.items()}
    files = deb_files(binary, debian, parts, version, arguments.maintainer, epoch)
    data = deb.archive(files, epoch, lambda size: deb.control(version, architecture, arguments.maintainer, needs, size))
    write(arguments.to, f"{NAME}_{deb.version_of(version)}_{architecture}.deb", data)


if __name__ == "__main__":
    main()
