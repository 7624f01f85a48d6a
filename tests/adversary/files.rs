//! A mutant is a file: what is written of it reads back, and against the original it has the verdict that `classify` gave, whatever
//! the file says of how likely or how dear a run is, of where clocks start that nothing compares, and at which rate they run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::process::Command;

use tamper::experiment::{Record, Verdict};
use tamper::formats::{Document, ReadOptions, WriteError, read_bytes, write_automaton, write_mutations};
use tamper::game::{self, Scratch, Specification};
use tamper::model::Automaton;
use tamper::mutation::{Mutation, Operator};
use tamper::text::Budget;

use super::classified::MANNERS;
use super::operators::{Rich, rich};
use testing::oracle::run;

/// What no game has.
const DECLARED: &str = "clock odd = 3; clock still, slow; double d = 0.5; hybrid clock h; const double PART = 0.25;\n";
const RATES: [&str; 5] = [
    "still' == 0",
    "slow' == PART && still' == 1",
    "cost' == 2",
    "h' == d && still' == 2",
    "slow' == 0.5",
];
const UPDATES: [&str; 4] = [
    "d = d * 2 + random(1)",
    "odd = 0, still = 2",
    "cost += 2",
    "h = d, slow = 0",
];

/// The file of the game with such things in it, chosen by the seed of the question, and some edges that come twice, as branches.
fn dressed(rich: &Rich) -> String {
    let mut rich = rich.clone();
    // A file has no propositions as actions.
    rich.case.sees_propositions = false;
    let mut left = rich.case.question.seed | 1;
    let mut draw = move |n: usize| {
        left = left.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (left >> 33) as usize % n
    };
    let (mut text, mut points) = (String::new(), 0);
    for line in write_automaton(&rich.game()).lines() {
        let mut line = line.to_owned();
        if line.contains("<location ") && draw(2) == 0 {
            let rate = RATES[draw(RATES.len())];
            line = with_label(&line, "invariant", rate, " &amp;&amp; ", "</name>", "</name>");
        }
        if line.contains("<location ") && draw(3) == 0 {
            line = line.replacen("</name>", "</name><label kind=\"exponentialrate\">1:2</label>", 1);
        }
        if line.contains("<transition>") && draw(2) == 0 {
            let update = UPDATES[draw(UPDATES.len())];
            line = with_label(&line, "assignment", update, ", ", "</transition>", "");
            line = line.replacen(
                "</transition>",
                "",
                usize::from(line.matches("</transition>").count() > 1),
            );
        }
        let ends = line
            .contains("<transition>")
            .then(|| line.split_once("<target ref=\""))
            .flatten();
        if let Some((source, (target, labels))) = ends.and_then(|(source, rest)| Some((source, rest.split_once('"')?)))
            && draw(3) == 0
        {
            points += 1;
            let branch = |weight: usize, target: &str, update: &str| {
                format!(
                    "<transition><source ref=\"point{points}\"/><target ref=\"{target}\"/><label kind=\"probability\">{weight}\
                     </label>{update}</transition>"
                )
            };
            let reset = "<label kind=\"assignment\">odd = 1</label>";
            line = format!(
                "{source}<target ref=\"point{points}\"{labels}{}{}",
                branch(1 + draw(3), target, ""),
                branch(draw(3), "id0", reset)
            );
        }
        text += &line;
        text.push('\n');
    }
    let points: String = (1..=points)
        .map(|at| format!("<branchpoint id=\"point{at}\"/>"))
        .collect();
    let (channels, template) = text.split_once("<template>").expect("a template");
    let template = template.replacen("<declaration>", &format!("<declaration>{DECLARED}"), 1);
    let template = template.replacen("<init ", &format!("{points}<init "), 1);
    format!("{channels}<template>{template}")
}

