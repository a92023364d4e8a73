//! The stages that take an ocean from the waves to the maps.

use crate::choice::choices;
use crate::fft::{self, Axis};
use crate::maps::{MapsStage, StorePass};
use crate::spectrum::{EvolvePass, SpectrumStage};

choices! {
    /// A stage of a step, as profiles time it.
    pub enum OceanStage {
        /// Moves the waves to the time, in memory.
        Spectrum = "spectrum",
        /// Transforms the rows of all images.
        Rows = "rows",
        /// Moves the waves to the time and transforms the rows.
        SpectrumRows = "spectrum_rows",
        /// Transforms the columns of all images.
        Columns = "columns",
        /// Stores level 0 of the maps.
        Maps = "maps",
        /// Transforms the columns and stores level 0 of the maps.
        ColumnsMaps = "columns_maps",
        /// Makes the other levels of the maps.
        Mips = "mips",
    }
}

impl OceanStage {
    /// The stage's name in profiles.
    pub fn label(self) -> &'static str {
        match self {
            Self::Spectrum => "spectrum",
            Self::Rows => "fft rows",
            Self::SpectrumRows => "spectrum + fft rows",
            Self::Columns => "fft columns",
            Self::Maps => "maps",
            Self::ColumnsMaps => "fft columns + maps",
            Self::Mips => "mips",
        }
    }
}

/// One step from the waves to the maps.
pub(crate) struct Step<'a> {
    pub(crate) spectrum: &'a SpectrumStage,
    pub(crate) transform: &'a fft::Bound,
    /// The passes around a transform without hooks.
    pub(crate) passes: Option<(&'a EvolvePass, &'a StorePass)>,
    pub(crate) maps: &'a MapsStage,
}

impl Step<'_> {
    /// The stages in order, each with its recording function.
    pub(crate) fn stages(
        &self,
        time_s: f64,
        mut visit: impl FnMut(OceanStage, &dyn Fn(&mut wgpu::ComputePass<'_>)),
    ) {
        let time = &self.spectrum.time_offsets(time_s);
        let transform = self.transform;
        match self.passes {
            Some((evolve, store)) => {
                visit(OceanStage::Spectrum, &|pass| evolve.encode(pass, time));
                visit(OceanStage::Rows, &|pass| transform.encode_axis(pass, Axis::Row));
                visit(OceanStage::Columns, &|pass| transform.encode_axis(pass, Axis::Column));
                visit(OceanStage::Maps, &|pass| store.encode(pass));
            }
            None => {
                let axis = |pass: &mut wgpu::ComputePass<'_>, axis| {
                    transform.encode_axis_at(pass, axis, time);
                };
                visit(OceanStage::SpectrumRows, &|pass| axis(pass, Axis::Row));
                visit(OceanStage::ColumnsMaps, &|pass| axis(pass, Axis::Column));
            }
        }
        visit(OceanStage::Mips, &|pass| self.maps.encode_mips(pass));
    }
}
