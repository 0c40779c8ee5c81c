"""Tests of the scripts in installer/, on small placeholder files.

usage: python3 -m unittest discover -s tests/packages       (a second or two; the installer's part needs makensis)
"""

import argparse
import importlib.util
import json
import pathlib
import plistlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "installer"), str(ROOT / "installer" / "windows")]

import icons  # noqa: E402
import licences  # noqa: E402
import resources  # noqa: E402


def script(name, path):
    spec = importlib.util.spec_from_file_location(name, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def small_program():
    """A minimal 64-bit Windows program: headers and one section with a return instruction."""
    optional = struct.pack("<HBBIIIII", 0x20B, 1, 0, 0x200, 0, 0, 0x1000, 0x1000)
    optional += struct.pack("<QIIHHHHHHIIIIHH", 0x140000000, 0x1000, 0x200, 6, 0, 0, 0, 6, 0, 0, 0x2000, 0x200, 0, 3, 0x100)
    optional += struct.pack("<QQQQII", 0x100000, 0x1000, 0x100000, 0x1000, 0, 16) + b"\0" * 128
    head = b"MZ" + b"\0" * 58 + struct.pack("<I", 64)
    head += b"PE\0\0" + struct.pack("<HHIIIHH", 0x8664, 1, 0, 0, 0, len(optional), 0x22) + optional
    head += struct.pack("<8sIIIIIIHHI", b".text", 3, 0x1000, 0x200, 0x200, 0, 0, 0, 0, 0x60000020)
    return head.ljust(0x200, b"\0") + b"\x31\xc0\xc3".ljust(0x200, b"\0")


def read_resources(image):
    """Resources by type and number, read like Windows does: from the directory's address through the sections."""
    pe = struct.unpack_from("<I", image, 0x3C)[0]
    count, optional = struct.unpack_from("<H", image, pe + 6)[0], pe + 24
    address, size = struct.unpack_from("<II", image, optional + 112 + 16)
    sections = optional + struct.unpack_from("<H", image, pe + 20)[0]
    for at in range(sections, sections + 40 * count, 40):
        length, start, stored, place = struct.unpack_from("<IIII", image, at + 8)
        if start <= address < start + length:
            base = place + address - start
    assert size <= stored

    def entries(at):
        named, numbered = struct.unpack_from("<HH", image, base + at + 12)
        for number in range(named + numbered):
            key, to = struct.unpack_from("<II", image, base + at + 16 + 8 * number)
            yield key, to & 0x7FFFFFFF

    found = {}
    for kind, names in entries(0):
        for name, languages in entries(names):
            for _, leaf in entries(languages):
                start, length = struct.unpack_from("<II", image, base + leaf)
                found[kind, name] = image[base + start - address : base + start - address + length]
    return found


class Icons(unittest.TestCase):
    def test_windows_icon_contains_exactly_the_expected_sizes(self):
        data = icons.ico()
        _, kind, count = struct.unpack_from("<HHH", data)
        self.assertEqual((kind, count), (1, len(icons.ICO_SIZES)))
        end = 6 + 16 * count
        for number, size in enumerate(icons.ICO_SIZES):
            width, height, _, _, _, depth, length, at = struct.unpack_from("<BBBBHHII", data, 6 + 16 * number)
            self.assertEqual((width, height, depth, at), (size & 255, size & 255, 32, end))
            end += length
        self.assertEqual(end, len(data))

    def test_macos_icon_entries_match_their_image_sizes(self):
        data, at, sides = icons.icns(), 8, {}
        self.assertEqual(struct.unpack_from(">4sI", data), (b"icns", len(data)))
        while at < len(data):
            kind, length = struct.unpack_from(">4sI", data, at)
            sides[kind], _ = icons.read_png(data[at + 8 : at + length])
            at += length
        self.assertEqual(sides, dict(icons.ICNS_ENTRIES))

    def test_scaling_keeps_colour_and_area(self):
        # A red square on a transparent background: half as wide after halving, equally red, not darker at its edge.
        clear, red = [0, 0, 0, 0], [255, 0, 0, 255]
        rows = [bytearray(sum((red if 2 <= x < 6 and 2 <= y < 6 else clear for x in range(8)), [])) for y in range(8)]
        small = icons.scaled(8, rows, 4)
        self.assertEqual([row[3::4].hex() for row in small], ["00000000", "00ffff00", "00ffff00", "00000000"])
        odd = icons.scaled(8, rows, 3)
        self.assertTrue(all(tuple(row[x : x + 3]) == (255, 0, 0) for row in odd for x in range(0, 12, 4) if row[x + 3]))
        side, again = icons.read_png(icons.write_png(rows))
        self.assertEqual((side, again), (8, rows))


class Resources(unittest.TestCase):
    def carried(self):
        return resources.resources("1.2.3-rc.1", "iron-cropper.exe", icons.windows_images(), icons.directory)

    def test_embedded_resources_can_be_read_back(self):
        carried = self.carried()
        image = resources.with_resources(small_program(), carried)
        found = read_resources(image)
        expected = {(kind, name): data for kind, names in carried.items() for name, data in names.items()}
        self.assertEqual(found, expected)
        # The code has not moved, and the image size matches the sections.
        self.assertEqual(image[0x200:0x400], small_program()[0x200:0x400])
        self.assertEqual(struct.unpack_from("<I", image, 64 + 24 + 56)[0] % 0x1000, 0)
        self.assertIn("1.2.3-rc.1".encode("utf-16-le"), found[resources.VERSION, 1])
        self.assertIn(b"longPathAware", found[resources.MANIFEST, 1])

    def test_programs_with_resources_or_signatures_are_rejected(self):
        image = resources.with_resources(small_program(), self.carried())
        with self.assertRaisesRegex(ValueError, "resources already"):
            resources.with_resources(image, self.carried())
        signed = bytearray(small_program())
        struct.pack_into("<II", signed, 64 + 24 + 112 + 32, 0x400, 8)
        with self.assertRaisesRegex(ValueError, "signed"):
            resources.with_resources(bytes(signed), self.carried())
        with self.assertRaisesRegex(ValueError, "not a program"):
            resources.with_resources(b"\x7fELF" + b"\0" * 100, self.carried())


class Folder(unittest.TestCase):
    """Base class with a folder of placeholders for the built program and ONNX Runtime."""

    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)
        (self.folder / "iron-cropper.exe").write_bytes(small_program())
        (self.folder / "iron-cropper.com").write_bytes(small_program())
        (self.folder / "licences").write_text("all of them")
        self.library = self.folder / "library"
        self.library.mkdir()
        for name in ("onnxruntime.dll", "DirectML.dll", "libonnxruntime.1.2.3.dylib", "LICENSE", "fetched.json"):
            (self.library / name).write_text(name)

    def package(self, system, *more):
        binary = "iron-cropper.exe"
        command = [sys.executable, ROOT / "installer" / system / "package.py", "--binary", self.folder / binary]
        command += ["--to", self.folder / "out", "--licences", self.folder / "licences", *more]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return done


