//! The numbers that describe clouds at a time: pure functions in f64, wrapped before they become f32.

use super::{CloudSlot, CloudUniform};
use crate::settings::{CloudKind, Clouds, Light};

/// Must equal `CLOUD_TILE_M` of `shading/cloud_map.wgsl`; the next ones have twins there and in
/// `shading/clouds.wgsl`.
pub(super) const TILE_M: f64 = 20_480.0;
pub(super) const BEND_M: f64 = 37_000.0;
pub(super) const CIRRUS_TILE_M: f64 = 48_000.0;
pub(super) const DETAIL_TILE_M: f64 = TILE_M / 16.0;
pub(super) const SLOTS: u32 = 3;

/// Seconds between the moments that shapes are computed for: a bulge rises by less than the finest texel.
pub(super) const PERIOD_S: f64 = 30.0;

/// The ratio of the wind at cloud height to the wind at 10 m, by the logarithmic profile over open sea
/// (z0 = 0.2 mm): ln(1000 / 0.0002) / ln(10 / 0.0002) = 1.4.
const ALOFT: f64 = 1.4;
/// Jet streams carry cirrus, independently of the wind below.
const CIRRUS_MPS: f64 = 18.0;

/// Everything that the clouds of a frame depend on.
#[derive(Clone, Copy, Debug)]
pub struct CloudScene<'a> {
    /// The settings of the clouds.
    pub clouds: &'a Clouds,
    /// The time of the sea, in seconds.
    pub time_s: f64,
    /// The wind 10 m above the sea, in m/s along X and Z.
    pub wind_mps: [f64; 2],
    /// The distance by which this wind has carried the air in metres along X and Z: `wind_mps` times
    /// `time_s`, for a wind that never changed.
    pub run_m: [f64; 2],
    /// The position of the eye, in metres.
    pub eye_m: [f64; 3],
}

/// The two moments around a time, and the weight of the later one.
pub(super) fn moments(time_s: f64) -> (i64, f64) {
    let periods = time_s / PERIOD_S;
    (periods.floor() as i64, periods - periods.floor())
}

pub(super) fn slot(moment: i64) -> usize {
    moment.rem_euclid(i64::from(SLOTS)) as usize
}

/// Everything that a moment's shapes and light depend on, rounded more finely than can be seen, so that
/// a moving sun does not change it in every frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key {
    pub(super) moment: i64,
    cover: f64,
    kind: CloudKind,
    base_m: f64,
    sun_azimuth_deg: f64,
    sun_elevation_deg: f64,
}

impl Key {
    pub(super) fn new(moment: i64, clouds: &Clouds, light: &Light) -> Self {
        Self {
            moment,
            cover: clouds.cloud_cover,
            kind: clouds.cloud_kind,
            base_m: clouds.cloud_base_m,
            sun_azimuth_deg: light.sun_azimuth_deg.round(),
            sun_elevation_deg: (4.0 * light.sun_elevation_deg).round() / 4.0,
        }
    }

    pub(super) fn uniform(&self) -> CloudSlot {
        let time_s = self.moment as f64 * PERIOD_S;
        // Groups of clouds form and dissolve within half an hour, bulges within some minutes.
        let moved =
            |speed_mps: f64, tile_m: f64| (time_s * speed_mps / tile_m).rem_euclid(1.0) as f32;
        let look = Look::of(self.kind);
        CloudSlot {
            cover_offset: [
                moved(0.6, TILE_M),
                moved(0.23, TILE_M),
                moved(-0.37, TILE_M),
                moved(-0.51, TILE_M),
            ],
            billow_offset: [moved(0.2, TILE_M), moved(-0.13, TILE_M), moved(-0.9, 0.25 * TILE_M)],
            cover: self.cover as f32,
            to_sun: raised(direction(self.sun_azimuth_deg, self.sun_elevation_deg))
                .map(|element| element as f32),
            thickness_m: look.thickness_m as f32,
            extinction_per_m: look.extinction_per_m as f32,
            bottom_density: look.bottom_density as f32,
            slot: slot(self.moment) as u32,
            stratus: f32::from(self.kind == CloudKind::Stratus),
        }
    }
}

/// The material of a kind of cloud. Extinctions are at the lower end of what is measured in water clouds
/// (Miles, Verlinde and Clothiaux 2000), for edges that 80 m of texel can show.
struct Look {
    thickness_m: f64,
    extinction_per_m: f64,
    bottom_density: f64,
}

