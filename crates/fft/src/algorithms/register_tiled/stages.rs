//! The decomposition of a length into stages, as plain data: printed, compared and tested without a GPU.

use std::fmt;

/// The stages of one line, every one of which keeps `values` points of the line in the registers
/// of each invocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagePlan {
    /// Points of the line: the product of the radices.
    pub length: u32,
    /// Points that one invocation holds; a multiple of every radix.
    pub values: u32,
    /// Radix of each stage, first to last.
    pub radices: Vec<u32>,
}

impl StagePlan {
    /// The fewest stages of at most `max_radix`, as even as possible (512 = 8 8 8, 1024 = 16 8 8), with
    /// `butterflies` of the largest radix in each invocation. `length` and the others are powers of two,
    /// and `length` is at least 2.
    pub fn new(length: u32, max_radix: u32, butterflies: u32) -> Self {
        let bits = length.ilog2();
        let count = bits.div_ceil(max_radix.ilog2());
        let radices: Vec<u32> =
            (0..count).map(|stage| 1 << (bits / count + u32::from(stage < bits % count))).collect();
        let values = (radices[0] * butterflies).min(length);
        Self { length, values, radices }
    }

    /// The number of invocations that share a line.
    pub fn lanes(&self) -> u32 {
        self.length / self.values
    }

    /// Points `stride` apart that the stages before `stage` have already brought together: the
    /// product of their radices (Ns in Govindaraju et al. 2008, figure 2).
    pub fn stride(&self, stage: usize) -> u32 {
        self.radices[..stage].iter().product()
    }
}

/// Formats as `1024 = 16 x 8 x 8, 16 values in each of 64 invocations`.
impl fmt::Display for StagePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = ", self.length)?;
        for (stage, radix) in self.radices.iter().enumerate() {
            let times = if stage == 0 { "" } else { " x " };
            write!(f, "{times}{radix}")?;
        }
        write!(f, ", {} values in each of {} invocations", self.values, self.lanes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_split_into_few_even_stages() {
        let radices = |length, max_radix| StagePlan::new(length, max_radix, 1).radices;
        assert_eq!(radices(512, 8), [8, 8, 8]);
        assert_eq!(radices(1024, 16), [16, 8, 8]);
        assert_eq!(radices(2048, 16), [16, 16, 8]);
        assert_eq!(radices(256, 16), [16, 16]);
        assert_eq!(radices(256, 8), [8, 8, 4]);
        assert_eq!(radices(2, 16), [2]);
    }

    #[test]
    fn every_plan_covers_its_length() {
        for bits in 1..=13 {
            for (max_radix, butterflies) in [(8, 1), (16, 1), (8, 2), (4, 4)] {
                let plan = StagePlan::new(1 << bits, max_radix, butterflies);
                assert_eq!(plan.radices.iter().product::<u32>(), plan.length, "{plan}");
                assert_eq!(plan.lanes() * plan.values, plan.length, "{plan}");
                assert!(plan.radices.iter().all(|radix| *radix <= max_radix), "{plan}");
                assert!(
                    plan.radices.iter().all(|radix| plan.values.is_multiple_of(*radix)),
                    "{plan}"
                );
            }
        }
    }

    #[test]
    fn plans_print() {
        assert_eq!(
            StagePlan::new(1024, 16, 1).to_string(),
            "1024 = 16 x 8 x 8, 16 values in each of 64 invocations"
        );
    }
}
