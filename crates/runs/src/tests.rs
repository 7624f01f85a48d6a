//! Runs over published studies: verdicts against the published figures, and the promises about records.

use std::fs;

use super::{
    GuidelineSet, Judge, Limits, Log, Manifest, OutputDir, Run, Sample, Selection, StaticUse, Summary, Tally, Timer,
    classify,
};
use crate::plans::plan::tests::plan;
use tamper_game::{Semantics, Specification};
use tamper_text::Budget;
use tamper_timed::guidelines;
use tamper_timed::model::Automaton;
use tamper_timed::mutation::{MutantSpace, MutationOptions, Operator, Order};
use testing::studies::{coffee, mutex, wfas};

struct Setting {
    automaton: Automaton,
    order: Order,
    statics: StaticUse,
    guidelines: GuidelineSet,
    limits: Limits,
    selection: Option<Sample>,
}

impl Setting {
    fn of(automaton: Automaton, order: Order, statics: StaticUse) -> Self {
        Self {
            automaton,
            order,
            statics,
            guidelines: GuidelineSet::Published,
            limits: Limits::default(),
            selection: None,
        }
    }

    /// Runs it in `output`, after the records that are there.
    fn run_in(&self, output: &OutputDir) -> Summary {
        let space = MutantSpace::new(&self.automaton, &MutationOptions::default(), self.order).unwrap();
        let selection = Selection::draw(space.len(), self.selection, 1);
        let timer = Timer::new(self.limits);
        let judge = match self.statics {
            StaticUse::Only => Judge::by_rules_only(true, timer),
            statics => {
                let spec = Specification::prepare(&self.automaton, Semantics::TIGA, &Budget::unlimited()).unwrap();
                Judge::new(spec, statics, true, timer).with_guidelines(self.guidelines)
            }
        };
        let run = Run {
            space: &space,
            selection: &selection,
            judge: &judge,
            rules: &guidelines::violated,
        };
        classify(run, &mut Log::resume(output).unwrap(), &mut |_| {}).unwrap()
    }

    fn run(&self) -> (Summary, String) {
        let folder = tempfile::tempdir().unwrap();
        let output = OutputDir::create(&folder.path().join("out"), &Manifest::new(&plan(), 1, 1)).unwrap();
        let summary = self.run_in(&output);
        (
            summary,
            fs::read_to_string(output.path().join("mutants.jsonl")).unwrap(),
        )
    }
}

/// Per operator: total, non-subsumed, subsumed, inconsistent, violating.
fn table(summary: &Summary) -> Vec<[u64; 5]> {
    let row = |t: &Tally| [t.total, t.non_subsumed, t.subsumed, t.inconsistent, t.violating];
    summary.rows().iter().map(|(_, tally)| row(tally)).collect()
}

/// \[003\] section 5.4.1, sentence by sentence.
#[test]
fn the_published_verdicts_of_wfas_come_out() {
    let (summary, _) = Setting::of(wfas(), Order::FIRST, StaticUse::Off).run();
    let expected = [
        [14, 10, 0, 4, 4],   // TMI: four inconsistent, all violating.
        [72, 26, 46, 0, 36], // TAD: 36 inputs subsumed and violating; 26 and 10 outputs.
        [5, 3, 0, 2, 1],     // SMI: timeout and cont_3 inconsistent, the first violating.
        [12, 2, 6, 4, 8],    // CXL: cont_1, cont_3 non-subsumed; guards 4 inconsistent, 4 subsumed, all violating.
        [12, 8, 0, 4, 0],    // CXS: 8 guards non-subsumed, 4 invariants inconsistent.
        [6, 6, 0, 0, 0],     // CCN: all non-subsumed.
    ];
    assert_eq!(table(&summary), expected);
    let percent = (summary.total().ratio().unwrap() * 100.0).round();
    assert!((percent - 74.0).abs() < f64::EPSILON);
    assert_eq!(summary.unsound(), [""; 0]);
}

