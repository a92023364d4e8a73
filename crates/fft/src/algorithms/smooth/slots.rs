//! The places of values in workgroup memory between two stages.

use super::plan::LinePlan;
use super::stage::Stage;

/// The banks of workgroup memory on all known GPUs, each 4 bytes wide, and the invocations that access
/// it at once.
const BANKS: u32 = 32;

/// The slots of a workgroup's lines. Each holds the exchanged part of one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    /// The empty slots of each exchange after each block of the stage before, so that neighbouring
    /// invocations write to different banks.
    pads: Vec<u32>,
    /// The number of portions, 1 or 2, in which the values of a line are exchanged.
    pub portions: u32,
    /// The slots of one line, for one portion of its values.
    pub line_slots: u32,
    /// The lines whose slots alternate, like the invocations: those of the workgroup, or 1.
    pub lines_abreast: u32,
}

/// The slots of one exchange: after every `block` values `pad` slots stay empty.
#[derive(Clone, Copy, Debug)]
pub struct Exchange {
    stride: u32,
    block: u32,
    pad: u32,
}

impl Slots {
    /// The slots for `lines` lines of `plan` with `stages`. Slots of lines alternate if `alternate`;
    /// otherwise the invocations of a line are neighbours. `pads` allows empty slots, and a slot takes
    /// `slot_words` banks. Two `portions` are for lines that [`Slots::may_halve`].
    pub fn new(
        plan: &LinePlan,
        stages: &[Stage],
        lines: u32,
        alternate: bool,
        slot_words: u32,
        pads: bool,
        portions: u32,
    ) -> Self {
        let lines_abreast = if alternate { lines } else { 1 };
        let line_slots = plan.points / portions;
        let mut slots = Self { pads: Vec::new(), portions, line_slots, lines_abreast };
        if plan.lanes == 1 {
            return slots;
        }
        for pair in stages.windows(2) {
            let [before, after] = [&pair[0], &pair[1]];
            let block = before.write_stride() * before.radix;
            let exchange = |pad| Exchange { stride: before.write_stride(), block, pad };
            let conflicts = |pad: &u32| {
                let exchange = exchange(*pad);
                let written = plan.points / before.radix;
                let read = plan.points / after.radix;
                let at = |butterflies: u32, slot: &dyn Fn(u32) -> u32| {
                    let group = BANKS / slot_words;
                    conflicts(group, |invocation| {
                        let (lane, line) = match alternate {
                            true => (invocation / lines, invocation % lines),
                            false => (invocation % plan.lanes, invocation / plan.lanes),
                        };
                        let line_slots = exchange.span(plan.points);
                        let slot = slot(lane);
                        (lane < butterflies && line < lines).then(|| match alternate {
                            true => slot * lines + line,
                            false => line * line_slots + slot,
                        })
                    })
                };
                at(written, &|t| exchange.written(t)) + at(read, &|t| exchange.span(t))
            };
            // A quarter of the slots at most, since empty memory keeps out other workgroups.
            let most = if pads { (block / 4).clamp(1, BANKS / 2) } else { 0 };
            let best = (0..=most).min_by_key(conflicts).unwrap_or(0);
            slots.pads.push(best);
            slots.line_slots = slots.line_slots.max(exchange(best).span(plan.points) / portions);
        }
        slots
    }

    /// Returns whether the values of a line can be exchanged in two halves: every butterfly then writes
    /// all of its results to one half, and the half of each value that an invocation reads is known.
    pub fn may_halve(plan: &LinePlan, stages: &[Stage]) -> bool {
        let half = plan.points / 2;
        let is_whole = |stage: &Stage| (plan.points / stage.radix).is_multiple_of(plan.lanes);
        let writes = |stage: &Stage| half.is_multiple_of(stage.write_stride() * stage.radix);
        let before_exchanges = &stages[..stages.len() - 1];
        plan.points.is_multiple_of(2)
            && half.is_multiple_of(plan.lanes)
            && stages.iter().all(is_whole)
            && before_exchanges.iter().all(writes)
    }

    /// The exchange `number`, after a stage that writes with the given stride.
    pub fn of(&self, number: usize, stride: u32, radix: u32) -> Exchange {
        Exchange { stride, block: stride * radix, pad: self.pads[number] }
    }

    /// The distance in memory of slots of one line that are `n` apart.
    pub fn apart(&self, n: u32) -> u32 {
        n * self.lines_abreast
    }
}

