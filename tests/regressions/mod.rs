//! Inputs that once got a wrong answer, or none: a test for each, named after it. The right answers were found by procedures that
//! share nothing with tamper, and checked by hand.

mod faults;
mod hostile;
mod hostile_inputs;
mod language_fourth;
mod layers;
mod networks;
mod programs;
mod single_games;
mod systems;
mod systems_fourth;
mod written;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The input `name`, as in `layers/bl1.xml`.
fn input(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/regressions/data")
        .join(name)
}

/// A folder of its own, in which tamper is called.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }
    /// A folder with copies of the inputs, under their last names.
    fn with(names: &[&str]) -> Self {
        let place = Self::new();
        for name in names {
            let from = input(name);
            std::fs::copy(&from, place.at(from.file_name().unwrap().to_str().unwrap())).unwrap();
        }
        place
    }
    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
    /// Calls tamper with `words`, which are divided at white space.
    fn tamper(&self, words: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_tamper"))
            .current_dir(self.folder.path())
            .args(words.split_whitespace())
            .output()
            .expect("tamper runs")
    }
    /// What tamper prints, after it exited with `code`.
    fn text(&self, words: &str, code: i32) -> String {
        let output = self.tamper(words);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words}: {text}{message}");
        text
    }
    /// What tamper says about an input that it refuses.
    fn refusal(&self, words: &str) -> String {
        let output = self.tamper(words);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}: {message}");
        message
    }
    /// What tamper prints as JSON, after it exited with `code`.
    fn json(&self, words: &str, code: i32) -> Value {
        serde_json::from_str(&self.text(&format!("{words} --format json"), code)).expect("JSON")
    }
}
