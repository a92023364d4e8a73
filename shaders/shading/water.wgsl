// The light of the water where a pixel sees it. Groups: 1 the ocean's maps, 2 the sky, 3 the water.
#import "mesh/view.wgsl"
#import "mesh/grid.wgsl"
#import "maps/sample.wgsl"
#import "shading/sky.wgsl"
#import "shading/facets.wgsl"
#import "shading/upwelling.wgsl"
#import "shading/glints.wgsl"
#import "shading/foam.wgsl"
#import "shading/foam_light.wgsl"
#import "foam/sample.wgsl"
#import "shading/water_uniform.wgsl"
#import "shading/crest.wgsl"
#import "shading/bed.wgsl"
#import "shading/object_images.wgsl"

// Texels along one side of the noise.
const FOAM_NOISE_SIZE: f32 = 256.0;

// The noise (and its square) of one tile.
fn foam_noise_at(tile: FoamTile, position: vec2<f32>, footprint_m: f32) -> vec2<f32> {
    let from_metres = mat2x2(tile.from_metres.xy, tile.from_metres.zw);
    let texels = FOAM_NOISE_SIZE * footprint_m * length(from_metres[0]);
    return textureSampleLevel(
        foam_noise, foam_sampler, from_metres * position + tile.origin, log2(texels)).xy;
}

// The noise of the tiles `first` and the one after it.
fn foam_pattern(first: u32, position: vec2<f32>, footprint_m: f32) -> vec4<f32> {
    return vec4(
        foam_noise_at(water.tiles[first], position, footprint_m),
        foam_noise_at(water.tiles[first + 1u], position, footprint_m),
    );
}

// The foam in a pixel of the water.
struct FoamSeen {
    // The share of the water that it covers (`foam_share`), which measurements use, too.
    share: f32,
    // The share of it, 0 to 1, that is the mean of whitecaps and of the water between.
    unknown: f32,
    // The albedo of the foam.
    albedo: f32,
    // The fresh share, 0 to 1.
    fresh: f32,
}

// Fresh foam is dense; old foam is a net, which the wind draws out into streaks.
fn foam_seen(position: vec2<f32>, footprint_m: f32, gathered: f32) -> FoamSeen {
    let found = foam_found(position, footprint_m);
    let foam = min(mix(1.0, gathered, found.mean) * found.foam, vec2(1.0));
    let wind = foam_map.streaks_from_metres;
    var streak = 1.0;
    for (var streaked = FOAM_DETAILED && foam_map.streaks * foam.y > 0.002; streaked; streaked = false) {
        let along = vec2(
            dot(position, wind),
            FOAM_STREAK_STRETCH * (wind.x * position.y - wind.y * position.x),
        ) + foam_map.streaks_origin;
        let texels = FOAM_NOISE_SIZE * FOAM_STREAK_STRETCH * length(wind) * footprint_m;
        // The noise is uniform from 0 to 1, so that it does not change the mean.
        let noise = textureSampleLevel(foam_noise, foam_sampler, along, log2(texels)).x;
        streak = mix(1.0, 2.0 * noise, foam_map.streaks);
    }
    let share = foam_share(vec2(foam.x, foam.y * streak));
    let unknown = smoothstep(WHITECAP_TEXELS_M.x, WHITECAP_TEXELS_M.y, found.texel_m);
    return FoamSeen(share, unknown, foam_albedo(foam), foam.x);
}

// The sides of texels that show every whitecap, and of those that show none.
const WHITECAP_TEXELS_M: vec2<f32> = vec2(6.0, 16.0);
// The white share of a whitecap, where there are few.
const WHITECAP_DENSITY: f32 = 0.75;
// The smoothness of that share.
const WHITECAP_BLUR_M: f32 = 4.0;
// The footprints over which whitecaps, and the nets that they consist of, are averaged.
const WHITECAPS_LARGEST_M: f32 = 40.0;
const FOAM_NET_LARGEST_M: f32 = 3.0;