/// The line with `more` in its label of that kind; one is put at `place` if it has none.
fn with_label(line: &str, kind: &str, more: &str, between: &str, place: &str, keep: &str) -> String {
    let more = more.replace('&', "&amp;");
    let open = format!("<label kind=\"{kind}\"");
    match line.split_once(&open) {
        Some((before, rest)) => {
            let (attributes, text) = rest.split_once('>').expect("a tag");
            format!(
                "{before}{open}{attributes}>{}",
                text.replacen("</label>", &format!("{between}{more}</label>"), 1)
            )
        }
        None => line.replacen(
            place,
            &format!(
                "{keep}{open}>{more}</label>{}",
                if keep.is_empty() { place } else { "" }
            ),
            1,
        ),
    }
}

/// What was compared, by the last operator: mutants, and those that have no file, by their reason.
#[derive(Default)]
struct Counts {
    rows: BTreeMap<String, u64>,
    verdicts: BTreeMap<&'static str, u64>,
    orders: BTreeMap<u8, u64>,
    no_file: BTreeMap<&'static str, u64>,
}

fn read(text: &str) -> Result<Document, String> {
    let read = read_bytes("file.xml", text.as_bytes(), &ReadOptions::default());
    read.map(|(document, _)| document)
        .map_err(|error| format!("{error}\n{text}"))
}

/// The verdict on a mutant that was read.
fn decided(specification: &Specification, mutant: &Automaton) -> Verdict {
    match specification.decide(mutant, &Budget::unlimited(), &mut Scratch::default()) {
        Ok(decision) => match decision.verdict {
            game::Verdict::Unknown(_) => Verdict::Unknown,
            verdict => verdict.into(),
        },
        Err(error) if error.is_invalid() => Verdict::Invalid,
        Err(_) => Verdict::Unknown,
    }
}

/// The file of a mutant; none for one that has none in this format.
fn file_of(document: &Document, mutations: &[Mutation], counts: &mut Counts) -> Result<Option<String>, String> {
    let why = match write_mutations(document, 0, mutations) {
        Ok(text) => return Ok(Some(text)),
        Err(WriteError::SharedChannel(_)) => "an urgent channel of the mutant alone",
        Err(WriteError::NoTruthValue(_)) => "no truth value",
        Err(error) => return Err(error.to_string()),
    };
    *counts.no_file.entry(why).or_default() += 1;
    Ok(None)
}

fn check(rich: &Rich, counts: &RefCell<Counts>) -> Result<(), String> {
    let question = &rich.case.question;
    let text = dressed(rich);
    let document = read(&text)?;
    let game = &document.automata()[0];
    let (space, selection) = question.mutants(game)?;
    let Ok(Some((records, _))) = question.answer(game, (&space, &selection), (MANNERS[0], false)) else {
        return Ok(());
    };
    let mut counts = counts.borrow_mut();
    let numbers = selection.slice(0..selection.len());
    let pairs: Vec<(u64, &Record)> = numbers.into_iter().zip(&records).collect();
    for (number, record) in pairs {
        let (family, position) = space.locate(number).expect("a mutant");
        let siblings = space.siblings(family).expect("a family");
        let last = siblings.last().get(position).expect("a mutant");
        let Some(text) = file_of(&document, &siblings.mutations(last), &mut counts)? else {
            continue;
        };
        let written = read(&text).map_err(|error| format!("{}: {error}", record.id))?;
        let (original, mutant) = (&written.automata()[0], written.automata().last().expect("the mutant"));
        let specification = Specification::prepare(original, question.semantics, &Budget::unlimited());
        let specification = specification.map_err(|error| format!("{}: {error}\n{text}", record.id))?;
        let found = decided(&specification, mutant);
        if found != record.verdict {
            return Err(format!(
                "{record:?}, but its file is {found:?} under {}\n{text}",
                question.semantics
            ));
        }
        let last = record.operators.last().expect("an operator").to_string();
        *counts.rows.entry(last).or_default() += 1;
        *counts.verdicts.entry(found.name()).or_default() += 1;
        *counts.orders.entry(question.order).or_default() += 1;
    }
    Ok(())
}

