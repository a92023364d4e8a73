//! The settings of objects in the sea.

use super::table::settings;
use crate::choice::choices;

choices! {
    /// The bed of the sea, where the water is shallow enough to see it.
    #[non_exhaustive]
    pub enum SeaBed {
        /// None: the water looks as it does where it is deep.
        None = "none",
        /// Sand with banks and ripples.
        Sand = "sand",
        /// Coral and the sand between it.
        Reef = "reef",
    }
}

settings! {
    /// The objects in the sea.
    pub struct Scenery as "Scenery" {
        /// Number of buoys that mark a fairway around the origin; they float on the waves and show their scale.
        buoys: u32 = 5, "Buoys" [""], integer (0 ..= 8);
        /// Kind of bed; it shows where the water is shallow and clear enough.
        bed: SeaBed = SeaBed::Sand, "Bed" [""], choice;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::MOORINGS;
    use crate::settings::{Kind, Settings};

    #[test]
    fn the_range_of_buoys_ends_with_the_moorings() {
        let most = MOORINGS.len() as u32;
        assert_eq!(Scenery::FIELDS[0].kind, Kind::Integer { min: 0, max: most });
    }
}