// The cover of foam in a pixel. Coarse texels hold the mean of whitecaps and of the water between, which would
// be haze with a visible border. Random whitecaps (0) make the same share of the water white. A whitecap, in
// turn, is a net of bubbles (1).
fn foam_broken_up(seen: FoamSeen, position: vec2<f32>, footprint_m: f32) -> FoamCover {
    var out = FoamCover(seen.share, 0.0, 1.0);
    let has_whitecaps = seen.unknown > 0.0 && footprint_m < WHITECAPS_LARGEST_M;
    let has_net = footprint_m < FOAM_NET_LARGEST_M;
    // A loop instead of branches: a software adapter is slowed down even by code that does not run.
    let last = select(select(0u, 1u, has_whitecaps), 2u, has_net);
    for (var layer = select(1u, 0u, has_whitecaps); layer < last && out.cover > 0.002; layer++) {
        let is_net = layer == 1u;
        let density = select(mix(WHITECAP_DENSITY, 1.0, out.cover), 1.0, is_net);
        let blurred_m = select(max(footprint_m, WHITECAP_BLUR_M), footprint_m, is_net);
        var place = position;
        for (var close = FOAM_DETAILED && is_net && footprint_m < FOAM_FINE_M.y; close; close = false) {
            place = foam_frayed(position, footprint_m);
        }
        let pattern = foam_pattern(2u - 2u * layer, place, blurred_m);
        let broken_up = foam_cover(out.cover / density, pattern);
        out.cover = mix(out.cover, density * broken_up.cover, select(seen.unknown, 1.0, is_net));
        out.relief = select(0.0, broken_up.relief, is_net);
        for (var relief = FOAM_DETAILED && is_net && out.cover > 0.002; relief; relief = false) {
            let to_sun = sun_direction();
            let aside = 0.5 * FOAM_THICKNESS_M * to_sun.xz / max(length(to_sun.xz), 1e-3);
            out.sunlit = foam_relief(
                foam_pattern(0u, place + aside, footprint_m),
                foam_pattern(0u, place - aside, footprint_m), to_sun.y);
        }
    }
    return out;
}

// The place for sampling the net nearby: fine noise displaces it, which frays its threads without changing its
// cover.
fn foam_frayed(position: vec2<f32>, footprint_m: f32) -> vec2<f32> {
    var fine = water.tiles[0];
    fine.from_metres *= FOAM_FINE_TILES;
    fine.origin *= FOAM_FINE_TILES;
    let first = foam_noise_at(fine, position, footprint_m).x;
    let second = foam_noise_at(fine, position + vec2(0.31, 0.17), footprint_m).x;
    let close = 1.0 - smoothstep(FOAM_FINE_M.x, FOAM_FINE_M.y, footprint_m);
    return position + close * FOAM_FRAYED_M * (vec2(first, second) - 0.5);
}

// The footprints at which foam is frayed in full, and no longer.
const FOAM_FINE_M: vec2<f32> = vec2(0.004, 0.02);
// The tiles of fine noise along one side of the net's, a whole number for continuity.
const FOAM_FINE_TILES: f32 = 9.0;
const FOAM_FRAYED_M: f32 = 0.09;
// The distance along the sun's azimuth at which the foam's thickness is compared.
const FOAM_THICKNESS_M: f32 = 0.05;

// Constant within a pipeline, like OCEAN_CUBIC: a tier may leave out streaks, relief and fraying.
override FOAM_DETAILED: bool = true;

// Equals the constant of src/foam/stage.rs.
const FOAM_STREAK_STRETCH: f32 = 8.0;

// The light out of the water, before the surface's Fresnel transmittance towards the eye. The bubbles of
// breakers, by their share `foam`, scatter light back, and make the water brighter and greener. The forward
// scattering of all bubbles is part of `through_crest` alone.
fn water_body(foam: f32, through_crest: vec3<f32>) -> vec3<f32> {
    return water_upwelling(sky.water.reflectance + foam * sky.water.bubbles) + through_crest;
}

// The surface in a pixel, or one piece of it where waves hide each other.
struct SurfaceSeen {
    // The water's place at rest, from the anchor, and the sides of the pixel's footprint there.
    position: vec2<f32>,
    ddx: vec2<f32>,
    ddy: vec2<f32>,
    // The position from the eye.
    relative: vec3<f32>,
    // The foam relative to the mean of the sea (`foam_gathered`).
    gathered: f32,
    // The light through the crest of the wave, for a colour of 1 (`crest_light`).
    through_crest: f32,
}

// The reflection of the sky and of the sea by facets.
struct MirroredSky {
    light: vec3<f32>,
    reflectance: f32,
}

// Constant within a pipeline, like OCEAN_CUBIC: tiers without it use the mean of all facets' glitter.
override GLINTS: bool = true;
// The largest glitter that is not broken up, since it is hardly visible: radiance per irradiance.
const GLINTS_LEAST: f32 = 1e-4;

// Constant within a pipeline, like OCEAN_CUBIC: tiers without it blur the sky evenly for all facets.
override SKY_NODES: bool = true;

// The share of the facets' deviation along the azimuth that each node represents.
const NODE_DEVIATION: f32 = 0.5;

