//! Light that water drops have scattered more than once, from a table that conserves it.
//!
//! A cloud is locally a slab between two optical depths. The radiance inside plane slabs is solved for
//! in f64 by the adding-doubling method (van de Hulst 1963; Hansen 1971; Hansen and Travis 1974,
//! section 3) with the phase function of `shading/cloud_scatter.wgsl`, averaged over the azimuth. From it
//! follows the source of the light that was scattered more than once, which the shaders take for
//! isotropic: at each depth it is the mean over all directions, weighted by the share of the light in a
//! direction that leaves the slab without being scattered again. Exactly as much light leaves then as
//! with the source that depends on direction, so that reflectance and transmittance add up to 1.
//!
//! The shaders follow the light that was scattered forwards apart, along the beam. Under a low sun that is
//! more than there is: the way along the beam is long, and light that has turned off it leaves a thin slab
//! sooner. The shaders therefore limit it to a multiple of the isotropic source, and the table holds the
//! source that leaves the sum of both as it is.
//!
//! Even light has no beam to follow apart, and a thin slab sends most of it on in its own hemisphere.
//! Clouds are seen from below only: the source of even light is the mean over the directions downwards.

use std::f64::consts::{PI, TAU};
use std::sync::LazyLock;

use half::f16;

pub(super) const DEPTHS: u32 = 32;
/// Layers of the table: the sun's cosines, and one for even light from above.
pub(super) const LAYERS: u32 = BEAMS as u32 + 1;
/// The depths are evenly spaced in log(1 + depth / `DEPTH_SCALE`).
pub(super) const DEPTH_SCALE: f64 = 0.03;
/// The largest optical depth of the table.
pub(super) const DEPTH_MOST: f64 = 60.0;
/// The smallest cosine of the sun; the cosines' fourth roots are evenly spaced up to 1.
pub(super) const COSINE_LEAST: f64 = 0.05;

/// Weights and asymmetries of the two Henyey-Greenstein lobes of drops.
pub(super) const DROPS: [(f64, f64); 2] = [(0.75, 0.82), (0.25, -0.25)];
/// The asymmetry of light that was already scattered forwards.
pub(super) const FORWARDS: f64 = 0.6;
/// The share of the optical depth that takes light out of the forward direction.
pub(super) const FORWARDS_SHARE: f64 = 0.4;
/// The most light that was scattered forwards, as a multiple of the evenly scattered light. Slabs under
/// a sun higher than 41 degrees never reach it.
pub(super) const FORWARDS_MOST: f64 = 1.0;

const BEAMS: usize = 15;
const N: usize = 8;
/// The points and half of the weights of the Gauss-Legendre quadrature of order `N`.
const GAUSS: [(f64, f64); N / 2] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362 / 2.0),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3 / 2.0),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_5 / 2.0),
    (0.960_289_856_497_536_2, 0.101_228_536_290_376_3 / 2.0),
];
/// Below this optical depth light is scattered once at most.
const THIN: f64 = 2e-4;

/// A value for each direction of a hemisphere, in columns.
type Rows<const C: usize> = [[f64; C]; N];

/// The table's values, by depth towards the light, depth away from it, and layer. In the layers of the
/// sun they are the source per steradian for an irradiance of one; in the last layer, the downward
/// source for a radiance of one from the whole hemisphere above.
pub(super) fn table() -> &'static [[f16; 4]] {
    static TABLE: LazyLock<Vec<[f16; 4]>> = LazyLock::new(compute);
    &TABLE
}

fn depth(index: u32) -> f64 {
    let position = f64::from(index) / f64::from(DEPTHS - 1);
    DEPTH_SCALE * ((1.0 + DEPTH_MOST / DEPTH_SCALE).powf(position) - 1.0)
}

fn beams() -> [f64; BEAMS] {
    let least = COSINE_LEAST.powf(0.25);
    std::array::from_fn(|i| (least + (1.0 - least) * i as f64 / (BEAMS - 1) as f64).powi(4))
}

fn compute() -> Vec<[f16; 4]> {
    let optics = Optics::new();
    let slabs: Vec<Slab> = (0..DEPTHS).map(|index| Slab::new(&optics, depth(index))).collect();
    let side = DEPTHS as usize;
    let mut values = vec![[f16::ZERO; 4]; side * side * LAYERS as usize];
    for (y, away) in slabs.iter().enumerate() {
        for (x, toward) in slabs.iter().enumerate() {
            for (layer, source) in sources(&optics, toward, away).into_iter().enumerate() {
                values[(layer * side + y) * side + x] = [f16::from_f64(source); 4];
            }
        }
    }
    values
}

/// Henyey and Greenstein 1941, per steradian.
fn henyey_greenstein(cosine: f64, g: f64) -> f64 {
    (1.0 - g * g) / (4.0 * PI) / (1.0 + g * g - 2.0 * g * cosine).powf(1.5)
}

/// The share of light per steradian that a drop scatters by an angle.
pub(super) fn phase(cosine: f64) -> f64 {
    DROPS.iter().map(|(weight, g)| weight * henyey_greenstein(cosine, *g)).sum()
}

