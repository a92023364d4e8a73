//! The window in a native program and in a page of a browser, behind the same names, beside the
//! differences of every program ([`crate::platform`]).
//!
//! | | native | web |
//! |---|---|---|
//! | window | the system's | a canvas of the page |
//! | screenshots, captures, tables | files | downloads |
//! | live profiles, watched shaders | a server, a watched folder | none: an error message |

#[cfg(not(target_family = "wasm"))]
#[path = "native/mod.rs"]
mod side;
#[cfg(target_family = "wasm")]
#[path = "web/mod.rs"]
mod side;
mod strings;

pub(crate) use self::side::*;
pub(crate) use self::strings::STRINGS;
pub(crate) use crate::platform::*;
