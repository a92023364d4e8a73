"""Compares records of `seaway points` with the sea that they are of: see scripts/check-records."""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy.ndimage
import scipy.signal
import wavespectra  # noqa: F401, adds `.spec` to arrays
import xarray

SEEDS = 8
# One of twenty is beyond 2 by chance, and there are 48.
MOST_ERRORS = 3
MINUTES = 30
HZ = 2.0
# Frequencies over the peak's. Waves move a moored buoy's water to and fro, which blurs shorter waves.
BAND = (0.5, 3.0)
GRID = ["--size", "128", "--cascades", "4"]
# Two wind seas, one of them with waves across a fairway, and the seas that buoys measured.
MODEL = ["--swell-height-m", "0", "--swell-2-height-m", "0"]
SEAS = {
    "breeze": ["--preset", "breeze", *MODEL],
    "gale": ["--preset", "gale", *MODEL, "--wind-direction-deg", "-70"],
    "measured-gale": ["--preset", "measured-gale"],
    "hurricane-swell": ["--preset", "hurricane-swell"],
    "young-sea": ["--preset", "young-sea"],
    "opposing-seas": ["--preset", "opposing-seas"],
}
DEGREES = np.arange(0.0, 360.0, 5.0)


def run(program, *words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def record(program, folder, name, buoy, seed):
    """The record of one seed, which is kept in `folder`."""
    path = os.path.join(folder, f"{name}_{buoy}_{seed}.npy")
    if not os.path.exists(path):
        run(program, "points", "--at", "0,0", "--to", str(60 * MINUTES), "--hz", str(HZ), "--buoy", buoy,
            "--seed", str(seed), "--out", path, *GRID, *SEAS[name])
    return np.load(path)


def spread(frequencies, density, moments):
    """S(f, theta) with four moments (a1, b1, a2, b2) at each frequency, as their Fourier series."""
    angle = np.radians(DEGREES)[None, :]
    a1, b1, a2, b2 = (moment[:, None] for moment in moments)
    series = 1 + 2 * (a1 * np.cos(angle) + b1 * np.sin(angle) + a2 * np.cos(2 * angle) + b2 * np.sin(2 * angle))
    density = density[:, None] * series / 360.0
    return xarray.DataArray(density, coords={"freq": frequencies, "dir": DEGREES}, dims=("freq", "dir"), name="efth")


def directional(record):
    """The spectrum of a record by frequency and direction, from its first four directional moments."""
    # The water moves to and fro along the waves, in quadrature to the height. Slopes would do for long waves
    # alone: those of short waves are steep, and long waves carry them past a moored buoy at any frequency.
    height, *along = record[:, 0, 2:5].T

    def cross(a, b):
        f, density = scipy.signal.csd(a, b, HZ, nperseg=512, detrend="constant")
        return f, density

    f, c_hh = cross(height, height)
    c_xx, c_zz, c_xz = (cross(a, b)[1].real for a, b in [(along[0], along[0]), (along[1], along[1]), along])
    q_hx, q_hz = (-cross(height, a)[1].imag for a in along)
    c_hh = c_hh.real
    across = c_xx + c_zz
    # The water moves as far sideways as up, within what the depth allows: a ratio that changes slowly with the
    # frequency. That of single frequencies is random, and would make the first moments too large.
    smooth = lambda values: scipy.ndimage.uniform_filter1d(values, 31)  # noqa: E731
    root = c_hh * np.sqrt(smooth(across) / smooth(c_hh))
    moments = q_hx / root, q_hz / root, (c_xx - c_zz) / across, 2 * c_xz / across
    return spread(f[1:], c_hh[1:], [moment[1:] for moment in moments])


def of_sea(program, name, frequencies):
    """The spectrum of the sea itself, by `seaway spectrum`, at the frequencies of records."""
    with tempfile.TemporaryDirectory() as folder:
        run(program, "spectrum", *GRID, *SEAS[name], "--out", folder, "--file-format", "json")
        (path,) = (os.path.join(folder, file) for file in os.listdir(folder))
        with open(path, encoding="utf-8") as file:
            (spectrum,) = json.load(file)["spectra"]
    own, density = (np.array(spectrum[key]) for key in ("frequencies_hz", "density_m2_per_hz"))
    if "moments" in spectrum["directions"]:
        moments = np.array(spectrum["directions"]["moments"]).T
    else:
        table = spectrum["directions"]["table"]
        angle = np.array(table["towards_rad"])
        share = np.array(table["density_per_rad"]) * 2 * np.pi / len(angle)
        moments = np.array([(share * part).sum(axis=1) for part in (
            np.cos(angle), np.sin(angle), np.cos(2 * angle), np.sin(2 * angle))])
    at = lambda values: np.interp(frequencies, own, values, left=0.0, right=0.0)  # noqa: E731
    total = at(density)
    return spread(frequencies, total, [at(density * moment) / np.maximum(total, 1e-30) for moment in moments])


def figures(spectrum, band):
    part = spectrum.sel(freq=slice(*band)).spec
    return np.array([float(part.hs(tail=False)), float(part.tm02()), float(part.dm()), float(part.dspr())])


def peak_hz(spectrum):
    return float(spectrum.freq[int(np.argmax(spectrum.sum("dir").data))])


def main(program, folder):
    failed = False
    os.makedirs(folder, exist_ok=True)
    for name in SEAS:
        for buoy in ("moored", "drifting"):
            found = [directional(record(program, folder, name, buoy, seed)) for seed in range(1, SEEDS + 1)]
            sea = of_sea(program, name, found[0].freq.values)
            peak = peak_hz(sea)
            # A record of a buoy ends somewhere, and the drawn sea goes on.
            known = sea.freq.values[sea.sum("dir").values > 0]
            band = (peak * BAND[0], min(peak * BAND[1], known[-1]))
            expected = figures(sea, band)
            # All records are judged together, since direction and spread are no linear functions of a record. The
            # error comes from leaving out each record in turn (jackknife).
            total = sum(found)
            off = np.array([figures(part, band) for part in [total / SEEDS] + [
                (total - spectrum) / (SEEDS - 1) for spectrum in found]]) - expected
            off[:, 2] = (off[:, 2] + 180) % 360 - 180
            mean, without = off[0], off[1:]
            error = np.sqrt(((without - without.mean(axis=0)) ** 2).sum(axis=0) * (SEEDS - 1) / SEEDS)
            for what, unit, wanted, mean, one in zip(
                    ("Hs", "Tz", "direction", "spread"), ("m", "s", "degrees", "degrees"), expected, mean, error):
                errors = abs(mean) / one
                failed |= errors > MOST_ERRORS
                print(f"{name}, {buoy}: {what} {wanted + mean:.3f} {unit}, expected {wanted:.3f}: "
                      f"{errors:.1f} standard errors of {one:.3f}{' TOO FAR' if errors > MOST_ERRORS else ''}", flush=True)
            peaks = peak_hz(total), peak
            print(f"{name}, {buoy}: peak at {peaks[0]:.4f} Hz, expected {peaks[1]:.4f}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
