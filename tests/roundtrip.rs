//! What the writer writes, the reader reads back: the same automaton up to its name, the order of its alphabet and
//! variables that nothing mentions; and the text around a mutation stays as it was.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tamper::formats::{
    Document, Edit, IoConvention, ReadOptions, WriteError, read_bytes, read_file, write_automaton, write_mutant,
    write_mutations,
};
use tamper::model::{Automaton, EdgeId, Expr, Guard};
use tamper::mutation::{Mutation, MutationOptions, Mutations, Operator};

use crate::show::show;

fn read(text: &str, options: &ReadOptions) -> Document {
    match read_bytes("written.xml", text.as_bytes(), options) {
        Ok((document, _)) => document,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// Only these give a variable that looks like a boolean other values.
fn is_off_by_one(mutations: &[Mutation]) -> bool {
    let may_leave = [Operator::Obo, Operator::Aor, Operator::Mcd, Operator::Vrf];
    mutations
        .iter()
        .any(|mutation| may_leave.contains(&mutation.operator()))
}

/// Writes the mutant, reads it, compares; gives the text.
fn check(document: &Document, index: usize, mutations: &[Mutation], options: &ReadOptions) -> String {
    let spec = &document.automata()[index];
    let mutant = mutations
        .iter()
        .fold(spec.clone(), |automaton, mutation| mutation.apply(&automaton));
    let text = match write_mutations(document, index, mutations) {
        Err(WriteError::NoTruthValue(name)) if is_off_by_one(mutations) => return name,
        written => written.unwrap(),
    };
    let written = read(&text, options);
    assert_eq!(written.automata().len(), mutations.len() + 1, "{text}");
    assert_eq!(
        show(&written.automata()[0]),
        show(spec),
        "the specification stays\n{text}"
    );
    assert_eq!(
        show(written.automata().last().unwrap()),
        show(&mutant),
        "{mutations:?}\n{text}"
    );
    text
}

fn mutations(automaton: &Automaton) -> Vec<Mutation> {
    // A channel that is urgent only in the mutant has no place in a file with both.
    let is_written = |operator: &Operator| *operator != Operator::Chu;
    let options = MutationOptions {
        operators: Operator::of_games().iter().copied().filter(is_written).collect(),
        conjuncts: true,
        ..MutationOptions::default()
    };
    Mutations::of(automaton, &options).iter().collect()
}

/// Every mutant of order 1 and, of those of order 2, about `second` per automaton.
fn check_file(path: &Path, second: usize, options: &ReadOptions) {
    let (document, _) = read_file(path, options).unwrap_or_else(|error| panic!("{error}"));
    for index in 0..document.automata().len() {
        let spec = &document.automata()[index];
        let first = mutations(spec);
        assert!(!first.is_empty());
        for (number, mutation) in first.iter().enumerate() {
            check(&document, index, &[*mutation], options);
            let every = first.len().div_ceil(second.max(1));
            if number % every == 0 {
                let next = mutations(&mutation.apply(spec));
                // A different place of each list, so that all operators meet.
                for part in 0..3 {
                    if let Some(then) = next.get((number * 7 + part * next.len() / 3) % next.len().max(1)) {
                        check(&document, index, &[*mutation, *then], options);
                    }
                }
            }
        }
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut list = Vec::new();
    for entry in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => list.push(entry.join("model.xml")),
            false => list.push(entry),
        }
    }
    list.retain(|path| path.is_file() && path.extension().is_some_and(|end| end == "xml"));
    list.sort();
    list
}

#[test]
fn every_mutant_of_the_awkward_files_reads_back() {
    let list = files("tests/data/roundtrip");
    assert_eq!(list.len(), 6);
    for path in list {
        check_file(&path, 40, &ReadOptions::default());
    }
}

#[test]
fn mutants_read_back_under_the_options_their_file_was_read_with() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/roundtrip/tiga.xml");
    for io in [IoConvention::Label, IoConvention::Attribute] {
        check_file(
            &path,
            10,
            &ReadOptions {
                io,
                ..ReadOptions::default()
            },
        );
    }
}

#[test]
fn mutants_of_the_example_games_read_back() {
    for path in files("uppaal-models") {
        check_file(&path, 2, &ReadOptions::default());
    }
}

#[test]
fn mutants_of_the_case_studies_read_back() {
    for path in files("case-studies") {
        let (document, _) = read_file(&path, &ReadOptions::default()).unwrap();
        let first = mutations(&document.automata()[0]);
        for mutation in first.iter().step_by(first.len().div_ceil(60)) {
            check(&document, 0, &[*mutation], &ReadOptions::default());
            let next = mutations(&mutation.apply(&document.automata()[0]));
            check(
                &document,
                0,
                &[*mutation, next[next.len() / 2]],
                &ReadOptions::default(),
            );
        }
    }
}

#[test]
fn fresh_files_read_back() {
    let folders = ["uppaal-models", "case-studies", "tests/data/roundtrip"];
    for path in folders.into_iter().flat_map(files) {
        let (document, _) = read_file(&path, &ReadOptions::default()).unwrap();
        for automaton in document.automata() {
            let name = automaton.name().replace(['(', ',', ')'], "_");
            let text = write_automaton(&automaton.renamed(name));
            let again = read(&text, &ReadOptions::default());
            assert_eq!(show(&again.automata()[0]), show(automaton), "{text}");
        }
    }
}

