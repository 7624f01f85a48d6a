//! Recognition of the kinds of files. Only this module looks at file name extensions and first bytes.
//!
//! A known extension decides. For `.xml`, `.json` and files without a known extension (standard input, pipes) the first
//! bytes decide. If they tell nothing, the file is taken for UPPAAL's XML, whose reader reports the error.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use tamper_features::formats::FeatureModelFormat;
use tamper_machines::formats::MachineFormat;
use tamper_uppaal::input::{ending, read_input};

use super::suite_json;
use tamper_systems::formats::suite as system_suite;
use tamper_text::{ReadError, decode};

/// The kind of content of a file, and its format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// Timed games: one, several, or a network.
    Timed(TimedFormat),
    /// A finite state machine, with or without faults.
    Machine(MachineFormat),
    /// An untimed system.
    System(SystemFormat),
    /// A feature model.
    Features(FeatureModelFormat),
    /// A suite of tests for timed games.
    TimedSuite,
    /// A suite of tests for untimed systems.
    SystemSuite,
    /// A suite of a state machine.
    MachineSuite,
    /// The folder of a run, an export or a score.
    Run,
    /// JSON that `run`, `score` or `coverage` printed, or the lines of `run --results`.
    Printed,
    /// Any other folder.
    Folder,
}

/// A format of timed games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimedFormat {
    /// UPPAAL's XML.
    Xml,
    /// UPPAAL's text.
    Text,
    /// TChecker's text.
    TChecker,
    /// One component of an Ecdar project.
    EcdarComponent,
    /// The folder of an Ecdar project.
    EcdarProject,
    /// A machine configuration of XState.
    XState,
    /// SCXML with delayed events.
    Scxml,
}

/// A format of untimed systems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SystemFormat {
    /// A transition system in SMV.
    Smv,
    /// A transition system in BTOR2.
    Btor2,
    /// An action system in Prolog syntax.
    Actions,
}

/// Advice to the user if a file cannot be read.
const KINDS: &str = "name a file that exists and may be read";

impl FileKind {
    /// The kind of the file or folder at `path`, which is read if its name does not tell.
    ///
    /// # Errors
    /// If the file has to be read and cannot be.
    pub fn of(path: &Path) -> Result<Self, ReadError> {
        if path.is_dir() {
            return Ok(of_folder(path));
        }
        match Self::of_ending(path) {
            Some(kind) if kind != Self::Machine(MachineFormat::Scxml) => Ok(kind),
            _ => Ok(Self::of_bytes(path, &read_input(path, KINDS)?)),
        }
    }

    /// The kind of a file with this name and content.
    pub fn of_bytes(path: &Path, bytes: &[u8]) -> Self {
        let is_json = ending(path) == "json" && !bytes.trim_ascii_start().starts_with(b"<");
        let sniffed = || if is_json { of_json(bytes) } else { sniffed(bytes) };
        match Self::of_ending(path).unwrap_or_else(sniffed) {
            Self::Machine(MachineFormat::Scxml) if has_delays(bytes) || is_blank(bytes) => {
                Self::Timed(TimedFormat::Scxml)
            }
            // Of a file without anything in it, only the name tells.
            _ if is_blank(bytes) && ending(path) == "json" => Self::Timed(TimedFormat::XState),
            kind => kind,
        }
    }

    /// The kind that the extension alone determines.
    fn of_ending(path: &Path) -> Option<Self> {
        Some(match ending(path).as_str() {
            "xta" | "ta" => Self::Timed(TimedFormat::Text),
            "tck" => Self::Timed(TimedFormat::TChecker),
            "fsm" => Self::Machine(MachineFormat::Text),
            "kiss" | "kiss2" => Self::Machine(MachineFormat::Kiss2),
            "efsm" => Self::Machine(MachineFormat::Extended),
            "scxml" => Self::Machine(MachineFormat::Scxml),
            "dot" | "gv" => Self::Machine(MachineFormat::Dot),
            "suite" => Self::MachineSuite,
            "smv" => Self::System(SystemFormat::Smv),
            "btor2" | "btor" => Self::System(SystemFormat::Btor2),
            "pl" => Self::System(SystemFormat::Actions),
            "uvl" => Self::Features(FeatureModelFormat::Uvl),
            "dimacs" | "cnf" => Self::Features(FeatureModelFormat::Dimacs),
            _ => return None,
        })
    }

