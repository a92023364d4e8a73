//! The foam's view of a sea.

use std::f64::consts::TAU;

use super::cover::{self, Cover, History, Seen, wanted};
use super::{FoamOptions, SHORTEST_BREAKING_WAVE_M};
use crate::maps::{CascadeSampling, MapFormat};
use crate::ocean::{OceanOptions, OceanPath};
use crate::platform::Cooperative;
use crate::profile;
use crate::settings::SeaState;
use crate::spectrum::{
    Cascade, DirectionalSpectrum, InitialSpectrum, Interpolation, SpectrumError, kept_power,
};

/// The foam of a sea state, made on the processor, on any thread, in some tenths of a second.
#[derive(Clone, Debug, PartialEq)]
pub struct FoamSea {
    /// The waves that make foam when they break: those of the sea itself, cut where they get too short.
    pub waves: InitialSpectrum,
    /// The compression, as a share of the water's area, below which waves break.
    pub threshold: f64,
    /// The same for a texel of each level of the foam's windows, which averages finer waves: all levels
    /// then have the same white share.
    pub level_thresholds: Vec<f64>,
    /// The part of the waves that those texels resolve.
    pub(super) level_waves: Vec<LevelWaves>,
    /// The options that set its cost: the levels, and the sampling of their ocean.
    pub options: FoamOptions,
    /// The mean share of the sea that foam covers, and its fresh part.
    pub cover: Cover,
    /// The drift of foam along (x, z): with the waves (Stokes) and before the wind.
    pub drift_mps: [f64; 2],
    /// The unit vector towards which the wind blows.
    pub wind_towards: [f64; 2],
    /// The share of old foam that gathers in streaks along the wind, 0 to 1.
    pub streaks: f64,
    /// The albedos of fresh and of old foam.
    pub albedo: [f64; 2],
    /// The displacement of foam, less the product of `drift_mps` and the time: 0 before any gradual change.
    pub(super) drifted_m: [f64; 2],
}

impl FoamSea {
    /// The points along one side of its ocean's cascades.
    pub const SIZE: u32 = 128;

    /// The wind drags the uppermost water along with 2% of its speed, besides the Stokes drift of the
    /// waves (Dagestad et al. 2018). Both together are the surface drift, which over long fetches is about
    /// 3.5% (Wu 1975).
    const WIND_DRIFT: f64 = 0.02;
    /// The albedo of fresh foam, and the mean of all foam (Koepke 1984).
    const FRESH_ALBEDO: f64 = 0.55;
    pub(crate) const MEAN_ALBEDO: f64 = 0.22;
    /// Old foam is brighter than the sea. Where nearly all foam is fresh, as in a storm, fresh foam is
    /// still white.
    const LEAST_OLD_ALBEDO: f64 = 0.1;
    const LEAST_FRESH_ALBEDO: f64 = 0.35;
    /// The wind speeds between which foam gathers in streaks (Beaufort 6 to 9).
    const STREAKS_MPS: [f64; 2] = [11.0, 22.0];

    /// The foam of `sea` on those waves of an ocean with the given number of cascades that are long
    /// enough. Cascades without such waves are empty.
    ///
    /// # Errors
    /// [`SpectrumError`] where a setting or the number of cascades is out of range.
    pub fn new(
        sea: &SeaState,
        cascades: u32,
        options: &FoamOptions,
    ) -> Result<Self, SpectrumError> {
        Cooperative::finish(Self::new_in(&mut Cooperative::blocking(), sea, cascades, options))
    }

