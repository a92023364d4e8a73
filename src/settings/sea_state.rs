use std::sync::Arc;

use super::recorded_sea::{RecordedSea, RecordedSpreading};
use super::table::settings;
use crate::choice::choices;

choices! {
    /// The variance spectrum S(omega) of the waves.
    #[non_exhaustive]
    pub enum SpectrumModel {
        /// Hasselmann et al. 1973: a sea still growing under the wind, limited by fetch.
        Jonswap = "jonswap",
        /// Pierson and Moskowitz 1964: a fully developed sea; the fetch is ignored.
        PiersonMoskowitz = "pierson-moskowitz",
        /// Bouws et al. 1985: JONSWAP in water of finite depth.
        Tma = "tma",
        /// Elfouhaily et al. 1997: from wind and fetch; its own ripples with the short waves of the model.
        Elfouhaily = "elfouhaily",
        /// Phillips in Tessendorf's form, with its own lobe, as high as Pierson-Moskowitz's.
        Phillips = "phillips",
    }
}

choices! {
    /// The directional spreading D(theta; omega) around the wind.
    #[non_exhaustive]
    pub enum SpreadingModel {
        /// cos-2s with one exponent for every frequency.
        Cos2s = "cos-2s",
        /// Hasselmann et al. 1980: narrow at the peak, wide away from it; young seas as Donelan and Banner.
        Hasselmann = "hasselmann",
        /// Mitsuyasu et al. 1975: as Hasselmann's, from an older set of buoys.
        Mitsuyasu = "mitsuyasu",
        /// Donelan et al. 1985 and Banner 1990: a sech^2 that widens beyond the peak.
        DonelanBanner = "donelan-banner",
        /// Elfouhaily et al. 1997: two lobes, along the wind and against it.
        Elfouhaily = "elfouhaily",
    }
}

choices! {
    /// The short waves, beyond ten times the peak's wavenumber.
    #[non_exhaustive]
    pub enum ShortWaves {
        /// A slope that gives all waves the variance measured by Cox and Munk (1954), where the long
        /// ones leave room.
        CoxMunk = "cox-munk",
        /// The spectrum's own tail, up to 60 times the peak's frequency; Elfouhaily's to the capillaries.
        Model = "model",
    }
}

impl SpectrumModel {
    fn depends_on_fetch(self) -> bool {
        !matches!(self, Self::PiersonMoskowitz | Self::Phillips)
    }

    fn has_peak_enhancement(self) -> bool {
        matches!(self, Self::Jonswap | Self::Tma)
    }
}

impl SeaState {
    /// Returns whether a spectrum model is used, and `is_meant` of it: a recorded sea has its own waves.
    fn is_modelled_as(&self, is_meant: impl Fn(SpectrumModel) -> bool) -> bool {
        self.recorded.is_none() && is_meant(self.spectrum)
    }

    /// Returns whether a spreading model is used, and `is_meant` of it: Phillips' spectrum has its own.
    fn spreads_as(&self, is_meant: impl Fn(SpreadingModel) -> bool) -> bool {
        self.is_modelled_as(|model| model != SpectrumModel::Phillips) && is_meant(self.spreading)
    }

    /// Returns whether a record with several spectra is used.
    fn is_a_series(&self) -> bool {
        self.recorded.as_ref().is_some_and(|record| record.spectra().len() > 1)
    }
}

