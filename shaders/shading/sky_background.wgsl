// Draws the sky and the sun's disc where nothing else was drawn.
#import "mesh/view.wgsl"
#import "shading/sky.wgsl"

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) ray: vec3<f32>,
}

// One triangle over the whole picture, at the far end of the reversed depth.
@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let corner = vec2(f32((index << 1u) & 2u), f32(index & 2u)) * 2.0 - 1.0;
    return Corner(vec4(corner, 0.0, 1.0), view_ray(corner));
}

@fragment
fn fragment(in: Corner) -> @location(0) vec4<f32> {
    let direction = normalize(in.ray);
    let radiance = sky_background(direction) + sun_disc_soft(direction, view.pixel_angle_rad);
    return vec4(expose(radiance), 1.0);
}
