#!/usr/bin/env python3
"""Collects the licences of everything linked into the program, as one text for every package.

    python3 installer/licences.py --to FILE                      for this machine
    python3 installer/licences.py --to FILE --target TRIPLE      for another system

Which crates are linked is asked of cargo: those of the default features, without what only builds or tests. The
texts are those in the crates' own folders, each once. A crate whose folder has none gets those of a crate from the same
repository, else the common text of its licence. The network is used only where crates that Cargo.lock names are not on this machine.
Nothing but Python 3.9 and cargo is needed, and the same crates give the same bytes.
"""

import argparse
import dataclasses
import html
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTICE = re.compile(r"(un)?licen[cs]e|copying|copyright|notice|patents", re.IGNORECASE)
# Sources, and images and tests that are not part of the program.
NO_NOTICE = {".rs", ".html", ".toml", ".yml", ".yaml", ".json", ".py", ".sh", ".svg", ".png"}
NO_PART = {"tests", "test", "benches", "examples", "assets", "images", "docs", "fuzz", "scripts", ".github", "target"}
# Files with licences under other names.
OTHER_NOTICES = {"epaint_default_fonts": "fonts/*.txt"}


@dataclasses.dataclass
class Part:
    """A linked component with its licence."""

    name: str
    version: str
    licence: str
    authors: list
    source: str
    texts: list = dataclasses.field(default_factory=list)
    note: str = ""
    # Its source folder, for Debian's copyright file.
    place: str = ""
    # The copyright holders, if not those in the texts.
    holders: list = dataclasses.field(default_factory=list)


def tokens_of(expression):
    return re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))


def parse(expression):
    """A licence expression as nested tuples: ("OR", a, b), ("AND", a, b) or the licence's name."""
    tokens = tokens_of(expression)

    def chain(word, one):
        parts = [one()]
        while tokens and tokens[0] == word:
            tokens.pop(0)
            parts.append(one())
        return parts[0] if len(parts) == 1 else (word, *parts)

    def one():
        token = tokens.pop(0)
        if token == "(":
            inner = any_of()
            tokens.pop(0)
            return inner
        if tokens and tokens[0] == "WITH":
            token = " ".join([token, tokens.pop(0), tokens.pop(0)])
        return token

    def any_of():
        return chain("OR", lambda: chain("AND", one))

    return any_of()


def chosen(tree, allow):
    """`tree` without alternatives that need a licence outside `allow`; None if nothing is left."""
    if isinstance(tree, str):
        return tree if tree in allow else None
    word, *parts = tree
    kept = [chosen(part, allow) for part in parts]
    if word == "AND":
        return None if None in kept else (word, *kept)
    kept = [part for part in kept if part is not None]
    return kept[0] if len(kept) == 1 else (word, *kept) if kept else None


def names_in(tree):
    return {tree} if isinstance(tree, str) else set().union(*(names_in(part) for part in tree[1:]))


def rules():
    """Licences that deny.toml allows: for all crates, and exceptions for single ones."""
    text = (ROOT / "deny.toml").read_text(encoding="utf-8")
    # Python reads TOML since 3.11, and releases are built on older systems.
    text = "\n".join(line.partition("#")[0] for line in text.splitlines())
    section = re.search(r"^\[licenses\]$(.*?)(?=^\[)", text, re.DOTALL | re.MULTILINE)[1]
    quoted = re.compile(r'"([^"]+)"')
    allow = set(quoted.findall(re.search(r"^allow = \[(.*?)^\]", section, re.DOTALL | re.MULTILINE)[1]))
    extra = re.findall(r'crate = "([^"]+)", allow = \[([^\]]*)\]', section)
    if "MIT" not in allow or len(extra) != section.count("crate ="):
        sys.exit("deny.toml is not laid out as installer/licences.py reads it")
    return allow, {crate: set(quoted.findall(licences)) for crate, licences in extra}


def output_of(*command):
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed")
    return done.stdout