impl Look {
    fn of(kind: CloudKind) -> Self {
        match kind {
            CloudKind::Cumulus => {
                Self { thickness_m: 1_100.0, extinction_per_m: 0.04, bottom_density: 0.35 }
            }
            CloudKind::Stratus => {
                Self { thickness_m: 800.0, extinction_per_m: 0.022, bottom_density: 0.6 }
            }
        }
    }
}

fn direction(azimuth_deg: f64, elevation_deg: f64) -> [f64; 3] {
    let (azimuth_sin, azimuth_cos) = azimuth_deg.to_radians().sin_cos();
    let (elevation_sin, elevation_cos) = elevation_deg.to_radians().sin_cos();
    [elevation_cos * azimuth_cos, elevation_sin, elevation_cos * azimuth_sin]
}

/// Raises a direction to three degrees at least: along the layer no light comes through.
fn raised([x, y, z]: [f64; 3]) -> [f64; 3] {
    let least = 0.052;
    if y >= least {
        return [x, y, z];
    }
    let across = ((1.0 - least * least) / (x * x + z * z)).sqrt();
    [x * across, least, z * across]
}

/// The uniform of a frame. The volume has `texels` along one side.
pub(super) fn uniform(
    scene: &CloudScene<'_>,
    light: &Light,
    steps: u32,
    texels: u32,
) -> CloudUniform {
    let CloudScene { clouds, time_s, wind_mps, run_m, eye_m } = scene;
    let look = Look::of(clouds.cloud_kind);
    // In the air's frame: the position of the eye in the drifting clouds.
    let drifted = [eye_m[0] - ALOFT * run_m[0], eye_m[2] - ALOFT * run_m[1]];
    let wrapped = |metres: f64, tile_m: f64| (metres / tile_m).rem_euclid(1.0);
    let to_sun = raised(direction(light.sun_azimuth_deg, light.sun_elevation_deg));
    let shadow_m = [to_sun[0], to_sun[2]].map(|across| across / to_sun[1] * clouds.cloud_base_m);
    let speed = wind_mps[0].hypot(wind_mps[1]).max(1e-6);
    let wind = wind_mps.map(|element| element / speed);
    let along = [
        eye_m[0] * wind[0] + eye_m[2] * wind[1] - CIRRUS_MPS * time_s,
        eye_m[2] * wind[0] - eye_m[0] * wind[1],
    ];
    let (moment, blend) = moments(*time_s);
    let near_m = clouds.cloud_base_m - eye_m[1];
    CloudUniform {
        eye_uv: drifted.map(|metres| wrapped(metres, TILE_M) as f32),
        shadow_uv: [0, 1].map(|axis| wrapped(drifted[axis] + shadow_m[axis], TILE_M) as f32),
        // The shader bends each axis of the tile by the other.
        bend_phase: [drifted[1], drifted[0]]
            .map(|metres| (wrapped(metres, BEND_M) * std::f64::consts::TAU) as f32),
        wind: wind.map(|element| element as f32),
        cirrus_uv: along.map(|metres| wrapped(metres, CIRRUS_TILE_M) as f32),
        slots: [slot(moment) as f32, slot(moment + 1) as f32],
        blend: blend as f32,
        eye_height_m: eye_m[1] as f32,
        // Billows boil up through the cloud.
        detail_offset: [
            0.0,
            wrapped(-0.8 * time_s, DETAIL_TILE_M) as f32,
            wrapped(-1.3 * time_s, DETAIL_TILE_M) as f32,
        ],
        base_m: clouds.cloud_base_m as f32,
        shadow_offset_m: shadow_m.map(|metres| metres as f32),
        thickness_m: look.thickness_m as f32,
        extinction_per_m: look.extinction_per_m as f32,
        bottom_density: look.bottom_density as f32,
        cover: clouds.cloud_cover as f32,
        shown: (near_m / 400.0).clamp(0.0, 1.0) as f32,
        cirrus: clouds.cirrus_cover as f32,
        // A quarter of an optical depth, averaged over thick, thin and clear places.
        cirrus_sunlight: (-0.25 * clouds.cirrus_cover).exp() as f32,
        texel_m: (TILE_M / f64::from(texels)) as f32,
        steps,
        any: u32::from(is_any(clouds)),
        _padding: [0.0; 2],
    }
}

pub(super) fn is_any(clouds: &Clouds) -> bool {
    clouds.cloud_cover > 0.0 || clouds.cirrus_cover > 0.0
}
