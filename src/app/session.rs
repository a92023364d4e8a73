//! The user's choices and view: plain data, which panels edit, the camera flies, and [`state`](super::state)
//! keeps from visit to visit.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::RunOptions;
use super::camera::{Cameras, FlyCamera, Walk};
use super::comparing::CompareChoice;
use super::fft_choice::FftChoice;
use super::time::{Clock, Voyage};
use crate::app::platform;
use crate::choice::{Choice as _, choices};
use crate::debug_view::{DebugChoice, DebugView};
use crate::eye::{EyeLevel, Ground};
use crate::fft::lab::AlgorithmChoice;
use crate::ocean::OceanPath;
use crate::settings::{
    CameraPose, Clouds, Light, Preset, Quality, QualityTier, SeaState, Settings,
};

choices! {
    pub enum TierChoice {
        /// The adapter's kind decides.
        Auto = "auto",
        Low = "low",
        Medium = "medium",
        High = "high",
        Ultra = "ultra",
        /// The user set the quality by hand.
        Custom = "custom",
    }
}

impl TierChoice {
    /// The tier of that choice; `auto` is the adapter's.
    pub(super) fn tier(self, auto: QualityTier) -> Option<QualityTier> {
        match self {
            Self::Auto => Some(auto),
            Self::Low => Some(QualityTier::Low),
            Self::Medium => Some(QualityTier::Medium),
            Self::High => Some(QualityTier::High),
            Self::Ultra => Some(QualityTier::Ultra),
            Self::Custom => None,
        }
    }
}

impl From<QualityTier> for TierChoice {
    fn from(tier: QualityTier) -> Self {
        match tier {
            QualityTier::Low => Self::Low,
            QualityTier::Medium => Self::Medium,
            QualityTier::High => Self::High,
            QualityTier::Ultra => Self::Ultra,
        }
    }
}

choices! {
    pub enum DockTab {
        Timeline = "timeline",
        Compare = "compare",
        /// The measured sea beside theory.
        Measure = "measure",
    }
}

choices! {
    /// A section of the settings with its own reset.
    pub enum Group {
        /// Algorithm, size, and fusion with the other stages.
        Fft = "FFT",
        Sea = "Sea",
        Light = "Light",
        Clouds = "Clouds",
        Camera = "Camera",
        Quality = "Quality",
    }
}

/// Most pixels of a picture where the GPU's speed is unknown.
const MOST_PIXELS: f64 = 1920.0 * 1080.0;

/// The render scale, in twentieths, at which a picture the size of the screen has [`MOST_PIXELS`]: for
/// adapters that get `tier`. 1 where the screen's size is unknown.
fn automatic_scale(tier: QualityTier, screen_pixels: Option<f64>) -> f64 {
    match (tier, screen_pixels) {
        (QualityTier::Low | QualityTier::Medium, Some(pixels)) => {
            let twentieths = (20.0 * (MOST_PIXELS / pixels.max(1.0)).sqrt()).floor();
            let (low, high) = Session::RENDER_SCALES.into_inner();
            (twentieths / 20.0).clamp(low, high)
        }
        _ => 1.0,
    }
}

/// The uses of a field outside the session.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Uses {
    pub saved: bool,
    pub undone: bool,
}

/// One field of a session, for a [`SessionVisitor`].
pub(super) struct SessionField<T> {
    /// Its name in the saved state.
    pub name: &'static str,
    pub uses: Uses,
    pub get: fn(&Session) -> &T,
    pub get_mut: fn(&mut Session) -> &mut T,
    /// Checks the value of a file.
    pub is_sound: fn(&T) -> bool,
}

/// Walks over the fields of a session that are saved or undone ([`Session::visit`]).
pub(super) trait SessionVisitor {
    fn field<T>(&mut self, field: SessionField<T>)
    where
        T: Serialize + DeserializeOwned + Clone + PartialEq;

    /// Visits a table of settings: the scene, whose groups stand in files by their own names, or the quality.
    fn table<S>(&mut self, table: SessionField<S>)
    where
        S: Settings + Serialize + DeserializeOwned;
}

