"""Compares scripts/import_twin.py, which imports a bake with NumPy alone, with the sea itself.

    python check_import.py PROGRAM
"""

import os
import sys
import tempfile

import numpy as np

import import_twin
from bake_reference import FRAMES, SIDE_M, SIZE, Reference, target_m, write_bake


def main(program):
    failed = False
    random = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as top:
        for combined in (False, True):
            kind = "combined" if combined else "cascades"
            reference = Reference(program, os.path.join(top, f"{kind}-reference"), combined)
            folder = os.path.join(top, kind)
            for form in ("exr", "png", "npy"):
                bake = write_bake(program, folder, combined, form)
                if combined:
                    # The patch and the texels around it: its first and last rows and those of its neighbours.
                    line = np.arange(-2, SIZE + 2) * SIDE_M / SIZE
                    x, z = (place.ravel() for place in np.meshgrid(line, line))
                else:
                    x, z = random.uniform(-1000.0, 1000.0, (2, 500))
                frames = [0, 3, FRAMES - 1, FRAMES]
                expected = reference.positions(frames, x, z)
                found = np.array([import_twin.positions(folder, frame, x, z) for frame in frames])
                worst, seam = np.abs(found - expected).max(), np.abs(found[-1] - found[0]).max()
                across = 0.0
                if combined:
                    square = found.reshape(len(frames), SIZE + 4, SIZE + 4, 3)
                    side = np.array([SIDE_M, 0, 0]), np.array([0, 0, SIDE_M])
                    across = max(np.abs(square[:, :, SIZE:] - side[0] - square[:, :, :4]).max(),
                                 np.abs(square[:, SIZE:] - side[1] - square[:, :4]).max())
                is_wrong = not (worst <= target_m(bake) and seam == 0 and across < 1e-6)
                failed |= is_wrong
                print(f"{kind}, {form}: {found[..., 0].size} points differ by {worst:.2e} m at most, of "
                      f"{target_m(bake):.2e} m; the loop's ends by {seam:.0e} m, neighbouring patches by {across:.0e} m"
                      f"{' TOO FAR' if is_wrong else ''}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