#[test]
fn a_mutant_has_the_verdict_of_its_file() {
    let counts = RefCell::new(Counts::default());
    run::check(12, &rich(120), |rich| check(rich, &counts));
    let counts = counts.into_inner();
    println!(
        "{} mutants, 0 differences: {:?}; {:?}; {:?}; without a file: {:?}",
        counts.rows.values().sum::<u64>(),
        counts.rows,
        counts.verdicts,
        counts.orders,
        counts.no_file
    );
    // All but CHU, which has no file beside the original, in a long run.
    assert!(counts.rows.len() > 20, "{:?}", counts.rows);
}

/// Operators whose mutants may have no file beside their original: an urgent channel is shared, a boolean has two values.
const WITHOUT_FILE: [&str; 5] = ["CHU", "OBO", "AOR", "MCD", "VRF"];

/// The same through the commands, which read the files of an export.
#[test]
fn the_commands_agree_on_the_files_of_an_export() {
    let counts = RefCell::new(0);
    run::check(3, &rich(40), |rich| by_commands(rich, &counts));
    let n_files = counts.into_inner();
    println!("{n_files} files");
    assert!(n_files > 20, "{n_files}");
}

fn by_commands(rich: &Rich, counts: &RefCell<u64>) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("a folder");
    let tamper = |words: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamper"));
        let words = words.split(' ');
        let output = command
            .current_dir(folder.path())
            .args(words)
            .output()
            .expect("tamper runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let text = dressed(rich);
    std::fs::write(folder.path().join("m.xml"), &text).expect("a file");
    let operators = Operator::of_games().iter().copied().map(Operator::name);
    let operators: Vec<&str> = operators.filter(|name| !WITHOUT_FILE.contains(name)).collect();
    let order = rich.case.question.order.min(2);
    let options = format!(
        "--operators {} --again --sample 30 --order {order}",
        operators.join(",")
    );
    let (code, _, message) = tamper(&format!("classify m.xml {options} --out run"));
    let has_no_verdicts = ["is inconsistent", "has no meaning", "outside its range"];
    match code {
        Some(0 | 1) => {}
        _ if has_no_verdicts.iter().any(|what| message.contains(what)) => return Ok(()),
        _ => return Err(format!("{message}\n{text}")),
    }
    let (code, _, message) = tamper("export m.xml --mutants run --out files");
    if code != Some(0) {
        return Err(format!("{message}\n{text}"));
    }
    let records = std::fs::read_to_string(folder.path().join("run/mutants.jsonl")).expect("records");
    let records: Vec<Record> = records
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    let entries = std::fs::read_dir(folder.path().join("files")).expect("a folder");
    let names = entries.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".xml")).collect();
    names.sort();
    if names.len() != records.len() {
        return Err(format!("{} files of {} mutants", names.len(), records.len()));
    }
    for (name, record) in names
        .iter()
        .zip(&records)
        .filter(|(_, record)| record.verdict != Verdict::Invalid)
    {
        let (code, _, message) = tamper(&format!("check files/{name}"));
        if code == Some(2) {
            return Err(format!("check {record:?}: {message}"));
        }
        let file = std::fs::read_to_string(folder.path().join("files").join(name)).expect("a file");
        let games = read(&file)?;
        let named = |game: Option<&Automaton>| game.expect("a game").name().to_owned();
        let (mutant, original) = (named(games.automata().last()), named(games.automata().first()));
        let (_, answer, message) = tamper(&format!("refine files/{name} {mutant} {original}"));
        if answer.lines().next() != Some(record.verdict.name()) {
            return Err(format!("{record:?}, but its file: {answer}{message}\n{file}"));
        }
        *counts.borrow_mut() += 1;
    }
    Ok(())
}
