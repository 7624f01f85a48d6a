//! No file is lost: whatever is typed, no output replaces an input, and nothing is removed that tamper did not make.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const LAMP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/uppaal-models/lamp.xml");
const MACHINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/machines/running-example.fsm");
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/machines/running-example.suite");

/// A folder with one file of each kind that a command reads.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::copy(LAMP, place.at("m.xml")).unwrap();
        fs::copy(MACHINE, place.at("m.fsm")).unwrap();
        fs::copy(TESTS, place.at("m.suite")).unwrap();
        place
    }
    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
    fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
        command
            .current_dir(self.folder.path())
            .args(words.split_whitespace())
            .arg("--quiet");
        command
    }
    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }
    /// Runs what must succeed.
    fn make(&self, words: &str) {
        let output = self.run(words);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{words}: {message}");
    }
    /// The message of what must be refused, which changes nothing.
    fn refusal(&self, words: &str) -> String {
        let before = self.everything();
        let output = self.run(words);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words}: {message}");
        assert!(output.stdout.is_empty(), "{words}");
        assert_eq!(self.everything(), before, "{words}");
        message
    }
    /// Every file below the folder, with its bytes; links with where they lead.
    fn everything(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let (mut found, mut folders) = (Vec::new(), vec![self.folder.path().to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_symlink() {
                    let target = fs::read_link(&path).unwrap();
                    found.push((path, target.into_os_string().into_encoded_bytes()));
                } else if path.is_dir() {
                    found.push((path.clone(), Vec::new()));
                    folders.push(path);
                } else {
                    let bytes = fs::read(&path).unwrap();
                    found.push((path, bytes));
                }
            }
        }
        found.sort();
        found
    }
    fn entries(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.at(folder)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn no_output_of_any_command_replaces_its_input() {
    let place = Place::new();
    place.make("testgen m.xml --operators TMI --out s.json");
    place.make("fmm m.xml --operators TMI --out line");
    place.make("classify m.xml --operators TMI --out run");
    place.make("export m.xml --mutants run --as ecdar-json --out project");
    for words in [
        "draw m.xml --out m.xml",
        "testgen m.xml --out m.xml",
        "testgen m.xml --mutants run --out run/suite.json",
        "coverage m.fsm m.suite --suite complete --out m.fsm",
        "coverage m.fsm m.suite --suite complete --out m.suite",
        "coverage m.fsm m.suite --suite complete --journal m.suite",
        "coverage m.xml s.json --suite complete --out m.xml",
        "coverage line/fmm.xml --features line/features.uvl --against m.xml --suite complete --out line/features.uvl",
        "minimise s.json m.xml --out s.json",
        "minimise s.json m.xml --out m.xml",
        "score s.json m.xml --stryker m.xml",
        "score s.json m.xml --stryker s.json",
        "run s.json --against m.xml --junit s.json",
        "run s.json --against m.xml --junit m.xml",
        "run s.json --sut true --junit s.json",
        "run s.json --sut true --results s.json",
        "project line/fmm.xml --features line/features.uvl --out line/fmm.xml",
        "project line/fmm.xml --features line/features.uvl --out line/features.uvl",
        "features line/features.uvl --out line/features.uvl",
        "fmm line/fmm.xml --features line/features.uvl --out line",
        "export m.xml --mutants run --out run",
        "export m.xml --mutants run --out run/sub",
        "classify project --template Lamp --out project",
        "classify project --template Lamp --out project/Components/x",
        "draw project --template Lamp --out project/Components/x.json",
    ] {
        let message = place.refusal(words);
        assert!(message.contains("input"), "{words}: {message}");
    }
    // A file of a test may have the name of the model.
    let suite = fs::read_to_string(place.at("s.json")).unwrap();
    fs::write(place.at("named.json"), suite.replace("\"t1\"", "\"m\"")).unwrap();
    let message = place.refusal("view named.json m.xml --only m --out .");
    assert!(message.contains("is the input"), "{message}");
    place.make("minimise s.json m.xml --operators TMI --in-place");
}

#[cfg(unix)]
#[test]
fn an_input_is_known_by_every_spelling() {
    let place = Place::new();
    std::os::unix::fs::symlink("m.xml", place.at("soft.xml")).unwrap();
    fs::hard_link(place.at("m.xml"), place.at("hard.xml")).unwrap();
    fs::create_dir(place.at("sub")).unwrap();
    std::os::unix::fs::symlink(place.folder.path(), place.at("sub/up")).unwrap();
    let absolute = place.at("m.xml");
    let names = ["./m.xml", "sub/../m.xml", "sub/up/m.xml", "soft.xml", "hard.xml"];
    for name in names.into_iter().chain([absolute.to_str().unwrap()]) {
        let message = place.refusal(&format!("draw m.xml --out {name}"));
        assert!(message.contains("is the input m.xml"), "{name}: {message}");
    }
    for name in names {
        place.refusal(&format!("draw {name} --out m.xml"));
    }
}

#[test]
fn two_outputs_of_a_command_are_two_files() {
    let place = Place::new();
    for (out, journal) in [("a", "a"), ("a", "./a"), ("a.old", "a")] {
        let message = place.refusal(&format!(
            "coverage m.fsm --suite complete --out {out} --journal {journal}"
        ));
        assert!(message.contains("same file"), "{message}");
    }
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_the_work() {
    let place = Place::new();
    fs::create_dir(place.at("folder")).unwrap();
    for (words, why) in [
        ("testgen m.xml --out missing/s.json", "no folder"),
        ("testgen m.xml --out folder", "is a folder"),
        ("classify m.xml --out m.fsm", "is a file"),
        ("fmm m.xml --out m.fsm", "is a file"),
    ] {
        let message = place.refusal(words);
        assert!(message.contains(why), "{words}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_kept() {
    let place = Place::new();
    fs::create_dir(place.at("far")).unwrap();
    std::os::unix::fs::symlink("far/m.svg", place.at("near.svg")).unwrap();
    std::os::unix::fs::symlink("far/run", place.at("near")).unwrap();
    for _ in 0..2 {
        place.make("draw m.xml --out near.svg");
        place.make("classify m.xml --operators TMI --out near");
    }
    assert!(place.at("near.svg").is_symlink() && place.at("near").is_symlink());
    assert_eq!(place.entries("far"), ["m.svg", "run", "run.old"]);
    place.make("draw m.xml --out /dev/null");
    use std::os::unix::fs::FileTypeExt as _;
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn only_what_tamper_made_is_moved_or_removed() {
    let place = Place::new();
    let classify = "classify m.xml --operators TMI --out q";
    fs::create_dir(place.at("q")).unwrap();
    fs::write(place.at("q/thesis.tex"), "").unwrap();
    assert!(place.refusal(classify).contains("something else"));
    // A manifest of another program makes no run.
    fs::write(place.at("q/manifest.json"), r#"{"manifest_version": 3}"#).unwrap();
    assert!(place.refusal(classify).contains("something else"));
    fs::remove_dir_all(place.at("q")).unwrap();
    place.make(classify);
    fs::create_dir(place.at("q.old")).unwrap();
    fs::write(place.at("q.old/notes.txt"), "years of work").unwrap();
    assert!(place.refusal(classify).contains("q.old"));
    fs::write(place.at("q.old/lock"), "").unwrap();
    assert!(place.refusal(classify).contains("move"));
    fs::remove_dir_all(place.at("q.old")).unwrap();
    // Notes in a run's own folder move with it once, and are not removed with it.
    fs::write(place.at("q/notes.txt"), "more work").unwrap();
    place.make(classify);
    assert_eq!(fs::read_to_string(place.at("q.old/notes.txt")).unwrap(), "more work");
    assert!(place.refusal(classify).contains("notes.txt"));
    // The model in the run's folder would move away.
    fs::copy(LAMP, place.at("q/model.xml")).unwrap();
    assert!(
        place
            .refusal("classify q/model.xml --out q")
            .contains("holds the input")
    );
    assert!(
        place
            .refusal("classify q.old/notes.txt --out q")
            .contains("holds the input")
    );
    assert!(
        place
            .refusal("export m.xml --mutants q.old --out q")
            .contains("is the input")
    );
}

#[test]
fn what_runs_and_exports_leave_is_known_as_theirs() {
    let place = Place::new();
    place.make("classify m.xml --operators TMI,TAD --out run");
    for format in ["uppaal", "ecdar-json", "tchecker", "fmm", "jsonl", "csv"] {
        for _ in 0..3 {
            place.make(&format!("export m.xml --mutants run --as {format} --out {format}"));
        }
        place.make(&format!("export m.xml --operators TMI --as {format} --out all"));
    }
    for _ in 0..3 {
        place.make("classify m.xml --duplicates --out all");
    }
    assert!(!place.entries("all").iter().any(|name| name.contains("lock")));
}

#[test]
fn two_commands_do_not_use_one_folder_at_once() {
    let place = Place::new();
    place.make("testgen m.xml --operators TMI --out s.json");
    let holder = |folder: &str| {
        fs::create_dir_all(place.at(folder)).unwrap();
        let file = fs::File::create(place.at(folder).join(".tamper.lock")).unwrap();
        file.lock().unwrap();
        file
    };
    let lock = holder("out");
    for words in [
        "classify m.xml --out out",
        "export m.xml --out out",
        "fmm m.xml --out out",
        "view s.json m.xml --out out",
        "reproduce wfas --order 1 --out out",
    ] {
        let message = place.refusal(words);
        assert!(message.contains("in use"), "{words}: {message}");
    }
    drop(lock);
    // The lock's file without its process blocks nobody, and is gone with the run that finds it.
    place.make("view s.json m.xml --out out");
    assert!(!place.entries("out").contains(&".tamper.lock".to_owned()));
}

#[test]
fn a_killed_run_leaves_nothing_that_the_next_one_does_not_take_away() {
    let place = Place::new();
    let mut child = place
        .command("classify m.xml --order 3 --out run")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while !place.at("run/mutants.jsonl").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(place.entries("run").contains(&".tamper.lock".to_owned()));
    fs::write(place.at("run/.tamper-0123456789abcdef.part"), "torn").unwrap();
    place.make("classify m.xml --operators TMI --out run");
    place.make("classify m.xml --operators TMI --out run");
    let hidden = |name: &String| name.starts_with('.');
    assert!(!place.entries("run").iter().any(hidden) && !place.entries("run.old").iter().any(hidden));
}

#[test]
fn refusals_name_the_file() {
    let place = Place::new();
    place.make("testgen m.xml --operators TMI --out s.json");
    fs::write(place.at("bad.json"), [b'{', 0xff]).unwrap();
    for (words, file) in [
        ("score bad.json m.xml", "bad.json"),
        ("score none.json m.xml", "none.json"),
        ("score s.json none.xml", "none.xml"),
        ("coverage none.fsm", "none.fsm"),
        ("coverage m.fsm none.suite", "none.suite"),
        ("coverage m.xml bad.json", "bad.json"),
        ("features none.uvl", "none.uvl"),
        ("draw none.uvl", "none.uvl"),
        ("check none.tck", "none.tck"),
        ("run none.json --against m.xml", "none.json"),
        ("view s.json none.xml --out v", "none.xml"),
    ] {
        let message = place.refusal(words);
        assert!(message.contains(file), "{words}: {message}");
    }
    if Path::new("/dev/zero").exists() {
        let message = place.refusal("check /dev/zero");
        assert!(message.contains("/dev/zero") && message.contains("256 MB"), "{message}");
    }
    let message = place.refusal("check m.xml --threads 1000000");
    assert!(message.contains("1..=1024"), "{message}");
}

/// What stands in files does not move the terminal: escape sequences, and marks that turn or hide text.
#[test]
fn texts_of_files_are_shown_and_not_heeded() {
    let place = Place::new();
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}\u{2028}\u{2066}\u{9b}x";
    let suite = format!(
        r#"{{"format": "tamper-system-suite", "version": 1, "specification": {{"file": "m", "hash": "0"}},
        "tests": [{{"id": "t{0}", "kill": "potential", "nodes": [{{"give": "{0}", "answers": []}}]}}], "mutants": []}}"#,
        evil.chars()
            .map(|c| format!("\\u{:04x}", u32::from(c)))
            .collect::<String>()
    );
    fs::write(place.at("s.json"), suite).unwrap();
    fs::write(
        place.at("m.smv"),
        format!("MODULE main -- {evil}\nVAR {evil} : boolean;\n"),
    )
    .unwrap();
    fs::write(
        place.at("m.pl"),
        format!("type('{evil}', X) :- X in 0..1.\nvar([{evil}], b).\n"),
    )
    .unwrap();
    fs::write(
        place.at("bad.fsm"),
        format!("initial {evil}\n{evil} a / 0 -> {evil}\n{evil} nonsense\n"),
    )
    .unwrap();
    fs::write(
        place.at("good.fsm"),
        "initial s\ns a\u{202e} / 0\u{1b}[31m -> s\nmutated s a\u{202e} / 1 -> s\n",
    )
    .unwrap();
    fs::write(
        place.at("tamper.toml"),
        format!("[check]\n\"{}\" = 1\n", "\\u001b[2J\\u202e"),
    )
    .unwrap();
    let mut n_escaped = 0;
    for words in [
        "check m.smv",
        "check m.smv --color always",
        "check m.pl",
        "coverage bad.fsm",
        "coverage bad.fsm --color always",
        "coverage good.fsm --suite complete",
        "coverage good.fsm --suite complete --format json",
        "coverage good.fsm --suite smallest",
        "run s.json --sut cat",
        "run s.json --against m.xml",
        "minimise s.json m.smv --out o.json",
        "score s.json m.smv",
    ] {
        for config in ["", " --config empty.toml"] {
            fs::write(place.at("empty.toml"), "").unwrap();
            let output = place.run(&format!("{words}{config}"));
            let shown = [output.stdout, output.stderr].concat();
            let text = String::from_utf8(shown).unwrap();
            // Colours are the only sequences, and only where they are asked for.
            let plain = match words.contains("always") {
                true => text
                    .split('\u{1b}')
                    .map(
                        |part| match part.strip_prefix('[').and_then(|rest| rest.split_once('m')) {
                            Some((digits, rest)) if digits.chars().all(|c| c.is_ascii_digit() || c == ';') => {
                                rest.to_owned()
                            }
                            _ => part.to_owned(),
                        },
                    )
                    .collect::<String>(),
                false => text.clone(),
            };
            let heeded = |c: char| {
                (c.is_control() && c != '\n') || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            };
            assert!(!plain.contains(heeded), "{words}{config}: {text:?}");
            n_escaped += usize::from(text.contains("u202e") || text.contains("u{202e}"));
        }
    }
    assert!(n_escaped >= 8, "the texts are shown: {n_escaped}");
}

/// The files that the words of `--sut` name are inputs.
#[test]
fn the_program_under_test_is_no_output() {
    let place = Place::new();
    place.make("testgen m.xml --out s.json");
    fs::create_dir(place.at("a b")).unwrap();
    for name in ["program.py", "a b/program"] {
        fs::write(place.at(name), "a program").unwrap();
    }
    for (sut, junit) in [
        ("python3 program.py", "program.py"),
        ("python3 ./program.py --fast", "program.py"),
        ("PYTHON=python3 exec python3 'program.py'", "./program.py"),
        ("cat <program.py", "program.py"),
        ("'a b/program' x", "a b/program"),
        ("a\\ b/program x", "a b/program"),
    ] {
        let before = place.everything();
        let output = place
            .command("run s.json --accelerated")
            .args(["--sut", sut, "--junit", junit])
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{sut}: {message}");
        assert!(message.contains("program"), "{sut}: {message}");
        assert_eq!(place.everything(), before, "{sut}");
    }
}

/// A `tamper.toml` that lies in the folder says nothing about where files are written; a file that is named may.
#[test]
fn options_of_the_folder_name_no_output() {
    let place = Place::new();
    for (table, key) in [
        ("classify", "out"),
        ("classify", "journal"),
        ("run", "junit"),
        ("score", "stryker"),
        ("coverage", "proof"),
        ("coverage", "formula"),
        ("reproduce", "work"),
    ] {
        let known = place.run(&format!("{table} --help"));
        if !String::from_utf8_lossy(&known.stdout).contains(&format!("--{key} ")) {
            continue;
        }
        fs::write(place.at("tamper.toml"), format!("[{table}]\n{key} = \"m.xml.new\"\n")).unwrap();
        let message = place.refusal("check m.xml");
        assert!(
            message.contains(&format!("`{key}` says where")) && message.contains("tamper.toml:2:1"),
            "{message}"
        );
    }
    fs::remove_file(place.at("tamper.toml")).unwrap();
    fs::write(place.at("named.toml"), "[classify]\nout = \"made\"\n").unwrap();
    place.make("classify m.xml --config named.toml");
    assert!(place.at("made/summary.json").is_file());
}
