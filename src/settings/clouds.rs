use super::table::settings;
use crate::choice::choices;

choices! {
    /// The kind of the low clouds.
    #[non_exhaustive]
    pub enum CloudKind {
        /// Heaps with flat bases, each risen on its own warm air: the fair weather of the trade winds.
        Cumulus = "cumulus",
        /// A layer without shape, as before a front or in a storm.
        Stratus = "stratus",
    }
}

settings! {
    /// The clouds over the sea. They drift with the wind.
    pub struct Clouds as "Clouds" {
        /// Fraction of the sky that low clouds cover, seen from straight below; 0 for none.
        cloud_cover: f64 = 0.3, "Cover" [""], number (0.0 ..= 1.0);
        /// Kind of the low clouds.
        cloud_kind: CloudKind = CloudKind::Cumulus, "Kind" [""], choice;
        /// Height of the base of the low clouds above the sea.
        cloud_base_m: f64 = 900.0, "Base" ["m"], number (200.0 ..= 3_000.0);
        /// Fraction of the sky that cirrus covers (ice clouds at 9 km); 0 for none.
        cirrus_cover: f64 = 0.2, "Cirrus" [""], number (0.0 ..= 1.0);
    }
}

impl Clouds {
    /// Returns settings without any clouds.
    pub fn none() -> Self {
        Self { cloud_cover: 0.0, cirrus_cover: 0.0, ..Self::default() }
    }
}