settings! {
    /// A sea state. Equal sea states give equal seas, on every machine.
    pub struct SeaState as "Sea" {
        /// Mean wind speed 10 m above the water.
        wind_speed_mps: f64 = 9.0, "Wind speed" ["m/s"], number (0.5 ..= 40.0);
        /// Direction towards which the wind blows, from +X towards +Z.
        wind_direction_deg: f64 = 30.0, "Wind direction" ["deg"], number (-360.0 ..= 360.0);
        /// Length of water over which the wind has blown.
        fetch_m: f64 = 140_000.0, "Fetch" ["m"], logarithmic (1_000.0 ..= 2_000_000.0),
            if "the spectrum is jonswap, tma or elfouhaily" |sea| sea.is_modelled_as(SpectrumModel::depends_on_fetch);
        /// Depth of the water; 1000 m or more is deep for all wind waves.
        depth_m: f64 = 1_000.0, "Depth" ["m"], logarithmic (2.0 ..= 5_000.0);
        /// Variance spectrum S(omega) of the waves.
        spectrum: SpectrumModel = SpectrumModel::Jonswap, "Spectrum" [""], choice,
            if "no spectrum file is used" |sea| sea.recorded.is_none();
        /// JONSWAP's gamma: how much the spectral peak stands out (1 is Pierson-Moskowitz's shape).
        peak_enhancement: f64 = 3.3, "Peak enhancement" [""], number (1.0 ..= 10.0),
            if "the spectrum is jonswap or tma" |sea| sea.is_modelled_as(SpectrumModel::has_peak_enhancement);
        /// Peak period, at least 0.25 s; 0 derives it from wind and fetch.
        peak_period_s: f64 = 0.0, "Peak period" ["s"], number (0.0 ..= 25.0),
            if "no spectrum file is used" |sea| sea.recorded.is_none();
        /// Significant height of the wind sea or of the spectrum file, met to 1%; swells add to its variance. 0 derives it from wind and fetch, or keeps the file's.
        significant_wave_height_m: f64 = 0.0, "Wave height Hs" ["m"], number (0.0 ..= 20.0);
        /// Model of how the waves spread in direction around the wind.
        spreading: SpreadingModel = SpreadingModel::Hasselmann, "Spreading" [""], choice,
            if "the spectrum is not phillips" |sea| sea.is_modelled_as(|model| model != SpectrumModel::Phillips);
        /// Exponent s of cos-2s spreading: larger is narrower.
        spreading_exponent: f64 = 8.0, "Spreading exponent" [""], number (0.0 ..= 75.0),
            if "the spreading is cos-2s" |sea| sea.spreads_as(|model| model == SpreadingModel::Cos2s);
        /// Stretches the waves into long crests, as in a swell; the lobes of Elfouhaily and Phillips do not change.
        swell_elongation: f64 = 0.0, "Elongation" [""], number (0.0 ..= 1.0),
            if "the spreading is not elfouhaily" |sea| sea.spreads_as(|model| model != SpreadingModel::Elfouhaily);
        /// Fraction of the waves spread against the wind that keep that direction; the others are turned to run with it.
        upwind_share: f64 = 0.1, "Waves upwind" [""], number (0.0 ..= 1.0);
        /// Model of the short waves, which the eye sees as roughness.
        short_waves: ShortWaves = ShortWaves::CoxMunk, "Short waves" [""], choice,
            if "no spectrum file is used" |sea| sea.recorded.is_none();
        /// Significant height of a swell from elsewhere; 0 for none.
        swell_height_m: f64 = 0.0, "Swell height" ["m"], number (0.0 ..= 15.0);
        /// Peak period of the swell.
        swell_period_s: f64 = 11.0, "Swell period" ["s"], number (3.0 ..= 25.0),
            if "the swell's height is above 0" |sea| sea.swell_height_m > 0.0;
        /// Direction towards which the swell runs, from +X towards +Z.
        swell_direction_deg: f64 = 90.0, "Swell direction" ["deg"], number (-360.0 ..= 360.0),
            if "the swell's height is above 0" |sea| sea.swell_height_m > 0.0;
        /// Exponent s of the swell's cos-2s spreading: larger is narrower.
        swell_spreading_exponent: f64 = 30.0, "Swell spreading" [""], number (1.0 ..= 200.0),
            if "the swell's height is above 0" |sea| sea.swell_height_m > 0.0;
        /// Significant height of a second swell; 0 for none.
        swell_2_height_m: f64 = 0.0, "2nd height" ["m"], number (0.0 ..= 15.0);
        /// Peak period of the second swell.
        swell_2_period_s: f64 = 14.0, "2nd period" ["s"], number (3.0 ..= 25.0),
            if "the second swell's height is above 0" |sea| sea.swell_2_height_m > 0.0;
        /// Direction towards which the second swell runs, from +X towards +Z.
        swell_2_direction_deg: f64 = -40.0, "2nd direction" ["deg"], number (-360.0 ..= 360.0),
            if "the second swell's height is above 0" |sea| sea.swell_2_height_m > 0.0;
        /// Exponent s of the second swell's cos-2s spreading: larger is narrower.
        swell_2_spreading_exponent: f64 = 50.0, "2nd spreading" [""], number (1.0 ..= 200.0),
            if "the second swell's height is above 0" |sea| sea.swell_2_height_m > 0.0;
        /// Hours after the first spectrum of the spectrum file at which its sea is drawn.
        record_hour: f64 = 0.0, "Hour of the file" ["h"], number (0.0 ..= 2_000_000.0),
            if "the spectrum file has several times" |sea| sea.is_a_series();
        /// Distribution over directions that is drawn for the moments that a buoy measures.
        recorded_spreading: RecordedSpreading = RecordedSpreading::MaximumEntropy, "Spreading of moments" [""], choice,
            if "a spectrum file is used" |sea| sea.recorded.is_some();
        /// Horizontal displacement: 0 leaves sine waves, 1 sharpens crests as water does.
        choppiness: f64 = 1.0, "Choppiness" [""], number (0.0 ..= 1.6);
        /// Amount of foam, as a multiple of what is observed at this wind.
        foam: f64 = 1.0, "Foam" [""], number (0.0 ..= 4.0);
        /// Amount of spray, as a multiple of what such a sea throws up.
        spray: f64 = 1.0, "Spray" [""], number (0.0 ..= 4.0);
        /// Include surface tension, which matters below 2 cm wavelength.
        capillary: bool = true, "Capillary waves" [""], flag;
        /// Period after which the waves repeat exactly; 0 lets them run on.
        loop_period_s: f64 = 0.0, "Loop period" ["s"], number (0.0 ..= 3_600.0);
        /// Seed of the random waves: each seed is another sea with the same statistics.
        seed: u32 = 1, "Seed" [""], integer (0 ..= 4_294_967_295);
        data {
            /// The measured or modelled spectra of a spectrum file, in place of a spectrum model.
            recorded: Option<Arc<RecordedSea>>
        }
    }
}
