"""Compares spectrum files of `seaway spectrum` with wavespectra: see scripts/check-spectra.

Both readings become data sets of wavespectra, whose own sums then give Hs, Tp, mean direction and spread, so that
differences are those of the files and readers alone.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import xarray

warnings.filterwarnings("ignore")
import wavespectra  # noqa: E402,F401, adds `.spec` to data sets
from wavespectra.input.ndbc_ascii import read_ndbc_ascii  # noqa: E402
from wavespectra.input.spotter import read_spotter  # noqa: E402
from wavespectra.input.swan import read_swan  # noqa: E402
from wavespectra.input.ww3_station import read_ww3_station  # noqa: E402

TOLERANCE = 1e-3
# A wind sea across a swell, and a spectrum that a buoy measured.
SEAS = {
    "crossing-seas": ["--preset", "crossing-seas"],
    "measured-gale": ["--preset", "measured-gale"],
}
DIRECTIONS = np.arange(0.0, 360.0, 10.0)
NDBC_REALTIME = ("data_spec", "swdir", "swdir2", "swr1", "swr2")


def write(program, folder, sea, form):
    """Writes a file of one format into a folder of its own, and returns its path, or the first path of several."""
    words = [program, "spectrum", *sea, "--out", folder, "--file-format", form]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(result.stderr.strip())
    return sorted(glob.glob(os.path.join(folder, "*")))[0]


def read_json(path):
    with open(path, encoding="utf-8") as file:
        (spectrum,) = json.load(file)["spectra"]
    return spectrum


def table(spectrum):
    """Directions from which waves come, in ascending compass degrees, and S(f, direction) per degree."""
    directions = spectrum["directions"]["table"]
    degrees = np.round((np.degrees(directions["towards_rad"]) - 90.0) % 360.0, 6) % 360.0
    order = np.argsort(degrees)
    density = np.array(directions["density_per_rad"]) * np.array(spectrum["density_m2_per_hz"])[:, None]
    return degrees[order], density[:, order] * np.pi / 180.0


def moments(spectrum):
    """The first and second moment of each frequency, as complex numbers of the angle towards which waves run."""
    directions = spectrum["directions"]
    if "moments" in directions:
        a1, b1, a2, b2 = np.array(directions["moments"]).T
        return a1 + 1j * b1, a2 + 1j * b2
    angle = np.array(directions["table"]["towards_rad"])
    share = np.array(directions["table"]["density_per_rad"]) * 2 * np.pi / len(angle)
    return share @ np.exp(1j * angle), share @ np.exp(2j * angle)


def series(spectrum):
    """S(f, direction from which waves come) per degree as NDBC's series of moments, which may be negative."""
    first, second = moments(spectrum)
    angle = np.radians(DIRECTIONS + 90.0)[None, :]
    spread = 0.5 + (first[:, None] * np.exp(-1j * angle)).real + (second[:, None] * np.exp(-2j * angle)).real
    return np.array(spectrum["density_m2_per_hz"])[:, None] * spread / 180.0


def dataset(spectrum, with_moments):
    directions, values = (DIRECTIONS, series(spectrum)) if with_moments else table(spectrum)
    axes = {"freq": spectrum["frequencies_hz"], "dir": directions}
    return xarray.DataArray(values, coords=axes, dims=("freq", "dir"), name="efth").to_dataset()


def as_spectrum(data):
    """The spectrum of a data set of wavespectra as Seaway's JSON has it."""
    efth = data.efth.squeeze().transpose("freq", "dir").values
    towards = np.radians(data.dir.values + 90.0)
    density = efth.sum(axis=1) * 360.0 / len(towards)
    share = efth * 180.0 / np.pi / np.maximum(density, 1e-30)[:, None]
    return {"frequencies_hz": data.freq.values, "density_m2_per_hz": density,
            "directions": {"table": {"towards_rad": towards, "density_per_rad": share}}}


def turn(a, b):
    return np.abs((np.asarray(a) - np.asarray(b) + 180.0) % 360.0 - 180.0)


