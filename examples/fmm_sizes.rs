//! How large featured mutant models are, beside the mutants one by one.
//!
//! Prints `results/fmm-sizes/page.md`: `cargo run --release --example fmm_sizes`. Every mutant is written (and thrown away); nothing is
//! estimated.

use std::error::Error;

use num_bigint::BigUint;
use rayon::prelude::*;
use tamper::features::Diagram;
use tamper::formats::feature_model::{FeatureModelFormat, write_feature_model};
use tamper::formats::{Drawing, write_automaton, write_featured};
use tamper::model::Automaton;
use tamper::mutation::{FeaturedMutants, MutantSpace, MutationOptions, Order, ProductBound};
use tamper::reproduction::Study;
use tamper::text::Budget;

type Any = Box<dyn Error + Send + Sync>;

const HEAD: &str = "\
# Featured mutant models beside the mutants one by one

How much smaller is one featured mutant model than all mutants one by one?

At order 1 up to 43 times, at order 2 up to thousands of times.

Made by `cargo run --release --example fmm_sizes`; do not edit. `results/fmm-sizes/make.sh` makes it anew.

*Sequences*: the mutants as [003] counts them. *One by one*: a UPPAAL file per sequence that holds the mutant alone, all of them written and measured. *Products*: exact, the
original among them; two sequences are one product when they differ only in the order of mutations that have nothing to do with each other. *Featured*: `fmm.xml`, all of
it in one file, and its feature model in each of three formats; FeatureIDE and DIMACS have no cardinality groups, so each feature brings a few clauses
that count. *Smaller*: one by one / (`fmm.xml` + `features.uvl`). Default operators and options; *any* is every set of first-order mutations, at most one per constraint.

| study | order | sequences | one by one, bytes | products | features | `fmm.xml`, bytes | `.uvl` | `.xml` | `.dimacs` | smaller |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|";

fn main() -> Result<(), Any> {
    println!("{HEAD}");
    for study in Study::ALL {
        let base = study.game()?;
        for (order, bound) in [
            ("1", ProductBound::Sequences(1)),
            ("2", ProductBound::Sequences(2)),
            ("3", ProductBound::Sequences(3)),
            ("any", ProductBound::Sets(None)),
        ] {
            println!("{}", row(study.title, &base, order, bound)?);
        }
    }
    Ok(())
}

fn row(title: &str, base: &Automaton, order: &str, bound: ProductBound) -> Result<String, Any> {
    let options = MutationOptions::default();
    let mutants = FeaturedMutants::of(base, &options, bound)?;
    let products = Diagram::of(mutants.model(), &Budget::unlimited()).map_err(|reason| reason.to_string())?;
    let size = write_featured(mutants.automaton(), &Drawing::grid()).len() as u64;
    let models = FeatureModelFormat::ALL.map(|format| write_feature_model(mutants.model(), format));
    let mut models_sizes = Vec::new();
    for model in models {
        models_sizes.push(model?.len() as u64);
    }
    let enumerated = match bound {
        ProductBound::Sequences(1) => Some(enumerated(base, Order::FIRST)?),
        ProductBound::Sequences(2) => Some(enumerated(base, Order::SECOND)?),
        _ => None,
    };
    let number = |value: Option<u64>| value.map_or_else(|| "–".to_owned(), |value| value.to_string());
    let smaller = enumerated.map(|(_, bytes)| format!("{:.1}", ratio(bytes, size + models_sizes[0])));
    Ok(format!(
        "| {title} | {order} | {} | {} | {} | {} | {size} | {} | {} | {} | {} |",
        number(enumerated.map(|(n, _)| n)),
        number(enumerated.map(|(_, bytes)| bytes)),
        shown(&products.count()),
        mutants.model().features().len(),
        models_sizes[0],
        models_sizes[1],
        models_sizes[2],
        smaller.unwrap_or_else(|| "–".to_owned()),
    ))
}

#[allow(clippy::cast_precision_loss, reason = "a ratio with one decimal")]
fn ratio(large: u64, small: u64) -> f64 {
    large as f64 / small as f64
}

/// A number, with its magnitude where it is long.
fn shown(number: &BigUint) -> String {
    let digits = number.to_string();
    match digits.len() {
        0..=21 => digits,
        length => format!("{}.{}·10^{}", &digits[..1], &digits[1..4], length - 1),
    }
}

/// How many mutants of exactly that order there are, and how many bytes their files have.
fn enumerated(base: &Automaton, order: Order) -> Result<(u64, u64), Any> {
    let space = MutantSpace::new(base, &MutationOptions::default(), order)?;
    let families = 0..space.n_families();
    let bytes = families.into_par_iter().filter_map(|family| {
        let siblings = space.siblings(family)?;
        let last = siblings.last();
        let sizes = last
            .iter()
            .map(|mutation| write_automaton(&siblings.mutant(mutation)).len() as u64);
        Some(sizes.sum::<u64>())
    });
    Ok((space.len(), bytes.sum()))
}
