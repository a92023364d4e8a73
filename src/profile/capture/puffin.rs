use std::io::{self, Write};
use std::sync::Arc;

use puffin::{FrameView, GlobalProfiler};

use crate::profile::FrameTimes;
use crate::profile::streams::{Inbox, Replay};

/// Writes `frames` as one `.puffin` file.
pub(super) fn write(frames: &[Arc<FrameTimes>], mut out: &mut dyn Write) -> io::Result<()> {
    let mut view = FrameView::default();
    // puffin's default drops all but the last 1000.
    view.set_max_recent(frames.len());
    let (inbox, mut profiler, mut replay) =
        (Inbox::default(), GlobalProfiler::default(), Replay::default());
    profiler.add_sink(inbox.sink());
    for frame in frames {
        replay.play(&mut profiler, frame);
        for frame in inbox.take() {
            view.add_frame(frame);
        }
    }
    view.write(&mut out).map_err(|error| match error.downcast::<io::Error>() {
        Ok(error) => error,
        Err(error) => io::Error::other(format!("{error:#}")),
    })
}