// The sky, and the sea below the horizon, mirrored by the visible facets of a sea whose plane leans by `lean`.
// Mirroring doubles their spread; across the line of sight, at a grazing angle, it hardly turns the light at
// all.
fn mirrored_sky(
    visible: VisibleFacets, to_eye: vec3<f32>, lean: vec2<f32>, place_m: vec3<f32>, footprint_m: f32,
) -> MirroredSky {
    let across = 2.0 * sqrt(visible.across);
    if !SKY_NODES {
        let reflectance = facets_fresnel(visible, to_eye);
        let direction = mirrored_direction(visible.slope, to_eye, lean);
        let deviation = 2.0 * sqrt(visible.variance);
        let light = mirrored_radiance(direction, deviation);
        let sky = before_mirrored(light, place_m, direction, across * to_eye.y, deviation, footprint_m);
        return MirroredSky(reflectance * sky, reflectance);
    }
    let nodes = facets_nodes(visible, to_eye);
    let reflected = nodes.weights * facets_node_fresnel(nodes);
    let azimuth = to_eye.xz / max(length(to_eye.xz), 1e-4);
    let along = dot(visible.slope, azimuth);
    let deviation = 2.0 * NODE_DEVIATION * sqrt(visible.variance);
    let aside = across * max(nodes.cosines, vec3(0.0));
    let blurred = max(vec3(deviation), aside);
    var out = MirroredSky(vec3(0.0), min(reflected.x + reflected.y + reflected.z, 1.0));
    for (var i = 0u; i < 3u; i++) {
        let slope = visible.slope + (nodes.slopes[i] - along) * azimuth;
        let direction = mirrored_direction(slope, to_eye, lean);
        let light = mirrored_radiance(direction, blurred[i]);
        out.light += reflected[i]
            * before_mirrored(light, place_m, direction, aside[i], deviation, footprint_m);
    }
    return out;
}

// The mirrored light of the sky, or of the objects before it.
fn before_mirrored(
    sky: vec3<f32>, place_m: vec3<f32>, direction: vec3<f32>, across: f32, along: f32, footprint_m: f32,
) -> vec3<f32> {
    var light = sky;
    if MIRRORS_OBJECTS {
        let seen = objects_seen(IMAGE_MIRRORED, place_m, direction, across, along, footprint_m);
        light = sky * (1.0 - seen.cover) + seen.light;
    }
    return light;
}

// The light out of the water with the parts of objects that it covers. `body` is that of water without them.
fn objects_through_surface(
    body: vec3<f32>, deep: vec3<f32>, place_m: vec3<f32>, from_eye: vec3<f32>, normal: vec3<f32>, deviation: f32,
    footprint_m: f32,
) -> vec3<f32> {
    let direction = refract(from_eye, normal, 1.0 / WATER_INDEX);
    let spread = (1.0 - 1.0 / WATER_INDEX) * deviation;
    let seen = objects_seen(IMAGE_REFRACTED, place_m, direction, spread, spread, footprint_m);
    let lost = water_attenuation(sky.water);
    let rate = lost - sky.water.diffuse_attenuation_per_m * direction.y;
    return body * (1.0 - seen.cover) + seen.cover * deep * (1.0 - exp(-rate * seen.distance_m))
        + seen.light * exp(-lost * seen.distance_m) * (1.0 / WATER_INDEX_SQUARED);
}

// The glitter of lamps, by the same facets as the sun's.
fn lamp_glitter(
    facets: Facets, visible: VisibleFacets, to_eye: vec3<f32>, place_m: vec3<f32>, position: vec2<f32>,
    footprint_m: f32,
) -> vec3<f32> {
    var sum = vec3(0.0);
    let on = lamps_on();
    for (var rest = select(0u, objects_to_look_for(), on > 0.0); rest != 0u; rest &= rest - 1u) {
        let lamp = objects.lamps[countTrailingZeros(rest)];
        let to_lamp = lamp.place_m - place_m;
        let direction = normalize(to_lamp);
        for (var lit = lamp.is_lit > 0.0 && direction.y > 0.0; lit; lit = false) {
            var mirrored = facets_glitter(facets, visible, to_eye, direction);
            for (var sparkles = GLINTS && mirrored > GLINTS_LEAST; sparkles; sparkles = false) {
                let half_vector = normalize(to_eye + direction);
                let half_slope = -half_vector.xz / half_vector.y;
                mirrored *= glints(position + water.glint_origin, footprint_m, facets, half_slope);
            }
            sum += lamp.intensity * (lamp.is_lit * mirrored / dot(to_lamp, to_lamp));
        }
    }
    return sum * on;
}