    pub(crate) async fn new_in(
        coop: &mut Cooperative,
        sea: &SeaState,
        cascades: u32,
        options: &FoamOptions,
    ) -> Result<Self, SpectrumError> {
        profile::cooperative_scope!("foam::FoamSea::new");
        let options = &options.within_range();
        let shortest_m = SHORTEST_BREAKING_WAVE_M;
        let waves = InitialSpectrum::of_long_waves_in(coop, sea, Self::SIZE, cascades, shortest_m);
        let waves = waves.await?;
        coop.yield_if_due().await;
        let spectrum = &*waves.spectrum;
        let band = [
            waves.cascades[0].first_rad_per_m,
            waves
                .cascades
                .iter()
                .filter(|cascade| !cascade.is_empty())
                .map(|cascade| cascade.last_rad_per_m)
                .fold(0.0, f64::max),
        ];
        let (z, x) = libm::sincos(sea.wind_direction_deg.to_radians());
        let stokes = stokes_drift_mps(spectrum, band, sea.depth_m);
        let drift_mps =
            [0, 1].map(|axis| stokes[axis] + Self::WIND_DRIFT * sea.wind_speed_mps * [x, z][axis]);
        let breaking = cover::Waves::new(spectrum, band, drift_mps);
        let sampled = Sampled::new(&waves, options);
        let steps_per_s = options.steps_per_s;
        // Without levels, only the mean is needed.
        let values = if options.clipmap().is_some() { 1 << 18 } else { 1 << 16 };
        let texels_m: Vec<f64> = options.clipmap().map_or_else(Vec::new, |clipmap| {
            (0..clipmap.levels).map(|level| clipmap.texel_m(level)).collect()
        });
        let level_waves: Vec<LevelWaves> =
            texels_m.iter().map(|&texel_m| sampled.level(texel_m)).collect();
        let finest = level_waves.first().filter(|waves| waves.shows_all());
        let finest = finest.cloned().unwrap_or_else(|| sampled.level(0.0));
        let choppiness = sea.choppiness;
        let (threshold, cover) = {
            let seen = sampled.seen(&finest, [1.0; 2]);
            let share = wanted(sea);
            History::new(coop, &breaking, choppiness, &seen, steps_per_s, values, share)
                .await
                .solve(coop)
                .await
        };
        let mut level_thresholds = Vec::with_capacity(texels_m.len());
        for waves in &level_waves {
            if *waves == finest {
                level_thresholds.push(threshold);
                continue;
            }
            let seen = sampled.seen(waves, cover.over_breaking());
            // Averages vary little.
            let values = if seen.unseen < 0.97 { values / 2 } else { 1 << 15 };
            let share = cover.share;
            let history =
                History::new(coop, &breaking, choppiness, &seen, steps_per_s, values, share);
            level_thresholds.push(history.await.solve(coop).await.0);
        }
        let [from, to] = Self::STREAKS_MPS;
        let share = ((sea.wind_speed_mps - from) / (to - from)).clamp(0.0, 1.0);
        Ok(Self {
            waves,
            threshold,
            level_thresholds,
            level_waves,
            options: *options,
            cover,
            drift_mps,
            wind_towards: [x, z],
            streaks: share * share * (3.0 - 2.0 * share),
            albedo: Self::albedo_of(&cover),
            drifted_m: [0.0; 2],
        })
    }

    /// The displacement of foam by its drift at `time_s`, in metres along (x, z).
    pub(super) fn drift_m(&self, time_s: f64) -> [f64; 2] {
        [0, 1].map(|axis| self.drifted_m[axis] + self.drift_mps[axis] * time_s)
    }

    /// Whether `other` has the same sea and options, wherever its foam has drifted.
    pub(crate) fn is_of_the_sea_of(&self, other: &Self) -> bool {
        Self { drifted_m: other.drifted_m, ..self.clone() } == *other
    }

    /// Takes from `before` everything that changes gradually, by [`FoamSea::change`]: the amount of foam and
    /// its look. Drifting foam continues from its place at `time_s`.
    pub(super) fn continue_from(&mut self, before: &Self, time_s: f64) {
        self.drift_on_from(before, time_s);
        self.cover = before.cover;
        self.albedo = before.albedo;
        self.streaks = before.streaks;
        self.level_thresholds.clone_from(&before.level_thresholds);
    }

    /// Moves by `share` of the remaining difference to `wanted`, from 0 to 1.
    pub(super) fn change(&mut self, wanted: &Self, share: f64) {
        let move_to = |value: &mut f64, wanted: f64| *value += share * (wanted - *value);
        let move_all = |values: &mut [f64], wanted: &[f64]| {
            values.iter_mut().zip(wanted).for_each(|(value, wanted)| move_to(value, *wanted));
        };
        move_to(&mut self.cover.share, wanted.cover.share);
        move_to(&mut self.cover.fresh, wanted.cover.fresh);
        move_to(&mut self.cover.breaking, wanted.cover.breaking);
        move_all(&mut self.cover.even, &wanted.cover.even);
        move_all(&mut self.albedo, &wanted.albedo);
        move_to(&mut self.streaks, wanted.streaks);
        move_all(&mut self.level_thresholds, &wanted.level_thresholds);
    }