class Windows(Folder):
    def lists(self, with_runtime=True):
        package = script("windows_package", "installer/windows/package.py")
        staged = self.folder / "staged"
        staged.mkdir()
        package.lay_out(
            staged,
            argparse.Namespace(
                binary=self.folder / "iron-cropper.exe",
                console=None,
                licences=self.folder / "licences",
                onnxruntime=self.library if with_runtime else None,
            ),
        )
        return package, staged, package.install_lists(staged)

    def test_uninstaller_removes_exactly_the_installed_files(self):
        _, staged, lists = self.lists()
        put, place = set(), None
        for line in lists.splitlines():
            if found := re.fullmatch(r'    SetOutPath "(.+)"', line):
                place = found.group(1)
            if found := re.fullmatch(r'    File "(.+)"', line):
                put.add(f"{place}\\{pathlib.Path(found.group(1)).name}")
        away = set(re.findall(r'^    Delete "(.+)"$', lists, re.MULTILINE))
        self.assertEqual(put, away)
        self.assertEqual(len(put), sum(path.is_file() for path in staged.rglob("*")))
        folders = re.findall(r'^    RMDir "(.+)"$', lists, re.MULTILINE)
        self.assertEqual(folders, ["$INSTDIR\\assets\\samples", "$INSTDIR\\assets", "$INSTDIR\\onnxruntime"])
        text = lists + (ROOT / "installer/windows/iron-cropper.nsi").read_text(encoding="utf-8")
        # No recursive removal, no wildcards, and no registry key that NSIS considers empty only because it has no subkeys.
        self.assertNotRegex(text, r"(?i)RMDir\s+/r|Delete[^\n]*[*?]|/ifempty")
        self.assertNotRegex(text, r"HKLM|HKCR|RequestExecutionLevel (admin|highest)")

    def test_open_with_lists_supported_extensions_only(self):
        package = script("windows_package", "installer/windows/package.py")
        source = (ROOT / "crates/import/src/walk.rs").read_text(encoding="utf-8")
        known = re.search(r"PICTURE_EXTENSIONS: .*?= \[(.*?)\];", source, re.DOTALL).group(1)
        self.assertLessEqual(set(package.EXTENSIONS), set(re.findall(r'"(\w+)"', known)))

    def test_every_installer_text_exists_in_every_language(self):
        text = (ROOT / "installer/windows/languages.nsh").read_text(encoding="utf-8")
        nsi = (ROOT / "installer/windows/iron-cropper.nsi").read_text(encoding="utf-8")
        said = re.findall(r"!insertmacro SAY (\w+) ((?:\\\n|[^\n])+)", text)
        for name, wording in said:
            self.assertEqual(len(re.findall(r'"[^"]+"', wording)), 5, name)
            self.assertIn(f"$({name})", nsi)
        catalogues = {path.stem for path in (ROOT / "assets/languages").glob("*.toml")}
        self.assertEqual(catalogues | {"en"}, {"en", "de", "fr", "es", "ja"})

    @unittest.skipUnless(shutil.which("makensis"), "makensis is not installed")
    def test_installer_and_zip_are_built(self):
        self.package("windows", "--onnxruntime", self.library)
        (setup,) = (self.folder / "out").glob("*-setup.exe")
        found = read_resources(setup.read_bytes())
        version = licences.own_version()
        self.assertTrue(any(kind == resources.VERSION and version.encode("utf-16-le") in data for (kind, _), data in found.items()))
        (portable,) = (self.folder / "out").glob("*.zip")
        with zipfile.ZipFile(portable) as archive:
            top = portable.stem
            names = {name.removeprefix(f"{top}/") for name in archive.namelist()}
            self.assertIsNone(archive.testzip())
            self.assertIn((resources.ICON, 1), read_resources(archive.read(f"{top}/iron-cropper.exe")))
        for name in ("iron-cropper.com", "iron-cropper-portable.cmd", "LICENSE-MIT.txt", "LICENSES-OF-LIBRARIES.txt"):
            self.assertIn(name, names)
        self.assertLessEqual({"onnxruntime/onnxruntime.dll", "onnxruntime/LICENSE.txt", "assets/samples/astronaut.png"}, names)
        # The same input gives the same zip.
        before = portable.read_bytes()
        self.package("windows", "--onnxruntime", self.library)
        self.assertEqual(before, portable.read_bytes())


