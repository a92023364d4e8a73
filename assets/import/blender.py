"""Imports a bake of Seaway into Blender as an animated mesh of the sea, with water, foam, sun, sky and camera.

Tested with Blender 4.5.15 (the `bpy` module): every vertex at three frames and at the seam of the loop, after
saving and loading, and a Cycles render with motion blur. Not run: the graphical Blender.

Use it in one of three ways. DIR is the folder that holds bake.json.
  blender --python blender.py -- DIR [--side METRES] [--points N] [--tiles N] [--sun AZIMUTH,ELEVATION]
    [--camera X,Y,Z,YAW,PITCH] [--still FILE.png --frame N --resolution 1280x720 --samples N]
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


def add_node(tree, kind, inputs=(), **settings):
    """Adds a node with values or links for its inputs, which are pairs of a name or number and a value or socket."""
    node = tree.nodes.new(kind)
    for name, value in settings.items():
        setattr(node, name, value)
    for name, value in inputs:
        if isinstance(value, bpy.types.NodeSocket):
            tree.links.new(value, node.inputs[name])
        else:
            node.inputs[name].default_value = value
    return node


def add_range(tree, value, start, end, low=0.0, high=1.0):
    """A node that maps start to low and end to high, smoothly and without going beyond."""
    names = "Value", "From Min", "From Max", "To Min", "To Max"
    inputs = zip(names, (value, start, end, low, high))
    return add_node(tree, "ShaderNodeMapRange", inputs, interpolation_type="SMOOTHSTEP").outputs[0]


def water_material(bake):
    """Water with the slopes that the bake does not carry, foam where it has some, and haze far away."""
    material = bpy.data.materials.new("Seaway water")
    material.use_nodes = True
    tree = material.node_tree
    water = tree.nodes["Principled BSDF"]
    node = lambda kind, *inputs, **settings: add_node(tree, kind, inputs, **settings)
    math_node = lambda operation, a, b: node("ShaderNodeMath", (0, a), (1, b), operation=operation).outputs[0]
    slopes, height = bake["mean_square_slope"], bake["significant_wave_height_m"]["carried"]
    missing = max(slopes["theoretical"] - slopes["carried"], 1e-4)

    # Places of the water at rest: patterns stay with the water, and go on from tile to tile.
    rest, tile = node("ShaderNodeAttribute", attribute_name="rest"), node("ShaderNodeObjectInfo")
    place = node("ShaderNodeVectorMath", (0, rest.outputs["Vector"]), (1, tile.outputs["Location"])).outputs[0]
    noise = lambda scale, detail, roughness: node(
        "ShaderNodeTexNoise", ("Vector", place), ("Scale", scale), ("Detail", detail), ("Roughness", roughness)
    ).outputs["Fac"]

    # A pixel far away holds waves of all lengths: roughness stands for them. Near the camera they are ripples.
    distance = node("ShaderNodeCameraData").outputs["View Distance"]
    near = min(0.12, missing**0.25)
    roughness = add_range(tree, distance, 10, 400, near, max(near, missing**0.25))
    ripples = node("ShaderNodeBump", ("Height", noise(0.9, 7, 0.62)), ("Distance", 4 * missing**0.5), ("Strength", 0.5))

    # Foam covers its share: the lace of bubbles is white where a pattern is below that share.
    share = node("ShaderNodeAttribute", attribute_name="foam").outputs["Fac"]
    bend = node("ShaderNodeTexNoise", ("Vector", place), ("Scale", 0.4), ("Detail", 5), ("Roughness", 0.6))
    bent = node("ShaderNodeVectorMath", (0, bend.outputs["Color"]), (1, (3, 3, 0)), (2, place),
                operation="MULTIPLY_ADD")
    pattern = noise(1.1, 10, 0.7)
    for scale, weight in ((0.3, 1.2), (1.0, 1.1)):
        cells = node("ShaderNodeTexVoronoi", ("Vector", bent.outputs[0]), ("Scale", scale), feature="DISTANCE_TO_EDGE")
        pattern = math_node("ADD", pattern, math_node("MULTIPLY", cells.outputs["Distance"], weight))
    level = node("ShaderNodeMath", (0, share), (1, 0.78), (2, 0.4), operation="MULTIPLY_ADD").outputs[0]
    white = add_range(tree, math_node("SUBTRACT", level, pattern), -0.1, 0.16)
    white = math_node("MULTIPLY", white, add_range(tree, share, 0, 0.1))
    foam = node("ShaderNodeBsdfDiffuse", ("Color", (0.85, 0.87, 0.88, 1)), ("Normal", ripples.outputs[0]))

    # Light comes out of thin crests, and out of water full of bubbles.
    rise = node("ShaderNodeSeparateXYZ", ("Vector", node("ShaderNodeNewGeometry").outputs["Position"])).outputs["Z"]
    lit = math_node("ADD", add_range(tree, rise, 0, height, 0, 0.35), add_range(tree, share, 0.1, 0.8, 0, 0.6))
    body = node("ShaderNodeMix", ("Factor", lit), (6, (0.002, 0.012, 0.018, 1)), (7, (0.03, 0.13, 0.14, 1)),
                data_type="RGBA")
    for name, value in (("Base Color", body.outputs[2]), ("Roughness", roughness), ("Normal", ripples.outputs[0])):
        tree.links.new(value, water.inputs[name])
    water.inputs["IOR"].default_value = 1.333
    surface = node("ShaderNodeMixShader", ("Fac", white), (1, water.outputs[0]), (2, foam.outputs[0]))

    # Haze lets the sky through.
    haze = math_node("SUBTRACT", 1.0, math_node("POWER", 0.5, math_node("DIVIDE", distance, 2500.0)))
    clear = node("ShaderNodeBsdfTransparent")
    hazy = node("ShaderNodeMixShader", ("Fac", haze), (1, surface.outputs[0]), (2, clear.outputs[0]))
    tree.links.new(hazy.outputs[0], tree.nodes["Material Output"].inputs["Surface"])
    return material


def light_and_camera(scene, side, height, sun=(-30.0, 25.0)):
    """Sky, sun and camera. The sun stands at an azimuth from Seaway's +X towards +Z and an elevation, in degrees."""
    azimuth, elevation = map(math.radians, sun)
    world = scene.world or bpy.data.worlds.new("World")
    scene.world, world.use_nodes = world, True
    tree = world.node_tree
    node = lambda kind, *inputs, **settings: add_node(tree, kind, inputs, **settings)
    sky = node("ShaderNodeTexSky", sky_type="NISHITA", sun_disc=False, sun_elevation=elevation,
               sun_rotation=math.atan2(math.cos(azimuth), -math.sin(azimuth)), dust_density=0.6)
    # Clouds on a plane overhead, bright where they are thin.
    towards = node("ShaderNodeTexCoord").outputs["Generated"]
    part = node("ShaderNodeSeparateXYZ", ("Vector", towards)).outputs
    up = node("ShaderNodeMath", (0, part["Z"]), (1, 0.0), operation="MAXIMUM").outputs[0]
    far = node("ShaderNodeMath", (0, up), (1, 0.09), operation="ADD").outputs[0]
    plane = node("ShaderNodeVectorMath", (0, towards), (1, far), operation="DIVIDE")
    noise = node("ShaderNodeTexNoise", ("Vector", plane.outputs[0]), ("Scale", 0.55), ("Detail", 8),
                 ("Roughness", 0.55)).outputs["Fac"]
    cover = add_range(tree, noise, 0.4, 0.6, 0, 0.92)
    horizon = add_range(tree, up, 0, 0.1, 0.3, 1)
    cover = node("ShaderNodeMath", (0, cover), (1, horizon), operation="MULTIPLY").outputs[0]
    shade = add_range(tree, noise, 0.45, 0.75, 3.6, 1.2)
    tint = node("ShaderNodeVectorMath", (0, (1.0, 1.02, 1.06)), ("Scale", shade), operation="SCALE").outputs[0]
    colour = node("ShaderNodeMix", ("Factor", cover), (6, sky.outputs[0]), (7, tint), data_type="RGBA")
    background = tree.nodes["Background"]
    tree.links.new(colour.outputs[2], background.inputs["Color"])
    background.inputs["Strength"].default_value = 0.18
    lamp = bpy.data.objects.new("Seaway sun", bpy.data.lights.new("Seaway sun", "SUN"))
    lamp.data.energy, lamp.data.angle = 2.5, math.radians(2)
    lamp.rotation_euler = math.pi / 2 - elevation, 0, math.pi / 2 - azimuth
    camera = bpy.data.objects.new("Seaway camera", bpy.data.cameras.new("Seaway camera"))
    camera.location = 0, -side / 2 * 0.9, max(2.5, 2.5 * height)
    camera.rotation_euler = math.radians(84), 0, 0
    camera.data.lens, camera.data.clip_end = 28, 20000
    for thing in (lamp, camera):
        scene.collection.objects.link(thing)
    scene.camera = camera


