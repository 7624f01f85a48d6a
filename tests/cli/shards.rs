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
        "--static-only",
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
        ("tiga", "3/3", "--semantics tiga --step 2"),
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
    let export = tamper().arg("export").arg(study("mutex")).arg("--run").arg(share);
    let message = message_of(export.arg("--out").arg(run.folder.path().join("x")), 2);
    assert!(message.contains("is share 1/3 of a run"), "{message}");
    for wrong in ["0/3", "4/3", "3", "a/b"] {
        let message = message_of(run.command("mutex", &format!("--shard {wrong}")), 2);
        assert!(message.contains("a share is K/N"), "{message}");
    }
}
