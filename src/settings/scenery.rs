//! What there is besides the sea.

use super::table::settings;

settings! {
    /// What stands in the sea.
    pub struct Scenery as "Scenery" {
        /// Buoys of a marked fairway around the origin, which float on the waves and give them a scale.
        buoys: u32 = 5, "Buoys" [""], integer (0 ..= 8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buoys::MOORINGS;
    use crate::settings::{Kind, Settings};

    #[test]
    fn there_are_as_many_buoys_as_moorings() {
        let most = MOORINGS.len() as u32;
        assert_eq!(Scenery::FIELDS[0].kind, Kind::Integer { min: 0, max: most });
    }
}
