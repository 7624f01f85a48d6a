//! Feature models: encoding, counting by circuit and by diagram, fair samples, and operations on sets of products.
//! The models are rings of alternatives: each feature excludes the like-numbered one of the next group, which is what
//! makes counting more than a product of sizes.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use tamper_features::{
    Batsat, Circuit, Diagram, Diagrams, EncodedModel, Explainer, FeatureExpr, FeatureId, FeatureModel, GroupKind,
    ProductSets,
};
use tamper_text::Budget;

const GROUPS: [usize; 3] = [20, 60, 180];
const MEMBERS: usize = 4;

/// `n` groups of alternatives in a ring, and the members of each.
fn ring(n: usize) -> (FeatureModel, Vec<Vec<FeatureId>>) {
    let mut model = FeatureModel::new("ring").expect("a name");
    let mut members = Vec::new();
    for group in 0..n {
        let id = model.add_group(model.root(), GroupKind::Alternative);
        let added = (0..MEMBERS).map(|member| model.add_feature(id, &format!("f{group}_{member}")));
        members.push(added.collect::<Result<Vec<_>, _>>().expect("names that differ"));
    }
    for group in 0..n {
        for (first, second) in members[group].iter().zip(&members[(group + 1) % n]) {
            model.add_constraint(FeatureExpr::from(*first).implies(!FeatureExpr::from(*second)), "");
        }
    }
    (model, members)
}

fn counting(criterion: &mut Criterion) {
    let budget = Budget::unlimited();
    let mut group = criterion.benchmark_group("count");
    for n in GROUPS {
        let (model, _) = ring(n);
        group.bench_function(BenchmarkId::new("circuit", n), |bencher| {
            bencher.iter(|| {
                Circuit::of(black_box(&model), &budget, &mut |_| ())
                    .expect("no limit")
                    .count()
                    .bits()
            });
        });
        group.bench_function(BenchmarkId::new("diagram", n), |bencher| {
            bencher.iter(|| {
                Diagram::of(black_box(&model), &budget)
                    .expect("no limit")
                    .count()
                    .bits()
            });
        });
    }
}

fn questions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ask");
    for n in GROUPS {
        let (model, members) = ring(n);
        group.bench_function(BenchmarkId::new("encode", n), |bencher| {
            bencher.iter(|| EncodedModel::of(black_box(&model)).cnf().clauses().len());
        });
        let choices = [(members[0][0], true), (members[1][0], true)];
        group.bench_function(BenchmarkId::new("why_not", n), |bencher| {
            let mut explainer = Explainer::new(&model, Batsat::default());
            bencher.iter(|| explainer.why_not(black_box(&choices)).expect("an answer").is_some());
        });
        let circuit = Circuit::of(&model, &Budget::unlimited(), &mut |_| ()).expect("no limit");
        group.bench_function(BenchmarkId::new("hundred_samples", n), |bencher| {
            bencher.iter(|| circuit.sampler(1).take(100).map(|product| product.len()).sum::<usize>());
        });
    }
}

fn sets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sets");
    for n in GROUPS {
        let (model, members) = ring(n);
        group.bench_function(BenchmarkId::new("and_or_count", n), |bencher| {
            let mut sets = Diagrams::of(&model, &Budget::unlimited()).expect("no limit");
            let conditions = members.iter().map(|members| FeatureExpr::from(members[0]));
            let held: Vec<_> = conditions.map(|when| sets.holding(&when).expect("no limit")).collect();
            bencher.iter(|| {
                let mut all = sets.none();
                for pair in held.windows(2) {
                    let both = sets.minus(&pair[0], &pair[1]).expect("no limit");
                    all = sets.or(&all, &both).expect("no limit");
                }
                sets.count(&all).bits()
            });
        });
    }
}

criterion_group!(benches, counting, questions, sets);
criterion_main!(benches);
