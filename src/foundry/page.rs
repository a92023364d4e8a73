//! The contents of kernel.html: the kernels of a form, and their check and times on the visitor's device.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::bench::{Figures, Laboratory, Outcome, Row};
use crate::choice::Choice as _;
use crate::fft::lab::timing::Regime;
use crate::fft::lab::{self, Algorithm, AlgorithmChoice, WorkloadError};
use crate::fft::{Descriptor, Plan};
use crate::gpu::{Capabilities, Context};

use super::{Form, Sheet, fields, hooked};

/// The fields of the form, as JSON.
pub fn form() -> String {
    serde_json::to_string(&fields()).expect("plain data")
}

/// Reads `address`, a JSON object of texts, and returns `{values, messages, examples, algorithm}` and either
/// `sheet` or `error`. Where the algorithm is to be the fastest here, it measures all of them, and reports to
/// `listener` in words.
///
/// # Errors
/// A message for the user if the device does not answer.
pub async fn describe(
    context: &Context,
    address: &str,
    listener: impl FnMut(String) -> Result<(), String>,
) -> Result<String, String> {
    let (form, messages) = read(address)?;
    let mut told = json!({ "values": form, "messages": messages });
    match sheet(context, &form, listener).await? {
        Ok((sheet, task)) => {
            told["sheet"] = serde_json::to_value(sheet).expect("plain data");
            told["chosen"] = json!(task.algorithm);
            let plain = Descriptor { load: None, store: None, ..task };
            told["examples"] = json!([hooked::load_example(&plain), hooked::store_example(&plain)]);
        }
        Err(error) => told["error"] = error.into(),
    }
    Ok(told.to_string())
}

/// Checks and times the transform of `address`, by the configuration that [`describe`] has chosen, and returns
/// a row as `seaway bench` writes it.
///
/// # Errors
/// A message for the user.
pub async fn verify(context: &Context, address: &str, chosen: &str) -> Result<String, String> {
    let (form, _) = read(address)?;
    let configuration = serde_json::from_str(chosen).map_err(message)?;
    let task = Descriptor { algorithm: configuration, ..form.task()? };
    let mut laboratory = Laboratory::on_coarse_clock(context).await.map_err(message)?;
    let outcome = measure(context, &mut laboratory, &task).await?;
    let choice = form.algorithm();
    let row = Row::new(choice.name(), None, &task, Regime::Hot, context.describe(), outcome);
    serde_json::to_string(&row).map_err(message)
}

fn read(address: &str) -> Result<(Form, Vec<String>), String> {
    let given: BTreeMap<String, Value> = serde_json::from_str(address).map_err(message)?;
    let text = |(name, value): (String, Value)| Some((name, value.as_str()?.to_owned()));
    Ok(Form::read(&given.into_iter().filter_map(text).collect()))
}

/// The kernels of `form` and their task, or why there are none.
async fn sheet(
    context: &Context,
    form: &Form,
    listener: impl FnMut(String) -> Result<(), String>,
) -> Result<Result<(Sheet, Descriptor), String>, String> {
    let task = match form.task() {
        Ok(task) => task,
        Err(error) => return Ok(Err(error)),
    };
    let capabilities = match form.is_for_any_device() {
        true => Capabilities::webgpu_defaults(),
        false => context.capabilities.clone(),
    };
    let task = match form.algorithm() {
        AlgorithmChoice::Named(algorithm) => task.by(algorithm),
        AlgorithmChoice::Best => task,
        AlgorithmChoice::Auto => match fastest(context, &capabilities, &task, listener).await? {
            Ok(fastest) => fastest,
            Err(error) => return Ok(Err(error)),
        },
    };
    let program = match lab::program(&task, &capabilities) {
        Ok(program) => program,
        Err(error) => return Ok(Err(error.to_string())),
    };
    // Errors of hooks have the lines of the visitor's own text.
    if (task.load.is_some() || task.store.is_some())
        && let Err(error) = Plan::new_async(&context.device, &task).await
    {
        return Ok(Err(error.to_string()));
    }
    let task = Descriptor { algorithm: program.configuration, ..task };
    Ok(Ok((Sheet::new(&task, &program), task)))
}

/// Returns `task` by the fastest of all algorithms on this device that give the right result, or why there is
/// none.
async fn fastest(
    context: &Context,
    capabilities: &Capabilities,
    task: &Descriptor,
    mut listener: impl FnMut(String) -> Result<(), String>,
) -> Result<Result<Descriptor, String>, String> {
    let mut laboratory = Laboratory::on_coarse_clock(context).await.map_err(message)?;
    let mut best: Option<(f64, Descriptor)> = None;
    let mut reason = None;
    let runs = |algorithm: &Algorithm| lab::program(&task.clone().by(*algorithm), capabilities);
    for &algorithm in Algorithm::ALL {
        if let Err(error) = runs(&algorithm) {
            reason = reason.or(Some(error.to_string()));
            continue;
        }
        listener(format!("Measuring {algorithm} ..."))?;
        let task = task.clone().by(algorithm);
        let outcome = match measure(context, &mut laboratory, &task).await {
            Ok(outcome) => outcome,
            // Mostly an error in a hook, which each algorithm would repeat.
            Err(error) => return Ok(Err(error)),
        };
        match outcome {
            Outcome::Measured(figures) => {
                let median_us = figures.times.median_us;
                if best.as_ref().is_none_or(|(least_us, _)| median_us < *least_us) {
                    best = Some((median_us, task));
                }
            }
            other => reason = reason.or(other.note()),
        }
    }
    let reason = || reason.unwrap_or_else(|| "no algorithm runs here".to_owned());
    Ok(best.map(|(_, task)| task).ok_or_else(reason))
}

async fn measure(
    context: &Context,
    laboratory: &mut Laboratory<'_>,
    task: &Descriptor,
) -> Result<Outcome<Box<Figures>>, String> {
    if task.load.is_some() || task.store.is_some() {
        return hooked::figures(context, laboratory, task).await;
    }
    let checked = match laboratory.check(task, Regime::Hot).await.map_err(message)?.measured() {
        Ok(checked) => checked,
        Err(other) => return Ok(other),
    };
    laboratory.figures(&checked, None).await.map_err(|error: WorkloadError| error.to_string())
}

fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}
