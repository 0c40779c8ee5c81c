#!/usr/bin/env python3
"""Make network.rs and weights.bpk, the bundled model as Burn's own Rust source and weights, from the ONNX file.

usage: generate.py [MODEL.onnx]        (the bundled one where none is named)
needs: cargo, rustfmt, and crates.io once. CARGO_TARGET_DIR is respected; the importer takes minutes to compile.

Burn reads no ONNX when it runs: its importer turns the file into source. That source is trimmed here to what
crates/engine-burn uses: loading by path, which would panic, goes, as do the attributes that silence lints; the crates
are named one by one, since the crate `burn` locks hundreds that nothing here needs; the outputs become an array.
The source is the same each time, to the byte; the weights are but for identifiers that Burn draws at random.
"""
import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

IMPORTER = "0.22.0"
HERE = Path(__file__).resolve().parent
BUNDLED = HERE.parent / "face_detection_yunet_2023mar.onnx"

MANIFEST = f"""[package]
name = "import"
version = "0.0.0"
edition = "2024"
[dependencies]
burn-onnx = {{ version = "={IMPORTER}", default-features = false, features = ["import"] }}
[profile.dev]
debug = false
[workspace]
"""

MAIN = """fn main() {
    burn_onnx::ModelGen::new().input("network.onnx").out_dir("out").run_from_cli();
}
"""

HEADER = """//! The network of {name} for Burn: made by models/burn/generate.py, never by hand.
//!
//! From the file of SHA-256 `{digest}`, by burn-onnx {importer}.

use burn_core as burn;
use burn_core::prelude::*;
"""


def once(pattern, replacement, text, flags=0):
    """Replaces what must be there exactly once: another importer may write something else."""
    text, count = re.subn(pattern, replacement, text, flags=flags)
    if count != 1:
        sys.exit(f"the importer writes other source than this script knows: {count} of {pattern!r}")
    return text


def trimmed(source, name, digest):
    source = once(r"\A// Generated from ONNX .*\n", "", source)
    for line in ("extern crate alloc;", "extern crate std;", "use burn::prelude::*;", "use burn::tensor::Bytes;",
                 "use burn_store::BurnpackStore;", "use burn_store::ModuleSnapshot;"):
        source = once(rf"^{re.escape(line)}\n", "", source, re.M)
    source = once(r"^impl Default for Model \{\n.*?^\}\n", "", source, re.M | re.S)
    source = once(r"^impl Model \{\n    /// Load model weights from a burnpack file\..*?^\}\n", "", source, re.M | re.S)
    source = re.sub(r"^ *#\[allow\(.*\)\]\n", "", source, flags=re.M)
    source = source.replace("burn::nn::", "burn_nn::")
    source = once(r"^pub struct Model \{", "pub(super) struct Network {", source, re.M)
    source = once(r"^#\[derive\(Module, Debug\)\]\n", "/// The layers that have weights or settings.\n#[derive(Module, Debug)]\n", source, re.M)
    source = once(r"^impl Model \{", "impl Network {", source, re.M)
    source = once(r"^    pub fn new\(", "    /// The layers, their weights not loaded yet.\n    pub(super) fn new(", source, re.M)
    source = once(r"^    pub fn forward\(", "    /// Every output for an input `[1, 3, height, width]`, in the model's order.\n    pub(super) fn forward(", source, re.M)
    outputs = once(r".*-> \(\s*((?:Tensor<3>,\s*)+)\) \{.*", r"\1", source, re.S).count("Tensor<3>")
    source = once(r"-> \(\s*(?:Tensor<3>,\s*)+\) \{", f"-> [Tensor<3>; {outputs}] {{", source)
    source = once(r"\n        \(\n((?:            \w+,\n)+)        \)\n", r"\n        [\n\1        ]\n", source)
    constant = f'/// SHA-256 of the model file this is.\npub(super) const MODEL_SHA256: &str =\n    "{digest}";\n\n'
    source = once(r"^/// The layers that have", constant + "/// The layers that have", source, re.M)
    return HEADER.format(name=name, digest=digest, importer=IMPORTER) + source.lstrip()


def main():
    if len(sys.argv) > 2 or any(argument.startswith("-") for argument in sys.argv[1:]):
        sys.exit(__doc__)
    model = Path(sys.argv[1]) if len(sys.argv) == 2 else BUNDLED
    network = model.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "src").mkdir()
        (folder / "Cargo.toml").write_text(MANIFEST)
        (folder / "src/main.rs").write_text(MAIN)
        (folder / "network.onnx").write_bytes(network)
        # Its log, some hundred lines, goes to standard output; what fails is said on standard error.
        subprocess.run(["cargo", "run", "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        source = (folder / "out/network.rs").read_text()
        (HERE / "network.rs").write_text(trimmed(source, model.name, hashlib.sha256(network).hexdigest()))
        (HERE / "weights.bpk").write_bytes((folder / "out/network.bpk").read_bytes())
    # Cargo.toml says the edition to cargo fmt; rustfmt alone must be told, and finds rustfmt.toml by itself.
    subprocess.run(["rustfmt", "--edition", "2024", HERE / "network.rs"], check=True)


if __name__ == "__main__":
    main()
