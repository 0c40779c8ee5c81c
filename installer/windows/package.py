#!/usr/bin/env python3
"""Packs the built program for Windows: an installer and a portable zip.

    python3 installer/windows/package.py --binary PATH/iron-cropper.exe --to DIR [--onnxruntime DIR]

Beside the binary lies `iron-cropper.com`, made from console.rs, or it is named with --console. --onnxruntime takes the folder
that installer/onnxruntime/fetch.py --flavour directml --system windows filled. Icon, version and manifest are put into the
binary. Needs Python 3.9 and, for the installer, makensis with its 64-bit stubs (Debian's and Ubuntu's package `nsis`).
"""

import argparse
import hashlib
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent)]

import icons  # noqa: E402
import resources  # noqa: E402
from licences import own_version  # noqa: E402

TARGET = "x86_64-pc-windows-msvc"
TEXTS = ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE.md", "CHANGELOG.md"]
# Extensions for "Open with": the supported formats, and the raw formats of the larger camera makers.
EXTENSIONS = """jpg jpeg jpe jfif mpo png webp gif bmp tif tiff avif heic heif hif jxl qoi tga
    dng cr2 cr3 nef nrw arw orf rw2 raf pef srw""".split()
PORTABLE = '@rem Keeps settings and everything else in the folder "data" beside this file.\r\n@set "IRON_CROPPER_HOME=%~dp0data"\r\n' \
    '@start "" "%~dp0iron-cropper.exe" %*\r\n'


def lay_out(folder, arguments):
    """Copies everything that is installed into `folder`, in the installed layout."""
    image = arguments.binary.read_bytes()
    carried = resources.resources(own_version(), "iron-cropper.exe", icons.windows_images(), icons.directory)
    (folder / "iron-cropper.exe").write_bytes(resources.with_resources(image, carried))
    shutil.copyfile(arguments.console or arguments.binary.with_name("iron-cropper.com"), folder / "iron-cropper.com")
    for name in TEXTS:
        shutil.copyfile(ROOT / name, folder / with_ending(name))
    licences = folder / "LICENSES-OF-LIBRARIES.txt"
    if arguments.licences:
        shutil.copyfile(arguments.licences, licences)
    else:
        script = ROOT / "installer" / "licences.py"
        subprocess.run([sys.executable, script, "--to", licences, "--target", TARGET], check=True, cwd=ROOT)
    samples = folder / "assets" / "samples"
    samples.mkdir(parents=True)
    for photo in sorted((ROOT / "assets" / "samples").iterdir()):
        shutil.copyfile(photo, samples / photo.name)
    if arguments.onnxruntime:
        if not (arguments.onnxruntime / "onnxruntime.dll").is_file():
            sys.exit(f"{arguments.onnxruntime} holds no onnxruntime.dll")
        (folder / "onnxruntime").mkdir()
        for file in sorted(arguments.onnxruntime.iterdir()):
            shutil.copyfile(file, folder / "onnxruntime" / with_ending(file.name))


def with_ending(name):
    """Adds .txt: files without an extension have no default program on Windows."""
    return name if "." in name else name + ".txt"


def files_of(folder):
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def install_lists(staged):
    """Contents of files.nsh: macros that install each file, and one that removes them."""

    def put(files):
        lines, place = [], None
        for file in files:
            parent = "\\".join(("$INSTDIR", *file.parts[:-1]))
            if parent != place:
                lines.append(f'    SetOutPath "{parent}"')
                place = parent
            lines.append(f'    File "{staged / file}"')
        return lines

    files = files_of(staged)
    runtime = [file for file in files if file.parts[0] == "onnxruntime"]
    program = [file for file in files if file not in runtime]
    folders = sorted({parent for file in files for parent in file.parents if parent.parts}, key=lambda path: (-len(path.parts), path))
    away = [f'    Delete "$INSTDIR\\{chr(92).join(file.parts)}"' for file in files]
    away += [f'    RMDir "$INSTDIR\\{chr(92).join(path.parts)}"' for path in folders]
    each = [f'    !insertmacro ${{WHAT}} "{extension}"' for extension in EXTENSIONS]
    macros = {"PROGRAM_FILES": put(program), "RUNTIME_FILES": put(runtime), "un.FILES": away, "EACH_EXTENSION WHAT": each}
    return "".join(f"!macro {name}\n" + "\n".join(lines) + "\n!macroend\n" for name, lines in macros.items())


def make_installer(staged, work, output, with_runtime):
    (work / "files.nsh").write_text(install_lists(staged), encoding="utf-8")
    (work / "icon.ico").write_bytes(icons.ico())
    size = sum((staged / file).stat().st_size for file in files_of(staged))
    defined = {
        "VERSION": own_version(),
        "FOUR_NUMBERS": ".".join(map(str, resources.four_numbers(own_version()))),
        "SIZE_KB": str(-(-size // 1024)),
        "FILES": str(work / "files.nsh"),
        "ICON": str(work / "icon.ico"),
        "OUTPUT": str(output),
    }
    if with_runtime:
        defined["ONNXRUNTIME"] = "1"
    command = ["makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8", *(f"-D{name}={value}" for name, value in defined.items())]
    subprocess.run([*command, str(HERE / "iron-cropper.nsi")], check=True)


def make_zip(staged, output, top):
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in files_of(staged):
            entry = zipfile.ZipInfo(f"{top}/{file.as_posix()}", (2020, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, (staged / file).read_bytes())
        archive.writestr(zipfile.ZipInfo(f"{top}/iron-cropper-portable.cmd", (2020, 1, 1, 0, 0, 0)), PORTABLE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--binary", type=pathlib.Path, required=True, help="iron-cropper.exe, unsigned")
    parser.add_argument("--console", type=pathlib.Path, help="iron-cropper.com, if it is not beside the binary")
    parser.add_argument("--to", type=pathlib.Path, required=True, metavar="DIR")
    parser.add_argument("--onnxruntime", type=pathlib.Path, metavar="DIR", help="the folder of the library, to bring it along")
    parser.add_argument("--licences", type=pathlib.Path, metavar="FILE", help="the libraries' licences, if made before")
    arguments = parser.parse_args()
    if not shutil.which("makensis"):
        sys.exit("makensis is not here: apt-get install nsis")
    arguments.to.mkdir(parents=True, exist_ok=True)
    stem = f"iron-cropper-{own_version()}-windows-x86_64"
    setup, portable = arguments.to.resolve() / f"{stem}-setup.exe", arguments.to.resolve() / f"{stem}.zip"
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        staged = work / "staged"
        staged.mkdir()
        lay_out(staged, arguments)
        make_installer(staged, work, setup, bool(arguments.onnxruntime))
        make_zip(staged, portable, stem)
    for package in (setup, portable):
        print(f"{hashlib.sha256(package.read_bytes()).hexdigest()}  {package}")


if __name__ == "__main__":
    main()
