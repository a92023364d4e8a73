//! The recent past in numbers: the last frames with the times of each scope and pass.
//!
//! A [`History`] shares the profiler's frames and keeps beside them one column of figures for each lane (a
//! scope or a pass), so that statistics and stacked bars read memory in order. Once every lane has been seen,
//! a frame allocates nothing here.

mod column;
mod pacing;
mod statistics;

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

pub(super) use self::column::Column;
pub(super) use self::pacing::{Pacing, Periodic};
pub(super) use self::statistics::Summary;
use crate::profile::{FrameTimes, GpuTimes};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Side {
    Cpu,
    Gpu,
}

/// One scope or pass over the kept frames. Two of one name in a frame are two lanes.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    pub side: Side,
    pub name: Arc<str>,
    /// The processor's thread; empty for the GPU.
    pub thread: Arc<str>,
    /// 0 for outermost scopes.
    pub depth: u32,
    /// How many of the same name, depth and thread come before it in its frame.
    pub occurrence: u32,
    /// Index of its colour within its side, which stays as other lanes come and go.
    pub colour: usize,
    /// Duration in milliseconds.
    pub total_ms: Column,
    /// Duration in milliseconds without the lanes within it.
    pub own_ms: Column,
    /// The number of the pushed frame that last had this lane.
    last_seen: u64,
}

/// The last frames. At most [`History::LEN`] shared frames and [`History::MAX_LANES`] lanes of 8 KB: about 1
/// MB beside the frames themselves, which at 40 scopes take some 3 KB each.
#[derive(Clone, Debug)]
pub(super) struct History {
    frames: VecDeque<Arc<FrameTimes>>,
    lanes: Vec<Lane>,
    /// From the begin of a frame to the next one's, in milliseconds.
    pub interval_ms: Column,
    /// The time of the drawing thread's outermost scopes, which leave out waiting for the display.
    pub cpu_ms: Column,
    /// From the begin of the first pass to the end of the last.
    pub gpu_ms: Column,
    pushed: u64,
    frame_thread: Option<Arc<str>>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            frames: VecDeque::with_capacity(Self::LEN),
            lanes: Vec::new(),
            interval_ms: Column::default(),
            cpu_ms: Column::default(),
            gpu_ms: Column::default(),
            pushed: 0,
            frame_thread: None,
        }
    }
}

impl History {
    /// 16 seconds at 60 frames a second.
    pub const LEN: usize = 1000;

    /// The times of further lanes count for the lane that contains them.
    pub const MAX_LANES: usize = 128;

    /// The outermost scope of the drawing thread.
    pub const FRAME_SCOPE: &'static str = "frame";

    /// The most distinct colours, which are given first.
    const FIRST_COLOURS: usize = 8;

    /// Longest gap, in frames, before the history starts again.
    const LONGEST_GAP: u64 = 120;

    pub fn push(&mut self, frame: Arc<FrameTimes>) {
        if let Some(last) = self.frames.back()
            && frame.frame.saturating_sub(last.frame) > Self::LONGEST_GAP
        {
            *self = Self::default();
        }
        if self.frames.len() == Self::LEN {
            self.frames.pop_front();
        }
        self.pushed += 1;
        let pushed = self.pushed;
        self.lanes.retain(|lane| lane.last_seen + Self::LEN as u64 > pushed);
        for lane in &mut self.lanes {
            lane.total_ms.push(f32::NAN);
            lane.own_ms.push(f32::NAN);
        }
        self.interval_ms.push(milliseconds(frame.interval_ns));
        let thread = frame_thread(&frame);
        if thread.is_some() && thread != self.frame_thread.as_ref() {
            self.frame_thread = thread.cloned();
        }

        let mut cpu_ns = None;
        let mut walk = Walk::default();
        for scope in &frame.cpu {
            let ns = scope.duration_ns();
            if scope.depth == 0 && Some(&scope.thread) == self.frame_thread.as_ref() {
                *cpu_ns.get_or_insert(0) += ns;
            }
            let at = (Side::Cpu, scope.depth, &*scope.thread, &*scope.name);
            self.record(&mut walk, at, ns);
        }
        self.cpu_ms.push(cpu_ns.map_or(f32::NAN, milliseconds));
        let mut walk = Walk::default();
        for scope in frame.gpu_scopes() {
            let ns = scope.end_ns.saturating_sub(scope.start_ns);
            self.record(&mut walk, (Side::Gpu, scope.depth, "", &*scope.label), ns);
        }
        self.gpu_ms.push(frame.gpu_ns().map_or(f32::NAN, milliseconds));
        self.frames.push_back(frame);
    }

