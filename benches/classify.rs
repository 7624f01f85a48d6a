//! Classifying the mutants of the case studies: orders 1 and 2, with and without static rules, 1 and 2 threads.
//!
//! One run is the whole pipeline after reading: numbering, guidelines, duplicate check, consistency and refinement
//! under the preset `tiga`, records written to a fresh folder. CAS at order 2 (half a million mutants) is left to
//! `scripts/bench.sh`, which runs everything once.

use std::path::{Path, PathBuf};
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use tamper::experiment::{Judge, Log, Manifest, OutputDir, Plan, Run, Selection, StaticUse, Summary, Timer, classify};
use tamper::formats::uppaal::{self, ReadOptions};
use tamper::game::{Semantics, Specification};
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, MutationOptions, Order};
use tamper::text::Budget;

const STUDIES: [&str; 6] = ["mutex", "hotel", "coffee", "wfas", "accel", "cas"];

fn read(study: &str) -> Automaton {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "case-studies", study, "model.xml"]
        .iter()
        .collect();
    let (document, _) = uppaal::read_file(&path, &ReadOptions::default()).expect("the model is readable");
    document.automata()[0].clone()
}

fn plan(study: &str, spec: &Automaton, order: Order, statics: StaticUse) -> Plan {
    Plan {
        order,
        statics,
        semantics: Semantics::TIGA,
        ..Plan::of(study, spec, MutationOptions::default())
    }
}

/// One run into a fresh folder inside `folder`.
fn run(spec: &Automaton, plan: &Plan, folder: &Path) -> Summary {
    let space = MutantSpace::new(spec, &plan.mutation, plan.order).expect("the mutants can be numbered");
    let selection = Selection::All(space.len());
    let specification = Specification::prepare(spec, plan.semantics, &Budget::unlimited()).expect("it is consistent");
    let judge = Judge::new(specification, plan.statics, plan.witness, Timer::new(plan.limits));
    let manifest = Manifest::new(plan, space.len(), selection.len());
    let output = OutputDir::create(&folder.join("run"), &manifest).expect("the folder can be made");
    let mut log = Log::create(&output).expect("the log can be made");
    let run = Run {
        space: &space,
        selection: &selection,
        judge: &judge,
        rules: &tamper::guidelines::violated,
    };
    classify(run, &mut log, &mut |_| ()).expect("the records can be written")
}

fn bench_order(criterion: &mut Criterion, order: Order, studies: &[&str]) {
    let mut group = criterion.benchmark_group(format!("classify/order {}", order.number()));
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(2));
    for study in studies {
        let spec = read(study);
        let space = MutantSpace::new(&spec, &MutationOptions::default(), order).expect("they can be numbered");
        group.throughput(Throughput::Elements(space.len()));
        for (statics, rules) in [(StaticUse::Use, "rules"), (StaticUse::Off, "no rules")] {
            for threads in [1, 2] {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .expect("threads");
                let folder = tempfile::tempdir().expect("a folder");
                let plan = plan(study, &spec, order, statics);
                let id = BenchmarkId::new(*study, format!("{rules}, {threads} threads"));
                group.bench_function(id, |bencher| {
                    bencher.iter(|| pool.install(|| run(&spec, &plan, folder.path())));
                });
            }
        }
    }
    group.finish();
}

fn bench(criterion: &mut Criterion) {
    bench_order(criterion, Order::FIRST, &STUDIES);
    bench_order(criterion, Order::SECOND, &STUDIES[..5]);
}

criterion_group!(benches, bench);
criterion_main!(benches);
