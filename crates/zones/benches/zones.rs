//! Zone operations by dimension, on random zones of a fixed seed. Figures of one run are averages over the operands,
//! which a run walks through in turn; the copy that gives every run a fresh zone is measured alone as `clone_from`.

use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, criterion_group, criterion_main, measurement::WallTime,
};
use std::hint::black_box;
use tamper_zones::{Bound, Clock, Dbm, DbmDraft, Federation, Variable};

const DIMS: [usize; 4] = [3, 5, 8, 11];
const OPERANDS: usize = 256;

/// A fixed pseudo-random sequence (a linear congruential generator, upper bits).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % most
    }
    fn bound(&mut self, low: i64, high: i64) -> Bound {
        let constant =
            low + i64::try_from(self.below(usize::try_from(high - low + 1).expect("positive"))).expect("small");
        if self.below(2) == 0 {
            Bound::lt(constant)
        } else {
            Bound::le(constant)
        }
    }
    /// A conjunction of intervals per clock and a few diagonals, not closed; perhaps empty.
    fn draft(&mut self, dim: usize) -> DbmDraft {
        let mut draft = DbmDraft::new(dim);
        for clock in (1..dim).map(Clock::from_index) {
            draft.constrain(Clock::ZERO, clock, self.bound(-20, 0));
            if self.below(3) > 0 {
                draft.constrain(clock, Clock::ZERO, self.bound(10, 60));
            }
        }
        for _ in 0..dim {
            let (left, right) = (1 + self.below(dim - 1), 1 + self.below(dim - 1));
            if left != right {
                draft.constrain(Clock::from_index(left), Clock::from_index(right), self.bound(-10, 30));
            }
        }
        draft
    }
    fn zone(&mut self, dim: usize) -> Dbm {
        loop {
            if let Some(zone) = self.draft(dim).close() {
                return zone;
            }
        }
    }
}

fn zones(dim: usize, seed: u64) -> Vec<Dbm> {
    let mut random = Random(seed);
    (0..OPERANDS).map(|_| random.zone(dim)).collect()
}

/// Measures `op` on a scratch copy of each zone in turn, with the zone `OPERANDS / 2` further as second operand.
fn each(group: &mut BenchmarkGroup<'_, WallTime>, dim: usize, name: &str, mut op: impl FnMut(&mut Dbm, &Dbm, usize)) {
    let zones = zones(dim, 1);
    let mut scratch = Dbm::zero(dim);
    let mut turn = 0;
    group.bench_function(BenchmarkId::new(name, dim), |bencher| {
        bencher.iter(|| {
            turn = (turn + 1) % OPERANDS;
            scratch.clone_from(&zones[turn]);
            op(&mut scratch, &zones[(turn + OPERANDS / 2) % OPERANDS], turn);
            black_box(&scratch);
        });
    });
}

fn single(group: &mut BenchmarkGroup<'_, WallTime>, dim: usize) {
    each(group, dim, "clone_from", |_, _, _| ());
    each(group, dim, "up", |zone, _, _| zone.up());
    each(group, dim, "down", |zone, _, _| zone.down());
    each(group, dim, "free", |zone, _, turn| {
        zone.free(Variable::new(turn % (dim - 1)))
    });
    each(group, dim, "reset", |zone, _, turn| {
        zone.reset(Variable::new(turn % (dim - 1)), 0)
    });
    each(group, dim, "constrain", |zone, _, turn| {
        let clock = Clock::from_index(1 + turn % (dim - 1));
        black_box(zone.constrain(clock, Clock::ZERO, Bound::le(25)));
    });
    each(group, dim, "includes", |zone, other, _| {
        black_box(zone.includes(other));
    });
    each(group, dim, "intersects", |zone, other, _| {
        black_box(zone.intersects(other));
    });
    each(group, dim, "intersect", |zone, other, _| {
        black_box(zone.intersect(other));
    });
    let max = vec![15; dim];
    each(group, dim, "extrapolate_max", |zone, _, _| zone.extrapolate_max(&max));
}

fn drafts(group: &mut BenchmarkGroup<'_, WallTime>, dim: usize) {
    let mut random = Random(2);
    let drafts: Vec<DbmDraft> = (0..OPERANDS).map(|_| random.draft(dim)).collect();
    let mut turn = 0;
    let mut next = || {
        turn = (turn + 1) % OPERANDS;
        drafts[turn].clone()
    };
    group.bench_function(BenchmarkId::new("close", dim), |bencher| {
        bencher.iter_batched(&mut next, DbmDraft::close, BatchSize::SmallInput);
    });
}

fn federations(group: &mut BenchmarkGroup<'_, WallTime>, dim: usize) {
    let zones = zones(dim, 1);
    let (mut turn, mut pieces, mut runs) = (0, 0, 0);
    group.bench_function(BenchmarkId::new("subtract", dim), |bencher| {
        bencher.iter(|| {
            turn = (turn + 1) % OPERANDS;
            let mut rest = Federation::from(zones[turn].clone());
            rest.subtract_dbm(&zones[(turn + OPERANDS / 2) % OPERANDS]);
            (pieces, runs) = (pieces + rest.zones().len(), runs + 1);
            rest
        });
    });
    println!(
        "subtract/{dim}: {:.2} pieces per subtraction",
        pieces as f64 / f64::from(runs)
    );
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("zones");
    group.warm_up_time(std::time::Duration::from_millis(200));
    group
        .measurement_time(std::time::Duration::from_millis(500))
        .sample_size(20);
    for dim in DIMS {
        single(&mut group, dim);
        drafts(&mut group, dim);
        federations(&mut group, dim);
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
