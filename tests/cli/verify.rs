//! `tamper verify`: certificates and proofs that hold, and what is wrong with others.

use std::fs;
use std::path::{Path, PathBuf};

use super::{example, json_of, message_of, tamper};

/// A run of `classify` on the lamp, and its certificates.
struct Certified {
    folder: tempfile::TempDir,
}

impl Certified {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let command = tamper()
            .arg("classify")
            .arg(example("lamp.xml"))
            .args(["--certify", "why", "--out", "run"]);
        command.current_dir(folder.path()).assert().success();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What is printed about the certificates and the run, and the exit code.
    fn verified(&self, words: &str) -> (String, Option<i32>) {
        let command = tamper()
            .arg("verify")
            .args(words.split(' '))
            .current_dir(self.folder.path());
        let output = command.output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), output.status.code())
    }

    /// Changes a file, and changes it back after the question.
    fn with(&self, name: &str, change: impl Fn(&str) -> String, words: &str) -> (String, Option<i32>) {
        let path = self.path(name);
        let before = fs::read_to_string(&path).unwrap();
        fs::write(&path, change(&before)).unwrap();
        let answer = self.verified(words);
        fs::write(&path, before).unwrap();
        answer
    }
}

const FILE: &str = "why/certificates-0001.txt";

#[test]
fn certificates_hold_and_each_change_is_named() {
    let run = Certified::new();
    let whole = "104 certificates hold; index.csv was compared\n104 of 104 verdicts of the run are proved\n";
    assert_eq!(run.verified("why --run run"), (whole.to_owned(), Some(0)));
    let text = fs::read_to_string(run.path(FILE)).unwrap();
    let begin = text.rfind("\nmutant ").unwrap();
    let last = text[begin + 1..]
        .lines()
        .next()
        .unwrap()
        .strip_prefix("mutant ")
        .unwrap();
    // The last mutant is missing, or twice.
    let (said, code) = run.with(FILE, |text| text[..=begin].to_owned(), "why --run run");
    let missing = format!("index.csv: {last} in certificates-0001.txt: there is no such certificate\n");
    assert!(code == Some(1) && said.contains(&missing), "{said}");
    assert!(
        said.contains(&format!("mutants.jsonl: {last}: there is no such certificate")),
        "{said}"
    );
    assert!(said.contains("103 of 104 verdicts of the run are proved"), "{said}");
    // Another specification of which the same can be said is not that of the run.
    let (said, code) = run.with(
        FILE,
        |text| text.replacen("node 0 ", "node 0 Other", 1),
        "why --run run",
    );
    assert!(
        code == Some(1) && said.contains("104 certificates hold") && said.contains("0 of 104 verdicts"),
        "{said}"
    );
    assert!(said.contains("the certificate has another hash"), "{said}");
    // Records without certificates leave a verdict open.
    let forget = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let at = lines[3].find("\"certificate\":\"").unwrap();
        let end = at + "\"certificate\":\"".len() + 64 + 1;
        lines[3].replace_range(at..end, "\"certificate\":null");
        lines.join("\n") + "\n"
    };
    let (said, code) = run.with("run/mutants.jsonl", forget, "why --run run");
    assert_eq!(
        (said.lines().last().unwrap(), code),
        (
            "103 of 104 verdicts of the run are proved; 1 has no certificate",
            Some(3)
        )
    );
    // A claim that is another one does not hold.
    let other = |text: &str| {
        let (head, tail) = text.split_at(begin);
        head.to_owned() + &tail.replacen("claim non-subsumed", "claim subsumed", 1)
    };
    let (said, code) = run.with(FILE, other, "why");
    assert!(
        code == Some(1) && said.contains(&format!("{FILE}: {last}: does not hold: line")),
        "{said}"
    );
    assert!(said.contains("the certificate has another hash"), "{said}");
    // An index and records that say something else.
    let (said, code) = run.with(
        "why/index.csv",
        |text| text.replacen("non-subsumed", "subsumed", 1),
        "why",
    );
    assert!(
        code == Some(1) && said.contains("the certificate proves another verdict"),
        "{said}"
    );
    let (said, code) = run.with(
        "why/index.csv",
        |text| text.lines().take(100).collect::<Vec<_>>().join("\n"),
        "why",
    );
    assert!(code == Some(1) && said.contains("is not listed"), "{said}");
    let wrong = |text: &str| text.replacen("\"verdict\":\"non-subsumed\"", "\"verdict\":\"subsumed\"", 1);
    let (said, code) = run.with("run/mutants.jsonl", wrong, "why --run run");
    assert!(
        code == Some(1) && said.contains("mutants.jsonl: TMI:Off->Starting#0: the certificate proves another verdict"),
        "{said}"
    );
    assert!(said.contains("103 of 104"), "{said}");
    // Of a file that is lost a few lines are enough.
    let (said, code) = run.with(FILE, |text| text.replacen("node 0", "knot 0", 1), "why");
    assert!(
        code == Some(2) && said.contains("no certificate: line") && said.lines().count() < 15,
        "{said}"
    );
    assert!(said.contains("and so on: 94 more"), "{said}");
    let (said, code) = run.verified("why --steps 1");
    assert!(code == Some(3) && said.contains("the limit of steps was hit"), "{said}");
}