class MacOS(Folder):
    def test_bundle_has_the_layout_of_macos(self):
        done = self.package("macos", "--onnxruntime", self.library, "--target", "aarch64-apple-darwin")
        contents = self.folder / "out" / "Iron Cropper.app" / "Contents"
        info = plistlib.loads((contents / "Info.plist").read_bytes())
        program = contents / "MacOS" / info["CFBundleExecutable"]
        self.assertTrue(program.stat().st_mode & 0o111)
        self.assertTrue((contents / "Resources" / info["CFBundleIconFile"]).read_bytes().startswith(b"icns"))
        self.assertRegex(info["CFBundleVersion"], r"^\d+\.\d+\.\d+$")
        self.assertEqual({"en", "de", "fr", "es", "ja"}, set(info["CFBundleLocalizations"]))
        opened = {kind for entry in info["CFBundleDocumentTypes"] for kind in entry["LSItemContentTypes"]}
        self.assertLessEqual({"public.jpeg", "public.heic", "public.folder"}, opened)
        # Only signed code may be beside the program.
        self.assertEqual([path.name for path in (contents / "MacOS").iterdir()], ["iron-cropper"])
        self.assertEqual([path.name for path in (contents / "Frameworks").iterdir()], ["libonnxruntime.1.2.3.dylib"])
        self.assertTrue((contents / "Resources/licences/onnxruntime/LICENSE").is_file())
        self.assertFalse(list(contents.rglob("fetched.json")))
        if not shutil.which("codesign"):
            self.assertIn("skipped: codesign is not here", done.stderr)

    def test_hardened_runtime_has_one_entitlement(self):
        entitlements = plistlib.loads((ROOT / "installer/macos/entitlements.plist").read_bytes())
        self.assertEqual(entitlements, {"com.apple.security.cs.disable-library-validation": True})


