//! What composing the mutants of a network costs, each anew and from what the original has shown: the rows of a table in
//! `results/networks/page.md`. Both are timed mutant by mutant in turn, so that other work on the machine slows both.
//!
//! `cargo run --release --example network_mutants -- FILE...`

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use tamper::experiment::{NetworkMutants, Scope, components};
use tamper::formats::read_network;
use tamper::mutation::{MutationOptions, Order};
use tamper::network::{Original, View, compose_mutant};
use tamper::text::Budget;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let (file, _) = read_network(&path, &std::fs::read(&path)?)?;
        let view = View::closed("Network", &file.network);
        let budget = Budget::unlimited();
        let (composed, original) = Original::compose(&file.network, &view, &budget)?;
        let (mut anew, mut shared, mut n_mutants) = (Duration::ZERO, Duration::ZERO, 0u32);
        let components = components(&file.network, &view, &file.templates, &[], Scope::Template)?;
        let options = MutationOptions::default();
        let mutants = NetworkMutants::of(&file.network, &view, &components, &options, Order::FIRST)?;
        for mutant in (0..mutants.len()).filter_map(|number| mutants.get(number)) {
            let mutant = mutant.network();
            let start = Instant::now();
            // Errors of mutants take their time, too.
            let _ = black_box(compose_mutant(&mutant, &file.network, &view, &budget));
            let middle = Instant::now();
            let _ = black_box(original.compose_mutant(&mutant, &budget));
            anew += middle - start;
            shared += middle.elapsed();
            n_mutants += 1;
        }
        let rate = |time: Duration| (f64::from(n_mutants) / time.as_secs_f64()).round();
        println!(
            "| {} | {} | {} | {n_mutants} | {} | {} | {:.2} |",
            file.network.processes.len(),
            composed.automaton.locations().len(),
            composed.n_explored,
            rate(anew),
            rate(shared),
            anew.as_secs_f64() / shared.as_secs_f64(),
        );
    }
    Ok(())
}
