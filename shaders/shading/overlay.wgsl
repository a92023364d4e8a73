// The scene behind things of the overlay, which has half of the picture's resolution.
#import "shading/seen.wgsl"

// The place in the picture, in pixels, of a place in the overlay.
fn overlay_in_picture(place: vec2<f32>) -> vec2<f32> {
    let size = vec2<f32>(textureDimensions(depth));
    return place * size / ceil(0.5 * size);
}

// The share of unobstructed samples. A pixel here covers two by two of the scene's, each of which contributes
// another sample.
fn overlay_in_sight(clip: vec4<f32>) -> f32 {
    let size = vec2<f32>(textureDimensions(depth));
    let middle = overlay_in_picture(clip.xy);
    var seen = 0.0;
    for (var corner = 0u; corner < 4u; corner++) {
        let at = middle + vec2<f32>(vec2(corner & 1u, corner >> 1u)) - 1.0;
        let pixel = vec2<u32>(clamp(at + 0.5, vec2(0.0), size - 1.0));
        let before = textureLoad(depth, pixel, i32(corner % SAMPLES)).x;
        seen += 0.25 * f32(clip.z > before);
    }
    return seen;
}