/// The lines of `text` outside the system and query sections, CRLF and all.
fn drawing(text: &str) -> Vec<&str> {
    text.split_inclusive('\n')
        .take_while(|line| !line.contains("<system>"))
        .collect()
}

#[test]
fn everything_around_a_mutation_stays_byte_for_byte() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/roundtrip/layout.xml");
    let original = fs::read_to_string(&path).unwrap();
    let (document, _) = read_file(&path, &ReadOptions::default()).unwrap();
    let text = write_mutations(
        &document,
        0,
        &[Mutation::RemoveEdge {
            edge: edge(&document, 1),
        }],
    )
    .unwrap();
    let mut lines = drawing(&text).into_iter();
    for line in drawing(&original) {
        let expected = line.replace(">Machine<", ">Spec<");
        assert!(lines.any(|line| line == expected), "{line:?} is kept, in order\n{text}");
    }
    assert_eq!(
        text.matches('\n').count(),
        text.matches("\r\n").count(),
        "line ends are the file's"
    );
    assert!(text.contains("system Spec, Spec_mutant;</system>"), "{text}");
    assert!(
        text.contains("<formula>refinement: Spec_mutant &lt;= Spec</formula>"),
        "{text}"
    );
    // The copy has everything but the edge: its colour, nail, comment and the other edges' labels.
    let copy = &text[text.find("Spec_mutant").unwrap()..];
    for kept in [
        "color=\"#ff00ff\"",
        "<nail x=\"7\" y=\"8\"/>",
        "<!-- five -->",
        "nobody\r\nhere",
        "x=\"280\" y=\"40\"",
    ] {
        assert!(copy.contains(kept), "{kept}");
    }
    assert!(!copy.contains("<![CDATA[x<3 && cups != i]]>"));
}

fn edge(document: &Document, position: usize) -> EdgeId {
    document.automata()[0].edges().ids().nth(position).unwrap()
}

#[test]
fn ids_stay_unique_in_the_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/roundtrip/layout.xml");
    let (document, _) = read_file(&path, &ReadOptions::default()).unwrap();
    let all = mutations(&document.automata()[0]);
    let then = mutations(&all[0].apply(&document.automata()[0]));
    let text = write_mutations(&document, 0, &[all[0], then[0]]).unwrap();
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..Default::default()
    };
    let xml = roxmltree::Document::parse_with_options(&text, options).unwrap();
    let ids: Vec<_> = xml.descendants().filter_map(|node| node.attribute("id")).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
    assert!(text.contains("refinement: Spec_mutant_mutant &lt;= Spec<"), "{text}");
}

#[test]
fn labels_are_added_where_there_were_none() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/roundtrip/io.xml");
    let (document, _) = read_file(&path, &ReadOptions::default()).unwrap();
    let location = document.automata()[0].initial();
    let edits = vec![
        Edit::SetGuard(edge(&document, 1), "1 < 2".to_owned()),
        Edit::SetGuard(edge(&document, 0), "1 > 2".to_owned()),
        Edit::SetInvariant(location, "2 > 3".to_owned()),
    ];
    let text = write_mutant(&document, 0, &[edits]).unwrap();
    let written = read(&text, &ReadOptions::default());
    let mutant = &written.automata()[1];
    let never = Guard {
        clocks: Vec::new(),
        data: vec![Expr::Const(0)],
    };
    assert_eq!(mutant.edges()[edge(&document, 0)].guard, never);
    assert_eq!(mutant.edges()[edge(&document, 1)].guard, Guard::always());
    assert_eq!(mutant.locations()[location].invariant, never);
}

#[test]
fn what_cannot_be_patched_is_refused_by_name() {
    let entity = "<!DOCTYPE nta [ <!ENTITY five \"5\"> ]><nta><template><name>T</name><declaration>clock x;</declaration>\
                  <location id='l'><label kind='invariant'>x &lt; &five;</label></location><init ref='l'/></template></nta>";
    let document = read(entity, &ReadOptions::default());
    assert_eq!(write_mutant(&document, 0, &[vec![]]), Err(WriteError::Entities));

    let taken = "<nta><declaration>int dummy_1;</declaration><template><name>T</name><location id='l'/><init ref='l'/>\
                 </template></nta>";
    let document = read(taken, &ReadOptions::default());
    let add = mutations(&document.automata()[0])[0];
    assert_eq!(
        write_mutations(&document, 0, &[add]),
        Err(WriteError::NameTaken("dummy_1".to_owned()))
    );

    let shared = "<nta><declaration>clock x;</declaration><template><name>T</name><parameter>clock &amp;c</parameter>\
                  <location id='l'/><init ref='l'/><transition><source ref='l'/><target ref='l'/>\
                  <label kind='assignment'>c = 0</label></transition></template><system>P = T(x); system P;</system></nta>";
    let document = read(shared, &ReadOptions::default());
    assert_eq!(
        write_mutant(&document, 0, &[vec![]]),
        Err(WriteError::SharedReference("c".to_owned()))
    );
    let far = EdgeId::clone(&edge(&document, 0));
    let twice = vec![Edit::RemoveEdge(far), Edit::RemoveEdge(far)];
    let plain = read(&shared.replace("c = 0", ""), &ReadOptions::default());
    assert_eq!(write_mutant(&plain, 0, &[twice]), Err(WriteError::NoSuchPart));
}
