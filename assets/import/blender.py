"""Imports a bake of Seaway into Blender as an animated mesh of the sea, with water, foam, sun, sky and camera.

Tested with Blender 4.5.15 (the `bpy` module): every vertex at three frames and at the seam of the loop, after
saving and loading, and a Cycles render with motion blur. Not run: the graphical Blender.

Use it in one of three ways. DIR is the folder that holds bake.json.
  blender --python blender.py -- DIR [--side METRES] [--points N] [--tiles N]
  In Blender's text editor: open this file where it lies beside bake.json, and run it.
  With the bpy module: `import blender; blender.import_bake("DIR")`.

A combined bake becomes its patch, with a vertex at every texel, and copies of it out to the horizon
(--tiles on each side). Without --combine, the mesh is a square of --side metres with --points vertices
along each side, and ever larger cells around it out to the horizon. Every vertex then sums all cascades
through periodic cubic splines on a grid of at least eight points along its shortest wave. This is exact to about
0.1% of that wave, and far better for longer ones. A frame of four cascades of 512 texels takes 3 s.

A handler writes the vertices whenever the frame changes, in the viewport and while rendering, and blends
the two nearest frames of the bake in between (motion blur works). The .blend keeps the script as a text
block that runs on loading if you allow scripts (Preferences, Save & Load, Auto Run Python Scripts).
Axes: Seaway's (x, y up, z) are Blender's (x, -z, y). Units are metres.
"""
import json
import math
import os
import sys

import bpy
import numpy as np

DIR = ""  # Folder of the bake; empty for the folder of this script.
NAME = "seaway_bake.py"  # The text block inside the .blend.
CACHE = {}


def source_path():
    text = bpy.data.texts.get(os.path.basename(__file__))
    return bpy.path.abspath(text.filepath) if text and text.filepath else os.path.abspath(__file__)


