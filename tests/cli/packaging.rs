//! What is around the commands: options from a file, standard input, completions, manual pages, adapters.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::{Classify, example, json_of, message_of, study, tamper};

/// tamper in a folder with that `tamper.toml`.
fn with_options(folder: &Path, options: &str) -> snapbox::cmd::Command {
    fs::write(folder.join("tamper.toml"), options).unwrap();
    tamper().current_dir(folder)
}

#[test]
fn options_come_from_a_file_unless_they_are_typed() {
    let folder = tempfile::tempdir().unwrap();
    let options = "threads = 1\n[classify]\nsemantics = \"tiga\"\noperators = [\"CXL\", \"CCN\"]\nwitness = true\n";
    let classify = |words: &[&str]| {
        let command = with_options(folder.path(), options).arg("classify").arg(study("wfas"));
        json_of(command.args(words).args(["--out", "kept", "--format", "json"]), 0)
    };
    let value = classify(&[]);
    assert_eq!(value["total"]["total"], 12 + 6);
    let manifest = || -> serde_json::Value {
        let text = fs::read_to_string(folder.path().join("kept/manifest.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    assert_eq!(
        (&manifest()["unmatched"], &manifest()["witness"]),
        (&"ignore".into(), &true.into())
    );
    // What is typed wins.
    let value = classify(&["--operators", "TMI", "--semantics", "strict"]);
    assert_eq!(value["total"]["total"], 14);
    assert_eq!(manifest()["unmatched"], "reject");
    // What does not go with it is left out, and said.
    let command = with_options(folder.path(), options).arg("classify").arg(study("wfas"));
    let output = command.arg("--summary-only").output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("note: witness of tamper.toml does not go with what was typed"),
        "{message}"
    );
    assert_eq!(output.status.code(), Some(0));
    // Another file, and the options of other commands.
    let command = with_options(folder.path(), "[score]\nfail-under = 80.5\n")
        .arg("check")
        .arg(study("wfas"));
    command.assert().code(0);
    let command = tamper().current_dir(folder.path()).arg("classify").arg(study("wfas"));
    let empty = folder.path().join("empty.toml");
    fs::write(&empty, "").unwrap();
    let value = json_of(command.arg("--config").arg(empty).args(["--format", "json"]), 0);
    assert_eq!(value["total"]["total"], 121);
}

#[test]
fn what_a_file_of_options_must_not_say_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let options = "thread = 1\n[classify]\nordre = 2\norder = 9\nwitness = \"yes\"\nsemantics = \"loose\"\n[clasify]\n[run]\nonly = [[1]]\n";
    let message = message_of(with_options(folder.path(), options).arg("check").arg(study("wfas")), 2);
    for (place, said) in [
        ("tamper.toml:1:1", "`thread`"),
        ("tamper.toml:3:1", "`tamper classify` has no option `ordre`"),
        ("tamper.toml:4:9", "invalid value '9'"),
        ("tamper.toml:5:11", "`witness` is true or false"),
        ("tamper.toml:6:13", "invalid value 'loose'"),
        ("tamper.toml:7:2", "no command `clasify`"),
        ("tamper.toml:9:8", "a text or a number"),
    ] {
        assert!(
            message.contains(place) && message.contains(said),
            "{place} {said}\n{message}"
        );
    }
    let message = message_of(
        with_options(folder.path(), "[classify\n")
            .arg("check")
            .arg(study("wfas")),
        2,
    );
    assert!(message.contains("tamper.toml:1:"), "{message}");
    let missing = tamper().args(["check", "--config", "nowhere.toml"]).arg(study("wfas"));
    assert!(message_of(missing, 2).contains("nowhere.toml"));
}

#[test]
fn a_dash_is_standard_input() {
    let run = Classify::new();
    run.json("wfas", "");
    let piped = run.folder.path().join("piped");
    let command = tamper().args(["classify", "-", "--out"]).arg(&piped);
    command.stdin(fs::read(study("wfas")).unwrap()).assert().code(0);
    let records = |folder: &Path| fs::read(folder.join("mutants.jsonl")).unwrap();
    assert_eq!(records(&piped), records(&run.out()));
    // A network is read twice: as single games, and as a network.
    let network = example("networks/lamp-and-user.xml");
    let check = |file: &str| {
        tamper()
            .args(["check", file, "--quiet"])
            .stdin(fs::read(&network).unwrap())
            .output()
            .unwrap()
    };
    assert_eq!(check("-").stdout, check(network.to_str().unwrap()).stdout);
    let message = message_of(tamper().args(["score", "-", "-"]).stdin("{}"), 2);
    assert!(message.contains("stands for one file only"), "{message}");
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let help = tamper().arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, list) = help.split_once("Models:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let names = list
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !name.is_empty() && *name != "help").collect();
    assert!(names.contains(&"classify") && names.contains(&"merge"), "{names:?}");
    let folder = tempfile::tempdir().unwrap();
    tamper().arg("man").arg("--out").arg(folder.path()).assert().code(0);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = tamper().args(["completions", shell]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        for name in &names {
            assert!(text.contains(name), "{shell}: {name}");
        }
        assert!(text.contains("fail-under"), "{shell}");
    }
    for name in names {
        let page = fs::read_to_string(folder.path().join(format!("tamper-{name}.1"))).unwrap();
        assert!(page.contains(".TH") && page.contains("SYNOPSIS"), "{name}");
    }
    let page = fs::read_to_string(folder.path().join("tamper.1")).unwrap();
    assert!(
        page.contains("Exit codes") && page.contains("tamper\\-classify(1)"),
        "{page}"
    );
}

