use super::table::{Entry, settings};
use crate::choice::choices;

choices! {
    /// Named sets of [`Quality`] settings.
    pub enum QualityTier {
        /// For a software adapter: usable on two cores.
        Low = "low",
        /// For integrated graphics of recent laptops.
        Medium = "medium",
        /// For graphics cards, and the default of `render`.
        High = "high",
        /// Up to 2.2 million vertices at 1920 x 1080.
        Ultra = "ultra",
    }
}

settings! {
    /// Costs of the picture. The sea itself is the same at every quality, only finer.
    pub struct Quality as "Quality" {
        /// Points along one side of each cascade's grid.
        size: u32 = 256, "FFT size" [""], power_of_two (16 ..= 8192);
        /// Number of cascades, each of finer waves than the one before.
        cascades: u32 = 4, "Cascades" [""], integer (1 ..= 4);
        /// Cells along one side of a mesh tile.
        tile_cells: u32 = 16, "Mesh tile" ["cells"], multiple_of 2 (4 ..= 64);
        /// Spacing of the mesh next to the camera.
        finest_spacing_m: f64 = 0.025, "Mesh spacing" ["m"], logarithmic (0.005 ..= 2.0);
        /// Largest width of a mesh cell in pixels; cells are wider where waves look flat or the finest spacing is reached.
        cell_pixels: f64 = 10.0, "Mesh cells" ["px"], logarithmic (2.0 ..= 64.0);
        /// Samples per pixel at edges.
        msaa_samples: u32 = 4, "Edge samples" [""], one_of [1, 4];
        /// Draw the light that the lens scatters; the setting Glare says how much.
        lens_glare: bool = true, "Lens glare" [""], flag;
        /// Directions in which each pixel of the water samples the mirrored sky.
        mirror_samples: u32 = 3, "Mirrored sky" ["samples"], one_of [1, 3];
        /// Draw glitter from single facets, which sparkle, instead of their mean.
        glints: bool = true, "Glints" [""], flag;
        /// Texture samples along the long axis of a pixel's footprint.
        anisotropy: u32 = 8, "Anisotropy" [""], power_of_two (1 ..= 16);
        /// Number of cascades, from the coarsest, that are interpolated smoothly near the camera, at four times the cost there.
        cubic_cascades: u32 = 4, "Smooth cascades" [""], integer (0 ..= 4);
        /// Number of cascades, from the coarsest, that never repeat, at three times the samples.
        blended_cascades: u32 = 2, "Unrepeated" [""], integer (0 ..= 4);
        /// Texels along one side of each level of the foam's memory, or 0 for none. Below 128, foam has no streaks, relief or fine threads.
        foam_texels: u32 = 256, "Foam texels" [""], zero_or_power_of_two (16 ..= 1024);
        /// Steps of the foam simulation per second.
        foam_steps_per_s: u32 = 30, "Foam steps" ["/s"], integer (5 ..= 60);
        /// Cells along one side of each level that throw up spray; 0 for no spray. Spray also needs foam texels.
        spray_cells: u32 = 32, "Spray cells" [""], multiple_of 8 (0 ..= 64);
        /// Texels along one side of each level of the map of the bed, which shows caustics.
        bed_texels: u32 = 512, "Bed texels" [""], power_of_two (64 ..= 1024);
        /// Texels along one side of each image of an object, by which the water mirrors it and lies in its shadow.
        object_texels: u32 = 128, "Object texels" [""], power_of_two (16 ..= 512);
        /// Steps along a line of sight through shafts of sunlight in the water; 0 for no shafts.
        shaft_steps: u32 = 28, "Sun shafts" ["steps"], multiple_of 7 (0 ..= 56);
        /// Cells along one side of the lattice of particles that sink around an eye in the water, one particle each; 0 for none.
        particle_cells: u32 = 24, "Particles" [""], multiple_of 2 (0 ..= 32);
        /// Steps along a line of sight through the clouds; 0 for no clouds.
        cloud_steps: u32 = 64, "Cloud steps" [""], integer (0 ..= 128);
        /// Pixels along a side of each square that shares a line of sight through the clouds.
        cloud_pixels: u32 = 1, "Cloud pixels" ["px"], integer (1 ..= 2);
        /// Texels along one side of the volume of the low clouds.
        cloud_texels: u32 = 256, "Cloud texels" [""], power_of_two (16 ..= 256);
    }
}

