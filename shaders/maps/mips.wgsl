// Four mip levels of every layer at once: each texel is the mean of 2 x 2 of the level above.
// Four, because WebGPU guarantees four storage textures to a stage.
//
// A workgroup owns 32 x 32 texels of the source level; the levels after the first are made from
// the one before in workgroup memory.

@group(0) @binding(0) var source: texture_2d_array<f32>;
@group(0) @binding(1) var level_1: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(2) var level_2: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(3) var level_3: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(4) var level_4: texture_storage_2d_array<rgba16float, write>;

const TILE: u32 = 16u;

// Texels of the level made last, in rows of TILE.
var<workgroup> tile: array<vec4<f32>, 256>;

@compute @workgroup_size(16, 16)
fn mips(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let layer = workgroup.z;
    let at = workgroup.xy * TILE + local.xy;
    // A source of 16 texels fills a quarter of the only workgroup; the rest must not store.
    let inside = all(at < textureDimensions(level_1));
    var mean = vec4(0.0);
    if inside {
        mean = 0.25 * (
            textureLoad(source, 2u * at, layer, 0)
            + textureLoad(source, 2u * at + vec2(1u, 0u), layer, 0)
            + textureLoad(source, 2u * at + vec2(0u, 1u), layer, 0)
            + textureLoad(source, 2u * at + vec2(1u, 1u), layer, 0)
        );
        textureStore(level_1, at, layer, mean);
    }
    tile[local.y * TILE + local.x] = mean;
    workgroupBarrier();

    mean = mean_of_four(local.xy, TILE / 2u);
    let at_2 = workgroup.xy * (TILE / 2u) + local.xy;
    if all(local.xy < vec2(TILE / 2u)) {
        if all(at_2 < textureDimensions(level_2)) {
            textureStore(level_2, at_2, layer, mean);
        }
        tile[local.y * TILE + local.x] = mean;
    }
    workgroupBarrier();

    mean = mean_of_four(local.xy, TILE / 4u);
    let at_3 = workgroup.xy * (TILE / 4u) + local.xy;
    if all(local.xy < vec2(TILE / 4u)) {
        if all(at_3 < textureDimensions(level_3)) {
            textureStore(level_3, at_3, layer, mean);
        }
        tile[local.y * TILE + local.x] = mean;
    }
    workgroupBarrier();

    mean = mean_of_four(local.xy, TILE / 8u);
    let at_4 = workgroup.xy * (TILE / 8u) + local.xy;
    if all(local.xy < vec2(TILE / 8u)) && all(at_4 < textureDimensions(level_4)) {
        textureStore(level_4, at_4, layer, mean);
    }
}

// Mean of the 2 x 2 texels of `tile` under `at`, for the invocations of the first `size` rows
// and columns; 0 elsewhere. Every invocation has read before any goes on to write.
fn mean_of_four(at: vec2<u32>, size: u32) -> vec4<f32> {
    var mean = vec4(0.0);
    if all(at < vec2(size)) {
        let first = 2u * at.y * TILE + 2u * at.x;
        mean = 0.25 * (tile[first] + tile[first + 1u] + tile[first + TILE] + tile[first + TILE + 1u]);
    }
    workgroupBarrier();
    return mean;
}
