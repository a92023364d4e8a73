"""Compares the sea in Blender with the sea itself: see scripts/check-blender."""

import importlib.util
import os
import sys
import tempfile

import bpy
import numpy as np

from bake_reference import FRAMES, Reference, target_m, write_bake

# The kinds of files of a bake, and options of its import.
BAKES = [
    (False, "exr", {"side": 120.0, "points": 49}),
    (False, "npy", {"side": 120.0, "points": 49}),
    (False, "png", {"side": 120.0, "points": 49}),
    (True, "exr", {"tiles": 1}),
    (True, "npy", {"tiles": 1}),
    (True, "png", {"tiles": 1}),
]
TESTED_FRAMES = [0, 3, FRAMES - 1]


def blender_script(folder):
    """The script that the bake wrote into its folder."""
    spec = importlib.util.spec_from_file_location("blender", os.path.join(folder, "blender.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def vertices(thing):
    """The evaluated vertices of an object in the world, in Blender's axes."""
    evaluated = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    places = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", places)
    evaluated.to_mesh_clear()
    turn, move = np.array(evaluated.matrix_world)[:3, :3], np.array(evaluated.matrix_world)[:3, 3]
    return places.reshape(-1, 3).astype(float) @ turn.T + move


def seam_m(tiles, side_m):
    """The largest gap between a tile and its neighbours, of which each has the same rows of vertices."""
    by_place = {tuple(np.int64(np.round(np.array(tile.location)[:2] / side_m))): vertices(tile) for tile in tiles}
    n = int(np.sqrt(len(by_place[0, 0])))
    grid = {place: points.reshape(n, n, 3) for place, points in by_place.items()}  # [z][x]; z runs against Blender's y
    gaps = [np.abs(grid[0, 0][:, -1] - grid[1, 0][:, 0]), np.abs(grid[0, 0][:, 0] - grid[-1, 0][:, -1]),
            np.abs(grid[0, 0][-1] - grid[0, -1][0]), np.abs(grid[0, 0][0] - grid[0, 1][-1])]
    return max(gap.max() for gap in gaps)


def main(program):
    failed = False
    with tempfile.TemporaryDirectory() as top:
        references = {kind: Reference(program, os.path.join(top, f"reference-{kind}"), kind) for kind in (False, True)}
        for number, (combined, form, options) in enumerate(BAKES):
            folder = os.path.join(top, str(number))
            bake = write_bake(program, folder, combined, form)
            bpy.ops.wm.read_factory_settings(use_empty=True)
            script = blender_script(folder)
            thing = script.import_bake(folder, **options)
            (sea,) = script.CACHE.values()
            x, z = sea.rest.T
            expected = references[combined].positions(TESTED_FRAMES, x, z)
            worst, seam, held = 0.0, 0.0, {}
            for frame in [*TESTED_FRAMES, FRAMES]:
                bpy.context.scene.frame_set(frame)
                held[frame] = vertices(thing)
                if combined:
                    tiles = [each for each in bpy.context.scene.objects if each.data == thing.data]
                    seam = max(seam, seam_m(tiles, sea.side))
            for frame, (x, y, z) in zip(TESTED_FRAMES, expected.transpose(0, 2, 1)):
                worst = max(worst, np.abs(held[frame] - np.stack([x, -z, y], 1)).max())
            loop = np.abs(held[FRAMES] - held[0]).max()
            # Places are 32-bit floats: they round by 3e-5 m at the side of a patch.
            is_wrong = not (worst <= target_m(bake) and loop == 0 and seam < 1e-4)
            failed |= is_wrong
            print(f"{'combined' if combined else 'cascades'}, {form}: {len(sea.rest)} vertices at "
                  f"{len(TESTED_FRAMES)} frames differ by {worst:.2e} m at most, of {target_m(bake):.2e} m "
                  f"(Hs {bake['significant_wave_height_m']['carried']:.2f} m); the loop's ends by {loop:.0e} m"
                  f"{f', neighbouring tiles by {seam:.0e} m' if combined else ''}"
                  f"{' TOO FAR' if is_wrong else ''}", flush=True)
    return int(failed)


if __name__ == "__main__":
    status = main(sys.argv[1])
    sys.stdout.flush()
    os._exit(status)  # Blender's module may hang while Python ends.
