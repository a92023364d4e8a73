//! Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no usable adapter.

use std::process::ExitCode;

use crate::gpu::ContextError;

/// Arguments that clap accepts one by one, but that are wrong together.
#[derive(Debug, thiserror::Error)]
#[error("{0}\n\nFor more information, try '--help'.")]
pub struct Usage(pub String);

/// The adapter or system lacks something that was asked for by name.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Lacking(pub String);

/// Prints the error to stderr and returns its exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    eprintln!("error: {}", message(error));
    ExitCode::from(code(error))
}

fn code(error: &anyhow::Error) -> u8 {
    if error.chain().any(|cause| cause.is::<ContextError>() || cause.is::<Lacking>()) {
        3
    } else if error.chain().any(|cause| cause.is::<Usage>()) {
        2
    } else {
        1
    }
}

/// The chain of causes on one line. A typed error may already quote its source, so parts that were
/// printed are left out.
fn message(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if text.contains(&cause) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&cause);
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::settings::Preset;
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn each_kind_of_failure_has_its_code() {
        let no_adapter = ContextError::NoAdapter { backends: wgpu::Backends::VULKAN };
        assert_eq!(code(&anyhow::Error::new(no_adapter).context("opening the window")), 3);
        assert_eq!(code(&anyhow::Error::new(Lacking("no doubles".into()))), 3);
        assert_eq!(code(&anyhow::Error::new(Usage("no".into()))), 2);
        assert_eq!(code(&anyhow::anyhow!("the disk is full")), 1);
    }

    #[test]
    fn a_cause_is_said_once() {
        let error = Preset::parse("my.toml", "[sea]\nwind_speed_mps = nan").unwrap_err();
        let text = message(&Err::<(), _>(error).context("loading").unwrap_err());
        assert_eq!(text.matches("out of range").count(), 1, "{text}");
        assert!(text.starts_with("loading: preset my.toml"), "{text}");
    }
}
