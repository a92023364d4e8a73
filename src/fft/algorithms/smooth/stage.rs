//! The stages of a line.

/// One stage of a line, from the values of its butterflies to their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Points of a butterfly.
    pub radix: u32,
    /// Points that the stages before have brought together: s in `Emission`'s formulas.
    pub stride: u32,
    /// Of the transform back: its factors are the conjugates of the others.
    pub back: bool,
    /// Multiplies its results by the filter and transforms them back at once: the last stage there
    /// and the first one back.
    pub turns_back: bool,
}

impl Stage {
    /// The stages of a transform there and, if so asked, back: the same radices in reverse, so that
    /// the last stage there and the first one back have the same values.
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

    /// Where its butterflies start to write: a stage that turns back writes as the first one back.
    pub fn write_stride(&self) -> u32 {
        if self.turns_back { 1 } else { self.stride }
    }
}
