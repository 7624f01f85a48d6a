//! A run in shares, on several machines.

use std::fs;

use super::{Classify, message_of, study, tamper};

impl Classify {
    /// Decides share `shard` of a study's mutants, in the folder of that name.
    fn share(&self, folder: &str, shard: &str, words: &str) {
        let out = self.folder.path().join(folder);
        let command = tamper().arg("classify").arg(study("mutex")).arg("--out").arg(out);
        let command = command.args(["--shard", shard, "--quiet"]);
        command.args(words.split_whitespace()).assert().code(0);
    }
    /// Merges those folders into that of the run.
    fn merge(&self, folders: &str) -> snapbox::cmd::Command {
        let folders = folders.split(' ').map(|folder| self.folder.path().join(folder));
        tamper().arg("merge").args(folders).arg("--out").arg(self.out())
    }
}

/// With mutants that are the same as one in another share, counterexamples, a sample, reasons; in any order of the shares.
#[test]
fn shares_are_merged_to_the_bytes_of_one_run() {
    for words in [
        "--order 2 --witness",
        "--order 2 --sample 300 --guidelines extended",
        "--static=only",
    ] {
        let (one, shared) = (Classify::new(), Classify::new());
        one.command("mutex", words).assert().code(0);
        for share in ["3/3", "1/3", "2/3"] {
            shared.share(&share.replace('/', "of"), share, words);
        }
        shared.merge("2of3 1of3 3of3").assert().code(0);
        assert!(one.files() == shared.files(), "{words}");
    }
}

#[test]
fn a_killed_share_goes_on_where_it_stopped_and_is_not_merged_before() {
    let (one, shared) = (Classify::new(), Classify::new());
    one.command("mutex", "--order 2").assert().code(0);
    shared.share("a", "1/2", "--order 2");
    shared.share("b", "2/2", "--order 2");
    let records = shared.folder.path().join("b/mutants.jsonl");
    let text = fs::read(&records).unwrap();
    // In the middle of a line, and before the end of the last one.
    for cut in [text.len() / 2, text.len() - 1] {
        fs::write(&records, &text[..cut]).unwrap();
        let message = message_of(shared.merge("a b"), 2);
        assert!(
            message.contains("share 2/2 in") && message.contains("is not finished"),
            "{message}"
        );
        assert!(!shared.out().exists());
        shared.share("b", "2/2", "--order 2 --resume");
        assert_eq!(fs::read(&records).unwrap(), text);
    }
    shared.merge("a b").assert().code(0);
    assert!(one.files() == shared.files());
}

#[test]
fn what_is_no_run_in_shares_is_not_merged() {
    let run = Classify::new();
    for (folder, share, words) in [
        ("a", "1/3", ""),
        ("b", "2/3", ""),
        ("c", "3/3", ""),
        ("again", "2/3", ""),
        ("half", "1/2", ""),
        ("tiga", "3/3", "--semantics tiga --mutation step=2"),
    ] {
        run.share(folder, share, words);
    }
    for (folders, said) in [
        ("a b", "share 3/3 is missing"),
        ("b", "shares 1/3 and 3/3 are missing"),
        ("a b c again", "share 2/3 is there twice"),
        ("a b c b", "share 2/3 is there twice"),
        ("a half", "they were not dealt together"),
        ("a b tiga", "step, unmatched"),
        ("a b nowhere", "there is no run in"),
    ] {
        let message = message_of(run.merge(folders), 2);
        assert!(message.contains(said), "{folders}: {message}");
        assert!(!run.out().exists());
    }
    let other = message_of(run.merge("a b c").arg("--model").arg(study("coffee")), 2);
    assert!(other.contains("is about another model"), "{other}");
    run.merge("a b c").assert().code(0);
    let whole = run.folder.path().join("run").display().to_string();
    let message = message_of(
        tamper()
            .args(["merge", &whole, "--out"])
            .arg(run.folder.path().join("x")),
        2,
    );
    assert!(message.contains("is no share"), "{message}");
    // A share is no run: nothing is made of its verdicts alone.
    let share = run.folder.path().join("a");
    let export = tamper().arg("export").arg(study("mutex")).arg("--mutants").arg(share);
    let message = message_of(export.arg("--out").arg(run.folder.path().join("x")), 2);
    assert!(message.contains("is share 1/3 of a run"), "{message}");
    for wrong in ["0/3", "4/3", "3", "a/b"] {
        let message = message_of(run.command("mutex", &format!("--shard {wrong}")), 2);
        assert!(message.contains("a share is K/N"), "{message}");
    }
}

/// The files of a folder, by their names.
fn files(folder: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .map(|path| {
            (
                path.file_name().unwrap().to_string_lossy().into_owned(),
                fs::read(&path).unwrap(),
            )
        })
        .collect();
    files.sort();
    files
}

