//! Bookmarked camera poses, one for each of the digits 1 to 9.

use serde::{Deserialize, Serialize};

use crate::settings::{CameraPose, Settings as _};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum BookmarkAct {
    Store,
    Go,
    Clear,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "Vec<Kept>", from = "Vec<toml::Value>")]
pub(in crate::app) struct Bookmarks([Option<CameraPose>; 9]);

/// One bookmark as `view.toml` stores it.
#[derive(Serialize, Deserialize)]
struct Kept {
    digit: u8,
    camera: CameraPose,
}

impl Bookmarks {
    pub const DIGITS: std::ops::RangeInclusive<u8> = 1..=9;

    pub fn get(&self, digit: u8) -> Option<&CameraPose> {
        self.0.get(index(digit)?)?.as_ref()
    }

    /// Stores `pose`, or clears the bookmark. Digits outside the range do nothing.
    pub fn set(&mut self, digit: u8, pose: Option<CameraPose>) {
        if let Some(place) = index(digit).and_then(|index| self.0.get_mut(index)) {
            *place = pose;
        }
    }

    fn kept(&self) -> Vec<Kept> {
        let camera = |digit| self.get(digit).cloned();
        Self::DIGITS.filter_map(|digit| Some(Kept { digit, camera: camera(digit)? })).collect()
    }

    /// Reports the errors of the entries that it leaves out.
    fn of(kept: Vec<toml::Value>, mut refused: impl FnMut(String)) -> Self {
        let mut bookmarks = Self::default();
        for value in kept {
            match value.try_into() {
                Err(error) => refused(error.to_string()),
                Ok(Kept { digit, .. }) if index(digit).is_none() => {
                    refused(format!("{digit} is not a digit from 1 to 9"));
                }
                Ok(Kept { digit, camera }) => match camera.validate() {
                    Ok(()) => bookmarks.set(digit, Some(camera)),
                    Err(error) => refused(error.to_string()),
                },
            }
        }
        bookmarks
    }
}

impl From<Bookmarks> for Vec<Kept> {
    fn from(bookmarks: Bookmarks) -> Self {
        bookmarks.kept()
    }
}

impl From<Vec<toml::Value>> for Bookmarks {
    fn from(kept: Vec<toml::Value>) -> Self {
        Self::of(kept, |error| log::warn!("saved settings: a bookmark is ignored: {error}"))
    }
}

fn index(digit: u8) -> Option<usize> {
    Bookmarks::DIGITS.contains(&digit).then(|| usize::from(digit) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_nonsense_does_not() {
        let mut bookmarks = Bookmarks::default();
        let pose = |x_m| CameraPose { x_m, ..CameraPose::default() };
        for digit in [1, 9] {
            bookmarks.set(digit, Some(pose(f64::from(digit))));
        }
        for digit in [0, 10, 255] {
            bookmarks.set(digit, Some(pose(1.0)));
            assert_eq!(bookmarks.get(digit), None);
        }
        let file = |kept: Vec<Kept>| -> Vec<toml::Value> {
            kept.iter().map(|kept| toml::Value::try_from(kept).unwrap()).collect()
        };
        assert_eq!(Bookmarks::of(file(bookmarks.kept()), |error| panic!("{error}")), bookmarks);
        let mut kept = file(vec![
            Kept { digit: 12, camera: pose(0.0) },
            Kept { digit: 2, camera: pose(f64::NAN) },
            Kept { digit: 3, camera: pose(3.0) },
        ]);
        kept.push("a word".into());
        let mut refused = Vec::new();
        let some = Bookmarks::of(kept, |error| refused.push(error));
        assert_eq!((refused.len(), some.kept().len()), (3, 1), "{refused:?}");
        bookmarks.set(1, None);
        assert_eq!(bookmarks.get(1), None);
    }
}
