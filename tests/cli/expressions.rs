//! Games named by expressions as what is checked and mutated.

use super::{example, json_of, message_of, tamper};

#[test]
fn an_expression_is_one_game_that_is_checked_and_mutated() {
    let folder = tempfile::tempdir().unwrap();
    let file = example("networks/university.xml");
    let both = "Administration || Machine";
    let mut check = tamper()
        .arg("check")
        .arg(&file)
        .args(["--template", both, "--format", "json"]);
    let facts = json_of(check, 0);
    assert_eq!(facts[0]["template"], both, "{facts}");
    // Every input of either that the other does not make is one of the whole.
    let inputs = facts[0]["inputs"].as_array().unwrap();
    assert!(!inputs.is_empty() && !inputs.contains(&"coin".into()), "{facts}");
    check = tamper().arg("classify").arg(&file).current_dir(folder.path());
    check = check.args([
        "--template",
        both,
        "--operators",
        "TMI",
        "--out",
        "run",
        "--format",
        "json",
    ]);
    let summary = json_of(check, 0);
    let total = &summary["total"];
    assert!(total["total"].as_u64().unwrap() > 5, "{summary}");
    assert_eq!(total["unknown"], 0, "{summary}");
    // A run that goes on makes the same game of the expression again.
    let again = tamper().arg("classify").arg(&file).current_dir(folder.path());
    let again = again.args([
        "--template",
        both,
        "--operators",
        "TMI",
        "--out",
        "run",
        "--resume",
        "--format",
        "json",
    ]);
    assert_eq!(json_of(again, 0)["total"], *total);
}

#[test]
fn an_expression_of_what_is_not_there_is_refused_by_name() {
    let file = example("networks/university.xml");
    for (expression, said) in [
        ("Administration || Nobody", "does not run a template `Nobody`"),
        (
            "Administration || Machine && Spec",
            "different operators need parentheses",
        ),
        (
            "Spec \\\\ Machine",
            "in a quotient `Machine` may only have actions of `Spec`",
        ),
    ] {
        let message = message_of(tamper().arg("check").arg(&file).args(["--template", expression]), 2);
        assert!(message.contains(said), "{expression}: {message}");
    }
}
