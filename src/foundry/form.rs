//! The choices of the page, as its address holds them.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::bench::{Problem, Size};
use crate::choice::Choice as _;
use crate::fft::lab::AlgorithmChoice;
use crate::fft::{
    Descriptor, Direction, Kind, Layout, LoadHook, Normalization, Placement, Precision, StoreHook,
};

use super::hooked;

/// The largest batch, as on the command line.
const LARGEST_BATCH: u32 = 65_535;

/// A choice of the page.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Field {
    /// The name in the address.
    pub name: &'static str,
    /// The words beside it.
    pub label: &'static str,
    /// The values that it can have; none where it is a text.
    pub options: Vec<&'static str>,
    /// The value of a page without an address.
    pub usual: &'static str,
}

/// Returns all choices, in the order of the page.
pub fn fields() -> Vec<Field> {
    let field = |name, label, options: &[&'static str], usual| Field {
        name,
        label,
        options: options.to_vec(),
        usual,
    };
    let algorithms: Vec<_> = AlgorithmChoice::all().map(AlgorithmChoice::name).collect();
    vec![
        field("size", "Size", &[], "256"),
        field("dimensions", "Dimensions", &["1", "2", "3"], "2"),
        field("batch", "Batch", &[], "4"),
        field("kind", "Kind", Kind::NAMES, "complex"),
        field("direction", "Direction", Direction::NAMES, "forward"),
        field("normalization", "Scale", Normalization::NAMES, "none"),
        field("precision", "Precision", Precision::NAMES, "f32"),
        field("layout", "Layout", Layout::NAMES, "planar"),
        field("placement", "Placement", Placement::NAMES, "out-of-place"),
        field("algorithm", "Algorithm", &algorithms, "best"),
        field("limits", "Limits", &["adapter", "webgpu"], "adapter"),
        field("load", "Load hook", &[], ""),
        field("store", "Store hook", &[], ""),
    ]
}

/// The values of all [`fields`], each of which is valid by itself.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(transparent)]
pub struct Form(BTreeMap<&'static str, String>);

impl Form {
    /// Reads `given`, and returns a message for each value that it cannot have, in whose place is a usual one.
    pub fn read(given: &BTreeMap<String, String>) -> (Self, Vec<String>) {
        let mut messages = Vec::new();
        let mut values = BTreeMap::new();
        for field in fields() {
            let value = match given.get(field.name) {
                None => field.usual.to_owned(),
                Some(value) => field.check(value).unwrap_or_else(|expected| {
                    let Field { label, usual, .. } = field;
                    messages.push(format!("{label} {value:?}: {expected}. It is {usual} now."));
                    usual.to_owned()
                }),
            };
            values.insert(field.name, value);
        }
        let mut form = Self(values);
        let size: Size = form.of("size");
        if size.extent(form.of("dimensions")).is_none() {
            let dimensions = size.to_string().split('x').count();
            messages.push(format!("Size {size} has {dimensions} dimensions."));
            form.0.insert("dimensions", dimensions.to_string());
        }
        (form, messages)
    }

    /// The value of a field that has been checked.
    fn of<T: FromStr>(&self, name: &str) -> T {
        self.0[name].parse().ok().expect("a checked value")
    }

    /// Whether the kernels are for WebGPU's default limits, and not for the adapter.
    pub fn is_for_any_device(&self) -> bool {
        self.0["limits"] == "webgpu"
    }

    /// The algorithm, or the way to choose it.
    pub fn algorithm(&self) -> AlgorithmChoice {
        self.of("algorithm")
    }

    /// The transform, without its algorithm.
    ///
    /// # Errors
    /// A message about a hook whose bindings cannot be read.
    pub fn task(&self) -> Result<Descriptor, String> {
        let dimensions = self.of("dimensions");
        let extent = self.of::<Size>("size").extent(dimensions).expect("checked dimensions");
        let problem =
            Problem { kind: self.of("kind"), dimensions, extent, batch: self.of("batch") };
        let [load, store] = ["load", "store"].map(|name| self.0[name].as_str());
        let load = match load.trim() {
            "" => None,
            _ => {
                Some(LoadHook::new("load", load, hooked::bindings("load", load, LoadHook::GROUP)?))
            }
        };
        let store = match store.trim() {
            "" => None,
            _ => Some(StoreHook::new(
                "store",
                store,
                hooked::bindings("store", store, StoreHook::GROUP)?,
            )),
        };
        Ok(Descriptor {
            direction: self.of("direction"),
            normalization: self.of("normalization"),
            precision: self.of("precision"),
            placement: self.of("placement"),
            load,
            store,
            ..problem.task(self.of("layout"))
        })
    }
}

impl Field {
    /// Returns `value`, or what was expected in its place.
    fn check(&self, value: &str) -> Result<String, String> {
        match self.name {
            "size" => value.parse::<Size>().map(|size| size.to_string()),
            "batch" => match value.parse() {
                Ok(batch) if (1..=LARGEST_BATCH).contains(&batch) => Ok(batch.to_string()),
                _ => Err(format!("expected a number from 1 to {LARGEST_BATCH}")),
            },
            _ if self.options.is_empty() || self.options.contains(&value) => Ok(value.to_owned()),
            _ => Err(format!("expected one of {}", self.options.join(", "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(address: &[(&str, &str)]) -> (Form, Vec<String>) {
        Form::read(
            &address
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        )
    }

    #[test]
    fn every_value_of_every_field_makes_a_task() {
        let (usual, messages) = read(&[]);
        assert_eq!(messages, Vec::<String>::new());
        assert_eq!(usual.task().unwrap(), Descriptor { batch: 4, ..Descriptor::image([256; 2]) });
        for field in fields() {
            for value in field.options {
                let (form, messages) = read(&[(field.name, value)]);
                assert_eq!((form.0[field.name].as_str(), messages), (value, Vec::new()));
                form.task().unwrap();
            }
        }
    }

    #[test]
    fn bad_values_give_a_message_and_the_usual_value() {
        let (form, messages) =
            read(&[("size", "banana"), ("batch", "0"), ("kind", "odd"), ("other", "1")]);
        assert_eq!(form, read(&[]).0);
        assert_eq!(messages.len(), 3, "{messages:?}");
        assert!(
            messages[1].contains("from 1 to 65535") && messages[2].contains("dct4"),
            "{messages:?}"
        );
        let (form, messages) = read(&[("size", "8x4x2")]);
        assert_eq!((form.0["dimensions"].as_str(), messages.len()), ("3", 1));
        assert_eq!(form.task().unwrap().depth, 2);
    }
}
