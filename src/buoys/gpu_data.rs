use super::moorings::COUNT;
use crate::gpu::wgsl_struct;

wgsl_struct! {
    pub(super) struct BuoyMooring {
        pub(super) position: [f32; 2],
        pub(super) log2_footprint_m: f32,
        pub(super) mark: u32,
        pub(super) heading_rad: f32,
        pub(super) lamp: f32,
        pub(super) _padding: [f32; 2],
    }
}

wgsl_struct! {
    pub(super) struct BuoyMoorings {
        pub(super) moorings: [BuoyMooring; COUNT],
        pub(super) count: u32,
        pub(super) _padding: u32,
    }
}

wgsl_struct! {
    pub(super) struct BuoyPose {
        pub(super) position: [f32; 3],
        pub(super) mark: u32,
        pub(super) up: [f32; 3],
        pub(super) heading_rad: f32,
        pub(super) lamp: f32,
        pub(super) _padding: [f32; 3],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buoys::model::Part;
    use crate::buoys::{Mark, stage};
    use crate::gpu::assert_layout;
    use crate::gpu::shader::resolve;

    #[test]
    fn the_shaders_agree() {
        let float = resolve(stage::FLOAT).unwrap();
        assert_layout::<BuoyMooring>(&float);
        assert_layout::<BuoyMoorings>(&float);
        assert_layout::<BuoyPose>(&float);
        let draw = resolve(stage::DRAW).unwrap();
        assert_layout::<BuoyPose>(&draw);
        let buoys = COUNT;
        for (wgsl, line) in [
            (&float, format!("moorings: array<BuoyMooring, {buoys}>")),
            (&float, format!("array<BuoyPose, {buoys}>")),
            (&float, format!("@workgroup_size({buoys})")),
            (&draw, format!("poses: array<BuoyPose, {buoys}>")),
            (&draw, format!("const MARK_PORT: u32 = {}u;", Mark::Port as u32)),
            (&draw, format!("const MARK_STARBOARD: u32 = {}u;", Mark::Starboard as u32)),
            (&draw, format!("const MARK_SPECIAL: u32 = {}u;", Mark::Special as u32)),
            (&draw, format!("const MARK_SAFE_WATER: u32 = {}u;", Mark::SafeWater as u32)),
            (&draw, format!("const PART_PAINT: u32 = {}u;", Part::Paint.number())),
            (&draw, format!("const PART_RUBBER: u32 = {}u;", Part::Rubber.number())),
            (&draw, format!("const PART_DECK: u32 = {}u;", Part::Deck.number())),
            (&draw, format!("const PART_LENS: u32 = {}u;", Part::Lens.number())),
            (&draw, format!("const PART_PANEL: u32 = {}u;", Part::Panel.number())),
            (&draw, format!("const PART_TOPMARKS: u32 = {}u;", Part::Topmark(Mark::Port).number())),
        ] {
            assert!(wgsl.contains(&line), "{line}");
        }
    }
}
