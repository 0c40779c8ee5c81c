#!/usr/bin/env python3
"""Checks every dependency's licence against deny.toml; for machines without cargo-deny.

usage: python3 .ci/licences.py [--list]
Understands what licence expressions of Rust crates use: AND, OR, the old slash for OR, brackets, WITH.
"""
import json
import re
import subprocess
import sys
import tomllib


def allowed(expression, allow):
    """True where one choice that `expression` offers lies wholly within `allow`."""
    tokens = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))

    def any_of():
        value = all_of()
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            value = all_of() or value
        return value

    def all_of():
        value = one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            value = one() and value
        return value

    def one():
        token = tokens.pop(0)
        if token == "(":
            value = any_of()
            tokens.pop(0)
            return value
        if tokens and tokens[0] == "WITH":
            token = " ".join([token, tokens.pop(0), tokens.pop(0)])
        return token in allow

    return any_of()


def main():
    with open("deny.toml", "rb") as file:
        rules = tomllib.load(file)["licenses"]
    extra = {entry["crate"]: set(entry["allow"]) for entry in rules["exceptions"]}
    output = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked", "--all-features"], check=True, stdout=subprocess.PIPE
    ).stdout
    packages = json.loads(output)["packages"]
    bad = []
    for package in sorted(packages, key=lambda package: package["name"]):
        name, licence = package["name"], package["license"] or "none given"
        if "--list" in sys.argv:
            print(f"{name} {package['version']}: {licence}")
        if not allowed(licence, set(rules["allow"]) | extra.get(name, set())):
            bad.append(f"{name} {package['version']}: {licence}")
        if package["source"] is not None and not package["source"].startswith("registry+"):
            bad.append(f"{name} {package['version']}: comes from {package['source']}, not from the registry")
    print("\n".join(bad) if bad else f"{len(packages)} packages, every licence allowed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