class OnnxRuntime(unittest.TestCase):
    def test_each_provider_gets_exactly_its_libraries(self):
        fetch = script("fetch", "installer/onnxruntime/fetch.py")
        wheel = """libonnxruntime.so.1.31.1 libonnxruntime_providers_shared.so libonnxruntime_providers_cuda.so
            libonnxruntime_providers_tensorrt.so libonnxruntime_providers_openvino.so libopenvino.so libopenvino.so.2541
            libopenvino.so.2025.4.1 libopenvino_c.so.2541 libopenvino_onnx_frontend.so.2541 libopenvino_intel_cpu_plugin.so
            libopenvino_intel_gpu_plugin.so libtbb.so.12 libtbbmalloc.so""".split()
        kept = lambda *providers: [name for name in wheel if fetch.is_needed(name, providers)]
        self.assertEqual(kept("cpu"), wheel[:1])
        self.assertEqual(kept("cuda"), wheel[:3])
        self.assertEqual(kept("tensorrt"), wheel[:4])
        self.assertEqual(kept("openvino-cpu"), wheel[:2] + [wheel[4], wheel[6], wheel[9], wheel[10], wheel[12], wheel[13]])
        self.assertNotIn("libopenvino_intel_cpu_plugin.so", kept("openvino-gpu"))
        for name in ("onnxruntime.dll", "DirectML.dll", "libonnxruntime.1.32.0.dylib", "libonnxruntime.dylib"):
            self.assertTrue(fetch.is_needed(name, ["cpu"]), name)
        self.assertTrue(fetch.is_needed("libLiteRt.so", ["cpu"]))
        self.assertFalse(fetch.is_needed("libLiteRtWebGpuAccelerator.so", ["cpu"]))

    def test_a_provider_missing_from_the_flavour_is_rejected_before_the_download(self):
        command = [sys.executable, ROOT / "installer/onnxruntime/fetch.py", "--flavour", "cpu", "--providers", "cuda"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not fetched for cuda", done.stderr)

    def test_pins_are_complete(self):
        fetch = script("fetch", "installer/onnxruntime/fetch.py")
        for pin in fetch.PINS:
            self.assertRegex(pin["sha256"], r"^[0-9a-f]{64}$")
            self.assertIn(pin["version"], pin["file"])
            self.assertIn(pin["flavour"], fetch.HAS)


class Models(unittest.TestCase):
    def test_every_model_and_its_licence_are_listed(self):
        parts = licences.models()
        placed = [place for part in parts for place in part.place.split()]
        self.assertLessEqual({f"models/{path.name}" for path in (ROOT / "models").glob("*.onnx")}, set(placed))
        files = {f"models/tflite/{path.name}" for path in (ROOT / "models/tflite").glob("*.tflite")}
        self.assertLessEqual(files, set(placed))
        self.assertEqual(len(placed), len(set(placed)))
        for path in (ROOT / "models").glob("LICENSE*"):
            self.assertIn(licences.read(path), [text for part in parts for text in part.texts])
        # Not the holder of the source file that MediaPipe's licence names too.
        self.assertEqual(licences.holders(parts[1]), ["The MediaPipe Authors"])
        self.assertTrue(all("Shiqi Yu" in holder or "Shenzhen" in holder for holder in licences.holders(parts[0])))


def own_packages():
    """Metadata of every package in the workspace."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--no-deps"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, cwd=ROOT).stdout)["packages"]


@unittest.skipUnless(shutil.which("cargo"), "cargo is not installed")
class Bill(unittest.TestCase):
    def test_sbom_lists_exactly_the_linked_crates(self):
        with tempfile.TemporaryDirectory() as folder:
            library, output = pathlib.Path(folder) / "library", pathlib.Path(folder) / "bill.json"
            library.mkdir()
            (library / "libonnxruntime.so.1.2.3").write_text("library")
            (library / "fetched.json").write_text(json.dumps({"package": "onnxruntime", "version": "1.2.3", "sha256": "0" * 64}))
            command = [sys.executable, ROOT / "installer/sbom.py", "--to", output, "--onnxruntime", library]
            command += ["--target", "x86_64-unknown-linux-gnu"]
            subprocess.run(command, check=True, capture_output=True)
            bill = json.loads(output.read_bytes())
        parts = {part["name"]: part for part in bill["components"]}
        # Linked; test dependency; Windows only; proc macro; not a crate.
        self.assertEqual([name in parts for name in ("egui", "criterion", "windows-sys", "serde_derive")], [True, False, False, False])
        self.assertIn("libonnxruntime.so.1.2.3", [file["name"] for file in parts["onnxruntime"]["components"]])
        self.assertLessEqual({path.stem for path in (ROOT / "models").glob("*.onnx")}, set(parts))
        for part in bill["components"]:
            self.assertTrue(part["licenses"] and part["hashes"], part["name"])
        known = {part["bom-ref"] for part in bill["components"]}
        self.assertTrue(all(other in known for edge in bill["dependencies"] for other in edge["dependsOn"]))
        # Workspace crates are the program itself: they are not components, and their dependencies are the program's.
        self.assertFalse({package["name"] for package in own_packages()} & set(parts))
        needs = {edge["ref"]: edge["dependsOn"] for edge in bill["dependencies"]}
        program = needs[bill["metadata"]["component"]["bom-ref"]]
        self.assertLessEqual({parts[name]["bom-ref"] for name in ("egui", "image", "tract-onnx")}, set(program))
        # Every component is reachable from the program.
        reached, open_ = set(), list(program)
        while open_:
            reached.add(open_[-1])
            open_ += set(needs.get(open_.pop(), [])) - reached
        self.assertEqual(reached, known)

    def test_packages_have_the_version_and_licence_of_the_manifest(self):
        said = {(package["version"], package["license"]) for package in own_packages()}
        self.assertEqual(said, {(licences.own_version(), licences.of_workspace("license"))})


@unittest.skipUnless(shutil.which("rustc"), "rustc is not installed")
class ConsoleProgram(unittest.TestCase):
    def test_console_program_forwards_arguments_and_exit_codes(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "iron-cropper.com"
            source = ROOT / "installer/windows/console.rs"
            subprocess.run(["rustc", "--edition", "2024", "-D", "warnings", "-o", program, source], check=True)
            beside = program.with_suffix(".exe")
            beside.write_text('#!/bin/sh\nprintf "%s|" "$@"\ncat\nexit 2\n')
            beside.chmod(0o755)
            done = subprocess.run([program, "crop", "a b", ""], input="in", capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (2, "crop|a b||in"))
            beside.unlink()
            done = subprocess.run([program], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("iron-cropper.exe cannot be started", done.stderr)


if __name__ == "__main__":
    unittest.main()
