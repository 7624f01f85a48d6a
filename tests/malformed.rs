//! Files that are malformed or outside a single timed game: each is refused with an error that names the construct,
//! its place and what to do; nothing panics, whatever the bytes.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tamper::formats::{ReadOptions, read_bytes, render};
use tamper::text::Severity;

fn data() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/formats");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|end| end == "xml"))
        .collect();
    files.sort();
    files
}

fn name_of(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

#[test]
fn each_refusal_names_the_construct_its_place_and_what_to_do() {
    let files = data();
    assert!(files.len() >= 40);
    for path in files {
        let name = name_of(&path);
        let bytes = fs::read(&path).unwrap();
        let rendered = match read_bytes(&format!("{name}.xml"), &bytes, &ReadOptions::default()) {
            Ok((document, warnings)) => {
                assert!(["lsc", "warnings_only"].contains(&name.as_str()), "{name} is refused");
                render(document.source(), &warnings, false)
            }
            Err(error) => {
                let errors = error
                    .diagnostics
                    .iter()
                    .filter(|found| found.severity == Severity::Error);
                assert!(errors.clone().count() > 0, "{name}: an error is given");
                for found in errors {
                    assert!(found.help.is_some(), "{name}: `{}` says what to do", found.message);
                    let whole_file = name == "encoding_utf32";
                    assert!(
                        whole_file || found.span.is_some(),
                        "{name}: `{}` says where",
                        found.message
                    );
                }
                error.to_string()
            }
        };
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(format!("malformed__{name}"), rendered);
        });
    }
}

#[test]
fn a_file_that_does_not_exist_is_an_error_with_its_name() {
    let error = tamper::formats::read_file(Path::new("no/such/model.xml"), &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("no/such/model.xml"), "{error}");
}

/// A valid file that has something of everything.
fn valid() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("uppaal-models/ints-and-parameters.xml");
    fs::read(path).unwrap()
}

fn read_whatever(bytes: &[u8]) {
    match read_bytes("fuzz.xml", bytes, &ReadOptions::default()) {
        Ok((document, warnings)) => drop(render(document.source(), &warnings, false)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

#[test]
fn every_prefix_of_a_valid_file_is_read_or_refused() {
    let whole = valid();
    for length in 0..whole.len() {
        read_whatever(&whole[..length]);
    }
    assert!(read_bytes("whole.xml", &whole, &ReadOptions::default()).is_ok());
}

#[test]
fn deep_nesting_is_refused_not_overflowed() {
    let elements = format!(
        "<nta>{}{}</nta>",
        "<template>".repeat(100_000),
        "</template>".repeat(100_000)
    );
    read_whatever(elements.as_bytes());
    for (open, close) in [("(", ")"), ("{", "}"), ("[", "]"), ("-", ""), ("f(", ")"), ("int[", "")] {
        let text = format!("int i = {}1{};", open.repeat(100_000), close.repeat(100_000));
        read_whatever(format!("<nta><declaration>{text}</declaration></nta>").as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn changed_bytes_never_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let mut bytes = valid();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        read_whatever(&bytes);
    }

    #[test]
    fn moved_pieces_never_panic(
        pieces in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0usize..60), 1..6),
    ) {
        let mut bytes = valid();
        for (from, to, length) in pieces {
            let from = from.index(bytes.len());
            let piece = bytes[from..(from + length).min(bytes.len())].to_vec();
            let to = to.index(bytes.len());
            bytes.splice(to..to, piece);
        }
        read_whatever(&bytes);
    }
}
