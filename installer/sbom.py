#!/usr/bin/env python3
"""Lists everything a built program is made of, as a software bill of materials (CycloneDX 1.5, JSON).

    python3 installer/sbom.py --to FILE [--target TRIPLE] [--onnxruntime DIR]

The crates are those that cargo links for the target with the default features, each with version, licence and the SHA-256
that Cargo.lock pins; crates that only build or test are left out. The model and, with --onnxruntime, the library that
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
MODEL = ROOT / "models" / "face_detection_yunet_2023mar.onnx"


def metadata(target):
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    command += ["--filter-platform", target] if target else []
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout)


def linked(target):
    """Name and version of the packages that end up in the program. Cargo's tree knows what only tests switch on."""
    command = ["cargo", "tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]
    command += ["--target", target or "all"]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout.splitlines()
    return {(name, version.removeprefix("v")) for name, version in (line.split()[:2] for line in lines)}


def edges(told, found):
    """For each package in `found` the others in it that it depends on, all by their ids."""
    names = {each["id"]: (each["name"], each["version"]) for each in told["packages"]}
    return {
        node["id"]: [dep["pkg"] for dep in node["deps"] if names[dep["pkg"]] in found and any(k["kind"] is None for k in dep["dep_kinds"])]
        for node in told["resolve"]["nodes"]
        if names[node["id"]] in found
    }


def pinned_checksums():
    """SHA-256 by name and version, as Cargo.lock has them."""
    entries = (ROOT / "Cargo.lock").read_text(encoding="utf-8").split("[[package]]")[1:]
    value = lambda entry, key: (re.search(rf'^{key} = "([^"]+)"', entry, re.MULTILINE) or [None, None])[1]
    return {(value(entry, "name"), value(entry, "version")): value(entry, "checksum") for entry in entries}


def crate_reference(package):
    return f"pkg:cargo/{package['name']}@{urllib.parse.quote(package['version'])}"


def crate_component(package, checksum):
    component = {"type": "library", "bom-ref": crate_reference(package), "name": package["name"], "version": package["version"]}
    component["purl"] = crate_reference(package)
    if package["license"]:
        # The old slash stands for a choice.
        component["licenses"] = [{"expression": re.sub(r"\s*/\s*", " OR ", package["license"])}]
    if checksum:
        component["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    if package["repository"]:
        component["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return component


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def model_component():
    return {
        "type": "machine-learning-model",
        "bom-ref": "model:yunet",
        "name": MODEL.stem,
        "version": "2023mar",
        "licenses": [{"license": {"id": "MIT"}}],
        "hashes": [{"alg": "SHA-256", "content": sha256(MODEL)}],
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
        # Of the wheel that the library was taken out of.
        "hashes": [{"alg": "SHA-256", "content": pin["sha256"]}],
        "components": [
            {"type": "file", "name": file.name, "hashes": [{"alg": "SHA-256", "content": sha256(file)}]}
            for file in sorted(folder.iterdir())
            if re.search(r"\.(so|dll|dylib)(\.[\d.]+)?$", file.name)
        ],
    }


def bill(target, onnxruntime):
    told = metadata(target)
    packages = {package["id"]: package for package in told["packages"]}
    found, checksums = edges(told, linked(target)), pinned_checksums()
    root = packages[told["resolve"]["root"]]
    crates = sorted((packages[each] for each in found if each != root["id"]), key=lambda each: (each["name"], each["version"]))
    parts = [crate_component(each, checksums.get((each["name"], each["version"]))) for each in crates] + [model_component()]
    beside = [library_component(onnxruntime)] if onnxruntime else []
    needs = {crate_reference(packages[each]): [crate_reference(packages[other]) for other in others] for each, others in found.items()}
    needs[crate_reference(root)] += [part["bom-ref"] for part in [parts[-1], *beside]]
    program = {**crate_component(root, None), "type": "application"}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": program, "properties": [{"name": "target", "value": target or "every target"}]},
        "components": parts + beside,
        "dependencies": [{"ref": ref, "dependsOn": sorted(set(others))} for ref, others in sorted(needs.items())],
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
