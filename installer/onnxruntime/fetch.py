#!/usr/bin/env python3
"""Downloads the library of ONNX Runtime or LiteRT for Iron Cropper, with its licence, to a folder the program searches.

    python3 installer/onnxruntime/fetch.py                       the library for this machine's processor
    python3 installer/onnxruntime/fetch.py --flavour directml    for DirectX 12 graphics cards (Windows)
    python3 installer/onnxruntime/fetch.py --flavour gpu --providers cuda       with what that provider needs, no more
    python3 installer/onnxruntime/fetch.py --flavour litert      LiteRT, to a folder of its own
    python3 installer/onnxruntime/fetch.py --to DIR              into another folder

The library comes out of the Python wheel of the same name, which pip downloads; version and SHA-256 are pinned in
pins.json beside this file. Nothing but Python 3.8 with pip is needed, and nothing is installed into it. Another flavour
of ONNX Runtime takes the place of the one before. Run again after changing pins.json.
"""

import argparse
import fnmatch
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PINS = json.loads((HERE / "pins.json").read_text())
LIBRARY = re.compile(r"(lib[^/]*\.so(\.\d+)*|lib[^/]*\.dylib|[^/]*\.dll)$")
NOTES = {"LICENSE", "ThirdPartyNotices.txt", "Privacy.md"}
LITERT_NOTES = {"LICENSE"}
# The library itself, which includes cpu and, depending on the flavour, directml and coreml.
MAIN = ["libonnxruntime.so*", "libonnxruntime.*dylib", "onnxruntime.dll", "DirectML.dll", "libLiteRt.*"]
# Further libraries that a provider loads. OpenVINO's libraries have several names each; only one is loaded.
SHARED = ["*onnxruntime_providers_shared.*"]
OPENVINO = SHARED + ["*onnxruntime_providers_openvino.*", "libopenvino.so.[0-9][0-9][0-9][0-9]"]
OPENVINO += ["libopenvino_onnx_frontend.so.[0-9][0-9][0-9][0-9]", "libtbb.so.12", "libtbbmalloc.so"]
CUDA = SHARED + ["*onnxruntime_providers_cuda.*"]
NEEDS = {
    "cpu": [],
    "directml": [],
    "coreml": [],
    "openvino-cpu": OPENVINO + ["libopenvino_intel_cpu_plugin.so"],
    "openvino-gpu": OPENVINO + ["libopenvino_intel_gpu_plugin.so"],
    "openvino-npu": OPENVINO + ["libopenvino_intel_npu_plugin.so"],
    "openvino": OPENVINO + ["libopenvino_*_plugin.so"],
    "cuda": CUDA,
    # It uses the CUDA provider to allocate memory.
    "tensorrt": CUDA + ["*onnxruntime_providers_tensorrt.*"],
}
# Providers per flavour; without --providers, all of them.
HAS = {
    "cpu": ["cpu", "coreml"],
    "directml": ["cpu", "directml"],
    "openvino": ["cpu", "openvino", "openvino-cpu", "openvino-gpu", "openvino-npu"],
    "gpu": ["cpu", "cuda", "tensorrt"],
    "litert": ["cpu"],
}


def this_system():
    return {"Linux": "linux", "Windows": "windows", "Darwin": "macos"}.get(platform.system(), platform.system())


def this_machine():
    machine = platform.machine().lower()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)


def default_folder(name):
    """The folder `name` in Iron Cropper's user data folder, which the program searches."""
    home = os.environ.get("IRON_CROPPER_HOME")
    if home:
        return pathlib.Path(home) / "data" / name
    user = pathlib.Path.home()
    if this_system() == "windows":
        data = pathlib.Path(os.environ.get("LOCALAPPDATA") or user / "AppData" / "Local") / "iron-cropper" / "data"
    elif this_system() == "macos":
        data = user / "Library" / "Application Support" / "iron-cropper"
    else:
        given = pathlib.Path(os.environ.get("XDG_DATA_HOME") or "")
        data = (given if given.is_absolute() else user / ".local" / "share") / "iron-cropper"
    return data / name


def pin_for(flavour, system, machine):
    for pin in PINS:
        if (pin["flavour"], pin["system"], pin["machine"]) == (flavour, system, machine):
            return pin
    there = sorted({pin["flavour"] for pin in PINS if (pin["system"], pin["machine"]) == (system, machine)})
    sys.exit(f"there is no {flavour} library for {system} on {machine}; there is: {', '.join(there) or 'none'}")


