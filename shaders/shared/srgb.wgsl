// The encoding of sRGB (IEC 61966-2-1), of linear values in 0..1.

fn srgb_encode(linear: vec3<f32>) -> vec3<f32> {
    let curved = 1.055 * pow(max(linear, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055;
    return select(curved, 12.92 * linear, linear <= vec3(0.0031308));
}

fn srgb_decode(encoded: vec3<f32>) -> vec3<f32> {
    let curved = pow((max(encoded, vec3(0.04045)) + 0.055) / 1.055, vec3(2.4));
    return select(curved, encoded / 12.92, encoded <= vec3(0.04045));
}