def have_crates(target):
    """Fetches locked crates if some are missing; a build does not fetch test dependencies."""
    command = ["cargo", "fetch", "--locked", "--target", target]
    if subprocess.run([*command, "--offline"], cwd=ROOT, stderr=subprocess.PIPE, check=False).returncode != 0:
        output_of(*command)


def host():
    return re.search(r"^host: (\S+)$", output_of("rustc", "-vV"), re.MULTILINE)[1]


def linked(target):
    """Name and version of every crate linked into the program, including itself and the workspace's crates."""
    tree = output_of(
        "cargo", "tree", "--offline", "--locked", "--package", "iron-cropper", "--target", target,
        "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}",
    )
    return {tuple(line.split()[:2]) for line in tree.splitlines() if line.strip()}


def read(path):
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        text = path.read_text(encoding="latin-1")
    lines = [line.rstrip() for line in text.lstrip("\ufeff").expandtabs(4).splitlines()]
    return "\n".join(lines).strip("\n")


def texts_of(folder, name):
    """The licence texts of the crate in `folder`: those at the top level, then those of vendored code."""
    found = list(folder.glob(OTHER_NOTICES[name])) if name in OTHER_NOTICES else []
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        if NO_PART.isdisjoint(inside.parts[:-1]) and NOTICE.match(path.name) and path.suffix.lower() not in NO_NOTICE:
            found.append(path)
    # A broken link contains a path.
    texts = [read(path) for path in sorted(set(found), key=lambda it: (len(it.parts), str(it))) if path.is_file()]
    return [text for text in texts if len(text) > 100]


def crates(target):
    wanted = {(name, version.removeprefix("v")) for name, version in linked(target)}
    metadata = json.loads(
        output_of("cargo", "metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", target)
    )
    parts = []
    for package in metadata["packages"]:
        if package["source"] is None:
            # The workspace's crates are not third-party.
            wanted.discard((package["name"], package["version"]))
        if (package["name"], package["version"]) not in wanted:
            continue
        folder = pathlib.Path(package["manifest_path"]).parent
        parts.append(
            Part(
                package["name"],
                package["version"],
                package["license"] or "see its text",
                package["authors"],
                (package["repository"] or f"https://crates.io/crates/{package['name']}").removesuffix(".git").rstrip("/"),
                texts_of(folder, package["name"]),
                place=f"vendor/{package['name']}-{package['version']}/*",
            )
        )
    missing = wanted - {(part.name, part.version) for part in parts}
    if missing:
        sys.exit(f"not in cargo metadata: {sorted(missing)}")
    parts.sort(key=lambda part: (part.name, part.version))
    fill_gaps(parts)
    return parts


def fill_gaps(parts):
    """Assigns crates without texts those of a crate from the same repository under the same licence."""
    by_repository = {}
    for part in parts:
        if part.texts:
            by_repository.setdefault((repository(part.source), part.licence), part)
    for part in parts:
        sibling = by_repository.get((repository(part.source), part.licence))
        if part.texts or sibling is None:
            continue
        part.texts = sibling.texts
        part.note = f"its folder holds no text; those of {sibling.name}, from the same repository"


def repository(source):
    return re.sub(r"/tree/.*$", "", source).lower()


# Crates of the standard library for systems without a package.
ELSEWHERE = re.compile(r"fortanix-sgx|hermit|moto-rt|r-efi|vex-sdk|wasi|wit-bindgen")


