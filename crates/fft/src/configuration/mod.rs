//! The names of the algorithms and their parameters. This module knows neither problems nor kernels: a
//! [`Descriptor`](crate::Descriptor) may name a [`Configuration`], and `algorithms` computes it.

mod global;
pub(crate) mod parameters;
pub(crate) mod register_tiled;
pub(crate) mod shared;
pub(crate) mod smooth;
mod transpose;

pub use global::GlobalParameters;
pub use parameters::{Entry, Field, Kind, Parameters, Twiddles, Value};
pub use register_tiled::{RegisterTiledLine, RegisterTiledParameters};
pub use shared::{LineParameters, LineShape, MultipassParameters, PassParameters, PingPong};
pub use smooth::{SmoothLine, SmoothParameters};
pub use transpose::TransposeParameters;

use crate::error::Unsupported;

/// The list of all algorithms, for macros that expand it: the name, the module in `algorithms`, and the
/// parameters.
macro_rules! for_all_algorithms {
    ($callback:ident) => {
        $callback! {
            /// Radix-4 Stockham, one dispatch per axis.
            StockhamR4 = "stockham-r4" in stockham_r4, LineParameters;
            /// Register-tiled Stockham, at most 8 points a butterfly.
            StockhamR8 = "stockham-r8" in stockham_r8, RegisterTiledParameters;
            /// Register-tiled Stockham, at most 16 points a butterfly.
            StockhamR16 = "stockham-r16" in stockham_r16, RegisterTiledParameters;
            /// Register-tiled Stockham, at most 32 points a butterfly.
            StockhamR32 = "stockham-r32" in stockham_r32, RegisterTiledParameters;
            /// Radix-2 Stockham, one dispatch per axis.
            StockhamR2 = "stockham-r2" in stockham_r2, LineParameters;
            /// Radix-2 decimation in time, one dispatch per axis.
            CooleyTukey = "cooley-tukey" in cooley_tukey, LineParameters;
            /// Radix-2 decimation in frequency in natural order, one dispatch per axis.
            CooleyTukeyNatural = "cooley-tukey-natural" in cooley_tukey_natural, LineParameters;
            /// Radix-2 decimation in time, one dispatch per stage.
            CooleyTukeyMultipass = "cooley-tukey-multipass" in cooley_tukey_multipass, MultipassParameters;
            /// Conjugate-pair split radix, one dispatch per axis.
            SplitRadix = "split-radix" in split_radix, LineParameters;
            /// Register-tiled stages of mixed radices, one dispatch per axis: for lengths whose primes are at
            /// most 13.
            MixedRadix = "mixed-radix" in mixed_radix, SmoothParameters;
            /// Lines as matrices, two dispatches per axis or more: for lengths past one workgroup's memory.
            FourStep = "four-step" in four_step, SmoothParameters;
            /// Any length as a convolution with a chirp.
            Bluestein = "bluestein" in bluestein, SmoothParameters;
            /// Rows, tiled transpose, rows, tiled transpose.
            Transpose = "transpose" in transpose, TransposeParameters;
            /// Stockham in global memory, one dispatch per stage.
            GlobalR8 = "global-r8" in global_r8, GlobalParameters;
            /// Stockham in global memory with butterflies of up to 16 points.
            GlobalR16 = "global-r16" in global_r16, GlobalParameters;
            /// Stockham in global memory with butterflies of up to 32 points.
            GlobalR32 = "global-r32" in global_r32, GlobalParameters;
            /// The definition, for any length, which is slow.
            Dft = "dft" in dft, PassParameters;
        }
    };
}
pub(crate) use for_all_algorithms;

/// Declares [`Algorithm`] and [`Configuration`].
macro_rules! configurations {
    ($( $(#[$meta:meta])* $variant:ident = $name:literal in $module:ident, $parameters:ident; )*) => {
        crate::choice::choices! {
            /// An FFT algorithm; see the WGSL file of the same name for its source.
            #[non_exhaustive]
            pub enum Algorithm { $( $(#[$meta])* $variant = $name ),* }
        }

        /// An algorithm with those of its parameters that are not left open. In files it is `algorithm`
        /// and `parameters`.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[serde(tag = "algorithm", content = "parameters")]
        #[non_exhaustive]
        pub enum Configuration {
            $(
                $(#[$meta])*
                #[serde(rename = $name)]
                $variant($parameters),
            )*
        }

        impl Algorithm {
            /// The names of its parameters, with their kinds and values.
            pub fn parameters(self) -> Vec<&'static Entry> {
                match self {
                    $(
                        Self::$variant => {
                            <$parameters as Parameters>::FIELDS.iter().map(Field::entry).collect()
                        }
                    )*
                }
            }
        }

        /// Leaves all of its parameters open.
        impl From<Algorithm> for Configuration {
            fn from(algorithm: Algorithm) -> Self {
                match algorithm {
                    $( Algorithm::$variant => Self::$variant(Default::default()), )*
                }
            }
        }

        impl Configuration {
            /// The algorithm of the configuration.
            pub fn algorithm(&self) -> Algorithm {
                match self {
                    $( Self::$variant(_) => Algorithm::$variant, )*
                }
            }

            /// The value of the named parameter; `None` where it is open or does not exist.
            pub fn get(&self, parameter: &str) -> Option<Value> {
                match self {
                    $(
                        Self::$variant(parameters) => {
                            let field = Parameters::field(parameter)?;
                            Some(field.get(parameters)).filter(|value| *value != Value::Open)
                        }
                    )*
                }
            }

            /// Sets the named parameter, or leaves it open.
            ///
            /// # Errors
            /// [`Unsupported::NoSuchParameter`] where the algorithm has no such parameter, and
            /// [`Unsupported::Parameter`] where the value is never one of its values.
            pub fn set(
                &mut self,
                parameter: &str,
                value: Option<Value>,
            ) -> Result<(), Unsupported> {
                let algorithm = self.algorithm();
                let set = match self {
                    $(
                        Self::$variant(parameters) => {
                            Parameters::field(parameter).map(|field| {
                                let fits = value.is_none_or(|value| field.kind.contains(value));
                                let value = value.unwrap_or(Value::Open);
                                (field.entry(), fits && field.store(parameters, value))
                            })
                        }
                    )*
                };
                match (set, value) {
                    (Some((_, true)), _) | (Some(_), None) => Ok(()),
                    (Some((parameter, false)), Some(value)) => Err(Unsupported::Parameter {
                        algorithm: algorithm.to_string(),
                        parameter: parameter.name,
                        value: value.to_string(),
                        expected: parameter.kind.to_string(),
                    }),
                    (None, _) => Err(Unsupported::NoSuchParameter {
                        algorithm: algorithm.to_string(),
                        parameter: parameter.to_owned(),
                        parameters: algorithm.parameters().iter().map(|known| known.name).collect(),
                    }),
                }
            }

            /// All parameters that are not open, with their values.
            pub fn given(&self) -> Vec<(&'static str, Value)> {
                let parameters = self.algorithm().parameters().into_iter();
                parameters
                    .filter_map(|parameter| Some((parameter.name, self.get(parameter.name)?)))
                    .collect()
            }
        }
    };
}
#[cfg(test)]
pub(crate) use configurations;

for_all_algorithms!(configurations);