// The standard deviation of the places where the light enters that comes out of the water at one.
const BODY_BLUR_M: f32 = 0.6;
// The width of the foam around a hull, and the share of it.
const HULL_FOAM_M: f32 = 0.3;
const HULL_FOAM: f32 = 2.2;
// The standard deviation of the sea's height from which hulls make foam, and above which in full.
const HULL_FOAM_WAVES_M: vec2<f32> = vec2(0.03, 0.3);

fn mirrored_direction(slope: vec2<f32>, to_eye: vec3<f32>, lean: vec2<f32>) -> vec3<f32> {
    let mirrored = reflect(-to_eye, facet_normal(slope));
    return normalize(vec3(
        mirrored.x - lean.x * mirrored.y,
        mirrored.y + dot(lean, mirrored.xz),
        mirrored.z - lean.y * mirrored.y,
    ));
}

// The exposed light from there to the eye.
fn water_light(seen: SurfaceSeen) -> vec3<f32> {
    let position = seen.position;
    let distance_m = length(seen.relative);
    let to_eye = -seen.relative / distance_m;
    let surface = ocean_surface(position, seen.ddx, seen.ddy);
    shade_by_clouds(seen.relative, sqrt(length(seen.ddx) * length(seen.ddy)));

    // The sea curves away: its plane leans by offset / R.
    let lean = (position - mesh.eye_m.xz) / EARTH_RADIUS_M;
    let normal = ocean_normal(surface);
    var facets: Facets;
    facets.slope = -normal.xz / max(normal.y, 0.05) - lean;
    facets.covariance = surface.lost + water.base_covariance;
    let visible = facets_visible(facets, to_eye);
    let footprint_m = sqrt(max(length(seen.ddx) * length(seen.ddy), 1e-8));
    let place_m = mesh.eye_m + seen.relative;
    let mirrored = mirrored_sky(visible, to_eye, lean, place_m, view.pixel_angle_rad * distance_m);
    let unshaded = sunlit;
    if NEAR_OBJECTS {
        sunlit = unshaded * objects_sunlight(place_m, 0.5 * footprint_m, NO_OBJECT);
    }
    let sun = sun_radiance();
    var glitter = facets_glitter(facets, visible, to_eye, sun_direction());
    for (var sparkles = GLINTS && glitter > GLINTS_LEAST; sparkles; sparkles = false) {
        let half_vector = normalize(to_eye + sun_direction());
        let half_slope = -half_vector.xz / half_vector.y;
        glitter *= glints(position + water.glint_origin, footprint_m, facets, half_slope);
    }
    var whitecaps = foam_seen(position, footprint_m, seen.gathered);
    if NEAR_OBJECTS {
        let hull = hulls_around(place_m, max(HULL_FOAM_M, 0.5 * footprint_m));
        let waves = smoothstep(HULL_FOAM_WAVES_M.x, HULL_FOAM_WAVES_M.y, water.height_deviation_m);
        whitecaps.share = max(whitecaps.share, min(HULL_FOAM * hull * waves, 0.9));
        sunlit = unshaded * objects_sunlight(place_m, BODY_BLUR_M, NO_OBJECT);
    }
    let deep = water_body(whitecaps.fresh, seen.through_crest * crest_colour());
    var body = deep;
    let deviation = sqrt(0.5 * (facets.covariance.x + facets.covariance.y));
    for (var shallow = BED && sky.bed.depth_m > 0.0; shallow; shallow = false) {
        body = bed_through_surface(body, place_m, -to_eye, normal, footprint_m, deviation);
    }
    if NEAR_OBJECTS {
        body = objects_through_surface(body, deep, place_m, -to_eye, normal, deviation, footprint_m);
    }
    var radiance = (1.0 - mirrored.reflectance) * body + mirrored.light + glitter * sun;
    if NEAR_OBJECTS {
        radiance += lamp_glitter(facets, visible, to_eye, place_m, position, footprint_m);
    }

    let foam = foam_broken_up(whitecaps, position, footprint_m);
    let light = foam_radiance(
        facets, Facets(-lean, water.covariance), sun_direction(), foam.sunlit * sun, sky_irradiance());
    // Thin foam lets light through to the water and out again.
    let albedo = foam_thick_albedo(whitecaps.albedo, foam.relief);
    let through = (1.0 - albedo) * (1.0 - albedo) * body;
    radiance = mix(radiance, albedo * light + through, foam.cover);
    return expose(aerial_perspective(radiance, -to_eye, distance_m));
}