def download(pin, folder):
    """Downloads the pinned wheel into `folder` with pip."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--platform", pin["platform"], "--python-version", "3.11"]
    command += ["--implementation", "cp", "--abi", "cp311", "--dest", str(folder)]
    command.append(f"{pin['package']}=={pin['version']}")
    print(" ".join(command), file=sys.stderr)
    # pip's output goes to standard error: standard output contains only the path.
    if subprocess.run(command, stdout=sys.stderr).returncode != 0:
        sys.exit(f"pip could not download {pin['package']} {pin['version']}; is this machine online, and is pip installed?")
    return folder / pin["file"]


def verify(wheel, pin):
    if not wheel.is_file():
        sys.exit(f"{wheel.name} is not there; found {', '.join(path.name for path in wheel.parent.iterdir()) or 'nothing'}")
    digest = hashlib.sha256()
    with wheel.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != pin["sha256"]:
        sys.exit(f"{wheel.name} is not the pinned file: its SHA-256 is {digest.hexdigest()}, not {pin['sha256']}")


def is_needed(name, providers):
    """True if one of `providers` loads the library `name`."""
    patterns = MAIN + [pattern for provider in providers for pattern in NEEDS[provider]]
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def extract(wheel, folder, providers, notes):
    """Extracts the libraries that `providers` need, and the licences `notes`, from the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            name = pathlib.PurePosixPath(member.filename).name
            is_library = pathlib.PurePosixPath(member.filename).parent.name in {"capi", "ai_edge_litert"}
            is_library = is_library and LIBRARY.match(name) and is_needed(name, providers)
            if not is_library and name not in notes:
                continue
            with archive.open(member) as source, (folder / name).open("wb") as file:
                shutil.copyfileobj(source, file, 1 << 20)
    missing = notes - {path.name for path in folder.iterdir()}
    if missing:
        sys.exit(f"the wheel lacks {', '.join(sorted(missing))}, which must go with the library")


def library_in(folder):
    names = re.compile(r"(libonnxruntime\.so(\.\d+)*|libonnxruntime[.\d]*\.dylib|onnxruntime\.dll|libLiteRt\.(so|dylib|dll))$")
    found = sorted(path for path in folder.iterdir() if names.match(path.name))
    if not found:
        sys.exit("the wheel holds no such library")
    return found[-1]


def replace(new, folder):
    """Replaces `folder` by the folder `new` atomically."""
    old = folder.with_name(folder.name + ".old")
    if old.exists():
        shutil.rmtree(old)
    try:
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    except OSError as error:
        if old.exists() and not folder.exists():
            old.rename(folder)
        sys.exit(f"{folder} cannot be replaced ({error}); close Iron Cropper and try again")
    shutil.rmtree(old, ignore_errors=True)


def is_ours(folder):
    """True if the folder can be replaced safely: it does not exist, is empty, or was created by this script."""
    return not folder.exists() or not any(folder.iterdir()) or (folder / "fetched.json").is_file()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--flavour", choices=sorted(HAS), default="cpu")
    parser.add_argument("--providers", metavar="LIST", help=f"only what these need, with commas: {', '.join(NEEDS)}")
    parser.add_argument("--to", type=pathlib.Path, metavar="DIR", help="the folder; the user's data folder if not given")
    parser.add_argument("--system", choices=["linux", "windows", "macos"], default=this_system(), help="for another machine")
    parser.add_argument("--machine", choices=["x86_64", "aarch64"], default=this_machine(), help="for another machine")
    arguments = parser.parse_args()
    providers = arguments.providers.split(",") if arguments.providers else HAS[arguments.flavour]
    strangers = [provider for provider in providers if provider not in HAS[arguments.flavour]]
    if strangers:
        there = ", ".join(HAS[arguments.flavour])
        parser.error(f"the flavour {arguments.flavour} is not fetched for {', '.join(strangers)}; it has {there}")
    pin = pin_for(arguments.flavour, arguments.system, arguments.machine)
    if arguments.system == this_system() == "linux" and platform.libc_ver()[0] != "glibc":
        sys.exit("the library needs glibc; use the package of your distribution, and ORT_DYLIB_PATH to name its file")
    is_litert = arguments.flavour == "litert"
    folder = (arguments.to or default_folder("litert" if is_litert else "onnxruntime")).absolute()
    if not is_ours(folder):
        sys.exit(f"{folder} holds files that this script did not put there; name another folder with --to")
    folder.parent.mkdir(parents=True, exist_ok=True)
    # In the same parent folder, so that the last step is a rename.
    with tempfile.TemporaryDirectory(prefix=".onnxruntime-", dir=folder.parent) as work:
        wheel = download(pin, pathlib.Path(work))
        verify(wheel, pin)
        new = pathlib.Path(work) / "new"
        new.mkdir()
        extract(wheel, new, providers, LITERT_NOTES if is_litert else NOTES)
        library_in(new)
        (new / "fetched.json").write_text(json.dumps({**pin, "providers": providers}, indent=2) + "\n")
        replace(new, folder)
    print(library_in(folder))


if __name__ == "__main__":
    main()