#[test]
fn conditions_are_written_for_solvers() {
    let run = Certified::new();
    let read = |name: &str| fs::read_to_string(run.path(name)).unwrap();
    let (said, code) = run.verified("why why --queries why.smt2");
    assert!(code == Some(0) && said.starts_with("208 certificates hold"), "{said}");
    let queries = read("why.smt2");
    let n = |begin: &str| queries.lines().filter(|line| line.starts_with(begin)).count();
    assert_eq!((n("(set-logic ALL)"), n("; ")), (1, 208));
    assert_eq!(1 + 208 + n("(push)"), queries.lines().count());
    let ids = read("why/index.csv");
    let ids = ids
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().trim_matches('"'));
    let comments = queries
        .lines()
        .filter_map(|line| line.strip_prefix("; ")?.rsplit_once(": "));
    assert_eq!(
        ids.take(20).collect::<Vec<_>>(),
        comments.take(20).map(|(id, _)| id).collect::<Vec<_>>()
    );
    // What does not hold has queries, what is no certificate has none, and an earlier file is kept.
    let claim = |text: &str| text.replacen("claim non-subsumed", "claim subsumed", 1);
    let (said, code) = run.with(FILE, claim, &format!("{FILE} --queries why.smt2"));
    assert!(code == Some(1) && !said.contains("no queries were written"), "{said}");
    assert_ne!(read("why.smt2"), queries);
    let queries = read("why.smt2");
    let (said, code) = run.with(
        FILE,
        |text| text.replacen("node 0", "knot 0", 1),
        "why --queries why.smt2",
    );
    assert!(code == Some(2) && said.contains("no queries were written"), "{said}");
    let none = |text: &str| text[..text.find("mutant ").unwrap()].to_owned();
    let (said, code) = run.with(FILE, none, &format!("{FILE} --queries why.smt2"));
    assert!(
        code == Some(1) && said.contains("there is no mutant; no queries were written"),
        "{said}"
    );
    assert_eq!(read("why.smt2"), queries);
    for (place, why) in [
        ("why/new.smt2", "is in the input folder"),
        ("why", "is a folder: name a file"),
    ] {
        let command = tamper()
            .args(["verify", "why", "--queries", place])
            .current_dir(run.folder.path());
        let said = message_of(command, 2);
        assert!(said.contains(why), "{said}");
    }
    // One verdict, by both commands.
    let refine = |words: &str| {
        let kettles = tamper()
            .arg("refine")
            .arg(example("two-kettles.xml"))
            .args(["Slow", "Quick"]);
        kettles.args(words.split(' ')).current_dir(run.folder.path())
    };
    refine("--certificate one.txt").assert().code(1);
    refine("--certificate one.smt2 --certificate-as smt2").assert().code(1);
    assert_eq!(run.verified("one.txt --queries two.smt2").1, Some(0));
    assert_eq!(read("one.smt2"), read("two.smt2"));
    message_of(refine("--certificate-as smt2"), 2);
}

#[test]
fn records_keep_their_certificates_when_a_run_is_gone_on_with() {
    let run = Certified::new();
    let records = fs::read_to_string(run.path("run/mutants.jsonl")).unwrap();
    assert_eq!(records.matches("\"certificate\":\"").count(), 104);
    let command = tamper().arg("classify").arg(example("lamp.xml"));
    let command = command.args(["--resume", "--verify", "30", "--out", "run", "--format", "json"]);
    let value = json_of(command.current_dir(run.folder.path()), 0);
    assert_eq!(value["verified"]["certified"], 30);
    assert_eq!(fs::read_to_string(run.path("run/mutants.jsonl")).unwrap(), records);
}

#[test]
fn certificates_of_a_smaller_run_replace_those_of_a_larger_one() {
    let folder = tempfile::tempdir().unwrap();
    let certified = |words: &str| {
        let command = tamper().arg("classify").arg(example("lamp.xml")).args(words.split(' '));
        command.current_dir(folder.path()).assert().success();
        let mut names: Vec<_> = fs::read_dir(folder.path().join("why"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    // A file has 4,096 certificates at most.
    let large = certified("--order 2 --certify why --out large");
    assert!(
        large.len() > 2 && large.iter().any(|name| name == "certificates-0002.txt"),
        "{large:?}"
    );
    assert_eq!(
        certified("--certify why --out small"),
        ["certificates-0001.txt", "index.csv"]
    );
    let command = tamper().args(["verify", "why", "--run", "small"]);
    command.current_dir(folder.path()).assert().success();
}

const MACHINE: &str =
    "initial 1\n1 a / 0 -> 1\n1 b / 0 -> 2\nmutated 1 b / 1 -> 2\n2 a / 1 -> 1\n2 b / 0 -> 2\nmutated 2 b / 0 -> 1\n";

#[test]
fn proofs_that_a_suite_is_complete_are_checked_with_their_machine() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("machine.fsm", MACHINE);
    write("suite.txt", "b b a\n");
    write("less.txt", "b\n");
    let command = |words: &str| tamper().args(words.split(' ')).current_dir(folder.path());
    command("coverage machine.fsm suite.txt --proof complete.proof")
        .assert()
        .code(0);
    let verify = "verify complete.proof --machine machine.fsm --suite suite.txt";
    let output = command(verify).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "complete.proof: proves that the suite is complete\n"
    );
    assert_eq!(output.status.code(), Some(0));
    let output = command(&verify.replace("suite.txt", "less.txt")).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = message_of(command("verify complete.proof"), 2);
    assert!(
        said.contains("name the machine and the suite with --machine and --suite"),
        "{said}"
    );
    let lamp = example("lamp.xml");
    let said = message_of(
        command(&format!(
            "verify complete.proof --suite suite.txt --machine {}",
            Path::display(&lamp)
        )),
        2,
    );
    assert!(said.contains("a state machine is wanted"), "{said}");
    let said = message_of(command("verify complete.proof --queries q.smt2"), 2);
    assert!(said.contains("--queries is about certificates"), "{said}");
    let said = message_of(command("verify ."), 2);
    assert!(said.contains("name the machine"), "{said}");
}
