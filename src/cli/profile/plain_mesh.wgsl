// The sea as one mesh around the eye, with plain light: as much as the ocean of Mota (2022, section
// 6.4) draws. In front stand the functions of maps/sample.wgsl and SIDE, the vertices along a side.

struct Eye {
    // From positions relative to the eye.
    clip_from_relative: mat4x4<f32>,
    eye_m: vec3<f32>,
    spacing_m: f32,
}

@group(0) @binding(0) var<uniform> eye: Eye;

struct Point {
    @builtin(position) clip: vec4<f32>,
    @location(0) at_rest: vec2<f32>,
    @location(1) relative: vec3<f32>,
}

@vertex fn place(@builtin(vertex_index) index: u32) -> Point {
    let cell = vec2<f32>(vec2(index % SIDE, index / SIDE)) - 0.5 * f32(SIDE - 1u);
    let from_eye = eye.spacing_m * cell;
    let at_rest = eye.eye_m.xz + from_eye;
    let moved = ocean_displacement(at_rest, eye.spacing_m);
    let relative = vec3(from_eye.x, -eye.eye_m.y, from_eye.y) + moved;
    return Point(eye.clip_from_relative * vec4(relative, 1.0), at_rest, relative);
}

@fragment fn light(in: Point) -> @location(0) vec4<f32> {
    let normal = ocean_normal(ocean_surface(in.at_rest, dpdx(in.at_rest), dpdy(in.at_rest)));
    let to_eye = -normalize(in.relative);
    let to_sun = normalize(vec3(0.8, 0.4, 0.5));
    // Schlick's approximation of Fresnel's equations, and the highlight of Blinn and Phong.
    let mirrored = 0.02 + 0.98 * pow(1.0 - saturate(dot(normal, to_eye)), 5.0);
    let glitter = pow(saturate(dot(normal, normalize(to_sun + to_eye))), 200.0);
    let body = vec3(0.01, 0.05, 0.07) * (0.4 + 0.6 * saturate(dot(normal, to_sun)));
    return vec4(mix(body, vec3(0.4, 0.5, 0.6), mirrored) + glitter, 1.0);
}