def standard_library(target):
    """Rust's standard library and its crates, from the toolchain's notice; only the former if there is none."""
    version = output_of("rustc", "--version").split()[1]
    part = Part("Rust standard library", version, "MIT OR Apache-2.0", ["The Rust Project Developers"], "https://www.rust-lang.org")
    part.place = "rust/library/*"
    notice = pathlib.Path(output_of("rustc", "--print", "sysroot").strip()) / "share/doc/rust/COPYRIGHT-library.html"
    parts = [part]
    if not notice.is_file():
        return parts
    for block in re.split(r"<h3>", notice.read_text(encoding="utf-8"))[1:]:
        label = re.match(r"\W*([\w-]+?)-(\d[^<\s]*)</h3>", block)
        licence = re.search(r"<b>License:</b>(.*?)</p>", block)
        if not label or not licence or ELSEWHERE.match(label[1]):
            continue
        if label[1].startswith("windows") and "windows" not in target:
            continue
        authors = re.search(r"<b>Authors:</b>(.*?)</p>", block)
        texts = [html.unescape(text) for text in re.findall(r"<pre>(.*?)</pre>", block, re.DOTALL)]
        texts = ["\n".join(line.rstrip() for line in text.expandtabs(4).splitlines()).strip("\n") for text in texts]
        parts.append(
            Part(
                label[1], label[2], licence[1].strip(), [html.unescape(authors[1]).strip()] if authors and authors[1].strip() else [],
                f"https://crates.io/crates/{label[1]}", texts, "in the Rust standard library",
                f"rust/vendor/{label[1]}-{label[2]}/*",
            )
        )
    return parts


def models():
    """The embedded models: the face detector, and those converted from MediaPipe."""
    authors = ["Shiqi Yu", "Shenzhen Institute of Artificial Intelligence and Robotics for Society"]
    detector = Part("YuNet, the face detector", "2023mar", "MIT", authors, "OpenCV Zoo", [read(ROOT / "models/LICENSE")])
    detector.place = "models/face_detection_yunet_2023mar.onnx models/tflite/face_detection_yunet_2023mar.tflite models/burn/*"
    authors = ["The MediaPipe Authors"]
    mediapipe = Part("MediaPipe models", "0.10.14", "Apache-2.0", authors, "https://github.com/google-ai-edge/mediapipe")
    mediapipe.texts = [read(ROOT / "models/LICENSE-mediapipe")]
    mediapipe.note = "face_landmark, iris_landmark and person; changed: converted from TFLite to ONNX, and standard operators in the TFLite files"
    names = ["face_landmark", "iris_landmark", "person"]
    mediapipe.place = " ".join(f"models/{name}.onnx models/tflite/{name}.tflite" for name in names)
    # The text names the holder of a source file that the models do not contain.
    mediapipe.holders = authors
    return [detector, mediapipe]