def differences(ours, theirs):
    """The largest differences of two data sets: of S over its peak, of hs, tp and dspr as shares, of dm in degrees."""
    theirs = theirs.squeeze().sortby("dir").transpose("freq", "dir", ...)
    a, b = ours.efth.values, theirs.efth.values
    assert a.shape == b.shape, f"shapes {a.shape} and {b.shape}"
    found = {"f": np.abs(ours.freq.values - theirs.freq.values).max(), "dir": turn(ours.dir, theirs.dir).max(),
             "S": np.abs(a - b).max() / b.max()}
    for name in ("hs", "tp", "dm", "dspr"):
        x, y = (float(getattr(data.spec, name)()) for data in (ours, theirs))
        found[name] = turn(x, y) if name == "dm" else abs(x - y) / y
    return found


def spotter_differences(spectrum, path):
    """Density, mean direction and spread of each frequency beside the file's own columns."""
    theirs = read_spotter(path, dd=None).squeeze()
    density, (first, _) = np.array(spectrum["density_m2_per_hz"]), moments(spectrum)
    spread = np.degrees(np.sqrt(np.maximum(2 * (1 - np.abs(first)), 0)))
    there = density > 1e-3 * density.max()
    return {"f": np.abs(theirs.freq.values - spectrum["frequencies_hz"]).max(),
            "S": np.abs(density - theirs.efth.values).max() / density.max(),
            "dm": turn(np.degrees(np.angle(first)) - 90.0, theirs.dmf)[there].max(),
            "dspr": np.abs(spread - theirs.dsprf.values)[there].max()}


def read_text(path):
    """Seaway's CSV of a table, read by NumPy alone, or None for one of moments."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    if "density" in lines[0]:
        return None
    rows = np.array([line.split(",") for line in lines[1:]], float)
    axes = {"freq": rows[:, 0], "dir": np.round(np.array(lines[0].split(",")[1:], float), 6) % 360.0}
    return xarray.DataArray(rows[:, 1:], coords=axes, dims=("freq", "dir"), name="efth").to_dataset()


def read_archive(path):
    """NDBC's yearly files. wavespectra does not scale their r1 and r2 from hundredths, which is made up for."""
    folder, name = os.path.split(path)
    at = name.rindex("d")
    found = read_ndbc_ascii([f"{folder}/{name[:at]}{letter}{name[at + 1:]}" for letter in "wdijk"], dirs=DIRECTIONS)
    mean = found.efth.mean("dir")
    found["efth"] = mean + (found.efth - mean) * 0.01
    return found


def read_realtime(path):
    return read_ndbc_ascii([f"{os.path.splitext(path)[0]}.{name}" for name in NDBC_REALTIME], dirs=DIRECTIONS)


READERS = {
    "ndbc-realtime": read_realtime,
    "ndbc-yearly": read_archive,
    "wavewatch": read_ww3_station,
    "swan": lambda path: read_swan(path, as_site=True),
    "spotter-csv": None,
    "spotter-json": None,
    "csv": read_text,
    "json": None,
}


def main(program):
    failed = False
    with tempfile.TemporaryDirectory() as top:
        for name, sea in SEAS.items():
            truth = read_json(write(program, os.path.join(top, name, "truth"), sea, "json"))
            for form, reader in READERS.items():
                path = write(program, os.path.join(top, name, form), sea, form)
                rows = {}
                try:
                    again = write(program, os.path.join(top, name, f"{form}-again"), ["--spectrum-file", path], "json")
                    rows["Seaway"] = differences(dataset(read_json(again), True), dataset(truth, True))
                except RuntimeError as error:
                    failed = True
                    print(f"{name}, {form}: Seaway does not read what it wrote: {error}", flush=True)
                if form.startswith("spotter"):
                    rows["wavespectra"] = spotter_differences(truth, path)
                elif reader is not None and (theirs := reader(path)) is not None:
                    # Moments that were written as a table are compared as moments.
                    with_moments = "moments" in truth["directions"] or form.startswith("ndbc")
                    if with_moments and not form.startswith("ndbc"):
                        theirs = dataset(as_spectrum(theirs), True)
                    by = "NumPy" if form == "csv" else "wavespectra"
                    rows[by] = differences(dataset(truth, with_moments), theirs)
                for by, row in rows.items():
                    wrong = [key for key, value in row.items() if not value <= TOLERANCE]
                    failed |= bool(wrong)
                    text = "  ".join(f"{key} {value:.1e}" for key, value in row.items())
                    print(f"{name}, {form}, read by {by}: {text}{'  TOO FAR: ' if wrong else ''}{', '.join(wrong)}",
                          flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
