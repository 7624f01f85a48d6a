//! UPPAAL's text format at the command line: the same answers as for the same network in XML.

use std::fs;
use std::path::Path;

use super::{example, message_of, tamper};

fn said(words: &str, file: &Path, folder: &Path) -> (Option<i32>, String) {
    let output = tamper()
        .current_dir(folder)
        .args(words.split_whitespace())
        .arg(file)
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8_lossy(&output.stdout).into_owned(),
    )
}

#[test]
fn a_network_in_text_has_the_mutants_of_its_twin_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["xml", "xta"].map(|ending| example(&format!("networks/lamp-and-user.{ending}")));
    for at in ["0", "1"] {
        fs::create_dir(folder.path().join(at)).unwrap();
    }
    for (words, written) in [
        ("classify --mutate all --witness --out all", "all/mutants.jsonl"),
        (
            "classify --mutate Lamp --environment User --witness --out lamp",
            "lamp/mutants.jsonl",
        ),
        ("compose --out game.xml", "game.xml"),
    ] {
        let found = [0, 1].map(|at| {
            let own = folder.path().join(at.to_string());
            let (code, text) = said(words, &files[at], &own);
            let bytes = fs::read(own.join(written)).unwrap();
            (code, text.replace(".xta", ".xml"), String::from_utf8(bytes).unwrap())
        });
        assert!(found[0].2.len() > 100);
        assert_eq!(found[0], found[1], "{words}");
    }
    // What was composed is a game as XML, which reads back.
    let game = folder.path().join("1/game.xml");
    let (code, text) = said("check", &game, folder.path());
    assert!(code == Some(0) && text.contains("System"), "{text}");
}

#[test]
fn hidden_steps_of_the_environment_leave_three_answers() {
    let folder = tempfile::tempdir().unwrap();
    let file = example("networks/lamp-and-user.xta");
    let words = "classify --mutate Lamp --environment User --witness --out out";
    let (code, text) = said(words, &file, folder.path());
    assert!(matches!(code, Some(0 | 3)), "{text}");
    let records = fs::read_to_string(folder.path().join("out/mutants.jsonl")).unwrap();
    for verdict in ["\"subsumed\"", "\"non-subsumed\""] {
        assert!(records.contains(verdict), "{text}");
    }
    let unknown = records.lines().filter(|line| line.contains("hidden steps: ")).count();
    match unknown {
        0 => assert!(!text.contains("hidden steps"), "{text}"),
        n => assert!(text.contains(&format!("Unknown for hidden steps: {n}.")), "{text}"),
    }
}

#[test]
fn what_is_wrong_in_a_text_is_shown_where_it_stands_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.xta");
    fs::write(
        &path,
        "process P() {\n  state S;\n  init S;\n  trans S -> S { guard z < 3; };\n}\nsystem P;\n",
    )
    .unwrap();
    for words in ["check", "compose --out x.xml", "classify --mutate all", "draw"] {
        let command = tamper().args(words.split(' ')).arg(&path).current_dir(folder.path());
        let message = message_of(command, 2);
        assert!(
            message.contains("`z` is not declared") && message.contains("wrong.xta:4:24"),
            "{words}: {message}"
        );
    }
}
