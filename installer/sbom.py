#!/usr/bin/env python3
"""Generates the software bill of materials of a built program (CycloneDX 1.5, JSON).

    python3 installer/sbom.py --to FILE [--target TRIPLE] [--onnxruntime DIR]

The crates are those that cargo links for the target with the default features, each with version, licence and the SHA-256
that Cargo.lock pins; crates that only build or test are left out, and so are those of this workspace, which are the program itself. The models and, with --onnxruntime, the library that
installer/onnxruntime/fetch.py fetched are listed too. The same commit gives the same file.
"""

import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Each embedded model: name, version, licence.
MODELS = [
    ("face_detection_yunet_2023mar", "2023mar", "MIT"),
    ("face_landmark", "0.10.14", "Apache-2.0"),
    ("iris_landmark", "0.10.14", "Apache-2.0"),
    ("person", "0.10.14", "Apache-2.0"),
]


def told_of(target):
    """Cargo's metadata of every package, by name and version."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    command += ["--filter-platform", target] if target else []
    packages = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout)["packages"]
    return {(package["name"], package["version"]): package for package in packages}


def linked(target):
    """Name and version of each package linked into the program, the program first, with its dependencies.

    Cargo's metadata would also have what only tests or other members of the workspace switch on.
    """
    command = ["cargo", "tree", "--locked", "--package", "iron-cropper", "--edges", "normal,no-proc-macro"]
    command += ["--prefix", "depth", "--format", " {p}", "--target", target or "all"]
    needs, above = {}, []
    for line in subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout.splitlines():
        depth, name, version = line.split()[:3]
        package = (name, version.removeprefix("v"))
        needs.setdefault(package, set())
        above[int(depth) :] = [package]
        if len(above) > 1:
            needs[above[-2]].add(package)
    return needs


def without_own(needs, packages):
    """`needs` with the workspace's other crates merged into the program: they are not third-party components."""
    program = next(iter(needs))
    own = {package for package in needs if packages[package]["source"] is None}
    kept = {package: others for package, others in needs.items() if package not in own}
    return {program: set().union(*(needs[package] for package in own)) - own, **kept}


def pinned_checksums():
    """SHA-256 by name and version, from Cargo.lock."""
    entries = (ROOT / "Cargo.lock").read_text(encoding="utf-8").split("[[package]]")[1:]
    value = lambda entry, key: (re.search(rf'^{key} = "([^"]+)"', entry, re.MULTILINE) or [None, None])[1]
    return {(value(entry, "name"), value(entry, "version")): value(entry, "checksum") for entry in entries}


def crate_reference(package):
    return f"pkg:cargo/{package['name']}@{urllib.parse.quote(package['version'])}"


def crate_component(package, checksum):
    component = {"type": "library", "bom-ref": crate_reference(package), "name": package["name"], "version": package["version"]}
    component["purl"] = crate_reference(package)
    if package["license"]:
        # The deprecated slash means OR.
        component["licenses"] = [{"expression": re.sub(r"\s*/\s*", " OR ", package["license"])}]
    if checksum:
        component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        component["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return component


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def model_component(name, version, licence):
    tflite = ROOT / "models/tflite" / f"{name}.tflite"
    return {
        "type": "machine-learning-model",
        "bom-ref": f"model:{name}",
        "name": name,
        "version": version,
        "licenses": [{"license": {"id": licence}}],
        "hashes": [{"alg": "SHA-256", "content": sha256(ROOT / "models" / f"{name}.onnx")}],
        # The same model for LiteRT.
        "components": [{"type": "file", "name": tflite.name, "hashes": [{"alg": "SHA-256", "content": sha256(tflite)}]}],
    }


def library_component(folder):
    pin = json.loads((folder / "fetched.json").read_text())
    reference = f"pkg:pypi/{pin['package']}@{pin['version']}"
    return {
        "type": "library",
        "bom-ref": reference,
        "name": pin["package"],
        "version": pin["version"],
        "purl": reference,
        "licenses": [{"license": {"id": "MIT"}}],
        # The checksum is that of the wheel that contains the library.
        "hashes": [{"alg": "SHA-256", "content": pin["sha256"]}],
        "components": [
            {"type": "file", "name": file.name, "hashes": [{"alg": "SHA-256", "content": sha256(file)}]}
            for file in sorted(folder.iterdir())
            if re.search(r"\.(so|dll|dylib)(\.[\d.]+)?$", file.name)
        ],
    }


def bill(target, onnxruntime):
    packages, checksums = told_of(target), pinned_checksums()
    needed = without_own(linked(target), packages)
    root, *others = needed
    models = [model_component(*each) for each in MODELS]
    parts = [crate_component(packages[each], checksums.get(each)) for each in sorted(others)] + models
    beside = [library_component(onnxruntime)] if onnxruntime else []
    needs = {crate_reference(packages[each]): {crate_reference(packages[other]) for other in found} for each, found in needed.items()}
    needs[crate_reference(packages[root])] |= {part["bom-ref"] for part in [*models, *beside]}
    program = {**crate_component(packages[root], None), "type": "application"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": program, "properties": [{"name": "target", "value": target or "every target"}]},
        "components": parts + beside,
        "dependencies": [{"ref": ref, "dependsOn": sorted(others)} for ref, others in sorted(needs.items())],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--to", type=pathlib.Path, required=True, metavar="FILE")
    parser.add_argument("--target", help="what the program was built for, such as x86_64-pc-windows-msvc; every target if not given")
    parser.add_argument("--onnxruntime", type=pathlib.Path, metavar="DIR", help="the folder of the library that goes with it")
    arguments = parser.parse_args()
    made = bill(arguments.target, arguments.onnxruntime)
    arguments.to.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(made['components'])} components in {arguments.to}", file=sys.stderr)


if __name__ == "__main__":
    main()
