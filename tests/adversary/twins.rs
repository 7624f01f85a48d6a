//! An operator of a program's own and the operator of the table that makes the same changes: their runs, pages, exports,
//! suites and scores are the same but for the name. (That they are right, the other tests say of the table's.)

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use tamper::experiment::killing::{KillGoal, Strategy as Choice, SuiteOptions, candidates, generate, score};
use tamper::experiment::{
    ExperimentError, FilesSink, Filter, FmmSink, Kept, Log, Manifest, OutputDir, Plan, Prepared, Record, Run,
    RunManifest, Sink, Source, TableKind, TableSink, Timer, UppaalFiles, classify, walk,
};
use tamper::formats::{ReadOptions, read_file};
use tamper::guidelines::violated;
use tamper::model::Automaton;
use tamper::mutation::{Alteration, Mutation, MutationOptions, Mutations, Operator};
use tamper::report::{PageFacts, RunPage, score_json, score_text};
use tamper::suite::{Pick, Refusals, Style, Tester};
use tamper::text::Budget;

use super::classified::MANNERS;
use super::operators::{further, rich};
use testing::oracle::run;

/// The operators beyond the six, each with one of this program's own that makes its changes and has a name as long at the same place
/// of the alphabet.
static TWINS: LazyLock<Vec<[Operator; 2]>> = LazyLock::new(|| {
    let twin = |(number, operator): (usize, Operator)| {
        let changes = move |game: &Automaton| {
            let all = Mutations::of(game, &MutationOptions::only(operator));
            let made = all.iter().filter_map(|mutation| match mutation {
                Mutation::Alter { alteration, .. } => Some(alteration),
                _ => None,
            });
            made.collect::<Vec<Alteration>>()
        };
        let name = format!("{}{number:02}", &operator.name()[..1]);
        let own = Operator::own(&name, operator.summary(), operator.meaning(), changes).expect("a new name");
        [operator, own]
    };
    further().into_iter().enumerate().map(twin).collect()
});

/// `text` about the own one of `twins` as it would be about the other: in ids of own ones some places have a word in front.
fn of_table(text: &str, twins: [Operator; 2]) -> String {
    let [table, own] = twins.map(Operator::name);
    let text = text.replace(own, table);
    let words = [
        "CSR:from:",
        "INV:direction:",
        "OTM:late:",
        "SNK:sink:",
        "GFL:never:",
        "CHU:channel:",
        "RIV:invariant:",
        "URG:urgent:",
        "URO:ordinary:",
        "COM:committed:",
        "CMO:ordinary:",
    ];
    match words.into_iter().find(|word| word.starts_with(table)) {
        Some(word) => text.replace(word, &word[..4]),
        None => text,
    }
}

/// What a verdict is about, without what guidelines say, which is nothing of an operator of one's own.
fn judged(record: &Record, twins: [Operator; 2]) -> String {
    let of = format!("{} {:?} {:?}", record.id, record.operators, record.verdict);
    of_table(&of, twins)
}

#[test]
fn the_verdicts_on_random_games_are_those_of_the_twin() {
    let pair = (rich(30), proptest::sample::select(TWINS.clone()), any::<bool>());
    let n_compared = Cell::new(0);
    run::check(80, &pair, |(rich, twins, again)| {
        let (game, question) = (rich.game(), &rich.case.question);
        let mut all = Vec::new();
        for operator in twins {
            let mut question = question.clone();
            question.options.operators = vec![Operator::Tmi, *operator];
            question.options.again = if *again { vec![*operator] } else { Vec::new() };
            let (space, selection) = question.mutants(&game)?;
            for manner in MANNERS {
                let found = question.answer(&game, (&space, &selection), (manner, rich.case.resumed))?;
                let records = found.map_or(Vec::new(), |(records, _)| records);
                let is_own = |record: &&Record| record.operators.iter().all(|name| name.contains(twins[1].name()));
                if let Some(named) = records.iter().filter(is_own).find(|record| !record.violates.is_empty()) {
                    return Err(format!("a guideline names {}", named.id));
                }
                all.push(records.iter().map(|record| judged(record, *twins)).collect::<Vec<_>>());
            }
        }
        let (table, own) = all.split_at(MANNERS.len());
        n_compared.set(n_compared.get() + table.iter().map(Vec::len).sum::<usize>());
        match table == own {
            true => Ok(()),
            false => Err(format!("{table:?}\n{own:?}")),
        }
    });
    assert!(n_compared.get() > 2000, "{}", n_compared.get());
}