    /// The name of the kind for messages, with an article.
    pub fn what(self) -> &'static str {
        match self {
            Self::Timed(TimedFormat::Xml) => "a UPPAAL file",
            Self::Timed(TimedFormat::Text) => "a UPPAAL file in text",
            Self::Timed(TimedFormat::TChecker) => "a TChecker file",
            Self::Timed(TimedFormat::EcdarComponent) => "an Ecdar component",
            Self::Timed(TimedFormat::EcdarProject) => "an Ecdar project",
            Self::Timed(TimedFormat::XState) => "a machine configuration of XState",
            Self::Timed(TimedFormat::Scxml) => "a state chart with delays (SCXML)",
            Self::Machine(MachineFormat::Text) => "a state machine",
            Self::Machine(MachineFormat::Kiss2) => "a state machine (KISS2)",
            Self::Machine(MachineFormat::Dot) => "a state machine (DOT)",
            Self::Machine(MachineFormat::Extended) => "a machine with variables",
            Self::Machine(MachineFormat::Scxml) => "a state chart (SCXML)",
            Self::System(SystemFormat::Smv) => "a transition system (SMV)",
            Self::System(SystemFormat::Btor2) => "a transition system (BTOR2)",
            Self::System(SystemFormat::Actions) => "an action system",
            Self::Features(FeatureModelFormat::Uvl) => "a feature model (UVL)",
            Self::Features(FeatureModelFormat::FeatureIde) => "a feature model (FeatureIDE)",
            Self::Features(FeatureModelFormat::Dimacs) => "a feature model (DIMACS)",
            Self::TimedSuite => "a suite of timed tests",
            Self::SystemSuite => "a suite for untimed systems",
            Self::MachineSuite => "a suite of a state machine",
            Self::Run => "the folder of a run",
            Self::Printed => "what a command printed as JSON",
            Self::Folder => "a folder that holds no run and no Ecdar project",
        }
    }
}

/// The kind of a folder, by the files that tamper and Ecdar write.
fn of_folder(path: &Path) -> FileKind {
    // An exported Ecdar project has a manifest, too, so this check comes first.
    if path.join("Components").is_dir() {
        FileKind::Timed(TimedFormat::EcdarProject)
    } else if path.join("manifest.json").is_file() {
        FileKind::Run
    } else {
        FileKind::Folder
    }
}

/// The kind that the first bytes indicate.
fn sniffed(bytes: &[u8]) -> FileKind {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = start.trim_ascii_start();
    match start.first() {
        Some(b'<') => of_xml(start),
        Some(b'{') => of_json(bytes),
        _ => of_text(&String::from_utf8_lossy(&start[..start.len().min(4096)])),
    }
}

/// The kind of an XML file, by its root element.
fn of_xml(start: &[u8]) -> FileKind {
    let text = String::from_utf8_lossy(&start[..start.len().min(4096)]).to_ascii_lowercase();
    let has = |root: &str| text.contains(root);
    if has("<featuremodel") || has("<extendedfeaturemodel") {
        FileKind::Features(FeatureModelFormat::FeatureIde)
    } else if has("<scxml") {
        FileKind::Machine(MachineFormat::Scxml)
    } else {
        FileKind::Timed(TimedFormat::Xml)
    }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(bytes)
        .trim_ascii()
        .is_empty()
}

/// Name of the format of a run's results, which are lines of JSON; the first line contains it.
pub const RUN_RESULTS: &str = "tamper-run-results";

/// Whether an event of a state chart has a delay.
fn has_delays(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let tags = text.split("<send").skip(1).filter_map(|rest| rest.split('>').next());
    let words = tags.flat_map(|tag| tag.split_ascii_whitespace());
    words.into_iter().any(|word| {
        let name = word.split('=').next();
        matches!(name, Some("delay" | "delayexpr"))
    })
}

/// Whether a file holds the results of a run, line by line.
pub fn is_run_results(bytes: &[u8]) -> bool {
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    #[derive(Deserialize)]
    struct First {
        options: FormatName,
    }
    serde_json::from_slice::<First>(first).is_ok_and(|first| first.options.format == RUN_RESULTS)
}

/// The kind of a JSON file, by the names at its top level.
fn of_json(bytes: &[u8]) -> FileKind {
    let component = FileKind::Timed(TimedFormat::EcdarComponent);
    let Ok(file) = decode("", bytes) else {
        return component;
    };
    for (format, kind) in [
        (suite_json::FORMAT, FileKind::TimedSuite),
        (system_suite::FORMAT, FileKind::SystemSuite),
    ] {
        let named = serde_json::from_str::<FormatName>(file.text());
        // A malformed suite is recognised, too, so that its own reader reports the error.
        let is_named = || {
            file.text()
                .lines()
                .take(5)
                .any(|line| line.contains(&format!("\"{format}\"")))
        };
        if named.map_or_else(|_| is_named(), |named| named.format == format) {
            return kind;
        }
    }
    if is_run_results(bytes) {
        return FileKind::Printed;
    }
    let fields = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(file.text());
    let has_one = |names: &[&str]| match &fields {
        Ok(fields) => names.iter().any(|name| fields.contains_key(*name)),
        // With comments, or malformed, it is known by its words.
        Err(_) => names.iter().any(|name| file.text().contains(&format!("\"{name}\""))),
    };
    let is_empty = fields.as_ref().is_ok_and(BTreeMap::is_empty);
    let has_component = has_one(&["declarations", "locations", "edges"]);
    let has_machine = has_one(&["states"]) || !has_one(&["name"]) && has_one(&OF_MACHINES);
    if fields.is_ok() && has_one(&["verdict", "fail", "killable", "proved"]) {
        FileKind::Printed
    } else if is_empty || has_machine && !has_component {
        FileKind::Timed(TimedFormat::XState)
    } else {
        component
    }
}

