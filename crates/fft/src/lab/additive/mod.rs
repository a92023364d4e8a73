//! Additive Fourier transforms over fields of 2^m elements, m from 1 to 16: exact, on the processor and on the
//! GPU, for products of polynomials.
//!
//! These fields have no roots of unity of order 2^k. An additive transform evaluates a polynomial at the 2^k
//! sums of k elements of a basis instead. [`Basis`] says which, and in what order. Values are u32, each an
//! element of a [`Field`]; lines of 2^k of them are transformed in place.
//!
//! ```
//! use seaway_fft::Direction::{Forward, Inverse};
//! use seaway_fft::lab::additive::{Basis, Field, MAX_DEGREE, Method, Transform};
//!
//! let field = Field::new(MAX_DEGREE)?; // 65536 elements
//! for &method in Method::ALL {
//!     let transform = Transform::new(&field, method, 3)?; // lines of 8 values
//!     let polynomial = [1, 2, 3, 4, 5, 6, 7, 8];
//!     let mut line = polynomial;
//!     transform.transform(&mut line, Forward)?;
//!     let basis = Basis::new(&field);
//!     assert!((0..8).all(|i| line[i] == field.evaluate(&polynomial, basis.point(i as u32))));
//!     transform.transform(&mut line, Inverse)?;
//!     assert_eq!(line, polynomial);
//!     // (1 + x) (1 + x) = 1 + x^2
//!     assert_eq!(transform.multiply(&[1, 1], &[1, 1])?, [1, 0, 1]);
//!     println!("{method:?}: {:?}", transform.operations());
//! }
//! # Ok::<(), seaway_fft::lab::additive::AdditiveError>(())
//! ```
//!
//! The same on a GPU, where [`AdditivePlan`] takes the place of [`crate::Plan`]:
//!
//! ```no_run
//! use seaway_fft::Direction;
//! use seaway_fft::lab::additive::{AdditiveError, AdditivePlan, Field, Method, Product, Transform};
//!
//! # fn f(device: &wgpu::Device, a: &wgpu::Buffer, b: &wgpu::Buffer, pass: &mut wgpu::ComputePass<'_>)
//! # -> Result<(), AdditiveError> {
//! let transform = Transform::new(&Field::new(16)?, Method::GaoMateer, 12)?;
//! let plan = AdditivePlan::new(device, &transform, 100, Product::default())?; // 100 lines
//! println!("{} bytes, {} dispatches", plan.bytes(), plan.dispatch_count(Direction::Forward));
//! plan.bind(device, a)?.encode(pass, Direction::Forward);
//! plan.bind_product(device, a, b)?.encode(pass); // a becomes the products
//! # Ok(())
//! # }
//! ```
//!
//! # Sources
//! Mateer, *Fast Fourier Transform Algorithms with Applications* (dissertation, Clemson 2008), chapter 4:
//! figure 4.5 is the inverse of [`Method::WangZhuCantor`], figure 4.6 that of [`Method::GaoMateer`]. The forward
//! transforms and the numbers of operations here are derived from them. Cantor, *On arithmetical algorithms over
//! finite fields* (1989), has the basis; von zur Gathen and Gerhard, *Arithmetic and factorization of
//! polynomials over F2* (1996), any other; Gao and Mateer, *Additive fast Fourier transforms over finite fields*
//! (2010), both forms of the new transform.

mod answers;
mod basis;
mod field;
mod kernel;
#[cfg(test)]
mod tests;
mod transform;

pub use answers::KnownAnswers;
pub use basis::Basis;
pub use field::{Field, MAX_DEGREE};
pub use kernel::{AdditivePlan, BoundAdditive, BoundPolynomialProduct, Kernel, Product, Program};
pub use transform::{Method, Operations, Transform};

use crate::error::{FftError, Unsupported};

/// The reasons why an additive transform cannot be made or run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AdditiveError {
    /// A degree without a field here.
    #[error("there are fields of 2^m elements for m from 1 to {MAX_DEGREE}, and m is {degree}")]
    Degree {
        /// The degree that was asked for.
        degree: u32,
    },
    /// More points than the field has elements.
    #[error("a line of {needed} values needs as many points, and GF(2^{degree}) has {} elements", 1 << degree)]
    TooLong {
        /// The number of values in a line.
        needed: u64,
        /// The degree of the field.
        degree: u32,
    },
    /// A product of polynomials that is longer than the lines of the transform.
    #[error("the product has {needed} coefficients, and the transform's lines have {length}")]
    Product {
        /// The number of coefficients of the product.
        needed: usize,
        /// The number of values in a line.
        length: usize,
    },
    /// A line of another length.
    #[error("the transform takes lines of {expected} values, and this one has {found}")]
    Length {
        /// The number of values in a line.
        expected: usize,
        /// The number of values that were given.
        found: usize,
    },
    /// A value that is no element of the field.
    #[error("{value} is no element of GF(2^{degree}), whose elements are below {}", 1 << degree)]
    NotInField {
        /// The value.
        value: u32,
        /// The degree of the field.
        degree: u32,
    },
    /// The device cannot run the transform, or a buffer does not fit it.
    #[error(transparent)]
    Fft(#[from] FftError),
}

impl From<Unsupported> for AdditiveError {
    fn from(error: Unsupported) -> Self {
        Self::Fft(error.into())
    }
}