#[test]
fn the_published_ratios_of_mutex_and_coffee_come_out() {
    for (automaton, published) in [(mutex(), 73.0), (coffee(), 91.0)] {
        let (summary, _) = Setting::of(automaton, Order::FIRST, StaticUse::Use).run();
        let percent = (summary.total().ratio().unwrap() * 100.0).round();
        assert!(
            (percent - published).abs() < f64::EPSILON,
            "{percent} is not {published}"
        );
    }
}

/// 44.9 % of the 2,175 sequences.
#[test]
fn order_two_of_mutex_is_as_published_with_and_without_rules() {
    let verdicts = |statics| {
        let (summary, records) = Setting::of(mutex(), Order::SECOND, statics).run();
        assert_eq!(summary.total().total, 2175);
        assert_eq!(summary.total().unsound, 0);
        assert!((summary.total().ratio().unwrap() * 100.0 - 44.9).abs() < 0.05);
        let verdict = |line: &str| {
            let record: super::Record = serde_json::from_str(line).unwrap();
            (record.id, record.violates, record.verdict, record.duplicate_of)
        };
        records.lines().map(verdict).collect::<Vec<_>>()
    };
    assert_eq!(verdicts(StaticUse::Use), verdicts(StaticUse::Off));
}

/// Under the published semantics the extended guidelines name every useless mutant of these studies, none wrongly, and
/// give the same verdicts as the game. The reasons are those that [003] section 5.4.1 finds by hand.
#[test]
fn the_extended_guidelines_name_every_useless_mutant_of_three_studies() {
    let verdicts = |study: &Automaton, order, statics| {
        let setting = Setting {
            guidelines: GuidelineSet::Extended,
            ..Setting::of(study.clone(), order, statics)
        };
        let (summary, records) = setting.run();
        let total = *summary.total();
        assert_eq!(total.unsound, 0);
        let records: Vec<super::Record> = records
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let facts = |record: &super::Record| (record.id.clone(), record.verdict, record.why.clone());
        (total, records.iter().map(facts).collect::<Vec<_>>())
    };
    for (study, order) in [
        (wfas(), Order::FIRST),
        (mutex(), Order::FIRST),
        (coffee(), Order::FIRST),
        (mutex(), Order::SECOND),
    ] {
        let (total, with_rules) = verdicts(&study, order, StaticUse::Use);
        let (_, with_games) = verdicts(&study, order, StaticUse::Off);
        assert_eq!(with_rules, with_games);
        assert_eq!(total.extended_ratio(), Some(1.0), "{}", study.name());
    }
    let (_, coffee) = verdicts(&coffee(), Order::FIRST, StaticUse::Use);
    let why = |id: &str| coffee.iter().find(|(known, ..)| known == id).unwrap().2.clone();
    for location in ["add_sugar:y<=5=>y<=6", "preparing_coffee:y<=8=>y<=9"] {
        let id = format!("CXL:invariant:{location}");
        assert_eq!(why(&id).as_deref(), Some("pruned for independent progress"));
    }
}

#[test]
fn without_games_only_violations_are_known() {
    let (summary, _) = Setting::of(wfas(), Order::FIRST, StaticUse::Only).run();
    let total = summary.total();
    assert_eq!(
        [
            total.total,
            total.subsumed_or_inconsistent,
            total.unknown,
            total.violating
        ],
        [121, 49, 72, 49]
    );
    assert_eq!(total.ratio(), None);
}

