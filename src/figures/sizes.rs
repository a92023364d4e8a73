//! Sizes of kernels in SPIR-V, which is what Mota's thesis has from glslang.

use serde::{Deserialize, Serialize};

use super::draw::{Compared, Holds, Verdict};
#[cfg(feature = "cli")]
use {
    super::command::KernelOf,
    crate::fft::{Axis, lab},
    crate::foundry::{Shader, Sheet, languages},
    crate::gpu::Capabilities,
    anyhow::{Context as _, ensure},
};

/// A kernel in SPIR-V. The field names are keys of the measurements' file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KernelSize {
    pub algorithm: String,
    pub spirv_bytes: u64,
    /// The size with a loop in place of WGSL's `reverseBits`, where the kernel reverses bits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loop_spirv_bytes: Option<u64>,
}

/// The bit reversal of `bit_reverse.wgsl`, and the same by hand.
#[cfg(feature = "cli")]
const BUILT_IN: &str = "return reverseBits(n) >> (32u - LOG2_LENGTH);";
#[cfg(feature = "cli")]
const BY_HAND: &str = "var left = n;
    var reversed = 0u;
    for (var bit = 0u; bit < LOG2_LENGTH; bit++) {
        reversed = (reversed << 1u) | (left & 1u);
        left >>= 1u;
    }
    return reversed;";

#[cfg(feature = "cli")]
impl KernelSize {
    /// The kernel that `seaway kernel` prints, or the first of those that it prints.
    pub fn of(wanted: &KernelOf, capabilities: &Capabilities) -> anyhow::Result<Self> {
        let KernelOf { algorithm, number } = wanted;
        let task = wanted.task();
        let program = lab::program(&task, capabilities)?;
        let is_of_rows = |kernel: &usize| {
            let mut runs = program.dispatches.iter().filter(|run| run.kernel == *kernel);
            runs.any(|run| run.axis == Axis::Row)
        };
        let index = (0..program.kernels.len()).filter(is_of_rows).nth(number.unwrap_or(1) - 1);
        let index = index.with_context(|| format!("{algorithm} has fewer kernels"))?;
        let kernel = Sheet::new(&task, &program).kernels.swap_remove(index);
        let by_hand = kernel.wgsl.contains(BUILT_IN).then(|| {
            let mut by_hand = kernel.clone();
            by_hand.wgsl = kernel.wgsl.replace(BUILT_IN, BY_HAND);
            by_hand
        });
        ensure!(
            by_hand.is_some() || !kernel.wgsl.contains("reverseBits"),
            "{algorithm} reverses bits in an unknown way"
        );
        let bytes = |kernel: &Shader| anyhow::Ok(4 * languages::spirv(kernel)?.len() as u64);
        Ok(Self {
            algorithm: algorithm.to_string(),
            spirv_bytes: bytes(&kernel)?,
            loop_spirv_bytes: by_hand.as_ref().map(bytes).transpose()?,
        })
    }
}

/// The built-in bit reversal saves about 400 bytes: it holds within a quarter of that.
pub fn reversal(each: &KernelSize) -> Verdict {
    const SAVED: f64 = 400.0;
    let Some(by_hand) = each.loop_spirv_bytes else {
        return Verdict::unmeasured("This kernel reverses no bits.");
    };
    let saved = by_hand as f64 - each.spirv_bytes as f64;
    let holds = match saved {
        saved if (saved - SAVED).abs() <= SAVED / 4.0 => Holds::Yes,
        saved if saved > 0.0 => Holds::InPart,
        _ => Holds::No,
    };
    let text = format!(
        "The kernel of {} takes {} bytes with `reverseBits`, and {by_hand} with a loop over the bits. \
         The difference is {saved:.0}.",
        each.algorithm, each.spirv_bytes
    );
    Verdict::new(holds, text)
}

/// The radix-4 kernel is 70% larger: it holds within ten points.
pub fn growth(two: &KernelSize, four: &KernelSize, points: u64) -> Verdict {
    let ratio = four.spirv_bytes as f64 / two.spirv_bytes as f64;
    let percent = 100.0 * (ratio - 1.0);
    let holds = match percent {
        percent if (60.0..=80.0).contains(&percent) => Holds::Yes,
        percent if percent > 0.0 => Holds::InPart,
        _ => Holds::No,
    };
    let text = format!(
        "The kernel of radix 4 takes {} bytes and that of radix 2 takes {}, which is {percent:+.0}%.",
        four.spirv_bytes, two.spirv_bytes
    );
    let values = vec![(points, ratio)];
    Verdict::new(holds, text).beside(Compared { what: "bytes of radix 4 / radix 2".into(), values })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(spirv_bytes: u64, loop_spirv_bytes: Option<u64>) -> KernelSize {
        KernelSize { algorithm: "one".to_owned(), spirv_bytes, loop_spirv_bytes }
    }

    #[test]
    fn sizes_are_judged_by_the_thesis() {
        let saved = |bytes: u64| reversal(&size(5000, Some(bytes))).holds;
        assert_eq!([5500, 5300, 5600, 5001, 4900].map(saved), {
            use Holds::{InPart, No, Yes};
            [Yes, Yes, InPart, InPart, No]
        });
        assert_eq!(reversal(&size(5000, None)).holds, Holds::Unmeasured);
        let grown = |bytes: u64| growth(&size(1000, None), &size(bytes, None), 256).holds;
        assert_eq!([1700, 1400, 900].map(grown), [Holds::Yes, Holds::InPart, Holds::No]);
    }
}
