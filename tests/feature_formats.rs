//! Feature models of mutants in every format, written for other tools to check (scripts/check-feature-formats.sh), and
//! models that other tools wrote.

use std::fs;
use std::path::{Path, PathBuf};

use num_bigint::BigUint;
use tamper::features::{Diagram, EncodedModel, FeatureModel, Solver, Varisat, products};
use tamper::formats::feature_model::{FeatureModelFormat, read_feature_model, write_feature_model};
use tamper::formats::{ReadOptions, read_file};
use tamper::guidelines::GuidedMutants;
use tamper::mutation::{FeaturedMutants, MutationOptions, ProductBound};
use tamper::text::Budget;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn count(model: &FeatureModel) -> BigUint {
    let budget = Budget {
        max_states: Some(2_000_000),
        ..Budget::unlimited()
    };
    Diagram::of(model, &budget).expect("enough nodes").count()
}

/// Without hidden features, one product at a time.
fn enumerate(model: &FeatureModel) -> BigUint {
    let shown = model.features().iter_enumerated();
    let shown = shown.filter(|(_, feature)| feature.attribute("hidden") != Some("true"));
    let shown: Vec<_> = shown.map(|(id, _)| id).collect();
    let mut solver = Varisat::default();
    solver.load(EncodedModel::of(model).cnf());
    let found = products(&mut solver, &shown, usize::MAX).expect("an answer");
    found.len().into()
}

fn read(path: &Path) -> FeatureModel {
    let format = FeatureModelFormat::of(path).expect("a known ending");
    let bytes = fs::read(path).expect("a readable file");
    match read_feature_model(&path.display().to_string(), &bytes, format) {
        Ok((model, _)) => model,
        Err(error) => panic!("{error}"),
    }
}

fn mutants(study: &str, order: u8) -> FeaturedMutants {
    let path = root().join("case-studies").join(study).join("model.xml");
    let (document, _) = read_file(&path, &ReadOptions::default()).expect("a readable study");
    let bound = ProductBound::Sequences(order);
    FeaturedMutants::of(&document.automata()[0], &MutationOptions::default(), bound).expect("a supported order")
}

/// The files stay in the target folder, with a list of their numbers of products: a script asks other tools to confirm.
#[test]
fn models_of_mutants_have_the_same_products_in_every_format() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("feature-formats");
    fs::create_dir_all(&folder).expect("a writable target folder");
    let mut list = String::new();
    for (name, order, guided) in [
        ("coffee", 1, false),
        ("mutex", 1, true),
        ("coffee", 2, false),
        ("mutex", 2, true),
    ] {
        let mutants = mutants(name, order);
        let mutants = if guided {
            GuidedMutants::of(&mutants)
                .expect("a supported order")
                .mutants()
                .clone()
        } else {
            mutants
        };
        let expected = count(mutants.model());
        for format in FeatureModelFormat::ALL {
            let suffix = if guided { "-guided" } else { "" };
            let file = format!("{name}-{order}{suffix}.{}", format.extension());
            let text = write_feature_model(mutants.model(), format).expect("plain names");
            let path = folder.join(&file);
            fs::write(&path, &text).expect("a writable file");
            let back = read(&path);
            assert_eq!(count(&back), expected, "{file}");
            assert_eq!(enumerate(&back), expected, "{file}");
            list.push_str(&format!("{file} {} {expected}\n", format.name()));
        }
    }
    fs::write(folder.join("expected.txt"), list).expect("a writable file");
}

/// The fixtures were written by flamapy's UVL writer (see the README beside them); the numbers are its own counts.
#[test]
fn models_that_other_tools_wrote_are_read() {
    let folder = root().join("tests/data/feature-models");
    let expected = fs::read_to_string(folder.join("expected.txt")).expect("a readable list");
    let mut n_files = 0;
    for line in expected.lines() {
        let (file, number) = line.split_once(' ').expect("a file and a number");
        let number: BigUint = number.trim().parse().expect("a number");
        assert_eq!(enumerate(&read(&folder.join(file))), number, "{file}");
        n_files += 1;
    }
    assert!(n_files >= 3);
}
