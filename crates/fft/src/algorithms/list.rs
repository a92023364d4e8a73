//! The expansion of the list of algorithms: their names, and the dispatch to their files.

/// Declares [`Algorithm`](super::Algorithm) and [`Configuration`](super::Configuration).
macro_rules! algorithms {
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
            /// A line of description for lists and help, with the source of the algorithm.
            pub fn description(self) -> &'static str {
                match self {
                    $( Self::$variant => <$module::$variant as AlgorithmFile>::DESCRIPTION, )*
                }
            }

            /// The names of its parameters, with their kinds and values.
            pub fn parameters(self) -> Vec<&'static Entry> {
                match self {
                    $(
                        Self::$variant => {
                            let fields =
                                <<$module::$variant as AlgorithmFile>::Parameters as Parameters>::FIELDS;
                            fields.iter().map(Field::entry).collect()
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