impl Quality {
    /// Returns what would draw the setting of a scene that `entry` describes, where this quality does
    /// not draw it: the names of settings of the quality, each with a value that does.
    pub fn hidden(&self, entry: &Entry) -> Option<&'static [(&'static str, u32)]> {
        match (entry.group, entry.name) {
            ("clouds", _) if self.cloud_steps == 0 => Some(&[("cloud_steps", 32)]),
            ("sea", "spray") if self.foam_texels == 0 => {
                Some(&[("foam_texels", 128), ("spray_cells", 24)])
            }
            ("sea", "spray") if self.spray_cells == 0 => Some(&[("spray_cells", 24)]),
            ("sea", "foam") if self.foam_texels == 0 => Some(&[("foam_texels", 128)]),
            _ => None,
        }
    }

    /// The settings of a named tier.
    ///
    /// When the camera turns by a tenth of a pixel, a picture changes at most 1.15 times as much as one
    /// of many samples would, with clouds and foam and without glints. Glints are facets smaller than a
    /// pixel, and sparkle: with them the sun's path, in a picture of 1080 rows, changes up to 5 times
    /// (medium), 4 times (high) or 3.5 times (ultra) as much as many samples of it without.
    pub fn of(tier: QualityTier) -> Self {
        let high = Self::default();
        match tier {
            QualityTier::Low => Self {
                size: 128,
                tile_cells: 8,
                finest_spacing_m: 0.4,
                cell_pixels: 64.0,
                msaa_samples: 1,
                lens_glare: false,
                mirror_samples: 1,
                anisotropy: 2,
                cubic_cascades: 0,
                blended_cascades: 0,
                foam_texels: 64,
                foam_steps_per_s: 10,
                spray_cells: 0,
                bed_texels: 128,
                object_texels: 32,
                shaft_steps: 0,
                particle_cells: 16,
                cloud_steps: 0,
                cloud_pixels: 2,
                cloud_texels: 64,
                ..high
            },
            QualityTier::Medium => Self {
                tile_cells: 8,
                finest_spacing_m: 0.06,
                cell_pixels: 22.0,
                anisotropy: 4,
                blended_cascades: 1,
                foam_texels: 128,
                spray_cells: 24,
                bed_texels: 256,
                object_texels: 64,
                particle_cells: 20,
                cloud_steps: 32,
                cloud_pixels: 2,
                cloud_texels: 128,
                ..high
            },
            QualityTier::High => high,
            QualityTier::Ultra => Self {
                size: 512,
                tile_cells: 24,
                finest_spacing_m: 0.0125,
                cell_pixels: 6.0,
                anisotropy: 16,
                foam_texels: 512,
                spray_cells: 48,
                object_texels: 256,
                particle_cells: 28,
                cloud_steps: 112,
                ..high
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice as _;

    /// The table of the tiers in `docs/rendering.md` has their settings.
    #[test]
    fn the_documented_tiers_are_the_tiers() {
        let page = include_str!("../../docs/rendering.md");
        type Cell = fn(&Quality) -> String;
        let or_none = |value: u32| if value == 0 { "none".to_owned() } else { value.to_string() };
        let spacing = |metres: f64| format!("{} cm", (1000.0 * metres).round() / 10.0);
        let row = |name: &str, cell: &dyn Fn(&Quality) -> String| {
            let cells: Vec<String> =
                QualityTier::ALL.iter().map(|tier| cell(&Quality::of(*tier))).collect();
            let row = format!("| {name} | {} |", cells.join(" | "));
            assert!(page.contains(&row), "docs/rendering.md lacks\n{row}");
        };
        let plain: [(&str, Cell); 8] = [
            ("FFT size (`--size`), cascades", |q| format!("{}, {}", q.size, q.cascades)),
            ("edge samples (`--msaa-samples`)", |q| q.msaa_samples.to_string()),
            ("samples along a footprint (`--anisotropy`)", |q| q.anisotropy.to_string()),
            ("smooth cascades (`--cubic-cascades`)", |q| q.cubic_cascades.to_string()),
            ("unrepeated cascades (`--blended-cascades`)", |q| q.blended_cascades.to_string()),
            ("foam's texels, steps (`--foam-texels`, `--foam-steps-per-s`)", |q| {
                format!("{}, {} /s", q.foam_texels, q.foam_steps_per_s)
            }),
            ("mirrored sky (`--mirror-samples`)", |q| q.mirror_samples.to_string()),
            ("lens glare", |q| if q.lens_glare { "yes" } else { "no" }.to_owned()),
        ];
        for (name, cell) in plain {
            row(name, &cell);
        }
        row("mesh cells (`--cell-pixels`), from (`--finest-spacing-m`)", &|q| {
            format!("{} px, {}", q.cell_pixels, spacing(q.finest_spacing_m))
        });
        row("spray's cells (`--spray-cells`)", &|q| or_none(q.spray_cells));
        row("the bed's texels (`--bed-texels`)", &|q| q.bed_texels.to_string());
        row("the objects' texels (`--object-texels`)", &|q| q.object_texels.to_string());
        row("steps through sun shafts (`--shaft-steps`)", &|q| or_none(q.shaft_steps));
        row("particles' cells under water (`--particle-cells`)", &|q| or_none(q.particle_cells));
        row("cloud steps (`--cloud-steps`), each for (`--cloud-pixels`)", &|q| {
            let pixels = if q.cloud_pixels > 1 { "4 pixels" } else { "a pixel" };
            let steps = or_none(q.cloud_steps);
            if q.cloud_steps == 0 { steps } else { format!("{steps}, {pixels}") }
        });
    }
}