def import_bake(folder, side=0.0, points=0, tiles=12, sun=(-30.0, 25.0), frame=0):
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
    rest = np.stack([sea.rest[:, 0], -sea.rest[:, 1], 0 * sea.rest[:, 0]], 1)
    mesh.attributes.new("rest", "FLOAT_VECTOR", "POINT").data.foreach_set("vector", np.float32(rest).ravel())
    mesh.update(calc_edges=True)
    mesh.shade_smooth()
    mesh.materials.append(water_material(bake))
    mesh["seaway_dir"], mesh["seaway_side"], mesh["seaway_points"] = folder, float(side), points
    objects = []
    reach = range(-tiles, tiles + 1) if bake["combined"] else range(1)
    for i, j in sorted(((i, j) for i in reach for j in reach), key=lambda ij: abs(ij[0]) + abs(ij[1])):
        objects.append(bpy.data.objects.new("Seaway sea", mesh))
        objects[-1].location = i * sea.side, j * sea.side, 0
        scene.collection.objects.link(objects[-1])
    light_and_camera(scene, sea.side, bake["significant_wave_height_m"]["carried"], sun)
    scene.render.fps = max(1, round(bake["fps"]))
    scene.render.fps_base = scene.render.fps / bake["fps"]
    scene.frame_start, scene.frame_end = 0, bake["frames"] - 1
    scene.view_settings.look = "AgX - Medium High Contrast"
    scene.render.use_lock_interface = True  # the handler must not meet the viewport while rendering
    if NAME not in bpy.data.texts:
        bpy.data.texts.new(NAME).from_string(open(source_path(), encoding="utf-8").read())
    bpy.data.texts[NAME].use_module = True
    register()
    scene.frame_set(frame)
    return objects[0]