/// The light scattered from some directions to those of the quadrature: forwards, which keeps its
/// hemisphere, and backwards.
struct Scattered<const C: usize> {
    forwards: Rows<C>,
    backwards: Rows<C>,
}

impl<const C: usize> Scattered<C> {
    /// Averages over the azimuth, and scales so that the quadrature finds all the light again.
    fn new(nodes: &[(f64, f64); N], from: [f64; C], phase: impl Fn(f64) -> f64) -> Self {
        let mean = |to: f64, from: f64| -> f64 {
            let across = ((1.0 - to * to) * (1.0 - from * from)).sqrt();
            let steps = 64;
            let azimuth = |i: i32| PI * (f64::from(i) + 0.5) / f64::from(steps);
            let sum: f64 = (0..steps).map(|i| phase(to * from + across * azimuth(i).cos())).sum();
            sum / f64::from(steps)
        };
        let mut out = Self { forwards: [[0.0; C]; N], backwards: [[0.0; C]; N] };
        for (column, from) in from.into_iter().enumerate() {
            let mut total = 0.0;
            for (row, (cosine, weight)) in nodes.iter().enumerate() {
                out.forwards[row][column] = mean(*cosine, from);
                out.backwards[row][column] = mean(*cosine, -from);
                let both = out.forwards[row][column] + out.backwards[row][column];
                total += TAU * weight * both;
            }
            for row in 0..N {
                out.forwards[row][column] /= total;
                out.backwards[row][column] /= total;
            }
        }
        out
    }

    /// Scales by the weights of the source directions.
    fn weighted(mut self, weights: [f64; C]) -> Self {
        for rows in [&mut self.forwards, &mut self.backwards] {
            for row in rows {
                for (value, weight) in row.iter_mut().zip(weights) {
                    *value *= TAU * weight;
                }
            }
        }
        self
    }
}

struct Optics {
    /// Cosines and weights of the directions.
    nodes: [(f64, f64); N],
    beams: [f64; BEAMS],
    diffuse: Scattered<N>,
    beam: Scattered<BEAMS>,
    /// The phase function of light that was already scattered forwards.
    softened: Scattered<BEAMS>,
}

impl Optics {
    fn new() -> Self {
        let nodes: [(f64, f64); N] = std::array::from_fn(|i| {
            let (point, weight) = GAUSS[i % (N / 2)];
            (if i < N / 2 { 0.5 - 0.5 * point } else { 0.5 + 0.5 * point }, weight)
        });
        let beams = beams();
        let soft = |cosine| henyey_greenstein(cosine, FORWARDS);
        Self {
            diffuse: Scattered::new(&nodes, nodes.map(|(cosine, _)| cosine), phase)
                .weighted(nodes.map(|(_, weight)| weight)),
            beam: Scattered::new(&nodes, beams, phase),
            softened: Scattered::new(&nodes, beams, soft),
            nodes,
            beams,
        }
    }

    /// The remainder of the sun's light at a depth, along each of the beams.
    fn direct(&self, depth: f64) -> [f64; BEAMS] {
        self.beams.map(|cosine| (-depth / cosine).exp())
    }
}

/// A homogeneous slab, the same from both sides.
struct Slab {
    depth: f64,
    reflects: Rows<N>,
    transmits: Rows<N>,
    /// Radiance by the sun, per irradiance on a plane that faces it, on its side and on the other.
    beam_reflected: Rows<BEAMS>,
    beam_scattered: Rows<BEAMS>,
}

impl Slab {
    fn new(optics: &Optics, depth: f64) -> Self {
        let doublings = (depth / THIN).max(1.0).log2().ceil() as i32;
        let thin = depth / f64::from(doublings).exp2();
        let path = |row: usize| thin / optics.nodes[row].0;
        let scaled = |rows: &Rows<BEAMS>| -> Rows<BEAMS> {
            std::array::from_fn(|row| rows[row].map(|value| path(row) * value))
        };
        let mut slab = Self {
            depth: thin,
            reflects: std::array::from_fn(|row| {
                optics.diffuse.backwards[row].map(|value| path(row) * value)
            }),
            transmits: std::array::from_fn(|row| {
                let mut out = optics.diffuse.forwards[row].map(|value| path(row) * value);
                out[row] += 1.0 - path(row);
                out
            }),
            beam_reflected: scaled(&optics.beam.backwards),
            beam_scattered: scaled(&optics.beam.forwards),
        };
        for _ in 0..doublings {
            slab = slab.doubled(optics);
        }
        slab
    }

    fn doubled(&self, optics: &Optics) -> Self {
        let direct = optics.direct(self.depth);
        let [down, up] = between(self, self, &direct);
        let straight_on = times(&self.beam_scattered, &direct);
        let beam_scattered = sum(&product(&self.transmits, &down), &straight_on);
        let bounced = solve(unscattered(&product(&self.reflects, &self.reflects)), self.transmits);
        let returned = product(&self.transmits, &product(&self.reflects, &bounced));
        Self {
            depth: 2.0 * self.depth,
            reflects: sum(&self.reflects, &returned),
            transmits: product(&self.transmits, &bounced),
            beam_reflected: sum(&self.beam_reflected, &product(&self.transmits, &up)),
            beam_scattered,
        }
    }
}

