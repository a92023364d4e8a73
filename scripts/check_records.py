"""Compares records of `seaway points` with the sea that they are of: see scripts/check-records."""

import json
import subprocess
import sys
import tempfile

import numpy as np
import scipy.signal
import wavespectra  # noqa: F401, adds `.spec` to arrays
import xarray

SEEDS = 8
MINUTES = 30
HZ = 2.0
# Frequencies over the peak's. Waves move a moored buoy's water to and fro, which blurs shorter waves.
BAND = (0.5, 3.0)
# A wind sea, so that there is one direction to find; and the same with its waves across a fairway.
SEAS = {
    "breeze": ["--preset", "breeze", "--swell-height-m", "0", "--swell-2-height-m", "0"],
    "gale": ["--preset", "gale", "--swell-height-m", "0", "--swell-2-height-m", "0", "--wind-direction-deg", "-70"],
}


def run(program, *words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def directional(record, buoy):
    """The spectrum of a record by frequency and direction, from its first two directional moments."""
    x, z, height, dx, dz, slope_x, slope_z = record[:, 0, :7].T
    # A drifting buoy moves to and fro, along the waves and in quadrature to the height; slopes are so, too.
    along = (dx, dz) if buoy == "drifting" else (slope_x, slope_z)
    signs = 1 if buoy == "drifting" else -1

    def cross(a, b):
        f, density = scipy.signal.csd(a, b, HZ, nperseg=512, detrend="constant")
        return f, density

    f, c_hh = cross(height, height)
    c_xx, c_zz, c_xz = (cross(a, b)[1].real for a, b in [(along[0], along[0]), (along[1], along[1]), along])
    q_hx, q_hz = (signs * cross(height, a)[1].imag for a in along)
    c_hh = c_hh.real
    across = c_xx + c_zz
    a1, b1 = (q / np.sqrt(c_hh * across) for q in (q_hx, q_hz))
    a2, b2 = (c_xx - c_zz) / across, 2 * c_xz / across
    degrees = np.arange(0.0, 360.0, 5.0)
    angle = np.radians(degrees)[None, :]
    series = 1 + 2 * (
        a1[:, None] * np.cos(angle) + b1[:, None] * np.sin(angle)
        + a2[:, None] * np.cos(2 * angle) + b2[:, None] * np.sin(2 * angle))
    density = c_hh[:, None] * series / 360.0
    return xarray.DataArray(density[1:], coords={"freq": f[1:], "dir": degrees}, dims=("freq", "dir"), name="efth")


def figures(spectrum, band):
    part = spectrum.sel(freq=slice(*band)).spec
    return np.array([float(part.hs(tail=False)), float(part.tm02()), float(part.dm())])


def main(program):
    failed = False
    for name, sea in SEAS.items():
        grid = ["--size", "128", "--cascades", "4"]
        theory = json.loads(run(program, "spectrum", "--format", "json", "--points", "4000", *grid, *sea))
        peak_hz = 1 / theory["systems"][0]["peak_period_s"]
        band = tuple(peak_hz * factor for factor in BAND)
        towards = theory["systems"][0]["direction_deg"] % 360
        omega, density = (np.array(theory[key]) for key in ("omega_rad_per_s", "s_m2_s_per_rad"))
        for buoy in ("moored", "drifting"):
            found = []
            for seed in range(1, SEEDS + 1):
                with tempfile.NamedTemporaryFile(suffix=".npy") as file:
                    run(program, "points", "--at", "0,0", "--to", str(60 * MINUTES), "--hz", str(HZ), "--buoy", buoy,
                        "--seed", str(seed), "--out", file.name, *grid, *sea)
                    spectrum = directional(np.load(file.name), buoy)
                found.append(figures(spectrum, band))
            # The expected figures, by the same package and at the same frequencies.
            at_f = 2 * np.pi * np.interp(2 * np.pi * spectrum.freq.values, omega, density)
            angle = np.radians(spectrum.dir.values - towards)
            spread = np.cos(angle / 2) ** 20
            expected = spectrum.copy(data=at_f[:, None] * spread / (5 * spread.sum()))
            expected = figures(expected, band)
            off = np.array(found) - expected
            off[:, 2] = (off[:, 2] + 180) % 360 - 180
            error = off.std(axis=0, ddof=1) / np.sqrt(SEEDS)
            for what, unit, wanted, mean, one in zip(
                    ("Hs", "Tz", "direction"), ("m", "s", "degrees"), expected, off.mean(axis=0), error):
                errors = abs(mean) / one
                failed |= errors > 2
                print(f"{name}, {buoy}: {what} {wanted + mean:.3f} {unit}, expected {wanted:.3f}: "
                      f"{errors:.1f} standard errors of {one:.3f}{' TOO FAR' if errors > 2 else ''}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