fn plan(game: &Automaton, operator: Operator, again: bool) -> Plan {
    let mutation = MutationOptions {
        operators: vec![Operator::Tmi, operator],
        again: again.then_some(operator).into_iter().collect(),
        ..MutationOptions::default()
    };
    Plan {
        witness: true,
        ..Plan::of("model.xml", game, mutation)
    }
}

/// A page of the mutants that come by.
struct PageSink<'p>(&'p mut RunPage);

impl Sink for PageSink<'_> {
    fn take(&mut self, kept: Vec<Kept>) -> Result<(), ExperimentError> {
        kept.iter().for_each(|kept| self.0.add(kept));
        Ok(())
    }
    fn finish(self: Box<Self>) -> Result<(), ExperimentError> {
        Ok(())
    }
}

/// The files below `folder`, as texts.
fn texts(name: &str, folder: &Path, all: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let file = format!("{name}/{}", path.file_name().expect("a name").to_string_lossy());
        match path.is_dir() {
            true => texts(&file, &path, all),
            false => {
                all.insert(file, fs::read_to_string(&path).expect("a text"));
            }
        }
    }
}

/// Everything that is written about the mutants by `operator`, and with memory if `again`, of the only game of `file`.
fn written(file: &Path, operator: Operator, again: bool) -> BTreeMap<String, String> {
    let (document, _) = read_file(file, &ReadOptions::default()).expect("a model");
    let game = &document.automata()[0];
    let plan = plan(game, operator, again);
    let timer = || Timer::new(plan.limits);
    let Prepared {
        space,
        selection,
        judge,
    } = Prepared::new(game, &plan, timer()).expect("a consistent game");
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let manifest = Manifest::new(&plan, space.len(), selection.len());
    let output = OutputDir::create(&run, &manifest).expect("a new folder");
    let rules = |automaton: &Automaton, mutation: &Mutation| match mutation.operator() == operator {
        true => None,
        false => violated(automaton, mutation),
    };
    let world = Run {
        space: &space,
        selection: &selection,
        judge: &judge,
        rules: &rules,
    };
    let summary = classify(world, &mut Log::create(&output).expect("a log"), &mut |_| ()).expect("a run");
    let read: RunManifest<Plan> = Manifest::read(&run).expect("the manifest that was written");
    assert_eq!(
        serde_json::to_value(&read).unwrap(),
        serde_json::to_value(&manifest).unwrap()
    );

    let mut all = BTreeMap::new();
    all.insert("summary".to_owned(), tamper::report::classification_text(&summary));
    let filter =
        Filter::parse("--keep", &format!("operator == {operator} and verdict == non-subsumed")).expect("a filter");
    let source = Source {
        set: &space,
        selection: &selection,
        folder: &run,
        filter: &filter,
        shard: None,
    };
    let mut page = RunPage::new(game);
    let mut export = |name: &str, sink: Result<Box<dyn Sink + '_>, ExperimentError>| {
        let done = sink.and_then(|mut sink| {
            walk(source, &mut *sink, &mut |_| ())?;
            sink.finish()
        });
        all.insert(
            format!("{name}, done"),
            format!("{:?}", done.map_err(|error| error.to_string())),
        );
    };
    let in_folder = |name: &str| {
        let folder = folder.path().join(name);
        fs::create_dir(&folder).expect("a new folder");
        folder
    };
    export("page", Ok(Box::new(PageSink(&mut page))));
    let table = TableSink::create(&in_folder("jsonl"), TableKind::JsonLines);
    export("jsonl", table.map(|sink| Box::new(sink) as Box<dyn Sink>));
    let files = Box::new(UppaalFiles::new(document.clone(), 0));
    let files = FilesSink::create(&in_folder("uppaal"), files);
    export("uppaal", files.map(|sink| Box::new(sink) as Box<dyn Sink>));
    let fmm = FmmSink::create(
        &in_folder("fmm"),
        &space,
        &selection,
        tamper::formats::Drawing::default(),
    );
    export("fmm", fmm.map(|sink| Box::new(sink) as Box<dyn Sink>));
    let facts = PageFacts::of(&plan, Path::new("run"), selection.len(), space.len());
    all.insert("page".to_owned(), page.html(&facts, &[], None));
    texts("files", folder.path(), &mut all);

    let tester = Tester::new(game, &Budget::unlimited()).expect("a specification for tests");
    let candidates = candidates(&space, &selection, &|_| true, &tester, &timer()).expect("mutants");
    let options = SuiteOptions {
        wanted: KillGoal::Both,
        style: Style::Adaptive,
        pick: Pick::Earliest,
        strategy: Choice::PerMutant,
        rounds: 1,
        refusals: Refusals::Error,
        linger: None,
        mutation: plan.mutation.clone(),
        max_nodes: 1000,
    };
    let generated = generate(&tester, &candidates, &options, &timer(), &|_| ()).expect("a suite");
    let scored = score(&tester, &candidates, &generated.tests, &options, &timer()).expect("a score");
    let ids: Vec<String> = generated.tests.iter().map(|test| test.id.clone()).collect();
    all.insert("suite".to_owned(), format!("{generated:#?}"));
    all.insert(
        "score".to_owned(),
        format!("{}{:#}", score_text(&scored), score_json(&scored, &ids)),
    );
    all
}

