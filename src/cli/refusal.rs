//! The texts of refusals: why a file is not taken, and which commands take it.

use anyhow::Error;

use super::door::{DetectedFile, Expectation, Refusal};
use super::shell::name;
use super::table::takers;
use tamper::formats::{FileKind, ReadError};
use tamper::text::{Diagnostic, SourceFile};

/// A refusal with the commands that take the file; every other error unchanged.
pub fn explained(error: Error) -> Error {
    match error.downcast::<Refusal>() {
        Ok(refusal) => refusal.explained().into(),
        Err(error) => error,
    }
}

impl Refusal {
    fn explained(&self) -> ReadError {
        let subject = &self.subject;
        let what = subject.kind.what();
        match self.expected {
            Expectation::Kind(wanted) => subject.refused_as(format!("is {what}, not {wanted}")),
            Expectation::Command(command) if takers(subject.kind).any(|taker| taker == command) => subject.error(
                format!("is {what}, which `tamper {command}` takes in another place"),
                subject.in_its_place(command),
            ),
            Expectation::Command(command) => {
                subject.refused_as(format!("is {what}, which `tamper {command}` does not take"))
            }
        }
    }
}

impl DetectedFile {
    fn refused_as(&self, why: String) -> ReadError {
        let takers: Vec<String> = takers(self.kind).map(|name| format!("`{name}`")).collect();
        let mut help = match takers.split_last() {
            None => "no command takes it".to_owned(),
            Some((only, [])) => format!("the command that takes it: {only}"),
            Some((last, others)) => format!("the commands that take it: {} and {last}", others.join(", ")),
        };
        if let Some(example) = self.example() {
            help += &format!("; for example `tamper {example}`");
        }
        self.error(why, help)
    }

    /// A command that takes the file, as it is typed after `tamper`.
    fn example(&self) -> Option<String> {
        let path = name(&self.path);
        Some(match self.kind {
            FileKind::Timed(_) | FileKind::System(_) => format!("check {path}"),
            FileKind::Machine(_) => format!("coverage {path}"),
            FileKind::Features(_) => format!("features {path}"),
            FileKind::TimedSuite | FileKind::SystemSuite => format!("run {path} --sut COMMAND"),
            FileKind::MachineSuite => format!("run {path} --against MACHINE"),
            #[cfg(feature = "drawing")]
            FileKind::Run | FileKind::Printed => format!("report {path} --out report.html"),
            #[cfg(not(feature = "drawing"))]
            FileKind::Run | FileKind::Printed => return None,
            FileKind::Folder => return None,
        })
    }

    /// The right way to type a command that takes the file, but in another place.
    fn in_its_place(&self, command: &str) -> String {
        let words = match command {
            "score" => "SUITE MODEL",
            "minimise" => "SUITE MODEL --out SMALLER",
            "view" => "SUITE MODEL --out DIR",
            _ => return format!("the order of the files: `tamper {command} -h`"),
        };
        let place = match self.kind {
            FileKind::TimedSuite | FileKind::SystemSuite | FileKind::MachineSuite => "SUITE",
            _ => "MODEL",
        };
        format!("`tamper {command} {}`", words.replace(place, &name(&self.path)))
    }

    fn error(&self, why: String, help: String) -> ReadError {
        ReadError {
            file: SourceFile::new(self.path.display().to_string(), ""),
            diagnostics: vec![Diagnostic::error(why, None).with_help(help)],
        }
    }
}
