//! A running comparison: its rows are prepared behind the frames, and run beside them.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::time::Duration;

use super::{Comparison, ComparisonError, Entry, Notice, Preparation, Problem, Table};
use crate::gpu::{Context, LimitsPreset};
use crate::platform::{Instant, Task};

/// Interval of the table's updates: figures that change faster cannot be read.
const REFRESH: Duration = Duration::from_millis(250);

/// A running comparison, with the preparation of its rows.
pub struct Running {
    comparison: Comparison,
    /// Notices of the preparation, until it ends.
    notices: Option<Receiver<Result<Notice, ComparisonError>>>,
    is_cancelled: Arc<AtomicBool>,
    task: Option<Task>,
    table: Table,
    has_settled: bool,
    refreshed: Instant,
    error: Option<String>,
}

/// The progress of a comparison.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    /// The results so far.
    pub table: &'a Table,
    /// The rows, without the copy.
    pub entries: &'a [Entry],
    /// The number of rows that are still to be compiled and checked.
    pub waiting: usize,
    /// Whether every figure has settled.
    pub has_settled: bool,
    /// Whether the comparison is paused.
    pub is_paused: bool,
    /// The error that ended it, if any.
    pub error: Option<&'a str>,
}

impl Running {
    /// Starts to compare `entries` on `subject` beside the frames of `context`.
    ///
    /// # Errors
    /// Fails if the system gives no thread.
    pub fn start(
        context: &Context,
        limits: LimitsPreset,
        problem: Problem,
        entries: Vec<Entry>,
        budget_us: f64,
    ) -> std::io::Result<Self> {
        let Context { device, queue, .. } = context;
        let comparison =
            Comparison::new(device, queue, problem.clone(), entries.clone(), budget_us);
        let (notify, notices) = mpsc::channel();
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let drawing = context.clone();
        let cancelled = Arc::clone(&is_cancelled);
        let task = Task::spawn("comparison", move || async move {
            let preparation = Preparation {
                drawing: &drawing,
                limits,
                problem: &problem,
                entries: &entries,
                budget_us,
            };
            let mut listener = |notice| {
                if cancelled.load(Ordering::Relaxed) || notify.send(Ok(notice)).is_err() {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            };
            if let Err(error) = preparation.run(&mut listener).await {
                // The receiver is gone after a cancellation.
                let _ = notify.send(Err(error));
            }
        })?;
        Ok(Self {
            table: comparison.table(),
            comparison,
            notices: Some(notices),
            is_cancelled,
            task: Some(task),
            has_settled: false,
            refreshed: Instant::now(),
            error: None,
        })
    }

    /// Takes prepared rows, and runs those that the frame's budget, in microseconds, allows.
    pub fn next_frame(&mut self, budget_us: f64) {
        while let Some(notices) = &self.notices {
            match notices.try_recv() {
                Ok(Ok(notice)) => self.comparison.receive(notice),
                Ok(Err(error)) => self.fail(&error),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.notices = None;
                    if self.comparison.waiting() > 0 {
                        self.error.get_or_insert_with(|| {
                            "the thread that prepares the rows has ended".to_owned()
                        });
                    }
                }
            }
        }
        self.comparison.set_budget_us(budget_us);
        // Prepared rows continue, also after a failure of the preparation.
        if let Err(error) = self.comparison.next_frame() {
            self.fail(&error);
        }
        if self.refreshed.elapsed() > REFRESH {
            self.refresh();
        }
    }

    fn fail(&mut self, error: &dyn std::error::Error) {
        self.error.get_or_insert_with(|| error.to_string());
        self.notices = None;
    }

    fn refresh(&mut self) {
        self.refreshed = Instant::now();
        self.table = self.comparison.table();
        self.has_settled = self.comparison.has_settled();
    }

    /// Compares the other rows of its family with `row`.
    pub fn set_baseline(&mut self, row: usize) {
        self.comparison.set_baseline(row);
        self.refresh();
    }

    /// Stops running rows, or continues.
    pub fn set_paused(&mut self, paused: bool) {
        self.comparison.set_paused(paused);
    }

    /// Returns the state and the results so far.
    pub fn progress(&self) -> Progress<'_> {
        Progress {
            table: &self.table,
            entries: self.comparison.entries(),
            waiting: self.comparison.waiting(),
            has_settled: self.has_settled,
            is_paused: self.comparison.is_paused(),
            error: self.error.as_deref(),
        }
    }

    /// Ends the comparison, and returns the present table.
    pub fn finish(self) -> Table {
        self.comparison.table()
    }

    /// Ends the comparison, and returns the task that finishes the row in preparation, if any.
    pub fn stop(mut self) -> Option<Task> {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.task.take()
    }
}

impl Drop for Running {
    /// Waits for the current row: a driver must not lose its process in the middle of a call.
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        if let Some(task) = self.task.take() {
            task.finish();
        }
    }
}
