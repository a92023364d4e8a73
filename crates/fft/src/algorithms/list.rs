//! The expansion of the list of algorithms: the dispatch to their files.

/// Implements what a [`Configuration`](super::Configuration) does by the files of the algorithms.
macro_rules! algorithms {
    ($( $(#[$meta:meta])* $variant:ident = $name:literal in $module:ident, $parameters:ident; )*) => {
        impl Algorithm {
            /// A line of description for lists and help, with the source of the algorithm.
            pub fn description(self) -> &'static str {
                match self {
                    $( Self::$variant => <$module::$variant as AlgorithmFile>::DESCRIPTION, )*
                }
            }

            /// Returns whether it transforms lengths that are powers of two, such as those of an ocean.
            pub fn takes_powers_of_two(self) -> bool {
                match self {
                    $(
                        Self::$variant => {
                            <$module::$variant as AlgorithmFile>::TAKES_POWERS_OF_TWO
                        }
                    )*
                }
            }

            /// The algorithms that transform lengths that are powers of two.
            pub fn of_powers_of_two() -> impl Iterator<Item = Self> + Clone {
                let all = <Self as crate::choice::Choice>::ALL.iter().copied();
                all.filter(|algorithm| algorithm.takes_powers_of_two())
            }
        }

        impl Configuration {
            /// Checks the configuration, and chooses its open parameters for `descriptor` on a device of
            /// `capabilities`.
            ///
            /// # Errors
            /// [`Unsupported`] where a parameter does not suit the problem or the device cannot run it.
            pub fn complete(
                &self,
                descriptor: &Descriptor,
                capabilities: &Capabilities,
            ) -> Result<Self, Unsupported> {
                let problem =
                    Problem::new(descriptor, self.algorithm().to_string(), capabilities, true)?;
                self.complete_for(&problem)
            }

            fn complete_for(&self, problem: &Problem<'_>) -> Result<Self, Unsupported> {
                Ok(match self {
                    $(
                        Self::$variant(given) => {
                            if !<$module::$variant as AlgorithmFile>::IS_GENERAL {
                                problem.check_plain()?;
                            }
                            problem.check_double()?;
                            problem.check_values(given)?;
                            Self::$variant(<$module::$variant as AlgorithmFile>::complete(problem, given)?)
                        }
                    )*
                })
            }

            /// The parameters that are worth measuring on `descriptor`, each with its values.
            pub fn space(
                &self,
                descriptor: &Descriptor,
                capabilities: &Capabilities,
            ) -> Vec<(&'static str, Vec<Value>)> {
                let name = self.algorithm().to_string();
                let Ok(problem) = Problem::new(descriptor, name, capabilities, true) else {
                    return Vec::new();
                };
                match self {
                    $( Self::$variant(_) => <$module::$variant as AlgorithmFile>::space(&problem), )*
                }
            }

            pub(crate) fn build(
                &self,
                descriptor: &Descriptor,
                capabilities: &Capabilities,
                enforces_limits: bool,
            ) -> Result<(Program, Self), Unsupported> {
                let name = self.algorithm().to_string();
                let problem = Problem::new(descriptor, name, capabilities, enforces_limits)?;
                let complete = self.complete_for(&problem)?;
                let program = match &complete {
                    $(
                        Self::$variant(parameters) => {
                            <$module::$variant as AlgorithmFile>::program(&problem, parameters)?
                        }
                    )*
                };
                Ok((program, complete))
            }
        }
    };
}
pub(super) use algorithms;