#[test]
fn an_export_in_shares_has_the_bytes_of_one_export() {
    let run = Classify::new();
    run.command("wfas", "").assert().code(0);
    let at = |name: &str| run.folder.path().join(name);
    let export = |words: &str, out: &str| {
        let command = tamper()
            .arg("export")
            .arg(study("wfas"))
            .arg("--mutants")
            .arg(run.out());
        command.args(words.split(' ')).arg("--out").arg(at(out))
    };
    let merge = |folders: &str| {
        let folders = folders.split(' ').map(at);
        tamper().arg("merge").args(folders).arg("--out").arg(at("merged"))
    };
    for format in ["uppaal", "tchecker", "jsonl", "csv"] {
        // Duplicates are those of the whole run, wherever the mutant is that they are the same as.
        let words = format!("--keep non-subsumed&&!duplicate --as {format}");
        export(&words, "one").assert().code(0);
        for share in ["2/3", "1/3", "3/3"] {
            export(&format!("{words} --shard {share}"), &share[..1])
                .assert()
                .code(0);
        }
        merge("3 1 2").assert().code(0);
        let merged = files(&at("merged"));
        assert!(merged.len() > 1 && merged == files(&at("one")), "{format}");
    }
    // What is missing, there twice, of another export or changed since is named.
    fs::rename(at("merged"), at("kept")).unwrap();
    export("--as jsonl --shard 3/3", "other").assert().code(0);
    export("--as csv --shard 3/3", "all").assert().code(0);
    fs::create_dir(at("unfinished")).unwrap();
    fs::copy(at("2/manifest.json"), at("unfinished/manifest.json")).unwrap();
    for (folders, said) in [
        ("1 2", "share 3/3 is missing"),
        ("1 2 3 3", "share 3/3 is there twice"),
        ("1 2 other", "they differ in export"),
        ("1 2 all", "they differ in export"),
        ("1 unfinished 3", "share 2/3 in"),
        ("1 2 run", "holds a share of an export and"),
    ] {
        let message = message_of(merge(folders), 2);
        assert!(message.contains(said), "{folders}: {message}");
        assert!(!at("merged").exists());
    }
    for (words, said) in [
        ("--as fmm --shard 1/2", "one model of all kept mutants"),
        ("--as ecdar-json --shard 1/2", "one model of all kept mutants"),
    ] {
        let message = message_of(export(words, "no"), 2);
        assert!(message.contains(said), "{message}");
    }
    let index = at("3/kept.csv");
    fs::write(&index, fs::read(at("2/kept.csv")).unwrap()).unwrap();
    let message = message_of(merge("1 2 3"), 2);
    assert!(message.contains("is there twice"), "{message}");
}

#[test]
fn a_score_in_shares_is_that_of_one() {
    let run = Classify::new();
    let at = |name: &str| run.folder.path().join(name);
    let lamp = super::example("lamp.xml");
    let few = ["--operators", "CXL,TMI"];
    tamper()
        .arg("testgen")
        .arg(&lamp)
        .arg("--out")
        .arg(at("suite.json"))
        .args(few)
        .assert()
        .code(0);
    tamper()
        .arg("classify")
        .arg(&lamp)
        .arg("--out")
        .arg(run.out())
        .assert()
        .code(0);
    let score = |words: &[&str]| tamper().arg("score").arg(at("suite.json")).arg(&lamp).args(words);
    let merge = |folders: &str, words: &[&str]| tamper().arg("merge").args(folders.split(' ').map(at)).args(words);
    let of_run = ["--mutants", "run"];
    for words in [
        &[][..],
        &["--kill", "definite"],
        &of_run,
        &["--order", "2", "--sample", "60"],
    ] {
        let words: Vec<String> = words
            .iter()
            .map(|word| word.replace("run", run.out().to_str().unwrap()))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for format in [&[][..], &["--format", "json"]] {
            let one = score(&[&words[..], format].concat()).output().unwrap();
            for share in ["1/4", "2/4", "3/4", "4/4"] {
                let folder = at(&share[..1]);
                let share = score(&words).args(["--shard", share, "--out"]).arg(folder);
                assert!(
                    share.output().unwrap().status.code().is_some_and(|code| code < 2),
                    "{words:?}"
                );
            }
            let merged = merge("2 4 1 3", format).output().unwrap();
            assert!(one.stdout.len() > 100 && one.stdout == merged.stdout, "{words:?}");
            assert_eq!(one.status.code(), merged.status.code(), "{words:?}");
        }
    }
    // Where the model lies does not matter.
    fs::copy(&lamp, at("copy.xml")).unwrap();
    let moved = tamper().arg("score").arg(at("suite.json")).arg(at("copy.xml"));
    moved
        .args(["--order", "2", "--sample", "60", "--shard", "2/4", "--out"])
        .arg(at("2"))
        .output()
        .unwrap();
    assert!(
        merge("1 2 3 4", &[])
            .output()
            .unwrap()
            .status
            .code()
            .is_some_and(|code| code < 2)
    );
    // By the same limit as of one.
    for least in ["50", "99.9", "100"] {
        let one = score(&["--order", "2", "--sample", "60", "--fail-under", least])
            .output()
            .unwrap();
        let merged = merge("1 2 3 4", &["--fail-under", least]).output().unwrap();
        assert_eq!(one.status.code(), merged.status.code(), "{least}");
    }
    score(&["--shard", "1/4", "--out", at("other").to_str().unwrap()])
        .output()
        .unwrap();
    let lines = at("4/score.jsonl");
    for (folders, words, said) in [
        ("1 2 3", &[][..], "share 4/4 is missing"),
        ("1 2 3 4 2", &[], "share 2/4 is there twice"),
        ("other 2 3 4", &[], "they differ in candidates, mutants"),
        ("1 2 3 4", &["--out", "x"], "--out has no meaning"),
    ] {
        let message = message_of(merge(folders, words), 2);
        assert!(message.contains(said), "{folders}: {message}");
    }
    let text = fs::read_to_string(&lines).unwrap();
    let (first, _) = text.split_once('\n').unwrap();
    fs::write(&lines, first).unwrap();
    let message = message_of(merge("1 2 3 4", &[]), 2);
    assert!(message.contains("has 1 of 15 mutants"), "{message}");
}