/// Declares [`Session`], its default and [`Session::visit`]. A field reads `name: Type = default [uses]
/// sound(function);`; fields of fields follow after `within`.
macro_rules! session {
    (
        fields {
            $(
                $(#[doc = $help:literal])*
                $field:ident : $type:ty = $default:expr, [$($use:ident)*] $(sound($is_sound:expr))?;
            )*
        }
        tables { $( $table:ident; )* }
        within {
            $( $name:ident = $($path:ident).+, [$($inner_use:ident)*] $(sound($inner_sound:expr))?; )*
        }
    ) => {
        /// The user's choices and view.
        #[derive(Clone, Debug, PartialEq)]
        pub(super) struct Session {
            $( $(#[doc = $help])* pub $field: $type, )*
        }

        impl Default for Session {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl Session {
            /// Shows `visitor` every field that is saved or undone.
            pub fn visit(visitor: &mut impl SessionVisitor) {
                $( session!(@visit visitor, field, $field, $field, [$($use)*] $($is_sound)?); )*
                $( session!(@visit visitor, table, $table, $table, [saved undone]); )*
                $( session!(@visit visitor, field, $name, $($path).+, [$($inner_use)*] $($inner_sound)?); )*
            }
        }
    };
    (@visit $visitor:ident, $method:ident, $name:ident, $($path:ident).+, []) => {};
    (@visit $visitor:ident, $method:ident, $name:ident, $($path:ident).+, [$($use:ident)+]) => {
        session!(@visit $visitor, $method, $name, $($path).+, [$($use)+] |_| true);
    };
    (@visit $visitor:ident, $method:ident, $name:ident, $($path:ident).+, [$($use:ident)+] $is_sound:expr) => {
        $visitor.$method(SessionField {
            name: stringify!($name),
            #[allow(clippy::needless_update, reason = "a field may have every use")]
            uses: Uses { $( $use: true, )+ ..Uses::default() },
            get: |session| &session.$($path).+,
            get_mut: |session| &mut session.$($path).+,
            is_sound: $is_sound,
        });
    };
}

session! {
    fields {
        preset: String = Preset::DEFAULT_NAME.to_owned(), [saved undone];
        scene: Preset = Preset::load(Preset::DEFAULT_NAME).expect("a test parses every shipped preset"), [];
        tier: TierChoice = TierChoice::Auto, [saved undone];
        quality: Quality = Quality::default(), [];
        /// Pixels of the picture per pixel of the window, along each side.
        render_scale: f64 = 1.0, [saved undone] sound(|scale| Session::RENDER_SCALES.contains(scale));
        algorithm: AlgorithmChoice = AlgorithmChoice::Best, [saved undone];
        /// Fusion with spectrum and maps.
        path: OceanPath = OceanPath::Fused, [saved undone];
        /// The picture, or a view into the simulation. Not kept from visit to visit.
        debug: DebugChoice = DebugChoice::default(), [];
        clock: Clock = Clock::default(), [];
        /// Moves the sea of a spectrum file through its hours.
        voyage: Voyage = Voyage::default(), [];
        cameras: Cameras = Cameras::default(), [];
        vsync: bool = true, [saved undone];
        /// Frames per second not to exceed; 0 is no cap.
        frame_cap: u32 = 0, [saved undone] sound(|cap| *cap <= 1_000);
        show_ui: bool = true, [saved];
        show_help: bool = false, [];
        dock: Option<DockTab> = None, [saved];
        /// Height of the dock in points, where the window allows it.
        dock_height: f64 = 310.0, [saved] sound(|height| Session::DOCK_HEIGHTS.contains(height));
        /// The panels have the keyboard, and keys do not fly.
        panels_have_keyboard: bool = false, [];
        /// Size of the panels relative to the screen's default.
        ui_scale: f64 = 1.0, [saved] sound(|scale| Session::UI_SCALES.contains(scale));
        capture_frames: u32 = 120, [saved] sound(|frames| (1..=10_000).contains(frames));
        compare: CompareChoice = CompareChoice::default(), [saved] sound(CompareChoice::is_sound);
        /// Width and height of the window, in logical pixels.
        window: [u32; 2] = [1280, 720], [saved]
            sound(|size| size.iter().all(|side| (64..=16_384).contains(side)));
    }
    tables {
        scene;
        quality;
    }
    within {
        description = scene.description, [undone];
        spectrum_file = scene.sea.recorded, [saved undone];
        time_rate = clock.rate, [undone];
        voyage_hours_per_min = voyage.hours_per_min, [saved undone]
            sound(|speed| Voyage::SPEEDS.contains(speed));
        speed_mps = cameras.fly.speed_mps, [saved undone]
            sound(|speed| FlyCamera::SPEEDS_MPS.contains(speed));
        is_walking = cameras.is_walking, [saved];
        walking_speed_mps = cameras.walk.speed_mps, [saved undone]
            sound(|speed| Walk::SPEEDS_MPS.contains(speed));
        eye_above_water_m = cameras.walk.height_m, [saved undone]
            sound(|height| EyeLevel::HEIGHTS_M.contains(height));
        bookmarks = cameras.bookmarks, [saved];
    }
}

impl Session {
    pub const FRAME_CAPS: [u32; 6] = [0, 30, 60, 90, 120, 144];

    pub const RENDER_SCALES: std::ops::RangeInclusive<f64> = 0.25..=1.0;

    /// Range of the dock's height, in points.
    pub const DOCK_HEIGHTS: std::ops::RangeInclusive<f64> = 120.0..=2000.0;

    /// The bed of its sea.
    pub fn ground(&self) -> Ground {
        Ground::new(self.scene.scenery.bed, self.scene.sea.depth_m)
    }

    /// Opens the dock with `tab`, or closes it if it shows that tab.
    pub fn toggle_dock(&mut self, tab: DockTab) {
        self.dock = (self.dock != Some(tab)).then_some(tab);
    }

    /// Whether the times of frames are shown anywhere.
    pub fn shows_times(&self) -> bool {
        self.show_ui || self.dock == Some(DockTab::Timeline)
    }

    /// Range for keys and panel.
    pub const UI_SCALES: std::ops::RangeInclusive<f64> = 0.5..=3.0;

    /// Makes the panels larger by `steps` of a tenth.
    pub fn zoom(&mut self, steps: i8) {
        let tenths = (self.ui_scale * 10.0).round() + f64::from(steps);
        self.ui_scale = (tenths / 10.0).clamp(*Self::UI_SCALES.start(), *Self::UI_SCALES.end());
    }

    /// Takes quality and render scale from a tier.
    pub fn set_tier(&mut self, tier: QualityTier) {
        self.quality = Quality::of(tier);
        // Two cores that play GPU fill a quarter of 960 x 540 pixels ten times a second.
        self.render_scale = if tier == QualityTier::Low { 0.5 } else { 1.0 };
    }

    /// [`Session::set_tier`] of the chosen tier, if one is chosen: `auto` is the adapter's.
    pub fn follow_tier(&mut self, auto: QualityTier) {
        let Some(tier) = self.tier.tier(auto) else { return };
        self.set_tier(tier);
        if self.tier == TierChoice::Auto {
            let scale = automatic_scale(tier, platform::screen_pixels());
            self.render_scale = self.render_scale.min(scale);
        }
    }

    pub fn fft(&self) -> FftChoice {
        let Quality { size, cascades, .. } = self.quality;
        FftChoice { algorithm: self.algorithm, size, cascades, path: self.path }
    }

    /// Changes the FFT's size, which leaves the tier.
    pub fn set_fft_size(&mut self, size: u32) {
        if size != self.quality.size {
            self.quality.size = size;
            self.tier = TierChoice::Custom;
        }
    }

    pub fn next_view(&mut self, back: bool) {
        let all = DebugView::ALL;
        let here = all.iter().position(|view| *view == self.debug.view).unwrap_or(0);
        let step = if back { all.len() - 1 } else { 1 };
        self.debug.view = all[(here + step) % all.len()];
    }

    /// Resets `group` to its defaults; `auto` is the tier of the adapter's kind.
    pub fn reset(&mut self, group: Group, auto: QualityTier) {
        let default = Self::default();
        match group {
            Group::Fft => {
                self.algorithm = default.algorithm;
                self.path = default.path;
                let tier = self.tier.tier(auto).unwrap_or(auto);
                self.set_fft_size(Quality::of(tier).size);
            }
            Group::Sea => {
                self.scene.sea = SeaState::default();
                self.clock.rate = default.clock.rate;
            }
            Group::Light => self.scene.light = Light::default(),
            Group::Clouds => self.scene.clouds = Clouds::default(),
            Group::Camera => {
                self.scene.camera = CameraPose::default();
                self.cameras.fly = default.cameras.fly;
                self.cameras.walk = default.cameras.walk;
                self.cameras.stay();
            }
            Group::Quality => {
                self.tier = TierChoice::Auto;
                self.follow_tier(auto);
                self.vsync = default.vsync;
                self.frame_cap = default.frame_cap;
            }
        }
    }

    /// Whether [`Session::reset`] would change something.
    pub fn differs(&self, group: Group, auto: QualityTier) -> bool {
        let mut reset = self.clone();
        reset.reset(group, auto);
        // Values that change by themselves are no settings.
        reset.cameras.fly.take_velocity(&self.cameras.fly);
        reset.cameras.walk.take_velocity(&self.cameras.walk);
        reset != *self
    }

    /// Applies the command line over the remembered session.
    pub fn apply(&mut self, options: &RunOptions) {
        if let Some((name, scene)) = &options.scene {
            self.preset.clone_from(name);
            self.scene = scene.clone();
            self.cameras.stay();
        }
        if let Some(height_m) = options.eye_above_water_m {
            self.cameras.walk.height_m = height_m;
            self.cameras.is_walking = true;
        }
        if let Some(tier) = options.tier {
            self.tier = tier.into();
        }
        if let Some(algorithm) = options.algorithm {
            self.algorithm = algorithm;
        }
        if let Some(resolution) = options.resolution {
            self.window = resolution.map(|side| side.max(1));
        }
        if let Some(hours_per_min) = options.voyage_hours_per_min {
            self.voyage.hours_per_min = hours_per_min;
            self.voyage.set_under_way(&mut self.scene.sea, true);
        }
        self.path = options.path.unwrap_or(self.path);
        self.vsync = options.vsync.unwrap_or(self.vsync);
        self.frame_cap = options.frame_cap.unwrap_or(self.frame_cap);
    }

    /// Settles the quality once the adapter's tier is known.
    pub fn settle_quality(&mut self, auto: QualityTier, size: Option<u32>) {
        self.follow_tier(auto);
        if let Some(size) = size {
            self.quality.size = size;
        }
    }

    /// Chooses the adapter's defaults, whichever it is: for [`Session::settle_quality`].
    pub fn suit_the_adapter(&mut self) {
        self.tier = TierChoice::Auto;
        self.algorithm = AlgorithmChoice::Best;
        self.path = OceanPath::Fused;
    }

    /// Gives up settings that this adapter cannot run: algorithm and size first, then all of the quality, for
    /// the tier of the adapter's kind. Returns false if nothing is left to give up.
    pub fn give_way(&mut self, auto: QualityTier) -> bool {
        let before = (self.fft(), self.quality.clone());
        self.algorithm = AlgorithmChoice::Best;
        self.quality.size = Quality::of(self.tier.tier(auto).unwrap_or(auto)).size;
        if before == (self.fft(), self.quality.clone()) {
            self.tier = TierChoice::Auto;
            self.path = OceanPath::Fused;
            self.follow_tier(auto);
        }
        before != (self.fft(), self.quality.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_pixels_start_scaled_down_at_unknown_speed() {
        let scale =
            |[width, height]: [f64; 2]| automatic_scale(QualityTier::Medium, Some(width * height));
        for (screen, expected) in [
            ([0.0, 0.0], 1.0),
            ([1280.0, 720.0], 1.0),
            ([1920.0, 1080.0], 1.0),
            ([3840.0, 2160.0], 0.5),
            ([1170.0, 2532.0], 0.8),
            ([1e5, 1e5], 0.25),
        ] {
            assert_eq!(scale(screen), expected, "{screen:?}");
        }
        assert_eq!(automatic_scale(QualityTier::High, Some(1e9)), 1.0);
        assert_eq!(automatic_scale(QualityTier::Medium, None), 1.0);
    }

    #[test]
    fn settings_that_cannot_run_give_way_to_the_tier() {
        let auto = QualityTier::Low;
        let mut session = Session { tier: TierChoice::Custom, ..Session::default() };
        session.quality = Quality { cascades: 4, size: 8192, ..Quality::of(QualityTier::Ultra) };
        session.algorithm = AlgorithmChoice::of_powers_of_two().last().unwrap();
        session.path = OceanPath::Plain;
        assert!(session.give_way(auto));
        assert_eq!(session.algorithm, AlgorithmChoice::Best);
        assert_eq!(session.quality.size, Quality::of(auto).size);
        assert_eq!(session.quality.cascades, 4);
        assert!(session.give_way(auto));
        assert_eq!((session.quality.clone(), session.tier), (Quality::of(auto), TierChoice::Auto));
        assert!(!session.give_way(auto));
    }

    #[test]
    fn what_suits_the_adapter_is_its_own_choice() {
        let mut session = Session { tier: TierChoice::Custom, ..Session::default() };
        session.quality.size = 8192;
        session.algorithm = AlgorithmChoice::of_powers_of_two().last().unwrap();
        session.suit_the_adapter();
        session.settle_quality(QualityTier::Low, None);
        assert_eq!(session.quality, Quality::of(QualityTier::Low));
        assert_eq!(session.algorithm, AlgorithmChoice::Best);
    }

    #[test]
    fn a_reset_group_has_its_defaults() {
        let auto = QualityTier::Medium;
        let mut start = Session::default();
        start.settle_quality(QualityTier::Medium, None);
        // The preset that a session starts with has a sea of its own.
        start.scene = Preset::default();
        for group in Group::ALL {
            assert!(!start.differs(*group, auto), "{group}");
        }
        let mut changed = start.clone();
        changed.algorithm = AlgorithmChoice::Auto;
        changed.scene.sea.wind_speed_mps = 30.0;
        changed.scene.light.haze = 5.0;
        changed.scene.clouds.cloud_cover = 0.9;
        changed.scene.camera.y_m = 99.0;
        changed.frame_cap = 30;
        for group in Group::ALL {
            assert!(changed.differs(*group, auto), "{group}");
            let mut reset = changed.clone();
            reset.reset(*group, auto);
            for other in Group::ALL {
                assert_eq!(reset.differs(*other, auto), other != group, "{group}: {other}");
            }
        }
        for group in Group::ALL {
            changed.reset(*group, auto);
        }
        assert_eq!(changed, start);
    }

    #[test]
    fn views_come_round_both_ways() {
        let mut session = Session::default();
        for &view in DebugView::ALL.iter().skip(1) {
            session.next_view(false);
            assert_eq!(session.debug.view, view);
        }
        session.next_view(false);
        assert_eq!(session.debug.view, DebugView::Picture);
        session.next_view(true);
        assert_eq!(Some(&session.debug.view), DebugView::ALL.last());
    }

    #[test]
    fn the_command_line_wins_over_the_adapter() {
        let mut session = Session::default();
        session.apply(&RunOptions {
            algorithm: Some(AlgorithmChoice::Auto),
            vsync: Some(false),
            ..RunOptions::default()
        });
        assert_eq!((session.algorithm, session.vsync), (AlgorithmChoice::Auto, false));
        session.settle_quality(QualityTier::Low, None);
        assert_eq!(session.quality, Quality::of(QualityTier::Low));
        session.settle_quality(QualityTier::High, Some(512));
        assert_eq!(session.quality, Quality { size: 512, ..Quality::of(QualityTier::High) });
        let custom = Quality { cascades: 1, ..Quality::default() };
        session.tier = TierChoice::Custom;
        session.quality = custom.clone();
        session.settle_quality(QualityTier::Low, None);
        assert_eq!(session.quality, custom);
    }
}
