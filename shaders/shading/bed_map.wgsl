// Stores the map of the bed: caustics, height, darkness and shading. Group 0: the bed.
#import "shading/bed_params.wgsl"
#import "shading/bed_relief.wgsl"

@group(0) @binding(1) var<storage, read_write> cells: array<u32>;
@group(0) @binding(2) var map: texture_storage_2d_array<rgba16float, write>;

// Cells to each side over which caustics are blurred.
const BLUR_REACH: i32 = 2;

// The brightness of caustics, with a mean of 1, at a place in cells.
fn caustics_at(index: u32, place: vec2<f32>) -> f32 {
    let level = bed_params.levels[index];
    let side = i32(level.cells);
    let middle = vec2<i32>(floor(place));
    var sum = 0.0;
    var weights = 0.0;
    for (var z = -BLUR_REACH; z <= BLUR_REACH; z++) {
        for (var x = -BLUR_REACH; x <= BLUR_REACH; x++) {
            let cell = clamp(middle + vec2(x, z), vec2(0), vec2(side - 1));
            let away = (vec2<f32>(middle + vec2(x, z)) + 0.5 - place) / level.blur_cells;
            let weight = exp(-0.5 * dot(away, away));
            let first = index * bed_params.texels * bed_params.texels;
            sum += weight * f32(cells[first + u32(cell.y * side + cell.x)]);
            weights += weight;
        }
    }
    return sum / (weights * CAUSTIC_UNIT);
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if any(id.xy >= vec2(bed_params.texels)) {
        return;
    }
    let level = bed_params.levels[id.z];
    let within_m = (vec2<f32>(id.xy) + 0.5) * level.texel_m;
    var texel = vec4(1.0, 0.0, 0.0, 1.0);
    for (var shown = id.z < bed_params.caustic_levels; shown; shown = false) {
        texel.x = caustics_at(id.z, within_m / level.cell_m);
    }
    for (var shallow = bed_params.depth_m > 0.0; shallow; shallow = false) {
        let relief = bed_relief(level.origin_in_period_m + within_m, level.texel_m);
        let down = refract(-bed_params.to_sun, vec3(0.0, 1.0, 0.0), 1.0 / WATER_INDEX);
        let shading = max(dot(relief.normal, -down), 0.0) / max(-down.y, 0.2);
        texel = vec4(texel.x, relief.height_m, relief.dark, shading);
    }
    textureStore(map, id.xy, id.z, texel);
}
