// Floats the objects: each stays over its mooring.
#import "objects/floating.wgsl"

struct ObjectPlaces {
    places: array<ObjectPlace, 8>,
    count: u32,
}

@group(0) @binding(0) var<uniform> object_places: ObjectPlaces;
@group(0) @binding(1) var<storage, read_write> object_poses: array<ObjectPose, 8>;

@compute @workgroup_size(8)
fn poses(@builtin(local_invocation_index) index: u32) {
    if index >= object_places.count {
        return;
    }
    object_poses[index] = object_on_water(object_places.places[index]);
}
