/// Bins of frequency, each from its lower edge up to the next one's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrequencyBins {
    first_rad_per_s: f64,
    /// The width of a bin in ln omega.
    step: f64,
    count: usize,
}

impl FrequencyBins {
    /// The largest width of a bin in ln omega: a swell's peak is a few bins wide, and a bin at the peak
    /// has some hundred wave vectors.
    const WIDEST: f64 = 0.08;

    /// Bins that fill the frequencies from `first_rad_per_s`, which is greater than 0, to `last_rad_per_s`.
    pub fn new(first_rad_per_s: f64, last_rad_per_s: f64) -> Self {
        let span = libm::log(last_rad_per_s / first_rad_per_s).max(1e-9);
        let count = (span / Self::WIDEST).ceil().max(1.0);
        Self { first_rad_per_s, step: span / count, count: count as usize }
    }

    /// Returns the number of bins.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The bin that holds a frequency, or the nearest one.
    pub fn index_of(&self, omega_rad_per_s: f64) -> usize {
        let steps = libm::log(omega_rad_per_s / self.first_rad_per_s) / self.step;
        // A float casts with saturation.
        (steps as usize).min(self.count - 1)
    }

    /// The lower edge of bin `index`, or the upper one of the bin before.
    pub fn edge_rad_per_s(&self, index: usize) -> f64 {
        self.first_rad_per_s * libm::exp(self.step * index as f64)
    }

    /// The middle of bin `index`.
    pub fn centre_rad_per_s(&self, index: usize) -> f64 {
        self.first_rad_per_s * libm::exp(self.step * (index as f64 + 0.5))
    }

    /// The width of bin `index`, in rad/s.
    pub fn width_rad_per_s(&self, index: usize) -> f64 {
        self.edge_rad_per_s(index + 1) - self.edge_rad_per_s(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_fill_the_range_without_a_gap() {
        let bins = FrequencyBins::new(0.4, 70.0);
        assert!((bins.edge_rad_per_s(0) - 0.4).abs() < 1e-12);
        assert!((bins.edge_rad_per_s(bins.count()) - 70.0).abs() < 1e-9);
        for index in 0..bins.count() {
            assert_eq!(bins.index_of(bins.centre_rad_per_s(index)), index);
            assert!(bins.width_rad_per_s(index) <= 0.0834 * bins.edge_rad_per_s(index));
        }
        assert_eq!((bins.index_of(0.1), bins.index_of(1e9)), (0, bins.count() - 1));
        assert_eq!(FrequencyBins::new(1.0, 1.0).count(), 1);
    }
}
