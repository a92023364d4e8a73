// A square over the picture.
#import "debug_view/colours.wgsl"

struct FlatUniform {
    // The size of the target.
    resolution_px: vec2<f32>,
    // The square's top left corner.
    corner_px: vec2<f32>,
    side_px: f32,
    // The values at both ends of the scale, for spectra their decimal logarithms.
    low: f32,
    high: f32,
    // For spectra: the number of wave vectors from the middle to an edge.
    reach: u32,
    cascade: u32,
    // For maps: 0 to 3 of the displacement, 4 to 7 of the derivatives.
    channel: u32,
    // Not 0 where the target encodes to sRGB by itself.
    target_encodes: u32,
    // Not 0 for spectra whose waves have the prefilter of cubic maps.
    cubic: u32,
}

@group(0) @binding(0) var<uniform> flat: FlatUniform;

const FLAT_BORDER_PX: f32 = 2.0;

struct FlatPoint {
    @builtin(position) clip: vec4<f32>,
    // The place in pixels from the square's corner, x to the right, y down.
    @location(0) place_px: vec2<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> FlatPoint {
    let corner = vec2(f32(index & 1u), f32(index >> 1u));
    let place = corner * (flat.side_px + 2.0 * FLAT_BORDER_PX) - FLAT_BORDER_PX;
    let ndc = (flat.corner_px + place) / flat.resolution_px * vec2(2.0, -2.0) + vec2(-1.0, 1.0);
    return FlatPoint(vec4(ndc, 0.0, 1.0), place);
}

// Returns `encoded`, or the border.
fn flat_colour(place_px: vec2<f32>, encoded: vec3<f32>) -> vec4<f32> {
    let outside = any(place_px < vec2(0.0)) || any(place_px >= vec2(flat.side_px));
    let colour = select(encoded, vec3(0.05, 0.07, 0.09), outside);
    return vec4(select(colour, srgb_decode(colour), flat.target_encodes != 0u), 1.0);
}
