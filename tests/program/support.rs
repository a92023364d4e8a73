//! Utilities that run the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a run of the program ended.
pub struct Outcome {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// `seaway`, which leaves the user's cache alone.
fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_seaway"));
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join("cache");
    command.env("SEAWAY_CACHE_DIR", cache);
    command
}

/// Runs `seaway` with the words of `line`, and `environment` on top of the test's own.
pub fn seaway_with(line: &str, environment: &[(&str, &str)]) -> Outcome {
    let output = command()
        .args(line.split_whitespace())
        .envs(environment.iter().copied())
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Outcome {
        code: output.status.code().expect("no signal ends it"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

pub fn seaway(line: &str) -> Outcome {
    seaway_with(line, &[])
}

/// The bytes that `seaway` prints, where they are no text.
#[track_caller]
pub fn seaway_bytes(line: &str) -> Vec<u8> {
    let output = command().args(line.split_whitespace()).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

impl Outcome {
    /// Ended with `code`, and said all of `words` on stderr.
    #[track_caller]
    pub fn expect(self, code: i32, words: &[&str]) -> Self {
        assert_eq!(self.code, code, "{}", self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "{word:?} is not in: {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        assert!(!self.stderr.contains('\x1b'), "colours in a pipe: {}", self.stderr);
        self
    }

    /// Failed, and so wrote no data.
    #[track_caller]
    pub fn expect_failure(self, code: i32, words: &[&str]) {
        let outcome = self.expect(code, words);
        assert_eq!(outcome.stdout, "");
        assert!(outcome.stderr.contains("error: "), "{}", outcome.stderr);
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).expect("stdout is JSON and nothing else")
    }
}

/// An empty folder for one test.
pub fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Finds no adapter on any machine: Vulkan only, and no driver for it.
pub const NO_ADAPTER: [(&str, &str); 3] = [
    ("WGPU_BACKEND", "vulkan"),
    ("VK_DRIVER_FILES", "/nonexistent/driver.json"),
    ("VK_ICD_FILENAMES", "/nonexistent/driver.json"),
];
