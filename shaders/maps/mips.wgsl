// Makes four or five mip levels of every layer at once: each texel is the mean of the 2 x 2 under it in the
// level before. WebGPU guarantees four storage textures to a stage, and most devices have more.
//
// A workgroup owns 32 x 32 texels of the source and the levels above them: 16 x 16, 8 x 8, .. and 1. It
// reads no level back, since levels after the first are made in workgroup memory from the one before. (A single
// dispatch that makes every level, as AMD's Single Pass Downsampler does, needs workgroups that see each
// other's stores: WebGPU has no such order.)
//
// No code checks the size of a level. Where it is smaller than a workgroup's share, texels outside come from
// texels outside alone, since sizes are powers of two, and WGSL drops stores outside a texture.

// This file needs `mean_of_source`, from mips_loaded.wgsl or mips_sampled.wgsl, in front of it.

@group(0) @binding(2) var level_1: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(3) var level_2: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(4) var level_3: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(5) var level_4: texture_storage_2d_array<rgba16float, write>;
@group(0) @binding(6) var level_5: texture_storage_2d_array<rgba16float, write>;

// The workgroup's texels of a level, row by row. Each level has its own array, so that one barrier separates a
// level from the next.
var<workgroup> tile_1: array<vec4<f32>, 256>;
var<workgroup> tile_2: array<vec4<f32>, 64>;
var<workgroup> tile_3: array<vec4<f32>, 16>;
var<workgroup> tile_4: array<vec4<f32>, 4>;

@compute @workgroup_size(8, 8)
fn four_levels(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    store_four_levels(workgroup, local.xy);
}

@compute @workgroup_size(8, 8)
fn five_levels(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    store_four_levels(workgroup, local.xy);
    workgroupBarrier();
    if all(local.xy == vec2(0u)) {
        let mean_5 = 0.25 * (tile_4[0] + tile_4[1] + tile_4[2] + tile_4[3]);
        textureStore(level_5, workgroup.xy, workgroup.z, mean_5);
    }
}

fn store_four_levels(workgroup: vec3<u32>, at: vec2<u32>) {
    let layer = workgroup.z;
    // Four texels 8 apart: neighbouring invocations read and write neighbouring texels. All four are loaded
    // before the first is stored, so that the loads overlap.
    let first = 16u * workgroup.xy + at;
    let right = vec2(8u, 0u);
    let down = vec2(0u, 8u);
    let mean_00 = mean_of_source(first, layer);
    let mean_10 = mean_of_source(first + right, layer);
    let mean_01 = mean_of_source(first + down, layer);
    let mean_11 = mean_of_source(first + right + down, layer);
    textureStore(level_1, first, layer, mean_00);
    textureStore(level_1, first + right, layer, mean_10);
    textureStore(level_1, first + down, layer, mean_01);
    textureStore(level_1, first + right + down, layer, mean_11);
    let place = 16u * at.y + at.x;
    tile_1[place] = mean_00;
    tile_1[place + 8u] = mean_10;
    tile_1[place + 128u] = mean_01;
    tile_1[place + 136u] = mean_11;
    workgroupBarrier();

    let under_2 = 32u * at.y + 2u * at.x;
    let mean_2 = 0.25 * (
        tile_1[under_2] + tile_1[under_2 + 1u] + tile_1[under_2 + 16u] + tile_1[under_2 + 17u]);
    textureStore(level_2, 8u * workgroup.xy + at, layer, mean_2);
    tile_2[8u * at.y + at.x] = mean_2;
    workgroupBarrier();

    if all(at < vec2(4u)) {
        let under_3 = 16u * at.y + 2u * at.x;
        let mean_3 = 0.25 * (
            tile_2[under_3] + tile_2[under_3 + 1u] + tile_2[under_3 + 8u] + tile_2[under_3 + 9u]);
        textureStore(level_3, 4u * workgroup.xy + at, layer, mean_3);
        tile_3[4u * at.y + at.x] = mean_3;
    }
    workgroupBarrier();

    if all(at < vec2(2u)) {
        let under_4 = 8u * at.y + 2u * at.x;
        let mean_4 = 0.25 * (
            tile_3[under_4] + tile_3[under_4 + 1u] + tile_3[under_4 + 4u] + tile_3[under_4 + 5u]);
        textureStore(level_4, 2u * workgroup.xy + at, layer, mean_4);
        tile_4[2u * at.y + at.x] = mean_4;
    }
}
