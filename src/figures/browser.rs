//! The papers' figures on the device of a visitor: measured one command after another, between which the page
//! shows what it has, and can stop.

use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::{Command, Drawn, Figure, Measurements, chosen, commands, html};
use crate::bench::other::Error;
use crate::bench::series::Host;
use crate::bench::{Figures, Laboratory, Row, RunInfo, cpu, other};
use crate::fft::lab::timing::{Method, Regime, Timer};
use crate::fft::lab::{AlgorithmChoice, ClockStep, References};
use crate::fft::{Descriptor, Direction};
use crate::gpu::Context;
use crate::platform::{Instant, lock};

/// The chosen figures, and what was measured of them so far.
pub struct Page {
    figures: Vec<&'static Figure>,
    measurements: RefCell<Measurements>,
    is_stopped: Cell<bool>,
    /// The error that the device has reported.
    first_error: Arc<Mutex<Option<String>>>,
}

impl Page {
    /// The page of the figures `names`, or of all if there are no names. `browser` describes the program that
    /// shows it.
    ///
    /// # Errors
    /// A message for the user about a name that no figure has.
    pub fn new(
        context: &Context,
        names: &[String],
        quick: bool,
        browser: String,
    ) -> Result<Self, String> {
        let mut taken = RunInfo::new(&context.adapter_info, Vec::new(), "bench.html".into());
        if taken.driver.is_empty() {
            taken.driver = browser;
        }
        let measurements = Measurements { in_browser: true, ..Measurements::new(taken, quick) };
        let first_error = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&first_error);
        context.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            lock(&slot).get_or_insert_with(|| error.to_string());
        }));
        Ok(Self {
            figures: chosen(names)?,
            measurements: RefCell::new(measurements),
            is_stopped: Cell::new(false),
            first_error,
        })
    }

    /// The sections of all figures so far, as a JSON array of `{paper, name, html}`.
    pub fn sections(&self) -> String {
        let sections: Vec<_> = self.figures.iter().map(|figure| self.section(figure)).collect();
        json!(sections).to_string()
    }

    fn section(&self, figure: &'static Figure) -> serde_json::Value {
        let measurements = self.measurements.borrow();
        let drawn = measurements.draw(figure);
        let html = html::section(&measurements, figure, drawn.as_ref());
        json!({ "paper": figure.paper, "name": figure.name, "html": html })
    }

    /// Stops measuring, after the present transform. What it belongs to is measured again later.
    pub fn stop(&self) {
        self.is_stopped.set(true);
    }

    /// Measures what was not measured yet, and returns whether nothing is left. `listener` receives JSON
    /// objects: `{number, of, command, seconds_left}` for each command, `{problem}` for each part of it,
    /// `{paper, name, html}` for each figure that is done, and `{failed}` for a command that failed.
    ///
    /// # Errors
    /// A message for the user.
    pub async fn measure(
        &self,
        context: &Context,
        mut listener: impl FnMut(String) -> Result<(), String>,
    ) -> Result<bool, String> {
        self.is_stopped.set(false);
        let all = {
            let measurements = self.measurements.borrow();
            commands(&self.figures, |figure| measurements.commands_of(figure).unwrap_or_default())
        };
        let step = ClockStep::measure(context, Timer::of(&context.device)).await;
        let clock = step.map_err(|error| error.to_string())?.unwrap_or(ClockStep::USUAL);
        let usual = Method { warm_up_us: 50_000.0, ..clock.method() };
        let has = |command: &Command| self.measurements.borrow().has(command);
        let is_left = |command: &&Command| !has(command);
        let mut left: usize = all.iter().filter(is_left).map(Command::steps).sum();
        let (begun, mut done) = (Instant::now(), 0);
        let mut open: Vec<&'static Figure> = self.figures.clone();
        let mut failed = false;
        for (number, command) in all.iter().enumerate() {
            if !has(command) {
                let seconds = begun.elapsed().as_secs_f64() * left as f64 / done as f64;
                let told = json!({
                    "number": number + 1,
                    "of": all.len(),
                    "command": command.to_string(),
                    "seconds_left": seconds.is_finite().then_some(seconds),
                });
                listener(told.to_string())?;
                let method = command.method(self.measurements.borrow().quick, &usual);
                let run = self.run(command, context, clock, &method, &mut listener);
                match run.await {
                    Ok(()) => self.measurements.borrow_mut().commands.push(command.to_string()),
                    Err(_) if self.is_stopped.get() => return Ok(false),
                    Err(error) => {
                        failed = true;
                        listener(json!({ "failed": format!("{command}: {error}") }).to_string())?;
                    }
                }
                left -= command.steps();
                done += command.steps();
            }
            // Commands of figures may come in any order.
            let (is_done, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(|figure| {
                let of_figure = self.measurements.borrow().commands_of(figure);
                of_figure.unwrap_or_default().iter().all(|one| all[..=number].contains(one))
            });
            open = rest;
            for figure in is_done {
                listener(self.section(figure).to_string())?;
            }
        }
        self.measurements.borrow_mut().taken.complete = !failed;
        Ok(!failed)
    }

    /// Runs one command, and adds its results.
    async fn run(
        &self,
        command: &Command,
        context: &Context,
        clock: ClockStep,
        method: &Method,
        listener: &mut impl FnMut(String) -> Result<(), String>,
    ) -> Result<(), Error> {
        let mut visitor = Visitor { page: self, listener, rows: Vec::new() };
        match command {
            Command::Bench(bench) => {
                let subjects = bench.series.subjects()?;
                let mut laboratory = Laboratory::on_clock(context, clock, *method);
                bench.series.measure(subjects, context, &mut laboratory, &mut visitor).await?;
                let rows = visitor.rows;
                self.measurements.borrow_mut().rows.extend(rows);
            }
            Command::Cpu(lengths) => {
                let mut rows = Vec::new();
                for length in lengths {
                    visitor.begin(&format!("{length} points on the processor"))?;
                    rows.extend(cpu::measure(*length, Direction::Inverse, method).await?);
                }
                self.measurements.borrow_mut().cpu.extend(rows);
            }
            Command::Other { other, sizes, .. } => {
                let mut rows = Vec::new();
                for size in sizes {
                    visitor.begin(&format!("{other}, {size}"))?;
                    rows.extend(other::measure(*other, *size, method, context).await?);
                    visitor.check()?;
                }
                self.measurements.borrow_mut().others.extend(rows);
            }
            Command::Kernel(_) => return Err("a page prints no kernels".into()),
        }
        Ok(())
    }

    /// The measurements so far, in the form that `seaway figures --from` reads.
    pub fn json(&self) -> String {
        serde_json::to_string(&*self.measurements.borrow()).expect("plain data") + "\n"
    }

    /// All figures so far, as one file that needs no other.
    pub fn html(&self) -> String {
        let measurements = self.measurements.borrow();
        let drawn: Vec<(&'static Figure, Option<Drawn>)> =
            self.figures.iter().map(|figure| (*figure, measurements.draw(figure))).collect();
        html::html(&measurements, &drawn)
    }
}

struct Visitor<'a, L> {
    page: &'a Page,
    listener: &'a mut L,
    rows: Vec<Row>,
}

