#!/usr/bin/env python3
"""Packs the built program for macOS: an application bundle in a disk image.

    python3 installer/macos/package.py --binary PATH/iron-cropper --to DIR [--onnxruntime DIR]

--onnxruntime takes the folder that installer/onnxruntime/fetch.py --system macos filled. Signing takes the identity named by
the variable IRON_CROPPER_SIGN_IDENTITY, notarisation the keychain profile named by IRON_CROPPER_NOTARY_PROFILE (made with
`xcrun notarytool store-credentials`); without them the bundle is signed for this machine alone, and neither is done. On
other systems only the bundle is laid out, as a folder. Needs Python 3.9 and, for the image, Xcode's command line tools.
"""

import argparse
import hashlib
import os
import pathlib
import platform
import plistlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent)]

import icons  # noqa: E402
from licences import own_version  # noqa: E402

APP = "Iron Cropper.app"
RPATH = "@executable_path/../Frameworks"
TEXTS = ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE.md", "CHANGELOG.md"]


def run(*command):
    print("+", *command, file=sys.stderr)
    subprocess.run([str(part) for part in command], check=True)


def info():
    """The bundle's Info.plist; a version suffix is dropped, because macOS allows numbers only."""
    entries = plistlib.loads((HERE / "Info.plist").read_bytes())
    numbers = re.match(r"\d+(\.\d+)*", own_version()).group(0)
    return {**entries, "CFBundleShortVersionString": numbers, "CFBundleVersion": numbers}


def lay_out(app, arguments):
    contents = app / "Contents"
    for folder in ("MacOS", "Resources/assets/samples", "Resources/licences"):
        (contents / folder).mkdir(parents=True)
    (contents / "Info.plist").write_bytes(plistlib.dumps(info()))
    (contents / "PkgInfo").write_text("APPL????")
    program = contents / "MacOS" / "iron-cropper"
    shutil.copyfile(arguments.binary, program)
    program.chmod(0o755)
    (contents / "Resources" / "iron-cropper.icns").write_bytes(icons.icns())
    # Required by macOS to offer the languages in its own menus and dialogs.
    for language in info()["CFBundleLocalizations"]:
        (contents / "Resources" / f"{language}.lproj").mkdir()
        (contents / "Resources" / f"{language}.lproj" / "InfoPlist.strings").write_text('"CFBundleName" = "Iron Cropper";\n')
    for photo in sorted((ROOT / "assets" / "samples").iterdir()):
        shutil.copyfile(photo, contents / "Resources" / "assets" / "samples" / photo.name)
    licences = contents / "Resources" / "licences"
    for name in TEXTS:
        shutil.copyfile(ROOT / name, licences / name)
    if arguments.licences:
        shutil.copyfile(arguments.licences, licences / "LICENSES-OF-LIBRARIES.txt")
    else:
        command = [sys.executable, ROOT / "installer" / "licences.py", "--to", licences / "LICENSES-OF-LIBRARIES.txt"]
        subprocess.run([*command, "--target", arguments.target], check=True, cwd=ROOT)
    if arguments.onnxruntime:
        add_library(contents, arguments.onnxruntime)


def add_library(contents, folder):
    """Adds the library to the bundle folder the program searches, and its licences to the others."""
    libraries = sorted(file for file in folder.iterdir() if file.suffix == ".dylib")
    if not any(file.name.startswith("libonnxruntime") for file in libraries):
        sys.exit(f"{folder} holds no libonnxruntime.dylib")
    (contents / "Frameworks").mkdir()
    for file in libraries:
        shutil.copyfile(file, contents / "Frameworks" / file.name)
        (contents / "Frameworks" / file.name).chmod(0o755)
    texts = contents / "Resources" / "licences" / "onnxruntime"
    texts.mkdir()
    for file in sorted(set(folder.iterdir()) - set(libraries)):
        if file.name != "fetched.json":
            shutil.copyfile(file, texts / file.name)


def set_rpath(program):
    """Adds the bundle's library folder to the program's rpath if the linker did not."""
    if not shutil.which("install_name_tool"):
        print("skipped: install_name_tool is not here; the program's rpath stays as it was linked", file=sys.stderr)
        return
    told = subprocess.run(["otool", "-l", str(program)], check=True, capture_output=True, text=True).stdout
    if f"path {RPATH} " not in told:
        run("install_name_tool", "-add_rpath", RPATH, program)


def sign(app):
    """Signs the libraries, then the bundle; returns whether other machines trust the signature."""
    if not shutil.which("codesign"):
        print("skipped: codesign is not here; the bundle is not signed", file=sys.stderr)
        return False
    identity = os.environ.get("IRON_CROPPER_SIGN_IDENTITY")
    if not identity:
        print("skipped: IRON_CROPPER_SIGN_IDENTITY is not set; signed for this machine alone", file=sys.stderr)
    options = ["--force", "--sign", identity or "-"] + (["--timestamp", "--options", "runtime"] if identity else [])
    for library in sorted((app / "Contents").glob("Frameworks/*")):
        run("codesign", *options, library)
    run("codesign", *options, "--entitlements", HERE / "entitlements.plist", app)
    run("codesign", "--verify", "--strict", "--deep", app)
    return bool(identity)


def make_image(app, output):
    if not shutil.which("hdiutil"):
        print(f"skipped: hdiutil is not here; no {output.name}", file=sys.stderr)
        return False
    with tempfile.TemporaryDirectory() as work:
        run("ditto", app, pathlib.Path(work) / APP)
        (pathlib.Path(work) / "Applications").symlink_to("/Applications")
        run("hdiutil", "create", "-volname", "Iron Cropper", "-srcfolder", work, "-format", "UDZO", "-ov", output)
    return True


def notarise(image, is_signed):
    profile = os.environ.get("IRON_CROPPER_NOTARY_PROFILE")
    if not is_signed or not profile:
        why = "the bundle is not signed" if not is_signed else "IRON_CROPPER_NOTARY_PROFILE is not set"
        print(f"skipped: {why}; the image is not notarised", file=sys.stderr)
        return
    run("codesign", "--force", "--timestamp", "--sign", os.environ["IRON_CROPPER_SIGN_IDENTITY"], image)
    keychain = os.environ.get("IRON_CROPPER_NOTARY_KEYCHAIN")
    where = ["--keychain", keychain] if keychain else []
    run("xcrun", "notarytool", "submit", image, "--keychain-profile", profile, *where, "--wait")
    run("xcrun", "stapler", "staple", image)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--to", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--onnxruntime", type=pathlib.Path, metavar="DIR", help="the folder of the library, to bring it along")
    parser.add_argument("--licences", type=pathlib.Path, metavar="FILE", help="the libraries' licences, if made before")
    machine = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
    parser.add_argument("--target", default=f"{machine}-apple-darwin", help="what the program was built for")
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    app = arguments.to.resolve() / APP
    if app.exists():
        shutil.rmtree(app)
    lay_out(app, arguments)
    set_rpath(app / "Contents" / "MacOS" / "iron-cropper")
    is_signed = sign(app)
    image = arguments.to.resolve() / f"iron-cropper-{own_version()}-macos-{arguments.target.split('-')[0]}.dmg"
    if make_image(app, image):
        notarise(image, is_signed)
        print(f"{hashlib.sha256(image.read_bytes()).hexdigest()}  {image}")
    else:
        print(app)


if __name__ == "__main__":
    main()
