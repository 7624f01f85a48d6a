//! Tables against hand-made records.

use super::{classification_csv, classification_json, classification_text};
use tamper_runs::{DecidedBy, Record, Summary, Verdict};
use tamper_timed::mutation::{MutationOptions, Operator, Order};

fn record(operator: &'static str, verdict: Verdict, rule: Option<&'static str>) -> Record {
    Record {
        id: format!("{operator}:{}", verdict.name()),
        order: 1,
        operators: vec![operator.into()],
        violates: rule.into_iter().map(Into::into).collect(),
        verdict,
        why: None,
        decided_by: DecidedBy::Game,
        duplicate_of: None,
        reason: None,
        witness: None,
        alone: None,
        certificate: None,
        kill: None,
    }
}

/// TMI: one subsumed and violating, one inconsistent, one non-subsumed. CCN: nothing.
fn summary() -> Summary {
    let options = MutationOptions {
        operators: vec![Operator::Ccn, Operator::Tmi],
        ..MutationOptions::default()
    };
    let mut summary = Summary::new(&options, Order::FIRST);
    summary.add(&record("TMI", Verdict::Subsumed, Some("L1")));
    summary.add(&record("TMI", Verdict::Inconsistent, None));
    summary.add(&record("TMI", Verdict::NonSubsumed, None));
    summary
}

#[test]
fn the_json_has_the_operators_in_order_and_the_ratio_as_a_fraction() {
    let text = classification_json(&summary(), None, Some(0), &[]).unwrap();
    assert!(text.find("TMI").unwrap() < text.find("CCN").unwrap());
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let tmi = &value["operators"]["TMI"];
    for (field, count) in [
        ("total", 3),
        ("non_subsumed", 1),
        ("subsumed", 1),
        ("inconsistent", 1),
        ("unknown", 0),
    ] {
        assert_eq!(tmi[field], count, "{field}");
    }
    assert_eq!(tmi["violating"], 1);
    assert_eq!(tmi["ratio"], 0.5);
    assert_eq!(value["operators"]["CCN"]["ratio"], serde_json::Value::Null);
    assert_eq!(value["total"]["total"], 3);
    assert_eq!(value["unsound"], 0);
}

#[test]
fn an_unsound_mutant_is_named() {
    let mut summary = summary();
    summary.add(&record("CCN", Verdict::NonSubsumed, Some("L1")));
    let value: serde_json::Value =
        serde_json::from_str(&classification_json(&summary, None, Some(0), &[]).unwrap()).unwrap();
    assert_eq!(value["unsound"], 1);
    assert_eq!(value["unsound_mutants"][0], "CCN:non-subsumed");
}

#[test]
fn the_csv_has_a_row_per_operator_and_the_total() {
    let csv = classification_csv(&summary()).unwrap();
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(
        lines,
        [
            "operator,total,non_subsumed,subsumed,inconsistent,subsumed_or_inconsistent,unknown,invalid,violating,identified,duplicates,ratio",
            "TMI,3,1,1,1,0,0,0,1,0,0,0.5000",
            "CCN,0,0,0,0,0,0,0,0,0,0,",
            "total,3,1,1,1,0,0,0,1,0,0,0.5000",
        ]
    );
}

#[test]
fn the_text_leaves_empty_columns_out() {
    let text = classification_text(&summary());
    assert!(text.contains("50.0 %") && text.contains("unknown"), "{text}");
    assert!(!text.contains("error") && !text.contains("duplicates"), "{text}");
}
