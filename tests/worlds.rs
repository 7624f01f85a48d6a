//! What a run promises of every kind of model, asked of each kind by the same tests: the bytes of a run depend on nothing but
//! the model, the options and the seed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A model with its mutants, in a folder of its own.
struct Subject {
    folder: tempfile::TempDir,
    model: PathBuf,
    options: &'static str,
}

/// The files of a run, by their names.
type Files = BTreeMap<String, Vec<u8>>;

impl Subject {
    fn new(model: &str, options: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let original = Path::new(env!("CARGO_MANIFEST_DIR")).join(model);
        let copy = folder.path().join(original.file_name().unwrap());
        fs::copy(original, &copy).unwrap();
        Self {
            folder,
            model: copy,
            options,
        }
    }

    fn tamper(&self, words: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
        command.current_dir(self.folder.path()).args(words.split_whitespace());
        command.output().unwrap()
    }

    /// Decides the mutants into the folder `out`, and returns the exit code and the messages.
    fn classify(&self, out: &str, more: &str) -> (Option<i32>, String) {
        let (model, options) = (self.model.file_name().unwrap().display(), self.options);
        let output = self.tamper(&format!("classify {model} {options} --out {out} {more}"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), said)
    }

    /// The files of a run that ends well.
    fn run(&self, out: &str, more: &str) -> Files {
        let (code, said) = self.classify(out, more);
        assert_eq!(code, Some(0), "{more}: {said}");
        self.files(out)
    }

    fn files(&self, out: &str) -> Files {
        let entries = fs::read_dir(self.folder.path().join(out)).unwrap();
        let file = |entry: std::io::Result<fs::DirEntry>| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(path).unwrap())
        };
        entries.map(file).collect()
    }
}

/// The records of a run: the id of each mutant, and its verdict.
fn verdicts(files: &Files) -> Vec<(String, String)> {
    let lines = String::from_utf8(files["mutants.jsonl"].clone()).unwrap();
    let record = |line: &str| {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |field: &str| record[field].as_str().unwrap().to_owned();
        (text("id"), text("verdict"))
    };
    lines.lines().map(record).collect()
}

fn the_number_of_threads_changes_nothing(subject: &Subject) {
    let one = subject.run("one", "--threads 1");
    assert!(verdicts(&one).len() > 10 && one == subject.run("five", "--threads 5"));
}

fn a_run_that_was_cut_anywhere_goes_on_to_the_same_bytes(subject: &Subject) {
    let whole = subject.run("run", "--witness");
    let records = &whole["mutants.jsonl"];
    let n = records.len();
    for cut in [0, 1, n / 3, n / 2 + 1, n - 1, n] {
        fs::write(subject.folder.path().join("run/mutants.jsonl"), &records[..cut]).unwrap();
        assert!(subject.run("run", "--witness --resume") == whole, "cut at {cut} of {n}");
    }
}

fn shares_are_merged_to_the_run(subject: &Subject) {
    let whole = subject.run("run", "--witness");
    for share in ["2/3", "3/3", "1/3"] {
        subject.run(&share[..1], &format!("--witness --shard {share}"));
    }
    let merged = subject.tamper("merge 3 1 2 --out merged");
    let said = String::from_utf8_lossy(&merged.stderr).into_owned();
    assert_eq!(merged.status.code(), Some(0), "{said}");
    assert!(subject.files("merged") == whole);
    let again = subject.tamper("merge 3 1 --out again");
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(again.status.code() == Some(2) && said.contains("2/3"), "{said}");
}

fn a_sample_is_a_part_of_the_run(subject: &Subject) {
    let all = verdicts(&subject.run("run", ""));
    let drawn = verdicts(&subject.run("drawn", "--sample 9 --seed 4"));
    let mut rest = all.iter();
    assert_eq!(drawn.len(), 9);
    // In the order of the run.
    assert!(drawn.iter().all(|one| rest.any(|other| other == one)), "{drawn:?}");
    assert!(drawn == verdicts(&subject.run("same", "--sample 9 --seed 4")));
    assert!(drawn != verdicts(&subject.run("other", "--sample 9 --seed 5")));
}

/// No run goes on with other options, or with a model that has changed.
fn a_run_goes_on_as_it_began_or_not_at_all(subject: &Subject) {
    let whole = subject.run("run", "");
    let refused = |more: &str, why: &str| {
        let (code, said) = subject.classify("run", more);
        assert!(code == Some(2) && said.contains(why), "{more}: {said}");
        assert!(subject.files("run") == whole, "{more}");
    };
    refused("--resume --witness", "other parameters (witness)");
    let mut changed = fs::read(&subject.model).unwrap();
    changed.push(b'\n');
    fs::write(&subject.model, changed).unwrap();
    refused("--resume", "other parameters (model)");
}

/// The kept mutants are those of the run, whether their verdicts are read or found again.
fn an_export_has_the_mutants_that_the_run_keeps(subject: &Subject) {
    let n_kept = |verdict: &str| {
        let kept = verdicts(&subject.files("run"));
        kept.iter().filter(|(_, found)| found == verdict).count()
    };
    subject.run("run", "--witness");
    let (model, options) = (subject.model.file_name().unwrap().display(), subject.options);
    for verdict in ["non-subsumed", "subsumed"] {
        let mut written = Vec::new();
        for (out, more) in [("read", "--mutants run"), ("found", options)] {
            let out = format!("{out}-{verdict}");
            let output = subject.tamper(&format!("export {model} {more} --keep {verdict} --out {out}"));
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{said}");
            let mut files = subject.files(&out);
            files.retain(|name, _| name.starts_with(|first: char| first.is_ascii_digit()));
            written.push(files);
        }
        assert_eq!(written[0].len(), n_kept(verdict), "{verdict}");
        assert!(written[0] == written[1], "{verdict}");
    }
}

macro_rules! world_tests {
    ($($world:ident: $model:literal $options:literal;)*) => {
        $(world_tests! { $world $model $options:
            the_number_of_threads_changes_nothing
            a_run_that_was_cut_anywhere_goes_on_to_the_same_bytes
            shares_are_merged_to_the_run
            a_sample_is_a_part_of_the_run
            a_run_goes_on_as_it_began_or_not_at_all
            an_export_has_the_mutants_that_the_run_keeps
        })*
    };
    ($world:ident $model:literal $options:literal: $($promise:ident)*) => {
        mod $world {
            $(#[test]
            fn $promise() {
                super::$promise(&super::Subject::new($model, $options));
            })*
        }
    };
}

world_tests! {
    game: "case-studies/wfas/model.xml" "";
    pairs_of_a_game: "case-studies/mutex/model.xml" "--order 2";
    network: "uppaal-models/networks/crossing.xml" "--mutate all";
    pairs_of_a_network: "uppaal-models/networks/lamp-and-user.xml" "--mutate all --operators TMI,CXL --order 2";
    transition_system: "case-studies/beverage/model.smv" "--unspecified fill";
    action_system: "case-studies/buffer/model.pl" "";
    state_machine: "tests/data/worlds/six-faults.fsm" "";
}
