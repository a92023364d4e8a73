//! The parameters that several algorithms share.

use super::parameters::parameters;
use crate::choice::{Choice as _, choices};

choices! {
    /// The memory for results between the stages of a line.
    pub enum PingPong {
        /// Workgroup memory, as in Zhang et al.
        Workgroup = "workgroup",
        /// Two arrays in storage, like the thesis' images, within one dispatch (Mota 2022, section 5.3).
        Storage = "storage",
    }
}

/// The largest values of lines and butterflies.
pub(crate) const MOST_LINES: u32 = 1024;
pub(crate) const MOST_BUTTERFLIES: u32 = 1 << 14;

parameters! {
    /// The parameters of algorithms that transform whole lines in workgroup memory.
    pub struct LineParameters {
        ping_pong: PingPong = "ping-pong", Kind::Choice(PingPong::NAMES),
            "memory for results between the stages of a line within a dispatch: workgroup memory, \
             or two arrays in storage as in Mota's thesis";
    }

    /// The distribution of the lines along one axis over workgroups and invocations.
    pub struct LineShape {
        lines_per_workgroup: u32 = "lines", Kind::PowerOfTwo { min: 1, max: MOST_LINES },
            "adjacent " - " that one workgroup transforms";
        /// See Mota 2022, figure 16.
        butterflies_per_invocation: u32 =
            "butterflies", Kind::PowerOfTwo { min: 1, max: MOST_BUTTERFLIES },
            "butterflies that one invocation computes in each stage for " - "";
    }
}

parameters! {
    /// The parameters of algorithms with several passes over the whole image.
    pub struct PassParameters {
        workgroup_size: u32 = "workgroup-size", Kind::PowerOfTwo { min: 1, max: 1024 },
            "invocations in a workgroup";
    }
}

/// The largest block, within one workgroup of WebGPU's default limits.
const MOST_BLOCK_POINTS: u32 = 1024;

parameters! {
    /// The parameters of `cooley-tukey-multipass`.
    pub struct MultipassParameters {
        workgroup_size: u32 = "workgroup-size", Kind::PowerOfTwo { min: 1, max: 1024 },
            "invocations in a workgroup";
        block_points: u32 = "block-points", Kind::PowerOfTwo { min: 2, max: MOST_BLOCK_POINTS },
            "points that the first dispatch takes through their stages in workgroup memory, as in Zhang et \
             al.; 2 is one stage";
    }
}
