//! Zone operations by dimension, on random zones and on zones that explorations reach. A run walks through the operands
//! in turn, so that a figure is an average over them; the copy that gives every run a fresh zone is measured alone as
//! `copy`, that of a union as `fed copy`. `scripts/zones.sh` compares with a revision.

mod operands;

use criterion::{BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main, measurement::WallTime};
use operands::Operands;
use std::hint::black_box;
use tamper_zones::{Dbm, Federation, Variable, safe_past};

const DIMS: [usize; 4] = [3, 5, 8, 11];
const OPERANDS: usize = 192;

/// The measurements of one dimension.
struct Bench<'a, 'c> {
    group: &'a mut BenchmarkGroup<'c, WallTime>,
    dim: usize,
    operands: Operands,
}

impl Bench<'_, '_> {
    /// Measures `op` on each turn, with the number of the operand `OPERANDS / 2` further.
    fn each<T>(&mut self, name: &str, mut op: impl FnMut(&Operands, usize, usize) -> T) {
        let (operands, mut turn) = (&self.operands, 0);
        self.group.bench_function(BenchmarkId::new(name, self.dim), |bencher| {
            bencher.iter(|| {
                turn = (turn + 1) % OPERANDS;
                op(operands, turn, (turn + OPERANDS / 2) % OPERANDS)
            });
        });
    }

    /// Measures a change of a scratch copy of each zone in turn.
    fn change(&mut self, name: &str, op: impl Fn(&mut Dbm, &Operands, usize)) {
        let mut scratch = Dbm::zero(self.dim);
        self.each(name, |operands, turn, _| {
            scratch.clone_from(&operands.zones[turn]);
            op(&mut scratch, operands, turn);
            black_box(&scratch);
        });
    }

    /// Measures a change of a copy of each union in turn.
    fn change_union(&mut self, name: &str, op: impl Fn(&mut Federation, &Operands, usize)) {
        self.each(name, |operands, turn, other| {
            let mut union = operands.unions[turn].clone();
            op(&mut union, operands, other);
            union
        });
    }

    fn zones(&mut self) {
        let variable = |zone: &Dbm, turn: usize| Variable::new(turn % (zone.dim() - 1));
        let max = vec![15; self.dim];
        self.change("copy", |_, _, _| ());
        self.change("up", |zone, _, _| zone.up());
        self.change("down", |zone, _, _| zone.down());
        self.change("free", |zone, _, turn| zone.free(variable(zone, turn)));
        self.change("reset", |zone, _, turn| zone.reset(variable(zone, turn), 0));
        self.change("extrapolate", |zone, _, _| zone.extrapolate_max(&max));
        self.change("constrain", |zone, operands, turn| {
            let guard = operands.guards[turn];
            black_box(zone.constrain(guard.left, guard.right, guard.bound));
        });
        self.change("intersect", |zone, operands, turn| {
            black_box(zone.intersect(&operands.zones[(turn + OPERANDS / 2) % OPERANDS]));
        });
        self.each("close", |operands, turn, _| operands.drafts[turn].clone().close());
        self.each("includes", |operands, turn, other| {
            operands.zones[turn].includes(&operands.zones[other])
        });
        self.each("intersects", |operands, turn, other| {
            operands.zones[turn].intersects(&operands.zones[other])
        });
    }

    fn unions(&mut self) {
        self.change_union("fed copy", |_, _, _| ());
        self.change_union("fed - zone", |union, operands, other| {
            union.subtract_dbm(&operands.zones[other])
        });
        self.change_union("fed - fed", |union, operands, other| {
            union.subtract(&operands.unions[other])
        });
        self.change_union("fed ∩ fed", |union, operands, other| {
            union.intersect(&operands.unions[other])
        });
        self.each("fed includes fed", |operands, turn, other| {
            operands.unions[turn].includes(&operands.unions[other])
        });
        self.each("safe_past", |operands, turn, other| {
            safe_past(&operands.unions[turn], &operands.unions[other])
        });
    }
}

fn bench(criterion: &mut Criterion) {
    type Make = fn(usize, usize) -> Operands;
    let kinds: [(&str, Make); 2] = [("reached", operands::reached), ("random", operands::random)];
    for (kind, make) in kinds {
        let mut group = criterion.benchmark_group(kind);
        group.warm_up_time(std::time::Duration::from_millis(200));
        group
            .measurement_time(std::time::Duration::from_millis(500))
            .sample_size(20);
        for dim in DIMS {
            let operands = make(dim, OPERANDS);
            let mut bench = Bench {
                group: &mut group,
                dim,
                operands,
            };
            bench.zones();
            // Unions of random zones in many dimensions fall into thousands of pieces.
            if kind == "reached" || dim < 5 {
                bench.unions();
            }
        }
        group.finish();
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
