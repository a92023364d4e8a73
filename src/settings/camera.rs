use super::table::settings;

settings! {
    /// A camera position and direction. Yaw 0 looks along +X, 90 along +Z; pitch is up.
    pub struct CameraPose as "Camera" {
        /// Position along X.
        x_m: f64 = 0.0, "X" ["m"], number (-1.0e7 ..= 1.0e7);
        /// Height above still water. Below 0 the eye is under water.
        y_m: f64 = 9.0, "Height" ["m"], number (-200.0 ..= 20_000.0);
        /// Position along Z.
        z_m: f64 = 0.0, "Z" ["m"], number (-1.0e7 ..= 1.0e7);
        /// Heading, from +X towards +Z.
        yaw_deg: f64 = 20.0, "Yaw" ["deg"], number (-360.0 ..= 360.0);
        /// Angle above the horizontal.
        pitch_deg: f64 = -6.0, "Pitch" ["deg"], number (-89.0 ..= 89.0);
        /// Vertical field of view.
        fov_deg: f64 = 50.0, "Field of view" ["deg"], number (10.0 ..= 110.0);
    }
}
