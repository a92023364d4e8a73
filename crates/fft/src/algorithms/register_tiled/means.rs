//! Writes the part of a column kernel that hands the means of squares of values to the store hook, in one of
//! two ways. The values cross workgroup memory once more, and each invocation sums up blocks of 2 x 2 or 4 x 4
//! of them (`shaders/fft/register_tiled_means.wgsl`). Or the invocations of a subgroup exchange values
//! (`shaders/fft/register_tiled_means_in_subgroups.wgsl`).

use super::emit::Emitter;
use crate::algorithms::smooth::code::components;

/// The most levels of means: blocks of 8 x 8 would leave most invocations idle.
pub(super) const MOST_LEVELS: u32 = 2;

/// The levels of means that a workgroup with `lines` columns of `length` values can make, of the `wanted` ones.
pub(super) fn levels(wanted: u32, lines: u32, length: u32) -> u32 {
    wanted.min(lines.ilog2()).min(length.ilog2())
}

/// The values along one side of the largest square.
pub(super) fn block_side(levels: u32) -> u32 {
    1 << levels
}

impl Emitter<'_> {
    /// Sums up pairs of columns, then pairs of rows, and so on for each level. The two invocations of a pair add up
    /// half of their values each, and give the other half away. So 8 values of 2 levels take 4, 2, 1 and 1 exchanges.
    pub(super) fn means_in_subgroups(&mut self, layer: &str, values: &[String], levels: u32) {
        let lanes = self.emission.stages.lanes();
        self.code.line("");
        self.code.line(format!("// Means of up to {0} x {0} values.", block_side(levels)));
        let (mut sums, mut row) = (values.to_vec(), "place.lane".to_owned());
        // An invocation with any of these bits has the sum of another one, and does not store it.
        let mut idle = Vec::new();
        let mut stores = Vec::new();
        for level in 1..=levels {
            let bit = 1 << (level - 1);
            for (place, distance) in
                [("place.local_line", format!("{bit}u")), ("place.lane", format!("{bit}u * LINES"))]
            {
                let is_second = self.code.bind(format!("({place} & {bit}u) != 0u"));
                let (first, second) = sums.split_at(sums.len() / 2);
                if first.is_empty() {
                    let sum = format!("sum_of_both({}, {distance})", second[0]);
                    sums = vec![self.code.bind(sum)];
                    idle.push(is_second);
                    continue;
                }
                let rows = first.len() as u32 * lanes;
                row = self.code.bind(format!("{row} + select(0u, {rows}u, {is_second})"));
                sums = first
                    .iter()
                    .zip(second)
                    .map(|(first, second)| {
                        self.code
                            .bind(format!("sum_of_one({first}, {second}, {is_second}, {distance})"))
                    })
                    .collect();
            }
            let guard = (!idle.is_empty()).then(|| format!("if (!({}))", idle.join(" || ")));
            let side = block_side(level);
            let store = |(m, sum): (usize, &String)| {
                let at = format!("vec2(place.line, {row} + {}u) / {side}u", m as u32 * lanes);
                let mean = format!("{:?} * {sum}", 1.0 / f64::from(side * side));
                format!("store_mean_value({layer}, {level}u, {at}, {mean});")
            };
            stores.push((guard, sums.iter().enumerate().map(store).collect::<Vec<_>>()));
        }
        for (guard, stores) in stores {
            self.code
                .guarded(guard.as_ref(), |code| stores.iter().for_each(|line| code.line(line)));
        }
    }

    pub(super) fn means(&mut self, layer: &str, values: &[String], levels: u32) {
        let (element_floats, exchange_floats) =
            (self.emission.element_floats, self.emission.exchange_floats);
        let lanes = self.emission.stages.lanes();
        let side = block_side(levels);
        let block_values = (side * side) as usize;
        let squares: Vec<[u32; 2]> =
            (0..side * side / 4).map(|square| [square % (side / 2), square / (side / 2)]).collect();
        self.code.line("");
        self.code.line(format!("// Means of up to {side} x {side} values."));
        let to = self.code.bind("slot(place, place.lane)");
        let blocks: Vec<_> = (0..values.len().div_ceil(block_values))
            .map(|m| self.code.bind(format!("find_block(place, {m}u)")))
            .collect();
        let guard =
            (values.len() < block_values).then(|| format!("if ({}.number < BLOCKS)", blocks[0]));

        let mut parts = vec![vec![Vec::new(); squares.len()]; blocks.len()];
        for part in 0..element_floats / exchange_floats {
            let components = components(part, exchange_floats, element_floats);
            self.code.line("workgroupBarrier();");
            for (m, value) in values.iter().enumerate() {
                let point = m as u32 * lanes;
                self.code
                    .line(format!("exchange[slot_after({to}, {point}u)] = {value}{components};"));
            }
            self.code.line("workgroupBarrier();");
            for (block, parts) in blocks.iter().zip(&mut parts) {
                let means: Vec<_> = squares
                    .iter()
                    .map(|[x, y]| format!("mean_of_four({block}, {}u, {}u)", 2 * x, 2 * y))
                    .collect();
                for (name, parts) in
                    self.code.bind_all(guard.as_ref(), &means).into_iter().zip(parts)
                {
                    parts.push(name);
                }
            }
        }
        self.code.guarded(guard.as_ref(), |code| {
            for (block, parts) in blocks.iter().zip(&parts) {
                let means: Vec<_> = parts.iter().map(|parts| code.element(parts)).collect();
                for (mean, [x, y]) in means.iter().zip(&squares) {
                    code.line(format!(
                        "store_mean_value({layer}, 1u, {block}.at / 2u + vec2({x}u, {y}u), {mean});"
                    ));
                }
                if levels == 2 {
                    let mean = format!("0.25 * ({})", means.join(" + "));
                    code.line(format!("store_mean_value({layer}, 2u, {block}.at / 4u, {mean});"));
                }
            }
        });
    }
}
