use super::*;

/// A small suite, written by hand.
const SMALL: &str = r#"{
  "format": "tamper-suite",
  "version": 1,
  "specification": { "file": "m.xml", "template": "M", "hash": "00" },
  "tests": [{
    "id": "t1", "style": "adaptive", "kill": "potential", "targets": ["TMI(e0)"], "clocks": ["t", "x'"],
    "nodes": [
      { "rules": [{ "when": ["t == 3/2"], "input": "coin?", "then": [{ "reset": { "t": 0 }, "next": 1 }] }],
        "otherwise": "fail" },
      { "rules": [{ "from": ["x' - t <= 1"], "when": ["t > 5"], "verdict": "fail" }],
        "outputs": [{ "output": "tea!", "when": ["t >= 1", "t < 7/3"], "verdict": "inconclusive" }],
        "otherwise": "fail" }
    ]
  }],
  "mutants": [{ "id": "TMI(e0)", "killable": "definite", "test": "t1" }]
}"#;

#[test]
fn what_is_written_is_read_back() {
    let suite = read_suite(SMALL).unwrap();
    let text = write_suite(&suite);
    assert_eq!(read_suite(&text).unwrap(), suite);
    let values = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(values(&text), values(SMALL), "nothing is added and nothing is lost");
    assert_eq!(suite.tests[0].scale(), 6.into(), "the denominators are 2 and 3");
    assert_eq!(suite.tests[0].n_steps(), 2);
}

#[test]
fn what_is_wrong_is_named() {
    for (from, to, named) in [
        ("3/2", "3/0", "`3/0` is no number"),
        ("t == 3/2", "z == 3/2", "no clock `z`"),
        ("t == 3/2", "t 3/2", "compares nothing"),
        ("\"next\": 1", "\"next\": 7", "node 0 of test t1"),
        ("coin?", "coin!", "is no input"),
        ("tea!", "tea?", "is no output"),
        (
            "adaptive",
            "adaptable",
            "`adaptable` is none of adaptive, cooperative, strategy",
        ),
        ("\"version\": 1", "\"version\": 2", "version 2 is not read here"),
        ("\"otherwise\": \"fail\"", "\"otherwise\": \"nil\"", "`nil` is none of"),
        ("\"reset\": { \"t\": 0 }", "\"reset\": { \"t\": -1 }", "negative"),
        ("\"style\"", "\"stile\"", "unknown field `stile`"),
        ("\"tea!\"", "\"tea!\", \"then\": []", "unknown field `then`"),
        (
            "\"next\": 1",
            "\"next\": 1, \"output\": \"tea!\"",
            "unknown field `output`",
        ),
        ("\"next\": 1", "\"next\": 1, \"verdict\": \"pass\"", "either to a node"),
        ("],\n  \"mutants\"", ",\n  \"mutants\"", "line 15"),
    ] {
        assert!(SMALL.contains(from), "{from}");
        let error = read_suite(&SMALL.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(named), "{from} -> {to}: {error}");
    }
}