def of_workspace(key):
    """A shared field of the workspace's packages, such as `version` or `license`."""
    section = re.search(r"^\[workspace\.package\]$(.*?)(?=^\[|\Z)", (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)[1]
    return re.search(rf'^{key} = "([^"]+)"$', section, re.MULTILINE)[1]


def own_version():
    return of_workspace("version")


def key_of(text):
    """The text with whitespace normalised, for comparison."""
    return " ".join(text.split()).lower()


def common_text(licence, parts):
    """The most common text among crates under `licence`, alone or as an alternative."""
    marks = {
        "MIT": "permission is hereby granted, free of charge",
        "Apache-2.0": "apache license version 2.0, january 2004",
        "BSD-3-Clause": "neither the name",
        "BSD-2-Clause": "redistributions in binary form",
        "ISC": "permission to use, copy, modify, and",
        "Zlib": "altered source versions must be plainly marked",
        "BSL-1.0": "boost software license - version 1.0",
        "Unicode-3.0": "unicode license v3",
        "OFL-1.1": "sil open font license version 1.1",
        "Ubuntu-font-1.0": "ubuntu font licence version 1.0",
    }
    mark = marks.get(licence)
    counts = {}
    for part in parts:
        for text in part.texts:
            if mark and mark in key_of(text) and licence in names_in(parse(part.licence)):
                counts.setdefault(key_of(text), []).append(text)
    # The full text of a licence, not a short notice.
    full = {key: texts for key, texts in counts.items() if licence != "Apache-2.0" or "end of terms and conditions" in key}
    if not full:
        return None
    return max(full.items(), key=lambda item: (len(item[1]), item[0]))[1][0]


def bare(text):
    """`text` without its copyright lines."""
    return "\n".join(line for line in text.splitlines() if not COPYRIGHT.match(line)).strip("\n")


COPYRIGHT = re.compile(r"\W*(portions )?(copyright|\(c\)|©)\W.*(\d{4}|\(c\)|©|authors|developers|contributors)", re.IGNORECASE)
TEMPLATE = re.compile(r"\[yyyy\]|\{yyyy\}|<year>|\[year\]|copyright (notice|holder|owner|statement)", re.IGNORECASE)


def holders(part):
    """The copyright holders of a part: those given, else those in its texts, else its authors."""
    if part.holders:
        return part.holders
    said = []
    for text in part.texts:
        for line in text.splitlines():
            line = " ".join(line.strip(" #*/-").split())
            if COPYRIGHT.match(line) and not TEMPLATE.search(line) and "Free Software Foundation" not in line:
                said.append(line)
    return list(dict.fromkeys(said)) or [", ".join(part.authors) or f"the authors of {part.name}"]


def collect(target):
    """All components linked for `target`, and the licence used for each one without its own text."""
    have_crates(target)
    parts = [*crates(target), *models(), *standard_library(target)]
    allow, extra = rules()
    for part in parts:
        if part.texts:
            continue
        tree = chosen(parse(part.licence), allow | extra.get(part.name, set()))
        names = names_in(tree) if tree else set()
        # Apache-2.0 requires its text only; MIT and BSD require the holder's notice.
        name = "Apache-2.0" if "Apache-2.0" in names else next(iter(sorted(names)), None)
        text = common_text(name, parts) if name else None
        if text is None:
            part.note = part.note or "its folder holds no text of its licence"
            continue
        part.texts = [text if name == "Apache-2.0" else bare(text)]
        part.note = "; ".join(filter(None, [part.note, f"its folder holds no text; taken under {name}"]))
    return parts


def write(parts, target):
    """The whole text."""
    numbers, texts, users = {}, [], []
    lines = []
    for part in parts:
        used = []
        for text in part.texts:
            number = numbers.setdefault(key_of(text), len(numbers) + 1)
            if number > len(texts):
                texts.append(text)
                users.append([])
            if number not in used:
                used.append(number)
                users[number - 1].append(f"{part.name} {part.version}")
        lines.append(f"{part.name} {part.version}")
        lines.append(f"    licence: {part.licence}")
        lines.append(f"    source:  {part.source}")
        if part.authors:
            lines.append(f"    authors: {', '.join(part.authors)}")
        if part.note:
            lines.append(f"    note:    {part.note}")
        lines.append(f"    texts:   {', '.join(map(str, used)) or 'none'}")
    head = [
        f"Third-party software in Iron Cropper {own_version()} ({target})",
        "",
        "Iron Cropper itself is licensed under MIT or Apache-2.0, at your option. Its program holds the parts below. Each is",
        "named with the licence it states and the numbers of the texts that came with it; the texts follow, each once.",
        "option-ext is under MPL-2.0 and used unchanged; its source is its crate, at the address named.",
        "",
        "=" * 100,
        f"Parts ({len(parts)})",
        "=" * 100,
        "",
    ]
    for number, text in enumerate(texts, start=1):
        lines += ["", "=" * 100, f"Text {number}, of {', '.join(users[number - 1])}", "=" * 100, "", text]
    return "\n".join(head + lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--to", type=pathlib.Path, required=True, metavar="FILE")
    parser.add_argument("--target", help="the target triple; this machine's if not given")
    arguments = parser.parse_args()
    target = arguments.target or host()
    parts = collect(target)
    text = write(parts, target)
    arguments.to.parent.mkdir(parents=True, exist_ok=True)
    arguments.to.write_bytes(text.encode())
    without = [f"{part.name} {part.version}" for part in parts if not part.texts]
    print(f"{len(parts)} parts, {text.count(chr(10))} lines in {arguments.to}")
    if without:
        print(f"without any text: {', '.join(without)}")


if __name__ == "__main__":
    main()