def place_camera(camera, x, y, z, yaw, pitch):
    """Places the camera by Seaway's axes: yaw 0 looks along +X and 90 along +Z, in degrees."""
    camera.location = x, -z, y
    camera.rotation_euler = math.radians(90 + pitch), 0, math.radians(-90 - yaw)


def render_still(path, resolution, samples):
    """Renders one picture of the scene's frame with Cycles."""
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", samples, True
    scene.render.resolution_x, scene.render.resolution_y = map(int, resolution.split("x"))
    scene.render.filepath = os.path.abspath(path)
    bpy.ops.render.render(write_still=True)


if os.path.basename(__file__) == NAME:  # the text block of a .blend, which runs on loading
    register()
elif __name__ == "__main__":
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
    options = dict(zip((w[2:] for w in words[1::2]), words[2::2]))
    folder = words[0] if words else DIR or os.path.dirname(source_path())
    numbers = lambda name, default: [float(number) for number in options.get(name, default).split(",")]
    if "still" in options:
        bpy.ops.wm.read_factory_settings(use_empty=True)
    import_bake(folder, float(options.get("side", 0)), int(options.get("points", 0)), int(options.get("tiles", 12)),
                numbers("sun", "-30,25"), int(options.get("frame", 0)))
    if "camera" in options:
        place_camera(bpy.context.scene.camera, *numbers("camera", ""))
    if "still" in options:
        render_still(options["still"], options.get("resolution", "1280x720"), int(options.get("samples", 64)))
