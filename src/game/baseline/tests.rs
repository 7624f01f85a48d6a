use super::*;
use crate::base::Id;
use crate::model::{
    AutomatonBuilder, ClockConstraint, ClockId, Cmp, Edge, Expr, Guard, LocId, Location, Update, Urgency,
};

/// Numbers that look random, always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
    fn guard(&mut self) -> Guard {
        let mut guard = Guard::always();
        if self.below(3) > 0 {
            guard.clocks.push(ClockConstraint {
                left: ClockId::from_index(usize::from(self.below(2) == 1)),
                right: None,
                cmp: if self.below(2) == 0 { Cmp::Le } else { Cmp::Ge },
                bound: Expr::Const(i64::from(self.below(3) == 0) + 1),
            });
        }
        guard
    }
}

fn game(numbers: &mut Numbers) -> Automaton {
    let mut builder = AutomatonBuilder::new("A");
    builder.clock("x");
    builder.clock("y");
    for name in ["l", "m", "n", "o", "p"] {
        let mut invariant = numbers.guard();
        invariant.clocks.retain(|atom| atom.cmp == Cmp::Le);
        let id = builder.location(Location {
            name: name.into(),
            invariant,
            urgency: Urgency::Normal,
        });
        if name == "l" {
            builder.initial(id);
        }
    }
    for _ in 0..4 + numbers.below(6) {
        let (name, role) = [("i", Role::Input), ("a", Role::Output), ("b", Role::Output)]
            [usize::from(numbers.below(3) > 0) + usize::from(numbers.below(3) == 0)];
        let action = builder.action(name, role, false);
        let mut location = || LocId::from_index(usize::try_from(numbers.below(5)).expect("below 5"));
        let (source, target) = (location(), location());
        builder.edge(Edge {
            source,
            target,
            action,
            guard: numbers.guard(),
            updates: (0..numbers.below(2))
                .map(|_| Update::Reset(ClockId::from_index(0), Expr::Const(0)))
                .collect(),
            selects: Vec::new(),
        });
    }
    builder.build().expect("a game")
}

/// All pairs again and again until nothing changes.
fn by_sweeps(baseline: &Baseline) -> Vec<bool> {
    let n_nodes = baseline.pruned.nodes.len();
    let universe = Dbm::universe(baseline.pruned.dim());
    let mut table = vec![true; n_nodes * n_nodes];
    loop {
        let before = table.clone();
        for at in 0..table.len() {
            let pair = (index(at / n_nodes), index(at % n_nodes));
            table[at] = table[at] && baseline.dominates_once(&table, pair, &baseline.existing(pair.0, &universe));
        }
        if table == before {
            return table;
        }
    }
}

#[test]
fn what_falls_is_what_sweeps_find() {
    let mut numbers = Numbers(1);
    let (mut n_related, mut n_fallen) = (0, 0);
    for _ in 0..400 {
        let game = game(&mut numbers);
        let semantics = if numbers.below(2) == 0 {
            Semantics::TIGA
        } else {
            Semantics::DEFINITION
        };
        let Ok(Some(baseline)) = Baseline::of(&game, game.actions().len(), semantics, &Budget::unlimited()) else {
            continue;
        };
        let expected = by_sweeps(&baseline);
        assert_eq!(baseline.compute_dominated(), expected);
        n_related += expected.iter().filter(|related| **related).count();
        n_fallen += expected.iter().filter(|related| !**related).count();
    }
    assert!(n_related > 1000 && n_fallen > 1000, "{n_related} {n_fallen}");
}
