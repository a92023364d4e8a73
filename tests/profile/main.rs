//! What a frame takes, as the profiler sees it. puffin's scopes are global to a process: no other test
//! that records frames may run in this one.
#![cfg(feature = "profile")]

mod capture;
mod timers;