impl<L: FnMut(String) -> Result<(), String>> Host for Visitor<'_, L> {
    type Error = Error;

    fn begin(&mut self, words: &str) -> Result<(), Error> {
        if self.page.is_stopped.get() {
            return Err("stopped".into());
        }
        Ok((self.listener)(json!({ "problem": words }).to_string())?)
    }

    async fn resolve(
        &mut self,
        _: AlgorithmChoice,
        task: &Descriptor,
    ) -> Result<Descriptor, Error> {
        Ok(task.clone())
    }

    fn check(&mut self) -> Result<(), Error> {
        let error = lock(&self.page.first_error).take();
        error.map_or(Ok(()), |error| Err(error.into()))
    }

    fn add_peers(&mut self, _: &mut Figures, _: &Descriptor, _: Regime, _: &mut References) {}

    fn keep(&mut self, row: Row) -> Result<(), Error> {
        self.rows.push(row);
        match self.page.is_stopped.get() {
            true => Err("stopped".into()),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use seaway_core::testing::context;
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_stopped_page_goes_on_with_the_rest() {
        let context = context();
        let names = ["table-2", "004-additive", "17"].map(String::from);
        let page = Page::new(&context, &names, true, "a browser".into()).unwrap();
        let sections: Vec<Value> = serde_json::from_str(&page.sections()).unwrap();
        assert_eq!(sections.len(), 3);
        assert!(sections[2]["html"].as_str().unwrap().contains("It needs CUDA"));
        let mut told = Vec::<Value>::new();
        let run = page.measure(&context, |text| {
            told.push(serde_json::from_str(&text).unwrap());
            // During the second command.
            if told.last().unwrap()["number"] == 2 {
                page.stop();
            }
            Ok(())
        });
        assert_eq!(pollster::block_on(run), Ok(false));
        let shown = |told: &[Value]| -> Vec<String> {
            let names = told.iter().filter_map(|one| one["name"].as_str());
            names.map(String::from).collect()
        };
        assert_eq!(shown(&told), ["table-2", "17"]);
        let read = || -> Measurements { serde_json::from_str(&page.json()).unwrap() };
        assert_eq!((read().commands.len(), read().others.len()), (1, 0));

        told.clear();
        let run = page.measure(&context, |text| {
            told.push(serde_json::from_str(&text).unwrap());
            Ok(())
        });
        assert_eq!(pollster::block_on(run), Ok(true));
        assert_eq!(told.iter().filter(|one| one["number"].is_u64()).count(), 1);
        assert_eq!(shown(&told), ["table-2", "17", "004-additive"]);
        let read = read();
        assert!(read.taken.complete && read.in_browser && read.commands.len() == 2);
        assert!(!read.cpu.is_empty() && !read.others.is_empty() && read.wrong().is_empty());
        let html = page.html();
        assert_eq!(html.matches("<svg ").count(), 2);
        assert!(html.contains("no claim") && html.contains("It needs CUDA"));
        assert!(Page::new(&context, &["99".to_owned()], true, String::new()).is_err());
    }
}
