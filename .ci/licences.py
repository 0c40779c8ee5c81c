#!/usr/bin/env python3
"""Checks every dependency's licence against deny.toml; for machines without cargo-deny.

usage: python3 .ci/licences.py [--list]
What it reads expressions with is in installer/licences.py, which collects the texts for the packages.
"""
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "installer"))
import licences


def main():
    allow, extra = licences.rules()
    output = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features"], check=True, stdout=subprocess.PIPE
    ).stdout
    packages = json.loads(output)["packages"]
    bad = []
    for package in sorted(packages, key=lambda package: package["name"]):
        name, licence = package["name"], package["license"] or "none given"
        if "--list" in sys.argv:
            print(f"{name} {package['version']}: {licence}")
        if licences.chosen(licences.parse(licence), allow | extra.get(name, set())) is None:
            bad.append(f"{name} {package['version']}: {licence}")
        if package["source"] is not None and not package["source"].startswith("registry+"):
            bad.append(f"{name} {package['version']}: comes from {package['source']}, not from the registry")
    print("\n".join(bad) if bad else f"{len(packages)} packages, every licence allowed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