#[test]
fn what_is_written_about_models_is_what_is_written_about_the_twin() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = ["case-studies/mutex/model.xml", "uppaal-models/ints-and-parameters.xml"];
    let mut n_used = 0;
    for file in files.map(|file| root.join(file)) {
        for twins in TWINS.iter() {
            let name = format!("\"{}\"", twins[1]);
            let [mut table, mut own] = twins.map(|operator| written(&file, operator, twins[0].has_memory()));
            // A page lists the operators of the table whether they are used or not, and others where they are.
            let pages = [&mut table, &mut own].map(|all| all.remove("page").expect("a page"));
            let is_used = own["files/jsonl/kept.jsonl"].contains(&name);
            assert_eq!(pages.map(|page| page.contains(&name)), [false, is_used], "{name}");
            let own = own
                .iter()
                .map(|(name, text)| (of_table(name, *twins), of_table(text, *twins)));
            let own: BTreeMap<String, String> = own.collect();
            assert_eq!(table.keys().collect::<Vec<_>>(), own.keys().collect::<Vec<_>>());
            for (name, text) in &table {
                assert_eq!(text, &own[name], "{name}");
            }
            let fmm = &table["fmm, done"];
            assert!(fmm.contains("has no features"), "{fmm}");
            n_used += usize::from(is_used);
        }
    }
    assert!(n_used > 20, "{n_used}");
}

#[test]
fn a_file_about_an_operator_of_another_program_is_refused_with_the_reason() {
    let read = |name: &str| serde_json::from_value::<MutationOptions>(options(name)).map_err(|error| error.to_string());
    let own = TWINS[0][1];
    assert_eq!(read(own.name()).map(|options| options.operators), Ok(vec![own]));
    let refused = read("UNREAD").expect_err("nobody defines it");
    assert!(
        refused.starts_with("there is no operator `UNREAD`; the operators are TMI "),
        "{refused}"
    );
    assert!(
        refused.contains("one that a program defines is known to that program only"),
        "{refused}"
    );
}

/// Options as files hold them, with one operator.
fn options(operator: &str) -> serde_json::Value {
    let mut options = serde_json::to_value(MutationOptions::default()).expect("options");
    options["operators"] = serde_json::json!([operator]);
    options
}