/// A mutant that the first pair of states tells apart is decided all the same; nothing is decided wrongly.
#[test]
fn a_limit_gives_unknown_and_never_another_verdict() {
    let read = |records: &str| -> Vec<super::Record> {
        records
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let mut setting = Setting::of(wfas(), Order::FIRST, StaticUse::Off);
    let unlimited = read(&setting.run().1);
    setting.limits.max_states = Some(0);
    let limited = read(&setting.run().1);
    let is_unknown = |record: &&super::Record| record.verdict == super::Verdict::Unknown;
    assert!(limited.iter().filter(is_unknown).count() > 100);
    for (record, unlimited) in limited.iter().zip(unlimited) {
        match &record.reason {
            Some(reason) => assert!(is_unknown(&record) && reason.contains("(--max-states)"), "{record:?}"),
            None => assert!(
                record.verdict == unlimited.verdict || record.duplicate_of.is_some(),
                "{record:?}"
            ),
        }
    }
}

#[test]
fn a_run_cut_at_any_byte_is_continued_to_the_same_bytes() {
    assert_continued(&Setting::of(mutex(), Order::FIRST, StaticUse::Use), 97);
    let mut setting = Setting::of(mutex(), Order::new(3).unwrap(), StaticUse::Use);
    setting.selection = Some(Sample::Count(60));
    assert_continued(&setting, 997);
}

fn assert_continued(setting: &Setting, step: usize) {
    let folder = tempfile::tempdir().unwrap();
    let manifest = Manifest::new(&plan(), 47, 47);
    let path = folder.path().join("out");
    let output = OutputDir::create(&path, &manifest).unwrap();
    let whole = setting.run_in(&output);
    let files = [
        "mutants.jsonl",
        "subsumed.txt",
        "non-subsumed.txt",
        "inconsistent.txt",
        "violating.txt",
    ];
    let read = || files.map(|name| fs::read(path.join(name)).unwrap());
    let expected = read();
    drop(output);
    let length = expected[0].len();
    for cut in (0..=length).step_by(step).chain([1, length - 1, length]) {
        fs::write(path.join("mutants.jsonl"), &expected[0][..cut]).unwrap();
        let output = OutputDir::resume(&path, &manifest).unwrap();
        assert_eq!(setting.run_in(&output), whole, "cut at {cut}");
        assert_eq!(read(), expected, "cut at {cut}");
    }
}

#[test]
fn records_of_another_run_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = OutputDir::create(&folder.path().join("out"), &Manifest::new(&plan(), 1, 1)).unwrap();
    Setting::of(wfas(), Order::FIRST, StaticUse::Only).run_in(&output);
    let space = MutantSpace::new(&mutex(), &MutationOptions::default(), Order::FIRST).unwrap();
    let run = Run {
        space: &space,
        selection: &Selection::All(space.len()),
        judge: &Judge::by_rules_only(true, Timer::new(Limits::default())),
        rules: &guidelines::violated,
    };
    let refusal = classify(run, &mut Log::resume(&output).unwrap(), &mut |_| {}).unwrap_err();
    assert!(refusal.to_string().contains("start anew"), "{refusal}");
}

#[test]
fn a_sample_is_part_of_the_whole_run() {
    let mut setting = Setting::of(mutex(), Order::SECOND, StaticUse::Off);
    let verdicts = |records: &str| -> Vec<(String, super::Verdict)> {
        let record = |line| serde_json::from_str(line).map(|record: super::Record| (record.id, record.verdict));
        records.lines().map(|line| record(line).unwrap()).collect()
    };
    let all = verdicts(&setting.run().1);
    setting.selection = Some(Sample::Count(50));
    let sample = verdicts(&setting.run().1);
    assert_eq!(sample.len(), 50);
    let mut rest = all.iter();
    assert!(
        sample.iter().all(|drawn| rest.any(|one| one == drawn)),
        "the sample is a subsequence"
    );
}

#[test]
fn witnesses_are_shown_for_games_that_are_lost() {
    let (_, records) = Setting::of(wfas(), Order::FIRST, StaticUse::Use).run();
    let line = records
        .lines()
        .find(|line| line.contains("\"CXL:invariant:cont_1:x<=2=>x<=3\""))
        .unwrap();
    let record: super::Record = serde_json::from_str(line).unwrap();
    // [003] section 5.4.1: the mutant can delay to 3 before timeout; the specification at most to 2.
    assert!(record.witness.unwrap().ends_with("the delay is not allowed"), "{line}");
    assert!(
        Operator::ALL
            .iter()
            .any(|operator| record.operators == [operator.name()])
    );
}