/// The number of conflicts of the first few groups of `group` invocations that access the slots of `slot`.
fn conflicts(group: u32, slot: impl Fn(u32) -> Option<u32>) -> u32 {
    const GROUPS: u32 = 4;
    let waits = |first: u32| {
        let mut banks = [0_u32; BANKS as usize];
        let taken = (first..first + group).filter_map(&slot);
        taken.for_each(|slot| banks[(slot % group) as usize] += 1);
        banks.into_iter().max().unwrap_or(0).saturating_sub(1)
    };
    (0..GROUPS).map(|number| waits(number * group)).sum()
}

impl Exchange {
    /// The slot of value `n`, which is also the distance of two values `n` apart, for multiples of the block.
    pub fn span(&self, n: u32) -> u32 {
        n + n / self.block * self.pad
    }

    fn written(&self, t: u32) -> u32 {
        t / self.stride * (self.block + self.pad) + t % self.stride
    }

    /// The expression for the slot of the first result of butterfly t.
    pub fn first_written(&self, t: &str) -> String {
        let Self { stride, block, pad } = self;
        let whole = block + pad;
        match stride {
            1 => format!("{t} * {whole}u"),
            _ => format!("{t} / {stride}u * {whole}u + {t} % {stride}u"),
        }
    }

    pub fn written_apart(&self) -> u32 {
        self.stride
    }

    pub fn of_value(&self, t: &str) -> String {
        let Self { block, pad, .. } = self;
        match pad {
            0 => t.to_owned(),
            _ => format!("{t} + {t} / {block}u * {pad}u"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values are read from the slots they were written to, and no two share one.
    #[test]
    fn values_are_read_where_they_were_written() {
        for points in [16, 1000, 1080, 1536, 2187, 2048] {
            let plan = LinePlan::new(points, 16, 16, 256);
            for and_back in [false, true] {
                let stages = Stage::all(&plan.radices, and_back);
                for (alternate, floats, pads) in
                    [(false, 1, true), (true, 2, true), (false, 2, false)]
                {
                    let slots = Slots::new(&plan, &stages, 4, alternate, floats, pads, 1);
                    for (number, pair) in stages.windows(2).enumerate().filter(|_| plan.lanes > 1) {
                        let (stride, radix) = (pair[0].write_stride(), pair[0].radix);
                        let exchange = slots.of(number, stride, radix);
                        let mut taken = vec![false; slots.line_slots as usize];
                        for t in 0..points / radix {
                            for j in 0..radix {
                                let slot = exchange.written(t) + j * exchange.written_apart();
                                let n = t / stride * stride * radix + t % stride + j * stride;
                                assert_eq!(slot, exchange.span(n), "{plan}");
                                assert!(!std::mem::replace(&mut taken[slot as usize], true));
                            }
                        }
                        let count = points / pair[1].radix;
                        for t in 0..count {
                            for j in 0..pair[1].radix {
                                let slot = exchange.span(t) + exchange.span(j * count);
                                assert_eq!(slot, exchange.span(t + j * count), "{plan}");
                            }
                        }
                    }
                }
            }
        }
    }

    /// Each half has its own slots, and butterflies write to one of them only.
    #[test]
    fn halves_of_exchanged_lines_hold_whole_butterflies() {
        let plan = |points| LinePlan::new(points, 16, 16, 1024);
        for points in [16_384, 8192, 4096] {
            let plan = plan(points);
            let stages = Stage::all(&plan.radices, false);
            assert!(Slots::may_halve(&plan, &stages), "{plan}");
            let slots = Slots::new(&plan, &stages, 1, false, 1, true, 2);
            for (number, stage) in stages[..stages.len() - 1].iter().enumerate() {
                let exchange = slots.of(number, stage.stride, stage.radix);
                let middle = exchange.span(points / 2);
                assert!(middle <= slots.line_slots);
                assert!(exchange.span(points - 1) - middle < slots.line_slots);
                for t in 0..points / stage.radix {
                    let first = exchange.written(t);
                    let last = first + (stage.radix - 1) * exchange.written_apart();
                    let is_second = t >= points / stage.radix / 2;
                    assert_eq!([first >= middle, last >= middle], [is_second; 2], "{plan}");
                }
            }
        }
        let odd = plan(2187);
        assert!(!Slots::may_halve(&odd, &Stage::all(&odd.radices, false)));
    }

    #[test]
    fn empty_slots_keep_invocations_out_of_each_others_banks() {
        let plan = LinePlan::new(4096, 16, 16, 256);
        let stages = Stage::all(&plan.radices, false);
        let line_slots = |pads| Slots::new(&plan, &stages, 1, false, 1, pads, 1).line_slots;
        assert_eq!(line_slots(false), 4096);
        assert!((4096 + 256..4096 + 512).contains(&line_slots(true)), "{}", line_slots(true));
    }
}
