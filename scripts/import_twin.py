"""Imports a bake without any program: the positions of points of the sea in one frame, from the files alone.

Needs NumPy, and for EXR files nothing else (scanlines without compression, ZIPS, ZIP or RLE).

    positions(DIR, frame, x, z)   where the water that rests at (x, z) is: [.., 3], metres, Seaway's axes
    texels(DIR, frame, patch)     rest places and positions of the texels of one patch alone

    python import_twin.py DIR FRAME X Z        prints one position
"""
import json
import math
import os
import struct
import sys
import zlib

import numpy as np


def read_exr(path):
    """Returns the channels of a scanline EXR file, by name, as float32 [row][column]."""
    data = open(path, "rb").read()
    magic, version = struct.unpack_from("<II", data)
    if magic != 20000630 or version & 0x1A00:
        raise ValueError(f"{path} is not an EXR file of scanlines in one part")
    at, header = 8, {}

    def text(at):
        end = data.index(b"\0", at)
        return data[at:end].decode(), end + 1

    while data[at]:
        name, at = text(at)
        _, at = text(at)
        size = struct.unpack_from("<I", data, at)[0]
        header[name], at = data[at + 4 : at + 4 + size], at + 4 + size
    at += 1
    channels, c = [], 0
    while header["channels"][c]:
        end = header["channels"].index(b"\0", c)
        kind = struct.unpack_from("<I", header["channels"], end + 1)[0]
        channels.append((header["channels"][c:end].decode(), np.dtype(["<u4", "<f2", "<f4"][kind])))
        c = end + 17
    x0, y0, x1, y1 = struct.unpack("<4i", header["dataWindow"])
    width, height, compression = x1 - x0 + 1, y1 - y0 + 1, header["compression"][0]
    if compression > 3:
        raise ValueError(f"{path}: compression {compression} is not supported; convert it to ZIP")
    per_chunk = 16 if compression == 3 else 1
    out = {name: np.empty((height, width), np.float32) for name, _ in channels}
    for offset in struct.unpack_from(f"<{-(-height // per_chunk)}Q", data, at):
        y, size = struct.unpack_from("<iI", data, offset)
        rows = range(y - y0, min(y - y0 + per_chunk, height))
        raw = data[offset + 8 : offset + 8 + size]
        full = len(rows) * width * sum(t.itemsize for _, t in channels)
        if compression and size < full:
            raw = unpredict(unrle(raw) if compression == 1 else zlib.decompress(raw))
        pos = 0
        for row in rows:
            for name, kind in channels:
                out[name][row] = np.frombuffer(raw, kind, width, pos)
                pos += width * kind.itemsize
    return out


def unrle(raw):
    out, at = bytearray(), 0
    while at < len(raw):
        count = raw[at] - 256 if raw[at] > 127 else raw[at]
        if count < 0:
            out += raw[at + 1 : at + 1 - count]
            at += 1 - count
        else:
            out += raw[at + 1 : at + 2] * (count + 1)
            at += 2
    return bytes(out)


def unpredict(raw):
    steps = np.frombuffer(raw, np.uint8).astype(np.int64)
    steps[1:] -= 128
    whole = (np.cumsum(steps) & 255).astype(np.uint8)
    half = (len(whole) + 1) // 2
    out = np.empty_like(whole)
    out[0::2], out[1::2] = whole[:half], whole[half:]
    return out.tobytes()


def read_png(path):
    """Returns a 16-bit RGB image as samples [row][column][3]."""
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        size, tag = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + size]
        if tag == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            if (depth, colour, interlace) != (16, 2, 0):
                raise ValueError(f"{path} is not 16-bit RGB without interlacing")
        packed += body if tag == b"IDAT" else b""
        at += size + 12
    raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 6 * width)
    rows, before = np.empty((height, 6 * width), np.uint8), np.zeros(6 * width, np.int64)
    for y, (kind, line) in enumerate(zip(raw[:, 0], raw[:, 1:].astype(np.int64))):
        if kind == 1:
            line = np.cumsum(line.reshape(-1, 6), 0).ravel()
        elif kind == 2:
            line = line + before
        elif kind > 2:
            line = line.tolist()
            for i in range(len(line)):
                a, b, c = (line[i - 6], before[i], before[i - 6]) if i > 5 else (0, before[i], 0)
                nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
                line[i] = (line[i] + (nearest if kind == 4 else (a + b) // 2)) & 255
            line = np.array(line)
        rows[y] = before = line & 255
    return rows.view(">u2").reshape(height, width, 3)


def read_bake(folder):
    with open(os.path.join(folder, "bake.json"), encoding="utf-8") as file:
        bake = json.load(file)
    if (bake["format"], bake["version"]) != ("seaway-bake", 1):
        raise ValueError(f"{folder} holds no bake of version 1")
    return bake


def read_image(folder, bake, patch, name, frame):
    """Returns one image of a patch as float32 [z][x][3]."""
    image = next(i for i in patch["images"] if i["name"] == name)
    number = str(frame % bake["frames"]).zfill(image["frame_digits"])
    path = os.path.join(folder, image["file"].replace("{frame}", number))
    if image["format"] == "npy":
        return np.load(path)
    if image["format"] == "png":
        return (read_png(path) / 65535 * image["scale"] + image["offset"]).astype(np.float32)
    channels = read_exr(path)
    return np.stack([channels[c] for c in "RGB"], -1)


def lattice_from_world(patch, x, z):
    cos, sin = math.cos(patch["turn_rad"]), math.sin(patch["turn_rad"])
    return cos * x + sin * z, cos * z - sin * x


def interpolate(image, u, v):
    """Returns the band-limited image at (u, v) texels: exact for waves longer than two texels.

    Few points only: it sums the whole Fourier series of each point.
    """
    n = image.shape[0]
    k = np.fft.fftfreq(n, 1 / n)
    series = np.fft.fft2(image, axes=(0, 1)) / n**2
    ex = np.exp(2j * np.pi / n * np.multiply.outer(u, k))
    ez = np.exp(2j * np.pi / n * np.multiply.outer(v, k))
    return np.einsum("pz,pzc->pc", ez, np.einsum("px,zxc->pzc", ex, series, optimize=True)).real


def positions(folder, frame, x, z):
    """Returns where the water that rests at (x, z) is in a frame: the sum over all patches."""
    bake = read_bake(folder)
    x, z = np.broadcast_arrays(np.asarray(x, float), np.asarray(z, float))
    moved = np.stack([x, 0 * x, z], -1).reshape(-1, 3)
    for patch in bake["patches"]:
        u, v = (p.ravel() * patch["size"] / patch["side_m"] for p in lattice_from_world(patch, x, z))
        moved += interpolate(read_image(folder, bake, patch, "displacement", frame), u, v)
    return moved.reshape(x.shape + (3,))


def texels(folder, frame, index=0):
    """Returns (rest x, rest z, positions) of the texels of one patch, moved by that patch alone."""
    bake = read_bake(folder)
    patch = bake["patches"][index]
    line = np.arange(patch["size"]) * patch["side_m"] / patch["size"]
    u, v = np.meshgrid(line, line)
    cos, sin = math.cos(patch["turn_rad"]), math.sin(patch["turn_rad"])
    x, z = cos * u - sin * v, sin * u + cos * v
    return x, z, read_image(folder, bake, patch, "displacement", frame) + np.stack([x, 0 * x, z], -1)


if __name__ == "__main__":
    folder, frame, x, z = sys.argv[1], *map(float, sys.argv[2:5])
    print("x %.4f  y %.4f  z %.4f" % tuple(positions(folder, int(frame), x, z)))