/// Scattered radiance downwards and upwards between two slabs, of which the sun lights the first, which
/// passes `direct` unscattered.
fn between(toward: &Slab, away: &Slab, direct: &[f64; BEAMS]) -> [Rows<BEAMS>; 2] {
    let first = times(&away.beam_reflected, direct);
    let lit = sum(&toward.beam_scattered, &product(&toward.reflects, &first));
    let down = solve(unscattered(&product(&toward.reflects, &away.reflects)), lit);
    let up = sum(&first, &product(&away.reflects, &down));
    [down, up]
}

/// The sources between two slabs, of which the first is lit: by the sun at each cosine, and evenly.
fn sources(optics: &Optics, toward: &Slab, away: &Slab) -> [f64; BEAMS + 1] {
    let direct = optics.direct(toward.depth);
    let [down, up] = between(toward, away, &direct);
    let [down, up] = scattered(optics, &down, &up);
    let by_sun = leaving(optics, &[(away.depth, down), (toward.depth, up)]);

    let Scattered { forwards, backwards } = &optics.softened;
    let softened = leaving(optics, &[(away.depth, *forwards), (toward.depth, *backwards)]);
    let followed = optics.direct(FORWARDS_SHARE * toward.depth);

    let entering: Rows<1> = toward.transmits.map(|row| [row.iter().sum()]);
    let down = solve(unscattered(&product(&toward.reflects, &away.reflects)), entering);
    let [evenly_down, _] = scattered(optics, &down, &product(&away.reflects, &down));
    let [evenly] = leaving(optics, &[(away.depth, evenly_down)]);
    std::array::from_fn(|layer| match by_sun.get(layer) {
        Some(all) => without_forwards(*all, followed[layer] - direct[layer], softened[layer]),
        None => evenly,
    })
}

/// The isotropic source that completes the forward-scattered light to the source `all`. `forwards` is
/// that light without its limit, and `softened` its source per unit.
fn without_forwards(all: f64, forwards: f64, softened: f64) -> f64 {
    // The source is positive, and so is the second value.
    let unlimited = all - forwards * softened;
    let limited = all / (1.0 + 4.0 * PI * FORWARDS_MOST * softened);
    // Where the first is less, `forwards` exceeds the multiple of either, so that it is limited.
    unlimited.max(limited)
}

/// Means of sources over directions, weighted by the light that leaves through the depth on each side.
fn leaving<const C: usize>(optics: &Optics, sides: &[(f64, Rows<C>)]) -> [f64; C] {
    let mut sums = [0.0; C];
    let mut weights = 0.0;
    for (depth, sources) in sides {
        for ((cosine, weight), sources) in optics.nodes.iter().zip(sources) {
            let leaves = weight * (-depth / cosine).exp();
            weights += leaves;
            sums.iter_mut().zip(sources).for_each(|(sum, source)| *sum += leaves * source);
        }
    }
    sums.map(|sum| sum / weights)
}

/// The downward and upward scattered parts of light that goes down and up.
fn scattered<const C: usize>(optics: &Optics, down: &Rows<C>, up: &Rows<C>) -> [Rows<C>; 2] {
    let Scattered { forwards, backwards } = &optics.diffuse;
    [(down, up), (up, down)]
        .map(|(same, other)| sum(&product(forwards, same), &product(backwards, other)))
}

fn product<const C: usize>(a: &Rows<N>, b: &Rows<C>) -> Rows<C> {
    a.map(|row| std::array::from_fn(|column| (0..N).map(|i| row[i] * b[i][column]).sum()))
}

fn sum<const C: usize>(a: &Rows<C>, b: &Rows<C>) -> Rows<C> {
    std::array::from_fn(|row| std::array::from_fn(|column| a[row][column] + b[row][column]))
}

fn times<const C: usize>(a: &Rows<C>, factors: &[f64; C]) -> Rows<C> {
    a.map(|row| std::array::from_fn(|column| row[column] * factors[column]))
}

fn unscattered(a: &Rows<N>) -> Rows<N> {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| f64::from(u8::from(row == column)) - a[row][column])
    })
}

/// The solution of a * x = b by Gaussian elimination; `a` needs no pivots, as its diagonal dominates.
fn solve<const C: usize>(mut a: Rows<N>, mut b: Rows<C>) -> Rows<C> {
    for pivot in 0..N {
        let (row_a, row_b) = (a[pivot], b[pivot]);
        for (row, (a, b)) in a.iter_mut().zip(&mut b).enumerate() {
            if row == pivot {
                continue;
            }
            let factor = a[pivot] / row_a[pivot];
            a.iter_mut().zip(row_a).for_each(|(a, other)| *a -= factor * other);
            b.iter_mut().zip(row_b).for_each(|(b, other)| *b -= factor * other);
        }
    }
    std::array::from_fn(|row| b[row].map(|value| value / a[row][row]))
}