    /// Lets foam drift on from the place of that of `before` at `time_s`.
    fn drift_on_from(&mut self, before: &Self, time_s: f64) {
        let (there_m, here_m) = (before.drift_m(time_s), self.drift_m(time_s));
        for axis in [0, 1] {
            self.drifted_m[axis] += there_m[axis] - here_m[axis];
        }
    }

    /// The albedos of fresh and of old foam. Fresh foam is bright; old foam makes up the mean.
    fn albedo_of(cover: &Cover) -> [f64; 2] {
        let fresh = (cover.fresh / cover.share.max(1e-12)).clamp(0.01, 0.99);
        let old = (Self::MEAN_ALBEDO - fresh * Self::FRESH_ALBEDO) / (1.0 - fresh);
        let old = old.clamp(Self::LEAST_OLD_ALBEDO, Self::MEAN_ALBEDO);
        let rest = (Self::MEAN_ALBEDO - (1.0 - fresh) * old) / fresh;
        [rest.clamp(Self::LEAST_FRESH_ALBEDO, Self::FRESH_ALBEDO), old]
    }

    /// The options of the ocean whose waves make foam.
    pub(crate) fn ocean_options(&self) -> OceanOptions {
        OceanOptions {
            size: Self::SIZE,
            cascades: self.waves.cascades.len() as u32,
            algorithm: None,
            path: OceanPath::Fused,
            anisotropy: 1,
            map_format: MapFormat::F16,
            cubic_cascades: self.options.cubic_cascades,
            blended_cascades: self.options.blended_cascades,
        }
    }

