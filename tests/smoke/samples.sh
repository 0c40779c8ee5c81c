#!/usr/bin/env bash
# Runs the README's main command on the sample photos and checks the files it wrote.
# usage: bash tests/smoke/samples.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export IRON_CROPPER_HOME="$work/home"
fail() { echo "FAIL samples: $*"; exit 1; }

photos=$(find assets/samples -type f | wc -l)
before=$(find assets/samples -type f -exec sha256sum {} + | sort)

cargo run --locked -- crop assets/samples -o "$work/out" || fail "the main command ended with exit code $?"
crops() { find "$1" -type f -not -path "*/.iron-cropper/*"; }
written=$(crops "$work/out" | wc -l)
[ "$written" -eq "$photos" ] || fail "$photos photos gave $written files"

# A second run must leave the first one's files alone.
first=$(crops "$work/out" | xargs -d "\n" sha256sum | sort)
cargo run --locked --quiet -- crop assets/samples -o "$work/out" --json >"$work/lines.json" || fail "the second run ended with exit code $?"
[ "$(crops "$work/out" | wc -l)" -eq $((2 * photos)) ] || fail "the second run did not write beside the first"
while read -r sum file; do
    echo "$sum  $file" | sha256sum --check --status || fail "$file was overwritten"
done <<<"$first"

python3 - "$work/lines.json" "$photos" <<'P' || fail "--json: see above"
import json, sys
items = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
items = [item for item in items if "outcome" in item]
assert len(items) == int(sys.argv[2]), f"{len(items)} lines for {sys.argv[2]} photos"
for item in items:
    assert item["outcome"] == "cropped" and item["faces"] and item["crops"], item
    assert item["runtime"]["actual"], item
P

# A dry run must write nothing.
cargo run --locked --quiet -- crop assets/samples -o "$work/dry" --dry-run >/dev/null || fail "the dry run ended with exit code $?"
[ ! -e "$work/dry" ] || fail "the dry run made its output folder"

[ "$before" = "$(find assets/samples -type f -exec sha256sum {} + | sort)" ] || fail "a sample photo was changed"
echo "PASS samples: $photos photos, $written crops, nothing overwritten"
