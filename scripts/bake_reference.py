"""The sea of a bake by other commands of Seaway, in double precision: the reference of the checks of imports.

`seaway bake` computes in 32-bit floats on the GPU, and its images are read by scripts under test. The reference
of cascades is `seaway field --cpu`: it has neither the images nor `bake.json` in common with the bake, and its waves
are summed one by one in world axes. No other command draws the sea of `--combine`, so that its reference is `seaway
bake --cpu`, which tests/program/bake.rs compares with the queries of the library.
"""

import json
import math
import os
import subprocess

import numpy as np

# Wind waves and a swell, in a loop of eight frames that is long enough for both.
FRAMES, LOOP_S = 8, 80
SEA = ["--preset", "gale", "--swell-height-m", "2", "--swell-period-s", "11", "--swell-direction-deg", "-50"]
SIZE = 64
SIDE_M = 400.0


def run(program, *words):
    result = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(f"{' '.join(map(str, [program, *words]))} failed:\n{result.stderr}")


def write_bake(program, folder, combined, form, *more):
    """Bakes the sea for real, and returns its index."""
    run(program, "bake", *SEA, "--size", SIZE, "--fps", FRAMES / LOOP_S, "--loop-s", LOOP_S, "--format", form,
        *(["--combine", SIDE_M] if combined else []), "--out", folder, *more)
    with open(os.path.join(folder, "bake.json"), encoding="utf-8") as file:
        bake = json.load(file)
    assert (bake["frames"], bake["loop_s"]) == (FRAMES, LOOP_S)
    return bake


def target_m(bake):
    """The largest difference that an import may have: 1 mm and 1/1000 of the significant height."""
    return 1e-3 + 1e-3 * bake["significant_wave_height_m"]["carried"]


class Reference:
    """Where water is, by the places (x, z) at which it rests."""

    def __init__(self, program, folder, combined):
        self.combined, self.folder = combined, folder
        if combined:
            write_bake(program, folder, True, "npy", "--cpu")
        else:
            run(program, "field", *SEA, "--size", SIZE, "--loop-period-s", LOOP_S, "--fps", FRAMES / LOOP_S,
                "--frames", FRAMES, "--cpu", "--out", folder)

    def positions(self, frames, x, z):
        """Returns [frame][place][x, y, z] in metres, y up."""
        x, z = np.ravel(x).astype(float), np.ravel(z).astype(float)
        moved = self.at_texels(frames, x, z) if self.combined else self.summed(frames, x, z)
        return moved + np.stack([x, 0 * x, z], 1)

    def at_texels(self, frames, x, z):
        i, j = (place * SIZE / SIDE_M for place in (x, z))
        assert (i % 1 == 0).all() and (j % 1 == 0).all(), "a combined sea is known at texels"
        i, j = (np.int64(at) % SIZE for at in (i, j))
        images = [np.load(f"{self.folder}/sea_displacement_{frame % FRAMES:05}.npy") for frame in frames]
        return np.array([image[j, i] for image in images], float)

    def summed(self, frames, x, z):
        with open(os.path.join(self.folder, "field.json"), encoding="utf-8") as file:
            cascades = json.load(file)["cascades"]
        moved = np.zeros((len(frames), len(x), 3))
        for number, cascade in enumerate(cascades):
            images = [np.load(f"{self.folder}/frame_{frame % FRAMES:04}_cascade{number}_displacement.npy")
                      for frame in frames]
            waves = np.fft.fft2(np.array(images, float), axes=(1, 2)) / SIZE**2
            # Numbers of waves across and along the lattice, which is turned in the world.
            count = np.fft.fftfreq(SIZE, 1 / SIZE)
            v, u = (2 * np.pi / cascade["patch_size_m"] * part for part in np.meshgrid(count, count, indexing="ij"))
            turn = math.radians(cascade["rotation_deg"])
            kx, kz = math.cos(turn) * u - math.sin(turn) * v, math.sin(turn) * u + math.cos(turn) * v
            # Each wave is there twice, with opposite signs.
            is_first = (v > 0) | ((v == 0) & (u > 0))
            is_there = is_first & (np.abs(waves).max(axis=(0, 3)) > 1e-9)
            height = 2 * waves[:, is_there].transpose(1, 0, 2).reshape(is_there.sum(), -1)
            for part in np.array_split(np.arange(len(x)), 1 + len(x) // 1000):
                phase = np.multiply.outer(x[part], kx[is_there]) + np.multiply.outer(z[part], kz[is_there])
                found = np.cos(phase) @ height.real - np.sin(phase) @ height.imag
                moved[:, part] += found.reshape(len(part), len(frames), 3).transpose(1, 0, 2)
            moved += waves[:, None, 0, 0].real
        return moved
