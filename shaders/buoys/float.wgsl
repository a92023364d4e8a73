// Floats the buoys: each stays over its mooring, at the height of the water there, its mast along
// the water's normal.
#import "query/solve.wgsl"
#import "buoys/pose.wgsl"

struct BuoyMooring {
    // The place (x, z) from the anchor.
    position: vec2<f32>,
    // The footprint of the waves that the buoy feels.
    log2_footprint_m: f32,
    mark: u32,
    heading_rad: f32,
    // Arrays in uniforms have strides of 16 bytes.
    @size(12) lamp: f32,
}

struct BuoyMoorings {
    moorings: array<BuoyMooring, 8>,
    count: u32,
}

@group(0) @binding(0) var<uniform> buoy_moorings: BuoyMoorings;
@group(0) @binding(1) var<storage, read_write> buoy_poses: array<BuoyPose, 8>;

@compute @workgroup_size(8)
fn poses(@builtin(local_invocation_index) index: u32) {
    if index >= buoy_moorings.count {
        return;
    }
    let mooring = buoy_moorings.moorings[index];
    let found = query_find(mooring.position, mooring.log2_footprint_m);
    buoy_poses[index] = BuoyPose(
        vec3(mooring.position.x, found.fields.displacement.z, mooring.position.y),
        mooring.mark,
        ocean_normal(query_surface(found.fields)),
        mooring.heading_rad,
        mooring.lamp,
    );
}
