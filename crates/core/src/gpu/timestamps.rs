//! The GPU's clock: timestamps around passes, and percentiles of times.

/// Room for a number of timestamps of one device.
pub struct Timestamps {
    set: wgpu::QuerySet,
    count: u32,
    period_ns: f64,
}

/// The two timestamps of a pass, or of a stage within one.
pub struct Mark {
    set: wgpu::QuerySet,
    /// The query of the begin, before that of the end.
    pub begin: u32,
}

impl Timestamps {
    /// Room for `count` timestamps of `device`, which has [`wgpu::Features::TIMESTAMP_QUERY`].
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, label: &str, count: u32) -> Self {
        let set = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some(label),
            ty: wgpu::QueryType::Timestamp,
            count,
        });
        Self { set, count, period_ns: f64::from(queue.get_timestamp_period()) }
    }

    /// The number of timestamps that there is room for.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The pair of timestamps from number `begin` on.
    pub fn mark(&self, begin: u32) -> Mark {
        Mark { set: self.set.clone(), begin }
    }

    /// A buffer for the first `count` timestamps.
    pub fn buffer(device: &wgpu::Device, label: &str, count: u32) -> wgpu::Buffer {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: Self::bytes(count),
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        })
    }

    /// Returns the size of `count` timestamps in bytes.
    pub fn bytes(count: u32) -> u64 {
        u64::from(count) * u64::from(wgpu::QUERY_SIZE)
    }

    /// Writes the first `count` timestamps, all of which were taken, to `buffer`.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder, count: u32, buffer: &wgpu::Buffer) {
        encoder.resolve_query_set(&self.set, 0..count, buffer, 0);
    }

    /// Timestamp number `query` of a buffer's contents, in ticks.
    pub fn tick(contents: &[u8], query: u32) -> u64 {
        let (ticks, _) = contents.as_chunks::<{ wgpu::QUERY_SIZE as usize }>();
        u64::from_le_bytes(ticks[query as usize])
    }

    /// Nanoseconds from one tick to another; 0 if they are out of order. The difference is taken in whole
    /// ticks: NVIDIA counts nanoseconds since 1970, of which a double in seconds keeps every 238th.
    pub fn between_ns(&self, from: u64, to: u64) -> f64 {
        to.saturating_sub(from) as f64 * self.period_ns
    }

    /// Nanoseconds between each pair of a buffer's contents.
    pub fn pairs_ns(&self, contents: &[u8]) -> impl Iterator<Item = f64> {
        let pairs = contents.len() as u32 / (2 * wgpu::QUERY_SIZE);
        (0..pairs).map(|pair| {
            let tick = |query| Self::tick(contents, query);
            self.between_ns(tick(2 * pair), tick(2 * pair + 1))
        })
    }
}

impl Mark {
    /// The timestamps around a compute pass.
    pub fn compute_writes(&self) -> wgpu::ComputePassTimestampWrites<'_> {
        wgpu::ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(self.begin),
            end_of_pass_write_index: Some(self.begin + 1),
        }
    }

    /// The timestamps around a render pass.
    pub fn render_writes(&self) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(self.begin),
            end_of_pass_write_index: Some(self.begin + 1),
        }
    }

    /// Takes the first timestamp, within a pass.
    pub fn begin(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.write_timestamp(&self.set, self.begin);
    }

    /// Takes the second timestamp, within a pass.
    pub fn end(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.write_timestamp(&self.set, self.begin + 1);
    }
}

/// The value below which a `share` (0 to 1) of `sorted` lies: of n values, the one nearest to index share *
/// (n - 1), so that 0 is the least, 1 the greatest, and every result was measured. `None` without values.
pub fn percentile<T: Copy>(sorted: &[T], share: f64) -> Option<T> {
    let last = sorted.len().checked_sub(1)?;
    Some(sorted[((share.clamp(0.0, 1.0) * last as f64).round() as usize).min(last)])
}

/// The median of `values`, which are sorted in place. `None` without values.
pub fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    percentile(values, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_of_the_sample() {
        let sorted: Vec<u32> = (0..=100).collect();
        for share in [0, 5, 50, 95, 99, 100] {
            assert_eq!(percentile(&sorted, f64::from(share) / 100.0), Some(share));
        }
        assert_eq!(percentile(&[7, 9], 0.49), Some(7));
        assert_eq!(percentile(&[7, 9], 0.5), Some(9));
        assert_eq!(percentile(&[7], 0.99), Some(7));
        assert_eq!(percentile::<u32>(&[], 0.5), None);
        assert_eq!(percentile(&sorted, f64::NAN), Some(0));
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), Some(2.0));
    }
}