#[test]
fn adapters_to_begin_with_are_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/adapters");
    for (language, file) in [
        ("python", "adapter.py"),
        ("c", "adapter.c"),
        ("java", "Adapter.java"),
        ("rust", "adapter.rs"),
        ("node", "node.js"),
        ("asyncio", "asyncio_loop.py"),
    ] {
        let output = tamper().args(["new-adapter", language]).output().unwrap();
        assert_eq!(output.stdout, fs::read(root.join(file)).unwrap());
    }
    let output = tamper().args(["new-adapter", "python", "--real"]).output().unwrap();
    assert_eq!(output.stdout, fs::read(root.join("real_time.py")).unwrap());
    for language in ["c", "java", "rust", "node", "asyncio"] {
        let both = [&["new-adapter", language][..], &["new-adapter", language, "--real"]];
        let [virtual_time, real] = both.map(|words| tamper().args(words).output().unwrap().stdout);
        assert!(virtual_time == real, "{language}: a kit is for both clocks");
    }
}

/// A folder has all that the adapter needs: its files are those of the kits. What is there already stays.
#[test]
fn adapters_are_written_into_a_folder_with_their_kits() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (node, python) = ("packages/node/", "packages/python/python/tamper/");
    for (language, files) in [
        (
            "python",
            vec![("adapter.py", "examples/adapters/adapter.py".to_owned())],
        ),
        (
            "c",
            vec![
                ("adapter.c", "examples/adapters/adapter.c".to_owned()),
                ("tamper_sut.h", "examples/adapters/tamper_sut.h".to_owned()),
            ],
        ),
        ("tokio", vec![("src/main.rs", "examples/adapters/tokio.rs".to_owned())]),
        (
            "node",
            vec![
                ("adapter.js", "examples/adapters/node.js".to_owned()),
                ("tamper-sut/index.js", format!("{node}index.js")),
                ("tamper-sut/package.json", format!("{node}package.json")),
            ],
        ),
        (
            "asyncio",
            vec![
                ("adapter.py", "examples/adapters/asyncio_loop.py".to_owned()),
                ("tamper/sut.py", format!("{python}sut.py")),
                ("tamper/_virtual_loop.py", format!("{python}_virtual_loop.py")),
            ],
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("adapter");
        let made = || {
            let mut command = tamper();
            command = command.args(["new-adapter", language, "--out"]).arg(&out);
            command
        };
        made().assert().code(0);
        for (name, source) in &files {
            assert_eq!(
                fs::read(out.join(name)).unwrap(),
                fs::read(root.join(source)).unwrap(),
                "{language} {name}"
            );
        }
        let (first, _) = &files[0];
        fs::write(out.join(first), "mine").unwrap();
        let message = message_of(made(), 2);
        assert!(message.contains("is there already: name another folder"), "{message}");
        assert_eq!(fs::read_to_string(out.join(first)).unwrap(), "mine");
    }
    // All that the kit for Node loads.
    let kit = |folder: &Path| {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    let folder = tempfile::tempdir().unwrap();
    tamper()
        .args(["new-adapter", "node", "--out"])
        .arg(folder.path().join("node"))
        .assert()
        .code(0);
    assert_eq!(
        kit(&folder.path().join("node/tamper-sut/lib")),
        kit(&root.join("packages/node/lib"))
    );
}

/// The kits of one file stand beside the adapters that need them, and nothing else does.
#[test]
fn adapters_come_with_the_kit_that_they_need() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/adapters");
    for (language, adapter, kit) in [
        ("c", "adapter.c", Some("tamper_sut.h")),
        ("java", "Adapter.java", Some("TamperSut.java")),
        ("rust", "adapter.rs", None),
        ("python", "adapter.py", None),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join(adapter);
        tamper()
            .args(["new-adapter", language, "--out"])
            .arg(&out)
            .assert()
            .code(0);
        assert_eq!(fs::read(&out).unwrap(), fs::read(root.join(adapter)).unwrap());
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            1 + usize::from(kit.is_some())
        );
        let output = tamper().args(["new-adapter", language]).output().unwrap();
        let note = String::from_utf8(output.stderr).unwrap();
        match kit {
            Some(kit) => {
                let beside = fs::read(folder.path().join(kit)).unwrap();
                assert_eq!(beside, fs::read(root.join(kit)).unwrap());
                assert!(note.contains(&format!("it needs {kit}")), "{note}");
            }
            None => assert_eq!(note, ""),
        }
    }
}

/// A run of seconds that is asked to end after its first records; the same command with --resume ends as if nothing had happened.
#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_to_go_on_and_leaves_no_lock() {
    let run = Classify::new();
    let words = [
        "--order",
        "2",
        "--engine",
        "enumerate",
        "--static=off",
        "--threads",
        "1",
    ];
    let program = snapbox::cmd::cargo_bin!("tamper");
    let start = || {
        let mut command = std::process::Command::new(program);
        command
            .arg("classify")
            .arg(study("cas"))
            .arg("--out")
            .arg(run.out())
            .args(words);
        command
    };
    let child = start().stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let records = run.out().join("mutants.jsonl");
    while fs::metadata(&records).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(
        message.contains("interrupted: ") && message.contains("with --resume goes on from there"),
        "{message}"
    );
    assert!(!run.out().join(".tamper.lock").exists());
    let text = fs::read_to_string(&records).unwrap();
    assert!(text.ends_with('\n') && text.lines().count() < 519_014);
    assert!(
        message.contains(&format!("{} of 519014 mutants are in", text.lines().count())),
        "{message}"
    );
}
