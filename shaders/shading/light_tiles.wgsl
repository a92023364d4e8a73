// Lists the tiles of the picture by the kinds that their samples see, so that kernels run only for tiles that
// they light. A workgroup takes eight tiles side by side, since all workgroups contend for the same counts.
// Lists keep the order in which tiles come: in the order of the picture, and in others that were tried, the light of the
// water took 6% to 20% longer on an H200.
#import "shading/seen.wgsl"
#import "shading/object_frames.wgsl"
#import "shading/water_light.wgsl"

struct GrowingLists {
    counts: array<atomic<u32>, 8>,
    places: array<u32>,
}

@group(1) @binding(0) var<storage, read> objects: ObjectImages;

// The layout of `LightTiles`. The counts are cleared before the dispatch.
@group(0) @binding(6) var<storage, read_write> lists: GrowingLists;

const TILES_ABREAST: u32 = 8u;
const_assert LIGHT_TILE == TILES_ABREAST && OBJECTS <= TILES_ABREAST;

// The slopes, in standard deviations, up to which facets are taken to mirror an object, to show it through the surface,
// and to make its lamp glitter.
const MIRRORED_DEVIATIONS: f32 = 1.5;
const REFRACTED_DEVIATIONS: f32 = 2.0;
const GLITTER_DEVIATIONS: f32 = 2.5;
// The share of the other light that an object must replace to be looked for.
const LEAST_SHARE: f32 = 0.02;
// The reach of shadows and foam around an object, which are blurred.
const BLURRED_M: f32 = 1.5;
// The heights of a mast that are looked for.
const MAST_PARTS: u32 = 3u;

// The kinds in each tile, as bits.
var<workgroup> kinds_seen: array<atomic<u32>, TILES_ABREAST>;
// The least and the greatest reversed depth of the water in each tile. The bits of positive numbers have their order.
var<workgroup> least_depths: array<atomic<u32>, TILES_ABREAST>;
var<workgroup> greatest_depths: array<atomic<u32>, TILES_ABREAST>;

// Adds what a column of pixels sees to the kinds and the depths of its tile.
fn add_column(tile: u32, top: vec2<u32>) {
    var kinds = 0u;
    var least = 0xffffffffu;
    var greatest = 0u;
    for (var y = 0u; y < LIGHT_TILE; y++) {
        let pixel = top + vec2(0u, y);
        let inside = u32(all(pixel < vec2<u32>(view.resolution)));
        for (var sample = 0u; sample < SAMPLES; sample++) {
            // `visible` is not cleared: where nothing is visible it holds an earlier frame.
            let reversed = bitcast<u32>(textureLoad(depth, pixel, i32(sample)).x);
            let kind = visible_kind(visible_at(pixel, sample));
            let is_water = reversed > 0u && (kind == VISIBLE_WATER || kind == VISIBLE_UNDERSIDE);
            kinds |= inside << select(VISIBLE_NOTHING, kind, reversed > 0u);
            least = select(least, min(least, reversed), is_water);
            greatest = select(greatest, max(greatest, reversed), is_water);
        }
    }
    atomicOr(&kinds_seen[tile], kinds);
    for (var once = objects.imaged != 0u; once; once = false) {
        atomicMin(&least_depths[tile], least);
        atomicMax(&greatest_depths[tile], greatest);
    }
}

// The water in a tile, around a line away from the eye: the ends of the line from the anchor, and the distance from it
// of what lies beside it there.
struct TileWater {
    near_m: vec3<f32>,
    near_radius_m: f32,
    far_m: vec3<f32>,
    far_radius_m: f32,
}

fn tile_water(tile: vec2<u32>, least: f32, greatest: f32) -> TileWater {
    let middle = f32(LIGHT_TILE) * (vec2<f32>(tile) + 0.5);
    let ray = view_ray(vec2(2.0, -2.0) * middle / view.resolution + vec2(-1.0, 1.0));
    let depths_m = NEAR_M / vec2(greatest, least);
    let radii_m = 0.75 * f32(LIGHT_TILE) * view.pixel_angle_rad * depths_m;
    return TileWater(
        objects.eye_m + ray * depths_m.x, radii_m.x, objects.eye_m + ray * depths_m.y, radii_m.y);
}

// The share of the way along a line at which it is closest to a point.
fn closest_share(first: vec2<f32>, last: vec2<f32>, point: vec2<f32>) -> f32 {
    let way = last - first;
    return saturate(dot(point - first, way) / max(dot(way, way), 1e-6));
}

fn apart_from_line(first: vec2<f32>, last: vec2<f32>, point: vec2<f32>) -> f32 {
    return distance(mix(first, last, closest_share(first, last, point)), point);
}

// The distance between two lines; 0 where they cross.
fn lines_apart(first: vec2<f32>, last: vec2<f32>, other_first: vec2<f32>, other_last: vec2<f32>) -> f32 {
    let apart = min(
        min(apart_from_line(first, last, other_first), apart_from_line(first, last, other_last)),
        min(apart_from_line(other_first, other_last, first), apart_from_line(other_first, other_last, last)));
    let aside = vec2(first.y - last.y, last.x - first.x);
    let other_aside = vec2(other_first.y - other_last.y, other_last.x - other_first.x);
    let cross = dot(aside, other_first - first) * dot(aside, other_last - first) < 0.0
        && dot(other_aside, first - other_first) * dot(other_aside, last - other_first) < 0.0;
    return select(apart, 0.0, cross);
}

