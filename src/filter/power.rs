//! The power spectrum of a filtered image, as a picture.

use super::Channels;

/// The power in decibels that is black. 0 is the power of an image that is 1 everywhere, and white.
pub const BLACK_DB: f64 = -120.0;

/// The logarithm of the power at each frequency, from 0 to 1 over [`BLACK_DB`] to 0 dB: 10
/// log10(|F(k)|^2 / N^2) for the transform F of an image of N pixels, not scaled. `spectrum` has the
/// layout of [`ImageFilter::spectrum`](super::ImageFilter::spectrum); the result is pixels of the same
/// channels, opaque, with the frequency 0 in the middle, at (width / 2, height / 2).
///
/// # Panics
/// Panics where `spectrum` does not have that size.
///
/// ```
/// use seaway::filter::{Channels, log_power};
///
/// // An even image has power at the frequency 0 alone, which is in the middle.
/// let spectrum = [16.0, 0.0].into_iter().chain([0.0; 30]).collect::<Vec<f32>>();
/// let pixels = log_power(&spectrum, [4, 4], Channels::Grey);
/// assert_eq!(pixels[2 * (2 * 4 + 2)], 1.0);
/// ```
pub fn log_power(spectrum: &[f32], size: [u32; 2], channels: Channels) -> Vec<f32> {
    let [width, height] = size.map(|side| side as usize);
    let floats = channels.floats();
    assert_eq!(spectrum.len(), width * height * floats, "spectrum");
    let at = |x: usize, y: usize, pair: usize| {
        let first = (y * width + x) * floats + 2 * pair;
        [spectrum[first], spectrum[first + 1]].map(f64::from)
    };
    let points = (width * height) as f64;
    let level = |power: f64| {
        let decibels = 10.0 * (power / (points * points)).max(1e-30).log10();
        (1.0 - decibels / BLACK_DB).clamp(0.0, 1.0) as f32
    };
    let mut pixels = Vec::with_capacity(spectrum.len());
    for y in 0..height {
        for x in 0..width {
            let x = (x + width - width / 2) % width;
            let y = (y + height - height / 2) % height;
            let mirrored = [(width - x) % width, (height - y) % height];
            // If a(k) = f(k) + i g(k) with f and g the transforms of real images, then f(-k) = conj f(k).
            let parts = |pair: usize| {
                let ([a, b], [c, d]) = (at(x, y, pair), at(mirrored[0], mirrored[1], pair));
                let first = [(a + c) / 2.0, (b - d) / 2.0];
                let second = [(b + d) / 2.0, (c - a) / 2.0];
                [first, second].map(|[re, im]| level(re * re + im * im))
            };
            match channels {
                Channels::Grey => pixels.extend([parts(0)[0], 1.0]),
                Channels::Colour => {
                    let ([red, green], [blue, _]) = (parts(0), parts(1));
                    pixels.extend([red, green, blue, 1.0]);
                }
            }
        }
    }
    pixels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fft::lab::cpu;
    use crate::fft::{Axes, Direction};

    #[test]
    fn each_channel_has_its_own_power() {
        let size = [8_u32, 6];
        let wave = |cycles: u32, n: u32, of: u32| {
            (std::f64::consts::TAU * f64::from(cycles * n) / f64::from(of)).cos()
        };
        let mut pairs = [Vec::new(), Vec::new()];
        for y in 0..6 {
            for x in 0..8 {
                pairs[0].push([0.5, 0.1 * wave(3, x, 8)]);
                pairs[1].push([0.2 * wave(2, y, 6), 0.0]);
            }
        }
        for pair in &mut pairs {
            cpu::transform(pair, size, Axes::Both, Direction::Forward).unwrap();
        }
        let spectrum: Vec<f32> = (0..48)
            .flat_map(|n| [pairs[0][n], pairs[1][n]].into_iter().flatten().map(|part| part as f32))
            .collect();
        let pixels = log_power(&spectrum, size, Channels::Colour);
        let level = |amplitude: f64| 1.0 + 20.0 * amplitude.log10() / -BLACK_DB;
        let at = |x: usize, y: usize, channel: usize| f64::from(pixels[(y * 8 + x) * 4 + channel]);
        let close = |value: f64, wanted: f64| (value - wanted).abs() < 1e-5;
        // The middle is (4, 3). Half of a wave's amplitude is at either side of it.
        assert!(close(at(4, 3, 0), level(0.5)), "{}", at(4, 3, 0));
        assert!(close(at(7, 3, 1), level(0.05)) && close(at(1, 3, 1), level(0.05)));
        assert!(close(at(4, 5, 2), level(0.1)) && close(at(4, 1, 2), level(0.1)));
        assert!(at(5, 3, 0) < 1e-3 && at(4, 3, 1) < 1e-3 && at(7, 3, 2) < 1e-3);
    }
}
