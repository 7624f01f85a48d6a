//! Measures the verdicts on all products of featured mutant models: with decision diagrams, with bitmaps, and product by
//! product.
//!
//! `cargo run --release --example product_sets -- STUDY ORDER [diagrams|bitmaps|single] [strict|definition|tiga]`
//!
//! A line: study, order, how, products, non-subsumed, subsumed, inconsistent, symbolic states, operations on sets, nodes of
//! diagrams, milliseconds to make the sets, milliseconds of the analysis.

use std::path::Path;
use std::time::Instant;

use tamper::features::{Bitmaps, Diagrams, ProductSets};
use tamper::formats::{ReadOptions, read_file};
use tamper::game::{Scratch, Semantics, Specification, Verdict, decide_products};
use tamper::mutation::{FeaturedMutants, MutationOptions, ProductBound};
use tamper::text::Budget;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [study, order, how, semantics] = arguments.as_slice() else {
        eprintln!("STUDY ORDER diagrams|bitmaps|single strict|definition|tiga");
        std::process::exit(2);
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("case-studies");
    let (document, _) = read_file(&root.join(study).join("model.xml"), &ReadOptions::default()).expect("a study");
    let base = &document.automata()[0];
    let bound = order.parse().map_or(ProductBound::Sets(None), ProductBound::Sequences);
    let mutants = FeaturedMutants::of(base, &MutationOptions::default(), bound).expect("a supported order");
    let semantics = match semantics.as_str() {
        "definition" => Semantics::DEFINITION,
        "tiga" => Semantics::TIGA,
        _ => Semantics::STRICT,
    };
    let budget = Budget::unlimited();
    let specification = Specification::prepare(base, semantics, &budget).expect("a consistent study");
    let started = Instant::now();
    let line = match how.as_str() {
        "bitmaps" => {
            let mut sets = Bitmaps::of(mutants.model(), &budget).expect("few products");
            let made = started.elapsed().as_millis();
            let line = together(&mutants, &specification, &mut sets);
            format!("{line}, {} operations, no nodes, {made} ms", sets.n_operations())
        }
        "single" => one_by_one(&mutants, &specification),
        _ => {
            let mut sets = Diagrams::of(mutants.model(), &budget).expect("no limit");
            let made = started.elapsed().as_millis();
            let line = together(&mutants, &specification, &mut sets);
            format!(
                "{line}, {} operations, {} nodes, {made} ms",
                sets.n_operations(),
                sets.n_nodes()
            )
        }
    };
    println!("{study} {order} {how}: {line}, {} ms", started.elapsed().as_millis());
}

fn together<S: ProductSets>(mutants: &FeaturedMutants, specification: &Specification, sets: &mut S) -> String {
    let found = decide_products(mutants.automaton(), specification, sets, &Budget::unlimited());
    let numbers = [&sets.all(), &found.non_subsumed, &found.subsumed, &found.inconsistent].map(|set| sets.count(set));
    format!(
        "{} products, {} non-subsumed, {} subsumed, {} inconsistent, {:?}",
        numbers[0], numbers[1], numbers[2], numbers[3], found.effort
    )
}

fn one_by_one(mutants: &FeaturedMutants, specification: &Specification) -> String {
    let budget = Budget::unlimited();
    let sets = Diagrams::of(mutants.model(), &budget).expect("no limit");
    let all = sets.diagram(sets.all());
    let count = u64::try_from(all.count()).expect("few products");
    let mut scratch = Scratch::default();
    let mut numbers = [0u64; 3];
    for number in 0..count {
        let product = all.get(&number.into()).expect("in range");
        let mutant = mutants.project(&product).expect("an automaton");
        let decision = specification.decide(&mutant, &budget, &mut scratch).expect("a meaning");
        let at = match decision.verdict {
            Verdict::NonSubsumed => 0,
            Verdict::Subsumed => 1,
            Verdict::Inconsistent => 2,
            Verdict::Unknown(reason) => panic!("without a limit: {reason}"),
        };
        numbers[at] += 1;
    }
    let [non_subsumed, subsumed, inconsistent] = numbers;
    format!("{count} products, {non_subsumed} non-subsumed, {subsumed} subsumed, {inconsistent} inconsistent")
}