// Returns whether water may show an object's hull, or foam at it, or lie in its shadow.
fn is_around(object: u32, water: TileWater) -> bool {
    let reach = objects.reaches[object];
    let to_eye = objects.eye_m - reach.foot_m;
    // The hull's lowest part is seen through the surface so far before it, by Snell's law.
    let sine = length(to_eye.xz) / length(to_eye);
    let before_m = reach.deep_m * sine * inverseSqrt(WATER_INDEX_SQUARED - sine * sine);
    let before = before_m * to_eye.xz / max(length(to_eye.xz), 1e-3);
    let first = water.near_m.xz - reach.foot_m.xz;
    let last = water.far_m.xz - reach.foot_m.xz;
    // A shadow reaches farther into a trough.
    let fall_m = max(reach.foot_m.y - min(water.near_m.y, water.far_m.y), 0.0);
    let shadow = reach.shadow_m * (1.0 + fall_m / reach.high_m);
    let apart = min(
        lines_apart(first, last, vec2(0.0), shadow), lines_apart(first, last, vec2(0.0), before));
    let beside_m = mix(water.near_radius_m, water.far_radius_m, closest_share(first, last, vec2(0.0)));
    return apart < reach.radius_m + BLURRED_M + beside_m;
}

// The parts of an object that facets may show.
struct Sight {
    // The refractive index on the eye's side, where they let its light through; 1 where they mirror it.
    index: f32,
    // The part of it, from the waterline.
    top_m: f32,
    // 1 for an eye in the air, -1 for one in the water.
    side: f32,
    // The slope up to which facets are taken to show it.
    steepest: f32,
}

// Returns whether facets show some of an object at a place of the water, so that it replaces at least that share of the
// other light.
fn shows_at(object: u32, sight: Sight, place_m: vec3<f32>, beside_m: f32, least_share: f32) -> bool {
    let reach = objects.reaches[object];
    let to_eye = normalize(objects.eye_m - place_m);
    let level = sight.index * length(to_eye.xz);
    let away = -to_eye.xz / max(length(to_eye.xz), 1e-4);
    let foot = reach.foot_m - place_m;
    // Up to its near side.
    let axis_m = dot(foot.xz, away);
    let ahead_m = select(axis_m, max(axis_m - reach.radius_m, 0.1), axis_m > 0.0);
    let aside_m = max(abs(away.x * foot.z - away.y * foot.x) - beside_m - reach.radius_m, 0.0);
    let way_m = max(length(vec2(ahead_m, aside_m)), 0.1);
    var leans = false;
    var least = 4.0;
    // A level facet shows this height; those that lean aside show more of what is higher.
    let sine = min(level, 1.0);
    let level_m = sign(sight.top_m) * way_m * sqrt(1.0 - sine * sine) / max(sine, 1e-4) - foot.y;
    let first_m = clamp(level_m, min(sight.top_m, 0.0), max(sight.top_m, 0.0));
    for (var part = 0u; part < MAST_PARTS; part++) {
        let height_m = mix(first_m, sight.top_m, f32(part) / f32(MAST_PARTS - 1u));
        let to_mast = normalize(vec2(way_m, foot.y + height_m));
        // The facet's normal is along the sum of both directions, each times its index: its slope is the level part of
        // the sum over the upright part.
        let squared = level * level + to_mast.x * to_mast.x - 2.0 * level * to_mast.x * (ahead_m / way_m);
        let upright = max(sight.side * (sight.index * to_eye.y + to_mast.y), 1e-3);
        let is_met = squared < sight.steepest * sight.steepest * upright * upright;
        leans = leans || is_met;
        least = min(least, squared + upright * upright);
    }
    // The cosine of reflection is half of the length of that sum.
    let share = select(1.0, water_fresnel(0.5 * sqrt(least)), sight.side > 0.0);
    // The solid angle of the directions of the facets' light, which they turn by twice their deviation or, where it goes
    // through them, by less.
    let turn = select(2.0, WATER_INDEX - 1.0, sight.index > 1.0);
    let lobe = 2.0 * WATER_PI * pow(turn * objects.slope_deviation, 2.0) * max(abs(to_eye.y), 1e-3);
    let cover = 2.0 * reach.radius_m * abs(sight.top_m) / (lobe * way_m * way_m);
    return leans && share * min(cover, 1.0) > least_share;
}

