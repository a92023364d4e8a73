#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The points of a butterfly.
    pub radix: u32,
    /// The number of points that the stages before have combined: s in `Emission`'s formulas.
    pub stride: u32,
    /// Whether it belongs to the transform back, with conjugate factors.
    pub back: bool,
    /// Whether it multiplies its results by the filter and transforms them back at once: the last stage
    /// forward and the first one back.
    pub turns_back: bool,
}

impl Stage {
    /// The stages of a transform forward and, with `and_back`, back: the same radices in reverse, so
    /// that the last stage forward and the first one back have the same values.
    pub fn all(radices: &[u32], and_back: bool) -> Vec<Self> {
        let strides = |radices: &[u32]| {
            let before = radices.iter().scan(1, |stride, radix| {
                let this = *stride;
                *stride *= radix;
                Some(this)
            });
            before.collect::<Vec<u32>>()
        };
        let stage = |back| {
            move |(radix, stride): (&u32, u32)| Self {
                radix: *radix,
                stride,
                back,
                turns_back: false,
            }
        };
        let mut stages: Vec<_> = radices.iter().zip(strides(radices)).map(stage(false)).collect();
        if and_back {
            let reversed: Vec<u32> = radices.iter().rev().copied().collect();
            if let Some(last) = stages.last_mut() {
                last.turns_back = true;
            }
            stages.extend(reversed.iter().zip(strides(&reversed)).skip(1).map(stage(true)));
        }
        stages
    }

    /// The stride of its writes: a stage that turns back writes like the first one back.
    pub fn write_stride(&self) -> u32 {
        if self.turns_back { 1 } else { self.stride }
    }
}
