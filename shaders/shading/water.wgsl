// The sea's surface: placed by the grid and the maps in the vertex stage, lit in the fragment
// stage. Groups: 0 view and grid, 1 the ocean's maps, 2 the sky, 3 the water.
#import "mesh/view.wgsl"
#import "mesh/grid.wgsl"
#import "maps/sample.wgsl"
#import "shading/sky.wgsl"
#import "shading/facets.wgsl"
#import "shading/foam.wgsl"

struct WaterUniform {
    // Covariance (xx, zz, xz) of the slopes of waves finer than the maps hold.
    base_covariance: vec3<f32>,
    // Standard deviation of the sea's height.
    height_deviation_m: f32,
    // Irradiance coming up under the surface over the irradiance going down.
    reflectance: vec3<f32>,
    // Share of the sea that is white where waves have broken before.
    residual_foam: f32,
    // Share of the light entering a crest that it scatters on.
    crest: vec3<f32>,
    // From metres to tiles of the foam's noise, as the two columns of a matrix, and where the
    // anchor lies in the tile: a fine one (xy) and a coarse one (zw).
    fine_from_metres: vec4<f32>,
    coarse_from_metres: vec4<f32>,
    foam_origin: vec4<f32>,
}

@group(3) @binding(0) var<uniform> water: WaterUniform;
// (noise, its square).
@group(3) @binding(1) var foam_noise: texture_2d<f32>;
@group(3) @binding(2) var foam_sampler: sampler;

struct SurfacePoint {
    @builtin(position) clip: vec4<f32>,
    // The water's place at rest, from the anchor.
    @location(0) position: vec2<f32>,
    // From the eye.
    @location(1) relative: vec3<f32>,
    // Over still water.
    @location(2) height_m: f32,
}

@vertex
fn vertex(@location(0) tile: vec3<f32>, @builtin(vertex_index) index: u32) -> SurfacePoint {
    let grid = grid_vertex(tile, index);
    let offset = grid.position - mesh.eye_m.xz;
    let fade = wave_fade(length(vec3(offset.x, mesh.eye_m.y, offset.y)));
    var displacement = vec3(0.0);
    if fade > 0.0 {
        displacement = fade * ocean_displacement(grid.position, grid.spacing_m);
    }
    var out: SurfacePoint;
    out.position = grid.position;
    out.relative =
        vec3(offset.x, -mesh.eye_m.y - earth_drop(offset), offset.y) + displacement;
    out.height_m = displacement.y;
    out.clip = view.clip_from_relative * vec4(out.relative, 1.0);
    return out;
}

fn foam_pattern(position: vec2<f32>, ddx: vec2<f32>, ddy: vec2<f32>) -> vec4<f32> {
    let fine = mat2x2(water.fine_from_metres.xy, water.fine_from_metres.zw);
    let coarse = mat2x2(water.coarse_from_metres.xy, water.coarse_from_metres.zw);
    return vec4(
        textureSampleGrad(
            foam_noise, foam_sampler, fine * position + water.foam_origin.xy,
            fine * ddx, fine * ddy).xy,
        textureSampleGrad(
            foam_noise, foam_sampler, coarse * position + water.foam_origin.zw,
            coarse * ddx, coarse * ddy).xy,
    );
}

const WATER_PI: f32 = 3.14159265;

// Light that comes out of the water, before the surface's Fresnel transmittance towards the eye.
fn water_body(surface_height_m: f32, normal: vec3<f32>, to_eye: vec3<f32>) -> vec3<f32> {
    let to_sun = sun_direction();
    let sun_cosine = max(to_sun.y, 0.0);
    let sun = sun_radiance();
    let sky = sky_irradiance();
    // Diffuse light within the water: 6.6 % of the sky's light is reflected on the way in, of
    // the sun's what Fresnel says; radiance grows fainter by n^2 on the way out.
    let entering = sun * (sun_cosine * (1.0 - fresnel(sun_cosine))) + sky * 0.934;
    let upwelling = water.reflectance * entering / (WATER_PI * 1.34 * 1.34);

    // A crest is thin: light that enters its far side comes out on this one, forwards more than
    // sideways (Henyey and Greenstein 1941, g = 0.6). Sine of the depth that a crest has over
    // its surroundings: none below still water.
    let thin = smoothstep(0.2, 3.0, surface_height_m / water.height_deviation_m);
    let cosine = -dot(to_eye, to_sun);
    let phase = (1.0 - 0.36) / (4.0 * WATER_PI * pow(1.36 - 1.2 * cosine, 1.5));
    let facing = saturate(0.5 - 0.5 * dot(normal, to_sun) + 0.25);
    let lean = length(normal.xz);
    let through = water.crest * thin
        * (sun * (phase * facing * smoothstep(-0.05, 0.1, to_sun.y) * (0.3 + lean))
            + sky * (0.25 * lean / (2.0 * WATER_PI)));
    return upwelling + through;
}

@fragment
fn fragment(in: SurfacePoint) -> @location(0) vec4<f32> {
    let ddx = dpdx(in.position);
    let ddy = dpdy(in.position);
    let distance_m = length(in.relative);
    let to_eye = -in.relative / distance_m;
    let surface = ocean_surface(in.position, ddx, ddy);

    // The sea curves away: its plane leans by offset / R.
    let lean = (in.position - mesh.eye_m.xz) / EARTH_RADIUS_M;
    let normal = ocean_normal(surface);
    var facets: Facets;
    facets.slope = -normal.xz / max(normal.y, 0.05) - lean;
    facets.covariance = surface.lost + water.base_covariance;
    let visible = facets_visible(facets, to_eye);
    let facet_normal = normalize(vec3(-visible.slope.x, 1.0, -visible.slope.y));

    // Sky, mirrored by the facets that are seen. Mirroring doubles their spread.
    let mirrored = reflect(-to_eye, facet_normal);
    let local = normalize(vec3(
        mirrored.x - lean.x * mirrored.y,
        mirrored.y + dot(lean, mirrored.xz),
        mirrored.z - lean.y * mirrored.y,
    ));
    let reflectance = facets_fresnel(visible, to_eye);
    let reflected = sky_radiance(local, 2.0 * sqrt(visible.variance));
    let sun = sun_radiance();
    let glitter = sun * facets_glitter(facets, visible, to_eye, sun_direction());
    let body = water_body(in.height_m, normal, to_eye);
    var radiance = mix(body, reflected, reflectance) + glitter;

    let share = max(ocean_foam(surface), 0.0);
    if share > 0.001 {
        let foam = foam_cover(min(share, 0.92), foam_pattern(in.position, ddx, ddy));
        let lit = sun * saturate(0.15 + 0.85 * dot(normal, sun_direction()))
            + sky_irradiance() * (0.5 + 0.5 * normal.y);
        let albedo = mix(0.45, 0.85, foam.body);
        radiance = mix(radiance, lit * (albedo / WATER_PI), foam.cover);
    }
    return vec4(expose(aerial_perspective(radiance, -to_eye, distance_m)), 1.0);
}