    /// Books one scope of the newest frame. Scopes come in order, each before those within it.
    fn record(
        &mut self,
        walk: &mut Walk,
        (side, depth, thread, name): (Side, u32, &str, &str),
        ns: u64,
    ) {
        let pushed = self.pushed;
        let is_same = |lane: &Lane| {
            lane.side == side
                && lane.depth == depth
                && *lane.name == *name
                && *lane.thread == *thread
        };
        // Frames are alike: what follows is mostly the lane after the last.
        let is_free = |lane: &Lane| lane.last_seen != pushed && is_same(lane);
        let next = walk.next.min(self.lanes.len());
        let (before, after) = self.lanes.split_at(next);
        let found = after
            .iter()
            .position(is_free)
            .map(|index| next + index)
            .or_else(|| before.iter().position(is_free));
        let index = match found {
            Some(index) => index,
            None if self.lanes.len() == Self::MAX_LANES => return,
            None => {
                let alike = self.lanes.iter().filter(|lane| is_same(lane)).count();
                let lane = Lane {
                    side,
                    name: name.into(),
                    thread: thread.into(),
                    depth,
                    occurrence: alike as u32,
                    colour: self.free_colour(side, name),
                    total_ms: Column::absent(self.frames.len() + 1),
                    own_ms: Column::absent(self.frames.len() + 1),
                    last_seen: 0,
                };
                walk.make_room(next);
                self.lanes.insert(next, lane);
                next
            }
        };
        walk.next = index + 1;
        let ms = milliseconds(ns);
        let lane = &mut self.lanes[index];
        lane.last_seen = pushed;
        lane.total_ms.update_last(|_| ms);
        lane.own_ms.update_last(|_| ms);
        let depth = depth as usize;
        if let Some(parent) = walk.parent(depth) {
            self.lanes[parent].own_ms.update_last(|own_ms| (own_ms - ms).max(0.0));
        }
        walk.open(depth, index);
    }

    /// An unused colour of the side: chosen by the name, so that it is the same in the next session unless it
    /// is taken.
    fn free_colour(&self, side: Side, name: &str) -> usize {
        let taken = |colour| {
            self.lanes.iter().any(|lane: &Lane| lane.side == side && lane.colour == colour)
        };
        // FNV-1a.
        let hash = name
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        let first = hash as usize % Self::FIRST_COLOURS;
        (0..Self::FIRST_COLOURS)
            .map(|step| (first + step) % Self::FIRST_COLOURS)
            .chain(Self::FIRST_COLOURS..Self::MAX_LANES)
            .find(|&colour| !taken(colour))
            .unwrap_or(first)
    }

    /// The frames, oldest first: the columns have a figure for each.
    pub fn frames(&self) -> &VecDeque<Arc<FrameTimes>> {
        &self.frames
    }

    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Changes with every frame.
    pub fn version(&self) -> u64 {
        self.pushed
    }

    /// Every lane, in the order of execution, each before those within it.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// The lanes that make up the frame's time on one side (on the processor, those of the drawing thread).
    /// Their own times add up to the side's total.
    pub fn stacked(&self, side: Side) -> impl Iterator<Item = &Lane> {
        self.lanes.iter().filter(move |lane| {
            lane.side == side
                && (side == Side::Gpu || Some(&lane.thread) == self.frame_thread.as_ref())
        })
    }

    /// The lane of a scope's side, name, thread, depth and occurrence.
    pub fn lane(
        &self,
        side: Side,
        name: &str,
        thread: &str,
        depth: u32,
        occurrence: u32,
    ) -> Option<&Lane> {
        self.lanes.iter().find(|lane| {
            lane.side == side
                && lane.depth == depth
                && lane.occurrence == occurrence
                && *lane.name == *name
                && *lane.thread == *thread
        })
    }

    /// The index of a frame by the profiler's number, if it is kept.
    pub fn index_of(&self, frame: u64) -> Option<usize> {
        self.frames.binary_search_by_key(&frame, |kept| kept.frame).ok()
    }

    /// The newest `count` frames, or all if there are fewer.
    pub fn last(&self, count: usize) -> Range<usize> {
        self.len().saturating_sub(count)..self.len()
    }

    /// The number of frames of `window` whose GPU results were lost.
    pub fn lost_gpu_frames(&self, window: Range<usize>) -> usize {
        self.frames.range(window).filter(|frame| frame.gpu == GpuTimes::Lost).count()
    }
}

/// The position within a frame while its scopes are booked.
#[derive(Default)]
struct Walk {
    next: usize,
    /// Lanes that hold the current one, by depth.
    open: [Option<usize>; Walk::DEEPEST],
}

impl Walk {
    /// Deeper scopes count for themselves alone.
    const DEEPEST: usize = 16;

    fn parent(&self, depth: usize) -> Option<usize> {
        *self.open.get(depth.checked_sub(1)?)?
    }

    fn open(&mut self, depth: usize, lane: usize) {
        if let Some(slot) = self.open.get_mut(depth) {
            *slot = Some(lane);
        }
        for slot in self.open.iter_mut().skip(depth + 1) {
            *slot = None;
        }
    }

    /// Shifts the stored indices for a lane inserted at `index`.
    fn make_room(&mut self, index: usize) {
        for slot in self.open.iter_mut().flatten() {
            *slot += usize::from(*slot >= index);
        }
    }
}

/// The thread of the frame's scope, or the first thread if no scope has that name.
fn frame_thread(frame: &FrameTimes) -> Option<&Arc<str>> {
    let named =
        frame.cpu.iter().find(|scope| scope.depth == 0 && *scope.name == *History::FRAME_SCOPE);
    named.or(frame.cpu.first()).map(|scope| &scope.thread)
}

fn milliseconds(ns: u64) -> f32 {
    (ns as f64 * 1e-6) as f32
}

#[cfg(test)]
pub(super) mod handmade;
#[cfg(test)]
mod tests;
