//! The table of `docs/book/src/networks-language.md`: every construct at its place in a file, and what becomes of it.

use std::path::Path;

use tamper::formats::read_network;
use tamper::network::{View, compose};
use tamper::text::{Budget, Severity};

const GLOBALS: &str = "clock x, y; chan a, b; broadcast chan news; int i; int[0,3] n; bool ok; const int N = 3; \
    typedef int[0,2] id_t; int arr[3]; clock xs[3]; chan cs[id_t]; typedef struct { int p; bool q; } pair_t; pair_t pair; ";

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Declared where an example names them: each alone would be told of, or refused.
const ODD: [(&str, &str); 6] = [
    ("real", "double real; "),
    ("mixed", "hybrid clock mixed; "),
    ("swap", "meta int swap; "),
    ("started", "clock started = 5; "),
    ("hurry", "urgent broadcast chan hurry; "),
    ("timer[", "struct { clock c; int k; } timer[2]; "),
];

/// The file with `text` at `place`.
fn file(place: &str, text: &str) -> String {
    let odd: String = ODD
        .iter()
        .filter(|(name, _)| text.contains(name))
        .map(|(_, declared)| *declared)
        .collect();
    let at = |name: &str, otherwise: &str| {
        if place == name {
            text.to_owned()
        } else {
            otherwise.to_owned()
        }
    };
    let label = |kind: &str, text: String| match text.is_empty() {
        true => text,
        false => format!("<label kind=\"{kind}\">{}</label>", escape(&text)),
    };
    let parameter = match place {
        "parameter" => format!("<parameter>{}</parameter>", escape(text)),
        _ => String::new(),
    };
    format!(
        "<nta><declaration>{GLOBALS}{odd}{}</declaration><template><name>T</name>{parameter}<location id='l0'><name>L</name>\
         {}{}</location><location id='l1'><name>M</name></location>{}<init ref='l0'/><transition><source ref='l0'/>\
         <target ref='l1'/>{}{}{}{}{}</transition></template><template><name>U</name><location id='m0'/><init ref='m0'/>\
         <transition><source ref='m0'/><target ref='m0'/><label kind='synchronisation'>a?</label></transition></template>\
         <system>{}</system>{}</nta>",
        escape(&at("declaration", "")),
        label("invariant", at("invariant", "")),
        at("location", ""),
        at("extra", ""),
        label("select", at("select", "")),
        label("guard", at("guard", "")),
        label("synchronisation", at("sync", "a!")),
        label("assignment", at("update", "")),
        at("transition", ""),
        escape(&at("system", "system T, U;")),
        at("chart", ""),
    )
}

/// What becomes of the file: as the table says it.
fn answer(text: &str) -> String {
    let (file, warnings) = match read_network("m.xml", text.as_bytes()) {
        Ok(read) => read,
        Err(refused) => {
            let errors = refused
                .diagnostics
                .iter()
                .filter(|found| found.severity == Severity::Error);
            let first = errors.map(|error| error.message.clone()).next();
            return format!("refused: {}", first.expect("an error"));
        }
    };
    let view = View::closed("System", &file.network);
    match (compose(&file.network, &view, &Budget::unlimited()), warnings.first()) {
        (Err(error), _) => format!("refused: {error}"),
        (Ok(_), None) => "accepted".to_owned(),
        (Ok(_), Some(warning)) => format!("accepted: `{}`", warning.message.replace('`', "'")),
    }
}

#[test]
fn every_construct_is_accepted_or_refused_as_the_page_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/book/src/networks-language.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (mut n_rows, mut wrong) = (0, Vec::new());
    for row in page.lines().filter(|line| line.contains(" | `` ")) {
        let plain = row.replace("\\|", "\u{1}");
        let cells: Vec<String> = plain
            .trim_matches('|')
            .split(" | ")
            .map(|cell| cell.trim().replace('\u{1}', "|"))
            .collect();
        let [_, place, example, expected] = cells.as_slice() else {
            panic!("{row}");
        };
        let example = example.trim_matches('`').trim();
        let answer = answer(&file(place, example));
        if answer != *expected {
            wrong.push(format!("{row}\n  is: {answer}"));
        }
        n_rows += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_rows > 100, "{n_rows} rows");
}