class Lookup:
    """Reads images of one patch at fixed places (x, z) of the water at rest."""

    def __init__(self, patch, x, z):
        n, cos, sin = patch["size"], math.cos(patch["turn_rad"]), math.sin(patch["turn_rad"])
        u, v = (np.round(p * n / patch["side_m"], 6) for p in (cos * x + sin * z, cos * z - sin * x))
        self.n, self.at_texels = n, not (np.any(u % 1) or np.any(v % 1))
        if self.at_texels:
            self.index = v.astype(np.int64) % n, u.astype(np.int64) % n
            return
        shortest = 2 * math.pi / patch["last_rad_per_m"] * n / patch["side_m"]  # in texels
        self.finer = finer = 2 if shortest > 3.99 else 4
        self.taps = []  # for v, then u: pairs of index and weight, on a grid `finer` times as fine
        for p, stride in ((finer * v, finer * n), (finer * u, 1)):
            first = np.floor(p).astype(np.int64)
            f = (p - first).astype(np.float32)
            weights = (1 - f) ** 3, 3 * f**3 - 6 * f**2 + 4, -3 * f**3 + 3 * f**2 + 3 * f + 1, f**3
            self.taps.append([((first + tap - 1) % (finer * n) * stride, w / 6) for tap, w in enumerate(weights)])

    def read(self, image):
        if self.at_texels:
            return image[self.index]
        n, total = self.n, np.empty((len(self.taps[0][0][0]), 3), np.float32)
        side = self.finer * n
        response = (4 + 2 * np.cos(2 * np.pi * np.arange(side) / side)) / 6  # of the spline at the fine grid's points
        for channel in range(3):
            coefficients = np.fft.rfft2(image[:, :, channel])
            coefficients[:, -1] /= 2
            fine = np.zeros((side, side // 2 + 1), complex)
            fine[: n // 2, : n // 2 + 1], fine[-n // 2 :, : n // 2 + 1] = coefficients[: n // 2], coefficients[n // 2 :]
            fine *= self.finer**2 / (response[:, None] * response[: side // 2 + 1])
            fine = np.fft.irfft2(fine, (side, side)).astype(np.float32).ravel()
            total[:, channel] = sum(wz * sum(wx * fine[z + x] for x, wx in self.taps[1]) for z, wz in self.taps[0])
        return total


def read_image(folder, patch, name, frame):
    """Returns one image of a patch as [z][x][channel], or None where the bake has none of that name."""
    image = next((i for i in patch["images"] if i["name"] == name), None)
    if image is None:
        return None
    path = os.path.join(folder, image["file"].replace("{frame}", str(frame).zfill(image["frame_digits"])))
    if image["format"] == "npy":
        return np.load(path)
    key = f"{patch['name']} {name}"  # one image of Blender's serves all frames
    held = bpy.data.images.get(key) or bpy.data.images.load(path)
    held.name = key
    held.colorspace_settings.name = "Non-Color"
    held.filepath = path
    held.reload()
    n = patch["size"]
    if tuple(held.size) != (n, n):
        raise RuntimeError(f"{path} is missing or not an image of {n} x {n} texels")
    pixels = np.empty(n * n * held.channels, np.float32)
    held.pixels.foreach_get(pixels)
    pixels = pixels.reshape(n, n, held.channels)[::-1, :, :3]  # Blender starts at the lowest row
    return pixels * np.float32(image["scale"]) + np.float32(image["offset"]) if image["format"] == "png" else pixels


class Sea:
    """A bake and the places (x, z) at which a mesh samples it."""

    def __init__(self, folder, side, points):
        with open(os.path.join(folder, "bake.json"), encoding="utf-8") as file:
            self.bake = json.load(file)
        if self.bake["format"] != "seaway-bake" or self.bake["version"] != 1:
            raise RuntimeError(f"{folder} holds no bake of version 1")
        self.folder, patches = folder, self.bake["patches"]
        if self.bake["combined"]:
            side, n = patches[0]["side_m"], points or patches[0]["size"]
            line = np.arange(n + 1) * side / n  # the last vertices close the patch
        else:
            side, n = side or patches[0]["side_m"], points or 513
            line = np.linspace(-side / 2, side / 2, n)
            ring = line[-1] + np.cumsum(side / (n - 1) * 1.12 ** np.arange(1, 60))
            ring = ring[: np.searchsorted(ring, 6000.0) + 1]
            line = np.concatenate([-ring[::-1], line, ring])
        self.side, self.n = side, len(line)
        self.rest = np.stack([a.ravel() for a in np.meshgrid(line, line)], 1)  # row-major [z][x]
        self.lookups = [Lookup(p, *self.rest.T) for p in patches]

    def at(self, frame):
        """Returns the vertices in Blender's axes and their foam, 0 to 1, at a whole frame."""
        patches, frame = self.bake["patches"], frame % self.bake["frames"]
        read = lambda name: [l.read(i) for p, l in zip(patches, self.lookups)
                             if (i := read_image(self.folder, p, name, frame)) is not None]
        moved = sum(read("displacement"))
        foam, stretches = read("foam"), read("stretches")
        if foam:
            foam = foam[0][:, 0]
        elif stretches:
            a, b, c = sum(stretches).T
            foam = (0.6 - ((1 + a) * (1 + b) - c * c)) / 0.4
        else:
            foam = np.zeros(len(moved))
        x, z = self.rest.T
        return np.stack([x + moved[:, 0], -z - moved[:, 2], moved[:, 1]], 1), np.clip(foam, 0, 1)


def seaway_update(scene, *_):
    """Writes the vertices of every imported sea for the scene's frame."""
    frame = scene.frame_current_final - scene.frame_start
    for mesh in bpy.data.meshes:
        if "seaway_dir" not in mesh:
            continue
        key = mesh["seaway_dir"], mesh["seaway_side"], mesh["seaway_points"]
        if key not in CACHE:
            CACHE[key] = Sea(bpy.path.abspath(key[0]), *key[1:])
        first, part = math.floor(frame), frame - math.floor(frame)
        positions, foam = CACHE[key].at(first)
        if part > 0:
            after = CACHE[key].at(first + 1)
            positions, foam = (a + part * (b - a) for a, b in zip((positions, foam), after))
        mesh.attributes["position"].data.foreach_set("vector", np.float32(positions).ravel())
        mesh.attributes["foam"].data.foreach_set("value", np.float32(foam))
        mesh.update()


def register():
    handlers = bpy.app.handlers.frame_change_pre
    for old in [h for h in handlers if getattr(h, "__name__", "") == "seaway_update"]:
        handlers.remove(old)
    handlers.append(seaway_update)


def water_material():
    material = bpy.data.materials.new("Seaway water")
    material.use_nodes = True
    nodes, link = material.node_tree.nodes, material.node_tree.links.new
    water = nodes["Principled BSDF"]
    for name, value in (("Base Color", (0.004, 0.025, 0.035, 1)), ("Roughness", 0.06), ("IOR", 1.333)):
        water.inputs[name].default_value = value
    white, mix = nodes.new("ShaderNodeBsdfDiffuse"), nodes.new("ShaderNodeMixShader")
    white.inputs["Color"].default_value = (0.75, 0.78, 0.8, 1)
    foam, noise, scale = nodes.new("ShaderNodeAttribute"), nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeMapRange")
    place, lace = nodes.new("ShaderNodeNewGeometry"), nodes.new("ShaderNodeMath")
    foam.attribute_name = "foam"
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 2.5, 6
    lace.operation = "DIVIDE"  # noise frays the foam where it is thin
    scale.inputs["From Min"].default_value, scale.inputs["From Max"].default_value = 0.4, 1.2
    link(place.outputs["Position"], noise.inputs["Vector"])
    link(foam.outputs["Fac"], lace.inputs[0])
    link(noise.outputs["Fac"], lace.inputs[1])
    link(lace.outputs[0], scale.inputs["Value"])
    for socket, source in enumerate((scale.outputs[0], water.outputs[0], white.outputs[0])):
        link(source, mix.inputs[socket])
    link(mix.outputs[0], nodes["Material Output"].inputs["Surface"])
    return material


def light_and_camera(scene, side, height):
    world = scene.world or bpy.data.worlds.new("World")
    scene.world, world.use_nodes = world, True
    sky = world.node_tree.nodes.new("ShaderNodeTexSky")
    sky.sun_disc, sky.sun_elevation, sky.sun_rotation = False, math.radians(25), math.radians(60)
    background = world.node_tree.nodes["Background"]
    world.node_tree.links.new(sky.outputs[0], background.inputs["Color"])
    background.inputs["Strength"].default_value = 0.18
    sun = bpy.data.objects.new("Seaway sun", bpy.data.lights.new("Seaway sun", "SUN"))
    sun.data.energy, sun.data.angle = 4, math.radians(0.53)
    sun.rotation_euler = math.radians(65), 0, math.radians(120)
    camera = bpy.data.objects.new("Seaway camera", bpy.data.cameras.new("Seaway camera"))
    camera.location = 0, -side / 2 * 0.9, max(2.5, 2.5 * height)
    camera.rotation_euler = math.radians(84), 0, 0
    camera.data.lens, camera.data.clip_end = 28, 20000
    for thing in (sun, camera):
        scene.collection.objects.link(thing)
    scene.camera = camera


def import_bake(folder, side=0.0, points=0, tiles=12):
    """Builds the scene of a bake and returns the object of the sea."""
    folder, scene = os.path.abspath(folder), bpy.context.scene
    sea = CACHE[(folder, float(side), points)] = Sea(folder, float(side), points)
    mesh, n, bake = bpy.data.meshes.new("Seaway sea"), sea.n, sea.bake
    corner = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)).ravel()
    quads = np.stack([corner, corner + n, corner + n + 1, corner + 1], 1).astype(np.int32)  # normals up
    mesh.vertices.add(n * n)
    mesh.loops.add(quads.size)
    mesh.polygons.add(len(quads))
    mesh.loops.foreach_set("vertex_index", quads.ravel())
    mesh.polygons.foreach_set("loop_start", np.arange(0, quads.size, 4, dtype=np.int32))
    mesh.attributes.new("foam", "FLOAT", "POINT")
    mesh.update(calc_edges=True)
    mesh.shade_smooth()
    mesh.materials.append(water_material())
    mesh["seaway_dir"], mesh["seaway_side"], mesh["seaway_points"] = folder, float(side), points
    objects = []
    reach = range(-tiles, tiles + 1) if bake["combined"] else range(1)
    for i, j in sorted(((i, j) for i in reach for j in reach), key=lambda ij: abs(ij[0]) + abs(ij[1])):
        objects.append(bpy.data.objects.new("Seaway sea", mesh))
        objects[-1].location = i * sea.side, j * sea.side, 0
        scene.collection.objects.link(objects[-1])
    light_and_camera(scene, sea.side, bake["significant_wave_height_m"]["carried"])
    scene.render.fps = max(1, round(bake["fps"]))
    scene.render.fps_base = scene.render.fps / bake["fps"]
    scene.frame_start, scene.frame_end = 0, bake["frames"] - 1
    scene.render.use_lock_interface = True  # the handler must not meet the viewport while rendering
    if NAME not in bpy.data.texts:
        bpy.data.texts.new(NAME).from_string(open(source_path(), encoding="utf-8").read())
    bpy.data.texts[NAME].use_module = True
    register()
    scene.frame_set(0)
    return objects[0]


if os.path.basename(__file__) == NAME:  # the text block of a .blend, which runs on loading
    register()
elif __name__ == "__main__":
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    options = dict(zip((w[2:] for w in words[1::2]), words[2::2]))
    import_bake(words[0] if words else DIR or os.path.dirname(source_path()),
                float(options.get("side", 0)), int(options.get("points", 0)), int(options.get("tiles", 12)))
