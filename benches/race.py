#!/usr/bin/env python3
"""Benchmarks a batch of iron-cropper against autocrop and against decoding alone, in turns; prints medians and ratios.

usage: python3 benches/race.py [--program FILE] [--decoding FILE] [--photos FOLDER] [--count 24] [--rounds 5] [--peers]
needs: a release build (`cargo build --release`; `cargo bench --bench decoding --no-run` for --decoding), Pillow and numpy for
       photos made here, and with --peers a network, to install autocrop 2.0.0 into a temporary folder

Photos are 24-megapixel JPEGs made from the portrait in assets/samples, with fresh grain, or those of --photos. Every crop is
800 x 1000 JPEG at quality 90. Peers get at most six of the photos: they are slow, and every photo takes them about
the same time.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
AUTOCROP = "autocrop==2.0.0"
API = """
import os, sys
from PIL import Image
from autocrop import Cropper
cropper = Cropper(width=800, height=1000, face_percent=45)
for path in sys.argv[2:]:
    result = cropper.crop(path)
    if result.image is not None:
        Image.fromarray(result.image).save(os.path.join(sys.argv[1], os.path.basename(path)), quality=90)
"""


def make_photos(folder, count):
    """The portrait in a wide frame of 6000 x 4000, each time at another place and size with other noise."""
    import numpy
    from PIL import Image

    portrait = Image.open(ROOT / "assets/samples/astronaut.png").convert("RGB")
    draw = numpy.random.default_rng(7)
    folder.mkdir(parents=True)
    for number in range(count):
        side = int(4000 * draw.uniform(0.75, 0.95))
        tone = draw.integers(90, 190, 3)
        ramp = numpy.linspace(0.85, 1.15, 6000, dtype=numpy.float32)[None, :, None] * tone[None, None, :]
        photo = Image.fromarray(numpy.clip(numpy.repeat(ramp, 4000, axis=0), 0, 255).astype(numpy.uint8))
        photo.paste(portrait.resize((side, side), Image.LANCZOS), (int(draw.uniform(0, 6000 - side)), 4000 - side))
        grain = numpy.kron(draw.normal(0, 4, (2000, 3000)).astype(numpy.float32), numpy.ones((2, 2), numpy.float32))
        pixels = numpy.clip(numpy.asarray(photo, dtype=numpy.float32) + grain[:, :, None], 0, 255).astype(numpy.uint8)
        Image.fromarray(pixels).save(folder / f"portrait_{number:03}.jpg", quality=90, subsampling=2)


def crops_in(folder):
    return [path for path in folder.iterdir() if path.suffix == ".jpg" and not path.name.startswith(".")]


class Run:
    """Wall time, processor time and peak memory of a command, and the time of its first crop."""

    def __init__(self, command, out=None):
        if out:
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
        self.first = None
        begun = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ended = 0
        while not ended:
            if out and self.first is None and crops_in(out):
                self.first = time.monotonic() - begun
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            time.sleep(0 if ended else 0.005)
        self.seconds = time.monotonic() - begun
        self.code = os.waitstatus_to_exitcode(status)
        self.processor = usage.ru_utime + usage.ru_stime
        self.peak_mib = usage.ru_maxrss / 1024
        self.crops = len(crops_in(out)) if out else None


def program_version(command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/iron-cropper")
    parser.add_argument("--decoding", type=pathlib.Path, help="the bench `decoding`, compiled")
    parser.add_argument("--photos", type=pathlib.Path)
    parser.add_argument("--runtime", default="tract")
    parser.add_argument("--onnxruntime", help="path of ONNX Runtime's library, for --runtime ort:cpu")
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", action="store_true", help="race autocrop as well")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures there")
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    work = pathlib.Path(tempfile.mkdtemp(prefix="iron-cropper-race-"))
    try:
        race(options, cores, work)
    finally:
        shutil.rmtree(work)


def race(options, cores, work):
    photos = options.photos
    if photos is None:
        photos = work / "photos"
        # In a separate process: the memory of this one is counted in the peak memory of its children.
        make = f"import sys, pathlib; sys.path.insert(0, {str(ROOT / 'benches')!r}); import race; "
        make += f"race.make_photos(pathlib.Path({str(photos)!r}), {options.count})"
        subprocess.run([sys.executable, "-B", "-c", make], check=True)
    paths = sorted(str(path) for path in photos.iterdir())
    for path in paths:
        pathlib.Path(path).read_bytes()
    out = work / "out"
    os.environ["IRON_CROPPER_HOME"] = str(work / "home")
    crop = [str(options.program), "crop", str(photos), "-o", str(out), "--size", "800x1000px", "--head-height", "65",
            "--quality", "90", "--runtime", options.runtime]
    if options.onnxruntime:
        crop += ["--onnxruntime", options.onnxruntime]
    runs, amounts = {}, {}

    def take(name, command, amount, out=None):
        run = Run(command, out)
        runs.setdefault(name, []).append(run)
        amounts[name] = amount
        if run.code != 0:
            sys.exit(f"{name} ended with {run.code}: {command}")
        return run

    if options.peers:
        python = work / "venv/bin/python"
        subprocess.run([sys.executable, "-m", "venv", work / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", AUTOCROP, "pillow", "numpy"], check=True)
        (work / "api.py").write_text(API)
        single = f'for photo in "$@"; do {work}/venv/bin/autocrop "$photo" -o "{out}/$(basename "$photo")" ' \
                 "-w 800 -H 1000 --facePercent 45; done"
    for _ in range(options.rounds):
        take(f"iron-cropper, {cores} jobs", crop + ["--jobs", str(cores)], len(paths), out=out)
        journal = next(out.glob(".iron-cropper/journal-*.jsonl"))
        kept = shutil.copy(journal, work / "journal.jsonl")
        take("iron-cropper, 1 job, 1 thread", crop + ["--jobs", "1", "--threads", "1"], len(paths), out=out)
        if options.decoding:
            for name, more in (("decoding alone", []), ("decoding alone with libjpeg-turbo-rs", ["library"])):
                for threads in (cores, 1):
                    command = [str(options.decoding), str(kept), str(threads), *more]
                    take(f"{name}, {threads} threads", command, len(paths))
        if options.peers:
            few = paths[: max(2, min(6, len(paths) // 6))]
            take("autocrop, its Python interface", [str(python), str(work / "api.py"), str(out), *few], len(few), out=out)
            take("autocrop, a call for each photo", ["bash", "-c", single, "race", *few], len(few), out=out)
    report(options, runs, amounts, cores)


def report(options, runs, amounts, cores):
    first = next(iter(runs))
    rate = {name: amounts[name] / statistics.median(run.seconds for run in taken) for name, taken in runs.items()}
    print(f"{program_version([str(options.program), '--version'])}, {options.runtime}, {cores} cores, "
          f"{options.rounds} rounds, medians")
    print("| what | photos/s | iron-cropper is quicker by | cores busy | peak MiB | first crop s | crops |")
    print("|---|---|---|---|---|---|---|")
    for name, taken in runs.items():
        busy = statistics.median(run.processor / run.seconds for run in taken)
        peak = max(run.peak_mib for run in taken)
        begun = [run.first for run in taken if run.first is not None]
        first_crop = f"{statistics.median(begun):.2f}" if begun else "-"
        crops = taken[0].crops
        print(f"| {name} | {rate[name]:.2f} | {rate[first] / rate[name]:.2f} | {busy:.2f} | {peak:.0f} | {first_crop} | "
              f"{'-' if crops is None else f'{crops} of {amounts[name]}'} |")
    if options.json:
        figures = {name: [vars(run) for run in taken] for name, taken in runs.items()}
        options.json.write_text(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
