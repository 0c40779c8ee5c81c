#!/usr/bin/env python3
"""Measures the size of the program and its start-up time: prints bytes, and medians in milliseconds.

usage: python3 benches/start.py [--program FILE] [--rounds 20] [--limit-mib N]
needs: a build (cargo build --release); for the window also DISPLAY and python3-xlib

Three starts take turns: `--version`, a crop of one sample photo from a cold process, and the window until it is on the screen.
With --limit-mib the exit code is 1 where the program is larger.
"""

import argparse
import importlib.util
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def ended(command):
    begun = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - begun


def shown(screen, program):
    begun = time.monotonic()
    process = subprocess.Popen([program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not any(screen.windows_of(process.pid)):
            if process.poll() is not None or time.monotonic() - begun > 60:
                sys.exit("no window came")
            time.sleep(0.005)
        return time.monotonic() - begun
    finally:
        process.kill()
        process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/iron-cropper")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--limit-mib", type=float)
    options = parser.parse_args()
    program = str(options.program.resolve())
    screen = None
    if os.environ.get("DISPLAY"):
        spec = importlib.util.spec_from_file_location("xwindow", ROOT / "tests/smoke/xwindow.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        screen = module.Screen()
    times = {}
    with tempfile.TemporaryDirectory() as work:
        os.environ.update(IRON_CROPPER_HOME=f"{work}/home", IRON_CROPPER_RUNTIME="tract")
        for number in range(options.rounds):
            crop = [program, "crop", str(ROOT / "assets/samples/astronaut.png"), "-o", f"{work}/out-{number}"]
            times.setdefault("--version", []).append(ended([program, "--version"]))
            times.setdefault("one crop", []).append(ended(crop))
            if screen:
                times.setdefault("window", []).append(shown(screen, program))
    size = options.program.stat().st_size
    print(f"size: {size} bytes, {size / 2**20:.1f} MiB")
    for name, taken in times.items():
        print(f"{name}: {statistics.median(taken) * 1000:.0f} ms (median of {len(taken)})")
    if options.limit_mib and size > options.limit_mib * 2**20:
        sys.exit(f"larger than {options.limit_mib} MiB")


if __name__ == "__main__":
    main()