    /// The side in metres of a texel of a level, or of the coarsest that there is, and the compression
    /// at which waves break in it. Without levels, the texel sees every wave.
    pub(crate) fn level(&self, level: u32) -> (f64, f64) {
        self.options.clipmap().map_or((0.3, self.threshold), |clipmap| {
            let level = level.min(clipmap.levels - 1);
            (clipmap.texel_m(level), self.level_thresholds[level as usize])
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct LevelWaves {
    texel_m: f64,
    pub(super) cascades: Vec<LevelCascade>,
    /// The unresolved variance of J.
    lost_variance: f64,
    /// The unresolved share of the divergence's variance, 0 to 1.
    unseen: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LevelCascade {
    /// The real-valued mip level with texels of the same width.
    pub(super) lod: f64,
    /// The drawn share of the cascade at that level, 0 to 1.
    pub(super) weight: f64,
    /// Texels from one sample to the next along each axis: 1, 2, 4, 8 or 16. Distant samples are for
    /// long waves, and the texels between them interpolate linearly. Only cubic B-splines, the most
    /// expensive samples, are spaced.
    pub(super) spacing: u32,
}

impl LevelCascade {
    /// The fewest samples along the shortest wave of a cascade that not every texel samples. Linear
    /// interpolation keeps nine tenths of the power of such a wave ([`LevelCascade::interpolated`]).
    const SAMPLES: f64 = 8.0;

    fn new(waves: &InitialSpectrum, cascade: usize, maps: &CascadeSampling, texel_m: f64) -> Self {
        let map_texels = texel_m * f64::from(waves.size) / maps.patch_size_m;
        let lod = libm::log2(map_texels.max(1.0));
        let is_spline = maps.interpolation == Interpolation::Cubic && lod == 0.0;
        let shortest_m = TAU / waves.cascades[cascade].last_rad_per_m;
        let is_enough = |spacing: &u32| f64::from(*spacing) * texel_m * Self::SAMPLES <= shortest_m;
        let spacings: &[u32] = if is_spline { &[16, 8, 4, 2] } else { &[] };
        Self {
            lod,
            weight: maps.weight(waves.size, lod),
            spacing: spacings.iter().copied().find(is_enough).unwrap_or(1),
        }
    }

    /// Returns the share of a wave's power that interpolation between the samples keeps, on average over all
    /// places; `towards` is the direction of the wave.
    fn interpolated(&self, texel_m: f64, k_rad_per_m: f64, towards: [f64; 2]) -> f64 {
        if self.spacing == 1 {
            return 1.0;
        }
        let spacing_m = texel_m * f64::from(self.spacing);
        towards
            .map(|part| Interpolation::Linear.kept_power(part * k_rad_per_m * spacing_m))
            .iter()
            .product()
    }
}

impl LevelWaves {
    /// Returns whether the level shows as much as texels of no size would.
    fn shows_all(&self) -> bool {
        self.cascades.iter().all(|cascade| cascade.lod == 0.0)
    }

    /// Counts the cascades, from the first, that satisfy a condition.
    pub(super) fn count(&self, is: impl Fn(&LevelCascade) -> bool) -> u32 {
        self.cascades.iter().take_while(|cascade| is(cascade)).count() as u32
    }

    /// The reciprocal of the standard deviation of J within which a texel begins to break.
    pub(super) fn steepness(&self) -> f64 {
        (self.lost_variance + cover::BREAKING_EDGE.powi(2)).sqrt().recip()
    }

    /// Fresh and old foam of a texel per breaking share.
    pub(super) fn made(&self, over_breaking: [f64; 2]) -> [f64; 2] {
        cover::made(self.unseen, over_breaking)
    }
}

/// The part of the waves that the foam's maps show.
struct Sampled<'a> {
    waves: &'a InitialSpectrum,
    cascades: Vec<CascadeSampling>,
    /// The power of the waves in this sea relative to the expected power: where waves break rarely, a
    /// tenth more doubles the foam.
    drawn: Vec<f64>,
}

impl<'a> Sampled<'a> {
    fn new(waves: &'a InitialSpectrum, options: &FoamOptions) -> Self {
        let cascades = (0..waves.cascades.len())
            .filter(|&cascade| !waves.cascades[cascade].is_empty())
            .map(|cascade| {
                let is_cubic = cascade < options.cubic_cascades as usize;
                let interpolation =
                    if is_cubic { Interpolation::Cubic } else { Interpolation::Linear };
                CascadeSampling::new(waves, cascade, interpolation, false)
            })
            .collect();
        let drawn = (0..waves.cascades.len())
            .map(|cascade| {
                let expected = waves.divergence_variance(cascade);
                waves.drawn_divergence_variance(cascade) / expected.max(1e-12)
            })
            .collect();
        Self { waves, cascades, drawn }
    }

    fn level(&self, texel_m: f64) -> LevelWaves {
        let Self { waves, .. } = self;
        let mut cascades: Vec<LevelCascade> = self
            .cascades
            .iter()
            .enumerate()
            .map(|(cascade, maps)| LevelCascade::new(waves, cascade, maps, texel_m))
            .collect();
        let lost: f64 = self
            .cascades
            .iter()
            .zip(&cascades)
            .map(|(maps, cascade)| maps.lost(cascade.lod, cascade.weight)[3])
            .sum();
        let shown = cascades.iter().rposition(|cascade| cascade.weight > 0.0);
        cascades.truncate(shown.map_or(0, |last| last + 1));
        let all: f64 = (0..waves.cascades.len()).map(|at| waves.divergence_variance(at)).sum();
        LevelWaves {
            texel_m,
            cascades,
            lost_variance: waves.sea.choppiness.powi(2) * lost.max(0.0),
            unseen: (lost / all.max(1e-9)).clamp(0.0, 1.0),
        }
    }

    fn seen(
        &self,
        level: &LevelWaves,
        over_breaking: [f64; 2],
    ) -> Seen<impl Fn(f64, [f64; 2]) -> f64> {
        let size = f64::from(self.waves.size);
        let &LevelWaves { texel_m, lost_variance, unseen, .. } = level;
        let kept = move |k: f64, towards: [f64; 2]| {
            let holds = |cascade: &Cascade| cascade.contains(k);
            let Some(index) = self.waves.cascades.iter().position(holds) else { return 0.0 };
            let Some(sampled) = level.cascades.get(index) else { return 0.0 };
            let band = &self.waves.cascades[index];
            let [u, v] =
                band.lattice_from_world(towards.map(|part| part * k * band.patch_size_m / size));
            let interpolation = self.cascades[index].interpolation;
            let mut levels = kept_power(interpolation, u, v).skip(sampled.lod as usize);
            let [fine, coarse] = [levels.next(), levels.next()].map(|power| power.unwrap_or(0.0));
            // Amplitudes are blended from level to level, not powers.
            let amplitude = fine.sqrt() + sampled.lod.fract() * (coarse.sqrt() - fine.sqrt());
            self.drawn[index]
                * (sampled.weight * amplitude).powi(2)
                * sampled.interpolated(texel_m, k, towards)
        };
        Seen { kept_power: kept, texel_m, lost_variance, unseen, over_breaking }
    }
}

/// The surface drift of waves within a band (Kenyon 1969): the integral of 2 omega k Psi over their wave
/// vectors, along each; over a bottom, times cosh(2 k d) / (2 sinh^2(k d)).
fn stokes_drift_mps(
    spectrum: &DirectionalSpectrum,
    [first, last]: [f64; 2],
    depth_m: f64,
) -> [f64; 2] {
    const NODES: u32 = 96;
    const DIRECTIONS: u32 = 36;
    if last <= first {
        return [0.0; 2];
    }
    let d_ln_k = libm::log(last / first) / f64::from(NODES);
    let d_theta = TAU / f64::from(DIRECTIONS);
    let mut sum = [0.0; 2];
    for node in 0..NODES {
        let k = first * libm::exp(d_ln_k * (f64::from(node) + 0.5));
        let ring = spectrum.ring(k);
        let tanh = libm::tanh(k * depth_m);
        let over_bottom = 0.5 * (1.0 + (tanh * tanh).recip());
        for direction in 0..DIRECTIONS {
            let (z, x) = libm::sincos(d_theta * f64::from(direction));
            let variance = ring.psi_m4(x, z, d_theta) * k * k * d_ln_k * d_theta;
            let speed = 2.0 * over_bottom * ring.omega_rad_per_s * k * variance;
            sum[0] += speed * x;
            sum[1] += speed * z;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Preset, Quality};

    /// In every preset and from a breeze to a storm, fresh foam is the brighter, and the two albedos can
    /// have Koepke's mean (1984) within their bounds. `foam_picture_tests` checks the drawn mean.
    #[test]
    fn fresh_and_old_foam_have_the_observed_albedo() {
        let presets = Preset::SHIPPED.iter().map(|(name, _)| Preset::load(name).unwrap().sea);
        let winds = [4.0, 8.0, 16.0, 24.0]
            .map(|wind_speed_mps| SeaState { wind_speed_mps, ..Default::default() });
        for sea in presets.chain(winds) {
            let options = FoamOptions { texels: 0, ..FoamOptions::of(&Quality::default()) };
            let FoamSea { cover, albedo: [fresh, old], .. } =
                FoamSea::new(&sea, 4, &options).unwrap();
            // Where there is hardly a wind, there is hardly any foam.
            if cover.share < 1e-5 {
                continue;
            }
            let share = cover.fresh / cover.share;
            let mean = share * fresh + (1.0 - share) * old;
            println!("{} m/s: {share:.3} {fresh:.3} {old:.3} {mean:.3}", sea.wind_speed_mps);
            assert!((mean / 0.22 - 1.0).abs() < 0.05, "{sea:?}: {mean}");
            assert!(fresh > 3.0 * old, "{sea:?}: {fresh} and {old}");
        }
    }

    /// The surface drift, waves included, is 2.5 to 3.5% of the wind (Wu 1975), along the wind.
    #[test]
    fn drift_is_as_fast_as_observed() {
        for wind_speed_mps in [8.0, 12.0, 17.0, 22.0] {
            let sea = SeaState { wind_speed_mps, ..Default::default() };
            let options = FoamOptions { texels: 0, ..FoamOptions::of(&Quality::default()) };
            let FoamSea { drift_mps, wind_towards, .. } = FoamSea::new(&sea, 4, &options).unwrap();
            let [along, across] = [
                drift_mps[0] * wind_towards[0] + drift_mps[1] * wind_towards[1],
                drift_mps[1] * wind_towards[0] - drift_mps[0] * wind_towards[1],
            ]
            .map(|speed| speed / wind_speed_mps);
            println!("{wind_speed_mps} m/s: {along:.4} {across:.5}");
            assert!((0.025..0.035).contains(&along), "{wind_speed_mps} m/s: {along}");
            assert!(across.abs() < 1e-3, "{wind_speed_mps} m/s: {across}");
        }
    }
}
