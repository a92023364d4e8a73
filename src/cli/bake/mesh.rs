//! A frame as a mesh: glTF 2.0 in one binary file (Khronos 2021, section 4.4).

use std::io;

use crate::maps::cpu::Fields;
use anyhow::ensure;
use serde_json::{Value, json};

use crate::cli::exit::Usage;

use super::images::Image;

/// A grid of `size` x `size` points of a patch of side `side_m`, each with fields and foam.
pub struct Mesh<'a, F> {
    pub size: u32,
    pub side_m: f64,
    pub choppiness: f64,
    /// The fields of a point of the patch.
    pub fields: F,
    pub foam: &'a [f32],
    pub extras: Value,
}

/// Linear colours of water and of foam.
const WATER: [f32; 3] = [0.010, 0.045, 0.060];
const WHITE: [f32; 3] = [0.8; 3];

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// The binary buffer, and its description.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds values as a view with an accessor, and returns the accessor's index.
    fn add(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        let target = if component == FLOAT { ARRAY_BUFFER } else { ELEMENT_ARRAY_BUFFER };
        self.views.push(json!({
            "buffer": 0,
            "byteOffset": self.bytes.len(),
            "byteLength": bytes.len(),
            "target": target,
        }));
        self.bytes.extend(bytes);
        let view = self.views.len() - 1;
        self.accessors.push(json!({
            "bufferView": view, "componentType": component, "count": count, "type": kind,
        }));
        view
    }

    fn add_floats<const N: usize>(&mut self, kind: &str, values: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> =
            values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        self.add(kind, FLOAT, values.len(), &bytes)
    }
}

/// The bytes of the buffer of a mesh of `size` x `size` points: positions, normals, colours, foam, and two
/// triangles for each.
pub fn buffer_bytes(size: u32) -> u64 {
    let size = u64::from(size);
    40 * (size + 1).pow(2) + 24 * size.pow(2)
}

/// Checks that a binary glTF can hold a mesh of `size` x `size` points.
pub fn check_size(size: u32) -> anyhow::Result<()> {
    const DOCUMENT: u64 = 1 << 16;
    ensure!(
        buffer_bytes(size) + DOCUMENT <= u64::from(u32::MAX),
        Usage(format!(
            "a mesh of {size} x {size} points is larger than the 4 GB of a binary glTF: choose a smaller --size"
        ))
    );
    Ok(())
}

impl<F: Fn(usize) -> Fields> Mesh<'_, F> {
    /// Encodes the patch with one more row and column of points, which close it. Its neighbours on all sides
    /// are copies, moved by its side.
    pub fn glb(&self) -> io::Result<Vec<u8>> {
        let size = self.size as usize;
        let side = size + 1;
        let points = || (0..side * side).map(|at| [at % side, at / side]);
        let index = |[i, j]: [usize; 2]| j % size * size + i % size;
        let of_image =
            |image: Image, point| image.values(&(self.fields)(index(point)), self.choppiness, 0.0);
        let spacing_m = self.side_m / size as f64;
        let position = |point: [usize; 2]| {
            let [x, y, z] = of_image(Image::Displacement, point);
            let [at_x, at_z] = point.map(|at| at as f64 * spacing_m);
            [at_x + x, y, at_z + z].map(|metres| metres as f32)
        };
        let positions: Vec<[f32; 3]> = points().map(position).collect();
        let normals: Vec<[f32; 3]> =
            points().map(|at| of_image(Image::Normal, at).map(|part| part as f32)).collect();
        let foam: Vec<[f32; 1]> = points().map(|at| [self.foam[index(at)]]).collect();
        let color = |[foam]: &[f32; 1]| {
            std::array::from_fn(|at| WATER[at] + foam * (WHITE[at] - WATER[at]))
        };
        let colors: Vec<[f32; 3]> = foam.iter().map(color).collect();
        let corners = (0..size * size).flat_map(|at| {
            let first = (at / size * side + at % size) as u32;
            let below = first + side as u32;
            // Counter-clockwise as seen from above.
            [first, below, first + 1, first + 1, below, below + 1]
        });
        let indices: Vec<u8> = corners.flat_map(u32::to_le_bytes).collect();

        let mut buffer = Buffer::default();
        let position = buffer.add_floats("VEC3", &positions);
        let bound = |pick: fn(f32, f32) -> f32| -> [f32; 3] {
            std::array::from_fn(|axis| {
                positions.iter().map(|point| point[axis]).reduce(pick).unwrap_or_default()
            })
        };
        buffer.accessors[position]["min"] = json!(bound(f32::min));
        buffer.accessors[position]["max"] = json!(bound(f32::max));
        let normal = buffer.add_floats("VEC3", &normals);
        let color = buffer.add_floats("VEC3", &colors);
        let foam = buffer.add_floats("SCALAR", &foam);
        let indices = buffer.add("SCALAR", UNSIGNED_INT, 6 * size * size, &indices);
        let document = json!({
            "asset": {
                "version": "2.0",
                "generator": crate::cli::render::stamp::SOFTWARE,
                "extras": self.extras,
            },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "mesh": 0, "name": "sea" }],
            "meshes": [{ "name": "sea", "primitives": [{
                "attributes": {
                    "POSITION": position, "NORMAL": normal, "COLOR_0": color, "_FOAM": foam,
                },
                "indices": indices,
                "material": 0,
            }] }],
            "materials": [{ "name": "water", "pbrMetallicRoughness": {
                "metallicFactor": 0.0, "roughnessFactor": 0.15,
            } }],
            "accessors": buffer.accessors,
            "bufferViews": buffer.views,
            "buffers": [{ "byteLength": buffer.bytes.len() }],
        });
        container(serde_json::to_vec(&document)?, buffer.bytes)
    }
}

/// Joins a document and its buffer.
fn container(mut json: Vec<u8>, mut binary: Vec<u8>) -> io::Result<Vec<u8>> {
    json.resize(json.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let length = |bytes: usize| {
        u32::try_from(bytes).map(u32::to_le_bytes).map_err(|_| {
            io::Error::other("a binary glTF has 4 GB at most: choose a smaller --size")
        })
    };
    let mut file = Vec::with_capacity(28 + json.len() + binary.len());
    file.extend(b"glTF");
    file.extend(2_u32.to_le_bytes());
    file.extend(length(28 + json.len() + binary.len())?);
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", binary)] {
        file.extend(length(chunk.len())?);
        file.extend(kind);
        file.extend(chunk);
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meshes_beyond_four_gigabytes_are_refused() {
        assert!(check_size(4096).is_ok());
        let error = check_size(8192).unwrap_err().to_string();
        assert!(error.contains("choose a smaller --size"), "{error}");
    }
}