// The lists for a tile's water, of those kinds: what it may show of an object, as bits, and the object's own bit.
fn lists_by(object: u32, water: TileWater, kinds: u32) -> u32 {
    let has_water = ((kinds >> VISIBLE_WATER) & 1u) != 0u;
    let has_underside = ((kinds >> VISIBLE_UNDERSIDE) & 1u) != 0u;
    let reach = objects.reaches[object];
    // Not the flash of the moment: by it, tiles would come and go. Lamps do not glitter for an eye in the water.
    let has_lamp = has_water && any(objects.lamps[object].intensity > vec3(0.0));
    // Lines of sight in a tile differ by its angle, and facets turn them by twice their slope, or by a third of it where
    // they go through.
    let turned = 0.5 * f32(LIGHT_TILE) * view.pixel_angle_rad;
    let deviations = select(MIRRORED_DEVIATIONS, GLITTER_DEVIATIONS, has_lamp);
    let least_share = select(LEAST_SHARE, 0.0, has_lamp);
    var mirrors = false;
    // From both ends of the tile: what water mirrors, what it shows to an eye in it, and the hull that it mirrors to
    // one.
    let end = select(2u, 6u, has_underside);
    for (var i = select(2u, 0u, has_water); i < end; i++) {
        let is_far = (i & 1u) != 0u;
        let is_hull = i >= 4u;
        let goes_through = i / 2u == 1u;
        let steepest = objects.slope_deviation * select(deviations, REFRACTED_DEVIATIONS, goes_through)
            + turned * select(1.0, 5.0, goes_through);
        let sight = Sight(
            select(1.0, WATER_INDEX, goes_through), select(reach.high_m, -reach.deep_m, is_hull),
            select(-1.0, 1.0, i < 2u), steepest);
        let place_m = select(water.near_m, water.far_m, is_far);
        let beside_m = select(water.near_radius_m, water.far_radius_m, is_far);
        mirrors = mirrors || shows_at(object, sight, place_m, beside_m, least_share);
    }
    let is_near = (has_water && is_around(object, water)) || (mirrors && (has_lamp || has_underside));
    return (u32(mirrors) << VISIBLE_WATER_MIRRORING) | (u32(is_near) << VISIBLE_WATER_NEAR_OBJECTS)
        | (u32(mirrors || is_near) << (TILE_OBJECTS + object));
}

@compute @workgroup_size(LIGHT_TILE, TILES_ABREAST)
fn list(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) lane: vec3<u32>,
) {
    if lane.x == 0u {
        atomicStore(&kinds_seen[lane.y], 0u);
        atomicStore(&least_depths[lane.y], 0xffffffffu);
        atomicStore(&greatest_depths[lane.y], 0u);
    }
    workgroupBarrier();
    let tile = vec2(TILES_ABREAST * group.x + lane.y, group.y);
    add_column(lane.y, LIGHT_TILE * tile + vec2(lane.x, 0u));
    workgroupBarrier();
    // A row of lanes looks for one object, so that hardware skips rows without one.
    let has_images = ((objects.imaged >> lane.y) & 1u) != 0u;
    let greatest = atomicLoad(&greatest_depths[lane.x]);
    for (var once = has_images && greatest > 0u; once; once = false) {
        let least = atomicLoad(&least_depths[lane.x]);
        let place = vec2(TILES_ABREAST * group.x + lane.x, group.y);
        let water = tile_water(place, bitcast<f32>(least), bitcast<f32>(greatest));
        atomicOr(&kinds_seen[lane.x], lists_by(lane.y, water, atomicLoad(&kinds_seen[lane.x])));
    }
    workgroupBarrier();
    if lane.x == 0u {
        let found = atomicLoad(&kinds_seen[lane.y]);
        if tile.x < tiles_across() {
            lists.places[kinds_place(tile)] = found;
        }
        let is_near = (found & (1u << VISIBLE_WATER_NEAR_OBJECTS)) != 0u;
        let mirrors = (found & (1u << VISIBLE_WATER_MIRRORING)) != 0u;
        let list = select(
            select(VISIBLE_WATER, VISIBLE_WATER_MIRRORING, mirrors), VISIBLE_WATER_NEAR_OBJECTS, is_near);
        let kinds = found & ((1u << VISIBLE_KINDS) - 1u);
        let water = ((kinds >> VISIBLE_WATER) & 1u) << list;
        let below_list = select(VISIBLE_UNDERSIDE, VISIBLE_UNDERSIDE_NEAR_OBJECTS, is_near);
        let below = ((kinds >> VISIBLE_UNDERSIDE) & 1u) << below_list;
        let others = kinds & ~((1u << VISIBLE_WATER) | (1u << VISIBLE_UNDERSIDE));
        atomicStore(&kinds_seen[lane.y], others | water | below);
    }
    workgroupBarrier();
    if lane.y > 0u || lane.x >= VISIBLE_LISTS {
        return;
    }
    var tiles = 0u;
    for (var i = 0u; i < TILES_ABREAST; i++) {
        tiles |= ((atomicLoad(&kinds_seen[i]) >> lane.x) & 1u) << i;
    }
    var place = lane.x * picture_tiles() + atomicAdd(&lists.counts[lane.x], countOneBits(tiles));
    for (; tiles != 0u; tiles &= tiles - 1u) {
        lists.places[place] = (TILES_ABREAST * group.x + countTrailingZeros(tiles)) | (group.y << 16u);
        place++;
    }
}
