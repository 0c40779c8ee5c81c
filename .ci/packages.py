#!/usr/bin/env python3
"""Compares the metadata of the packages with the program's sources: versions, formats, names.

usage: python3 .ci/packages.py
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINUX = ROOT / "installer/linux"
sys.dont_write_bytecode = True
sys.path[:0] = [str(LINUX), str(ROOT / "installer")]
import deb
import icons
import licences

# The MIME types of each format in crates/outcome/src/picture.rs, by the name it shows.
TYPES = {
    "JPEG": {"image/jpeg"},
    "PNG": {"image/png", "image/apng"},
    "WebP": {"image/webp"},
    "BMP": {"image/bmp"},
    "TIFF": {"image/tiff"},
    "GIF": {"image/gif"},
    "QOI": {"image/qoi"},
    "PNM": {f"image/x-portable-{kind}map" for kind in ("any", "bit", "gray", "pix")},
    "TGA": {"image/x-tga"},
    "ICO": {"image/vnd.microsoft.icon"},
    "AVIF": {"image/avif"},
    "HEIC": {"image/heic", "image/heif"},
    "JPEG XL": {"image/jxl"},
    "raw": {
        "image/x-dcraw", "image/x-adobe-dng", "image/x-canon-cr2", "image/x-canon-cr3", "image/x-fuji-raf", "image/x-kodak-dcr",
        "image/x-kodak-kdc", "image/x-nikon-nef", "image/x-nikon-nrw", "image/x-olympus-orf", "image/x-panasonic-rw2",
        "image/x-pentax-pef", "image/x-sony-arw", "image/x-sony-sr2", "image/x-sony-srf",
    },
}
FOLDER, PROJECT = "inode/directory", "application/x-iron-cropper-project"
SHARED_MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"

faults = []


def expect(true, fault):
    if not true:
        faults.append(fault)


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def desktop_entry():
    lines = read("installer/linux/iron-cropper.desktop").splitlines()
    expect(lines[0] == "[Desktop Entry]", "iron-cropper.desktop: begins with another group")
    return dict(line.split("=", 1) for line in lines[1:] if "=" in line)


def app_id():
    return re.search(r'\.with_app_id\("([^"]+)"\)', read("src/ui/run.rs"))[1]


def formats():
    """The MIME types in the desktop entry are those of the supported formats."""
    named = set(re.findall(r'Self::\w+ => "([^"]+)"', read("crates/outcome/src/picture.rs")))
    expect(named == set(TYPES), f"crates/outcome/src/picture.rs reads {sorted(named ^ set(TYPES))}, TYPES in .ci/packages.py differs in these")
    offered = desktop_entry()["MimeType"].rstrip(";").split(";")
    wanted = set().union(*TYPES.values()) | {FOLDER, PROJECT}
    expect(len(offered) == len(set(offered)), "iron-cropper.desktop: a kind of file is named twice")
    expect(set(offered) == wanted, f"iron-cropper.desktop: MimeType differs in {sorted(set(offered) ^ wanted)}")
    kinds = xml.etree.ElementTree.parse(LINUX / "iron-cropper.xml").getroot()
    own = {kind.get("type"): kind for kind in kinds.iter(f"{SHARED_MIME}mime-type")}
    expect(set(own) <= wanted and PROJECT in own, f"iron-cropper.xml: describes {sorted(own)}")
    extension = re.search(r'EXTENSION: &str = "(\w+)"', read("crates/batch/src/project.rs"))[1]
    pattern = own[PROJECT].find(f"{SHARED_MIME}glob").get("pattern")
    expect(pattern == f"*.{extension}", f"iron-cropper.xml: a project is {pattern}, but in crates/batch .{extension}")
    start = own[PROJECT].find(f"{SHARED_MIME}magic/{SHARED_MIME}match").get("value")
    expect(f'"{start}: ' in read("crates/batch/src/project/text.rs"), f"iron-cropper.xml: a project does not begin with {start}")


def names():
    """Window, desktop entry and metainfo use the same app id."""
    entry = desktop_entry()
    package = {"name": re.search(r'^name = "([^"]+)"', read("Cargo.toml"), re.MULTILINE)[1]}
    package.update({key: licences.of_workspace(key) for key in ("version", "license")})
    expect(entry["StartupWMClass"] == app_id(), f"iron-cropper.desktop: StartupWMClass is not {app_id()}, the window's app id")
    expect(entry["Exec"].split()[0] == package["name"], "iron-cropper.desktop: Exec starts another program")
    for path in sorted(LINUX.glob("*.metainfo.xml")):
        info = xml.etree.ElementTree.parse(path).getroot()
        expect(path.name == f"{info.findtext('id')}.metainfo.xml", f"{path.name}: is not called after its id")
        expect(info.findtext("launchable") == f"{app_id()}.desktop", f"{path.name}: launches another desktop entry")
        expect(info.findtext("project_license") == package["license"], f"{path.name}: the licence is not {package['license']}")
        expect(info.findtext("provides/mediatype") == PROJECT, f"{path.name}: does not name {PROJECT}")
        expect(info.findtext("summary") == entry["Comment"], f"{path.name}: the summary is not the desktop entry's comment")
        release = info.find("releases/release").get("version")
        expect(release == package["version"], f"{path.name}: the newest release is {release}, but the version in Cargo.toml is {package['version']}")
        flatpak = LINUX / "flatpak" / f"{info.findtext('id')}.yml"
        expect(flatpak.is_file(), f"there is no {flatpak.relative_to(ROOT)}")
        if flatpak.is_file():
            first = flatpak.read_text(encoding="utf-8")
            expect(re.search(rf"^id: {re.escape(info.findtext('id'))}$", first, re.MULTILINE), f"{flatpak.name}: has another id")


def makers():
    """Spot checks of the packaging scripts."""
    rows = [bytearray([200, 100, 0, 255] * 2), bytearray(8)]
    expect(icons.read_png(icons.write_png(rows)) == (2, rows), "icons.py: a picture is not what was written")
    expect(icons.scaled(2, rows, 1) == [bytearray([200, 100, 0, 128])], "icons.py: clear pixels lend their colour")
    needed = ["libc.so.6", "libgcc_s.so.1", "libm.so.6"]
    found = deb.depends(needed, {"GLIBC_2.4", "GLIBC_2.34", "GLIBC_2.2.5", "GCC_3.0", "GCC_4.2.0"})
    expect(found == ["libc6 (>= 2.34)", "libgcc-s1 (>= 4.2)"], f"deb.py: Depends are {found}")
    found = deb.newest({"GLIBC_2.4", "GLIBC_ABI_DT_RELR", "GLIBC_PRIVATE"}, "GLIBC_")
    expect(found == (2, 36), f"deb.py: the newest glibc is {found}")
    expect(deb.version_of("1.0.0-rc.1") == "1.0.0~rc.1-1", "deb.py: a version before a release is not one")
    tree = licences.parse("(Apache-2.0 OR GPL-2.0-only) AND Unicode-3.0/MIT")
    expect(licences.chosen(tree, {"Apache-2.0", "Unicode-3.0"}) == ("AND", "Apache-2.0", "Unicode-3.0"), "licences.py: chooses wrong")
    expect(licences.chosen(tree, {"Apache-2.0"}) is None, "licences.py: a licence passes that is not allowed")
    files = {"usr/bin/x": (b"program", 0o755), "usr/share/y": (b"text", 0o644)}
    first, again = (deb.archive(dict(order), 1, "Installed-Size: {}\n".format) for order in (files.items(), reversed(files.items())))
    expect(first == again, "deb.py: the same files give another archive")


def install_script():
    """The tarball's scripts install and uninstall everything, in a prefix with a space."""
    with tempfile.TemporaryDirectory() as folder:
        unpacked, prefix = pathlib.Path(folder) / "unpacked", pathlib.Path(folder) / "a prefix"
        for name in ["lib/iron-cropper/iron-cropper", "share/applications/iron-cropper.desktop", "share/mime/packages/iron-cropper.xml"]:
            (unpacked / name).parent.mkdir(parents=True, exist_ok=True)
            (unpacked / name).write_bytes((LINUX / pathlib.Path(name).name).read_bytes() if "share" in name else b"#!/bin/sh\n")
        (unpacked / "bin").mkdir()
        (unpacked / "bin/iron-cropper").symlink_to("../lib/iron-cropper/iron-cropper")
        for name in ["install.sh", "uninstall.sh"]:
            (unpacked / name).write_bytes((LINUX / name).read_bytes())
        (prefix / "share/applications").mkdir(parents=True)
        (prefix / "share/applications/other.desktop").write_text("[Desktop Entry]\n")
        before = sorted(prefix.rglob("*"))
        for _ in range(2):
            subprocess.run(["sh", unpacked / "install.sh", "--prefix", prefix], check=True, stdout=subprocess.PIPE)
        entry = (prefix / "share/applications/iron-cropper.desktop").read_text(encoding="utf-8")
        expect(f'\nExec="{prefix}/bin/iron-cropper" %F\n' in entry, "install.sh: the desktop entry does not start what was installed")
        expect(f"\nTryExec={prefix}/bin/iron-cropper\n" in entry, "install.sh: TryExec is not what was installed")
        expect((prefix / "bin/iron-cropper").resolve() == (prefix / "lib/iron-cropper/iron-cropper").resolve(), "install.sh: no program")
        subprocess.run(["sh", prefix / "share/iron-cropper/uninstall.sh"], check=True, stdout=subprocess.PIPE)
        left = [path for path in sorted(prefix.rglob("*")) if path not in before and path.name != "mimeinfo.cache"]
        expect(not left, f"uninstall.sh leaves {', '.join(str(path.relative_to(prefix)) for path in left)}")
        expect(all(path.exists() for path in before), "uninstall.sh takes away what is not ours")


def pins():
    """Every downloadable library is pinned by its checksum, and those of LiteRT are the ones that the program loads."""
    litert = read("crates/engines/src/litert_api.rs")
    version = re.search(r'VERSION: &str = "([^"]+)"', litert)[1]
    loaded = re.findall(r'target_os = "(\w+)", target_arch = "(\w+)"\)\) \{\s*Some\("([0-9a-f]+)"\)', litert)
    for pin in json.loads(read("installer/onnxruntime/pins.json")):
        expect(re.fullmatch("[0-9a-f]{64}", pin["sha256"]), f"pins.json: {pin['file']} has no checksum")
        if pin["flavour"] == "litert":
            expect(pin["version"] == version, f"pins.json: {pin['file']} is not the version {version} of litert_api.rs")
            one = (pin["system"], pin["machine"], pin["library_sha256"])
            expect(one in loaded, f"pins.json: litert_api.rs does not load the library of {pin['file']}")


def main():
    checks = [formats, names, makers, pins]
    if sys.platform.startswith("linux"):
        checks.append(install_script)
    for check in checks:
        check()
    print("\n".join(faults) if faults else f"packages: {len(checks)} checks hold")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
