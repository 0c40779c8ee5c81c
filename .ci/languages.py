#!/usr/bin/env python3
"""Compares the catalogues in assets/languages with the texts in src/ui and prints missing entries as TOML to fill in.

usage: python3 .ci/languages.py [--drop] [LANGUAGE ...]
  --drop    remove unused keys from the catalogues
This is a fast preview for translators; the test suite (tests/suite/languages.rs) is authoritative.
"""
import json
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STRING = r'"((?:[^"\\]|\\.)*)"'
CALL = re.compile(
    rf'(?<![A-Za-z0-9_])(?:(?:tr|mark)\(\s*{STRING}'
    rf"|tr_in\(\s*{STRING}\s*,\s*{STRING}"
    rf"|say!\(\s*{STRING}"
    rf"|count!\(\s*(?:[^\",]|\([^)]*\))+,\s*{STRING}\s*,\s*{STRING})"
)


def unescaped(text):
    return json.loads(f'"{text}"')


def wording():
    """Every key with its English text: a sentence, its plural forms, or (context, sentence)."""
    keys = {}
    for path in sorted((ROOT / "src/ui").rglob("*.rs")):
        text = path.read_text()
        if path.name == "tests.rs":
            continue
        text = text.split("#[cfg(test)]\nmod tests {")[0]
        text = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("//"))
        for plain, context, within, sentence, one, many in CALL.findall(text):
            if within:
                keys[(unescaped(context), unescaped(within))] = unescaped(within)
            elif one:
                keys[unescaped(one)] = [unescaped(one), unescaped(many)]
            else:
                keys[unescaped(plain or sentence)] = unescaped(plain or sentence)
    return keys


def entry(key, value):
    return f"{json.dumps(key, ensure_ascii=False)} = {json.dumps(value, ensure_ascii=False)}"


def main():
    chosen = [argument for argument in sys.argv[1:] if not argument.startswith("--")] or ["de", "fr", "es", "ja"]
    keys = wording()
    for language in chosen:
        path = ROOT / "assets/languages" / f"{language}.toml"
        catalogue = tomllib.loads(path.read_text())
        plain = {key for key in catalogue if not isinstance(catalogue[key], dict)}
        within = {(context, key) for context in catalogue.keys() - plain for key in catalogue[context]}
        missing = [key for key in keys if key not in plain | within]
        unused = [key for key in plain | within if key not in keys]
        print(f"# {language}: {len(keys)} keys, {len(missing)} missing, {len(unused)} no longer used")
        for key in missing:
            if isinstance(key, tuple):
                print(f"# in the table [{key[0]}]")
                print(entry(key[1], keys[key]))
            else:
                forms = keys[key][1:] if language == "ja" and isinstance(keys[key], list) else keys[key]
                print(entry(key, forms))
        for key in unused:
            print(f"# no longer used: {key}")
        if "--drop" in sys.argv[1:] and unused:
            starts = tuple(json.dumps(key, ensure_ascii=False) + " =" for key in unused if not isinstance(key, tuple))
            kept = [line for line in path.read_text().split("\n") if not (starts and line.startswith(starts))]
            path.write_text("\n".join(kept))


if __name__ == "__main__":
    main()