/// Keys of a machine configuration beside its states.
const OF_MACHINES: [&str; 10] = [
    "id", "initial", "on", "after", "always", "entry", "exit", "invoke", "context", "xstate",
];

/// The name of the format, in a file that tamper writes.
#[derive(Deserialize)]
struct FormatName {
    format: String,
}

/// The kind of a text file, by the first words outside comments.
fn of_text(text: &str) -> FileKind {
    let is_comment = |line: &&str| {
        ["--", "#", ";", "%", "//", "c "]
            .iter()
            .any(|sign| line.starts_with(sign))
    };
    let lines = || {
        text.lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !is_comment(line))
    };
    let words: Vec<&str> = lines().next().unwrap_or_default().split_whitespace().take(2).collect();
    match words.as_slice() {
        ["MODULE", ..] => FileKind::System(SystemFormat::Smv),
        [_, "sort"] => FileKind::System(SystemFormat::Btor2),
        ["digraph" | "strict", ..] => FileKind::Machine(MachineFormat::Dot),
        [".i" | ".o" | ".s" | ".p" | ".r", ..] => FileKind::Machine(MachineFormat::Kiss2),
        ["features" | "namespace", ..] => FileKind::Features(FeatureModelFormat::Uvl),
        ["p", "cnf"] => FileKind::Features(FeatureModelFormat::Dimacs),
        [first, ..] if first.starts_with("system:") => FileKind::Timed(TimedFormat::TChecker),
        _ if lines().any(|line| line.contains("->")) => FileKind::Machine(MachineFormat::Text),
        [first, ..] if is_answered(first) => FileKind::MachineSuite,
        _ => FileKind::Timed(TimedFormat::Xml),
    }
}

/// Whether a word is an input with its answer.
fn is_answered(word: &str) -> bool {
    word.split_once('/')
        .is_some_and(|(input, answer)| !input.is_empty() && !answer.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_decide_and_bytes_decide_where_there_is_none() {
        let kind = |name: &str, text: &str| FileKind::of_bytes(Path::new(name), text.as_bytes()).what();
        assert_eq!(kind("a.SMV", "<nta/>"), "a transition system (SMV)");
        assert_eq!(kind("a.xml", "<?xml version=\"1.0\"?><nta>"), "a UPPAAL file");
        assert_eq!(kind("a.xml", "\u{feff}<featureModel>"), "a feature model (FeatureIDE)");
        assert_eq!(
            kind("a.json", "{\"format\": \"tamper-system-suite\"}"),
            "a suite for untimed systems"
        );
        assert_eq!(kind("a.json", "{\"name\": \"A\"}"), "an Ecdar component");
        assert_eq!(
            kind("a.json", "{\"format\": \"tamper-suite\", }"),
            "a suite of timed tests"
        );
        assert_eq!(
            kind("a.json", "{\"verdict\": \"complete\"}"),
            "what a command printed as JSON"
        );
        assert_eq!(kind("-", "-- a comment\nMODULE main"), "a transition system (SMV)");
        assert_eq!(kind("-", "; a comment\n1 sort bitvec 1"), "a transition system (BTOR2)");
        assert_eq!(kind("-", "digraph g {"), "a state machine (DOT)");
        assert_eq!(kind("-", "# a comment\ninitial 1\n1 a / 0 -> 1"), "a state machine");
        assert_eq!(
            kind("-", "# a comment\nput/ok get/\"two words\""),
            "a suite of a state machine"
        );
        assert_eq!(kind("a.suite", "put get"), "a suite of a state machine");
        assert_eq!(kind("-", "nothing that is known"), "a UPPAAL file");
        assert_eq!(kind("-", ""), "a UPPAAL file");
        for machine in [
            "",
            " \n",
            "{}",
            "{\"states\": {}}",
            "{\"on\": {}}",
            "// a comment\n {\"states\": {} }",
        ] {
            assert_eq!(
                kind("a.json", machine),
                "a machine configuration of XState",
                "{machine}"
            );
        }
        for component in [
            "{\"name\": \"A\", \"id\": 1}",
            "{\"states\": 1, \"locations\": []}",
            "{\"other\": 1}",
        ] {
            assert_eq!(kind("a.json", component), "an Ecdar component", "{component}");
        }
        assert_eq!(kind("a.scxml", ""), "a state chart with delays (SCXML)");
    }
}
