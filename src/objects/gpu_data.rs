use super::moorings::COUNT;
use crate::gpu::wgsl_struct;

/// The most points of a hull.
pub(super) const HULL_POINTS: usize = 8;
/// The most materials of all models, which samples of the picture number with four bits.
pub(super) const MATERIALS: usize = 16;

wgsl_struct! {
    pub(super) struct ObjectPlace {
        pub(super) position: [f32; 2],
        pub(super) log2_footprint_m: f32,
        pub(super) number: u32,
        pub(super) heading_rad: f32,
        pub(super) rise_m: f32,
        pub(super) is_fixed: u32,
        pub(super) points: u32,
        pub(super) hull: [[f32; 4]; HULL_POINTS],
    }
}

wgsl_struct! {
    pub(super) struct ObjectPlaces {
        pub(super) places: [ObjectPlace; COUNT],
        pub(super) count: u32,
        pub(super) _padding: [u32; 3],
    }
}

wgsl_struct! {
    pub(super) struct ObjectPose {
        pub(super) position: [f32; 3],
        pub(super) heading_rad: f32,
        pub(super) up: [f32; 3],
        pub(super) waterline_m: f32,
        pub(super) rest_m: f32,
        pub(super) number: u32,
        pub(super) _padding: [f32; 2],
    }
}

wgsl_struct! {
    pub(super) struct ObjectMaterial {
        pub(super) albedo: [f32; 3],
        pub(super) roughness: f32,
        pub(super) finish: u32,
        pub(super) variant: u32,
        pub(super) _padding: [f32; 2],
    }
}

wgsl_struct! {
    pub(super) struct ObjectLook {
        pub(super) paint: [f32; 3],
        pub(super) stripes: f32,
        pub(super) second_paint: [f32; 3],
        pub(super) seed: f32,
        pub(super) lamp: [f32; 3],
        pub(super) brightness_kcd: f32,
        pub(super) variant: u32,
        pub(super) _padding: [f32; 3],
    }
}

wgsl_struct! {
    pub(super) struct ObjectLooks {
        pub(super) materials: [ObjectMaterial; MATERIALS],
        pub(super) looks: [ObjectLook; COUNT],
    }
}

wgsl_struct! {
    pub(super) struct WetStep {
        pub(super) places: [ObjectPlace; COUNT],
        pub(super) radii_m: [[f32; 4]; COUNT],
        pub(super) dried_m: f32,
        pub(super) begins: u32,
        pub(super) _padding: [u32; 2],
    }
}

wgsl_struct! {
    pub(super) struct ImageParams {
        pub(super) eye_m: [f32; 3],
        pub(super) pixel_angle_rad: f32,
        pub(super) to_sun: [f32; 3],
        pub(super) count: u32,
        pub(super) slot: f32,
        pub(super) slope_deviation: f32,
        pub(super) refracted: u32,
        pub(super) imaged: u32,
        pub(super) extents: [[f32; 4]; COUNT],
        pub(super) lamps: [[f32; 4]; COUNT],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::assert_layout;
    use crate::gpu::shader::resolve;
    use crate::objects::{Finish, images, stage, wetness};

    #[test]
    fn the_shaders_agree() {
        let float = resolve(stage::FLOAT).unwrap();
        assert_layout::<ObjectPlace>(&float);
        assert_layout::<ObjectPlaces>(&float);
        assert_layout::<ObjectPose>(&float);
        assert_layout::<ImageParams>(&resolve(images::SHADERS[0]).unwrap());
        let wet = resolve(wetness::SHADER).unwrap();
        assert_layout::<WetStep>(&wet);
        let light = resolve(stage::LIGHT).unwrap();
        assert_layout::<ObjectPose>(&light);
        assert_layout::<ObjectMaterial>(&light);
        assert_layout::<ObjectLook>(&light);
        assert_layout::<ObjectLooks>(&light);
        for (wgsl, line) in [
            (&float, format!("places: array<ObjectPlace, {COUNT}>")),
            (&float, format!("array<ObjectPose, {COUNT}>")),
            (&float, format!("@workgroup_size({COUNT})")),
            (&wet, format!("const WET_SIDES: u32 = {}u;", wetness::SIDES)),
            (&light, format!("array<ObjectPose, {COUNT}>")),
            (&light, format!("const FINISH_PAINT: u32 = {}u;", Finish::Paint as u32)),
            (&light, format!("const FINISH_SECOND_PAINT: u32 = {}u;", Finish::SecondPaint as u32)),
            (&light, format!("const FINISH_WEATHERED: u32 = {}u;", Finish::Weathered as u32)),
            (&light, format!("const FINISH_LENS: u32 = {}u;", Finish::Lens as u32)),
        ] {
            assert!(wgsl.contains(&line), "{line}");
        }
    }
}
