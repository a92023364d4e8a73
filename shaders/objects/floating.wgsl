// The pose of an object on the water.
#import "query/solve.wgsl"
#import "objects/pose.wgsl"

struct ObjectPlace {
    // The place (x, z) from the origin of the waves.
    position: vec2<f32>,
    // The footprint of the waves that the object feels.
    log2_footprint_m: f32,
    // Its number in the scene.
    number: u32,
    heading_rad: f32,
    // The height of its origin over the water at rest or, where it does not float, over still water.
    rise_m: f32,
    is_fixed: u32,
    // The points of its hull.
    points: u32,
    // x and z in its frame, and the share of the water's plane.
    hull: array<vec4<f32>, 8>,
}

// An object of one point stands along the water's normal, others on the plane that fits the water's heights.
fn object_on_water(place: ObjectPlace) -> ObjectPose {
    return object_on_water_found(place, query_find(place.position, place.log2_footprint_m));
}

// The same, where the water at its place was found.
fn object_on_water_found(place: ObjectPlace, found: QueryFound) -> ObjectPose {
    let water_m = found.fields.displacement.z;
    var height_m = water_m;
    var up = ocean_normal(query_surface(found.fields));
    for (var wide = place.points > 1u && place.is_fixed == 0u; wide; wide = false) {
        let plane = object_plane(place);
        height_m = plane.y;
        up = normalize(vec3(-plane.x, 1.0, -plane.z));
    }
    if place.is_fixed != 0u {
        return ObjectPose(
            vec3(place.position.x, place.rise_m, place.position.y), place.heading_rad, vec3(0.0, 1.0, 0.0),
            water_m - place.rise_m, -place.rise_m, place.number);
    }
    let origin = vec3(place.position.x, height_m, place.position.y) + place.rise_m * up;
    return ObjectPose(origin, place.heading_rad, up, -place.rise_m, -place.rise_m, place.number);
}

// The plane of least squares through the water's heights under the points of the hull: its slopes along X and Z, and
// in y its height at the object's place.
fn object_plane(place: ObjectPlace) -> vec3<f32> {
    let along = vec2(cos(place.heading_rad), sin(place.heading_rad));
    var middle = vec2(0.0);
    for (var i = 0u; i < place.points; i++) {
        let point = place.hull[i];
        middle += point.z * (point.x * along + point.y * vec2(-along.y, along.x));
    }
    var moments = vec3(0.0);
    var leaning = vec2(0.0);
    var mean_m = 0.0;
    for (var i = 0u; i < place.points; i++) {
        let point = place.hull[i];
        let offset = point.x * along + point.y * vec2(-along.y, along.x);
        let found = query_find(place.position + offset, place.log2_footprint_m);
        let height_m = found.fields.displacement.z;
        let lever = offset - middle;
        moments += point.z * vec3(lever.x * lever.x, lever.y * lever.y, lever.x * lever.y);
        leaning += point.z * height_m * lever;
        mean_m += point.z * height_m;
    }
    let determinant = max(moments.x * moments.y - moments.z * moments.z, 1e-9);
    let slopes = vec2(
        moments.y * leaning.x - moments.z * leaning.y,
        moments.x * leaning.y - moments.z * leaning.x) / determinant;
    return vec3(slopes.x, mean_m - dot(slopes, middle), slopes.y);
}
