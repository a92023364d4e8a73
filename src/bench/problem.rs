//! A transform in the terms of options and pages: sides and a number of dimensions.

use crate::fft::{Descriptor, Kind, Layout};

use super::Size;

/// A transform without its precision and placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: Kind,
    /// From 1 to 3.
    pub dimensions: u32,
    /// Width, height and depth, 1 for missing dimensions.
    pub extent: [u32; 3],
    pub batch: u32,
}

impl Problem {
    /// It, in `layout`. Lines are the rows of one image: so they are next to each other, whatever
    /// their number.
    pub fn task(self, layout: Layout) -> Descriptor {
        let Self { kind, dimensions, extent: [width, height, depth], batch } = self;
        let task = match (dimensions, layout) {
            (1, Layout::Pair) if batch.is_multiple_of(2) => {
                Descriptor { batch: 2, ..Descriptor::lines(width, batch / 2) }
            }
            (1, _) => Descriptor::lines(width, batch),
            (2, _) => Descriptor { batch, ..Descriptor::image([width, height]) },
            _ => Descriptor { batch, ..Descriptor::volume([width, height, depth]) },
        };
        Descriptor { kind, layout, ..task }
    }

    pub fn size(self) -> Size {
        Size::of(self.extent, self.dimensions)
    }

    /// A description such as `64 x 64, batch 4` for sentences, with everything that is not the default.
    pub fn in_words(self) -> String {
        let sides = self.extent[..self.dimensions as usize].iter().map(u32::to_string);
        let mut words = sides.collect::<Vec<_>>().join(" x ");
        if self.dimensions == 1 {
            words += " points";
        }
        if self.kind != Kind::Complex {
            words += &format!(", {}", self.kind);
        }
        words + &format!(", batch {}", self.batch)
    }
}
