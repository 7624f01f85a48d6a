//! Automata in short lines, for the tests of all rooms.

use crate::model::{
    Automaton, AutomatonBuilder, ClockConstraint, ClockId, Cmp, Edge, Expr, Guard, LocId, Location, Role,
    SimpleConstraint, Update, Urgency,
};
use tamper_text::Id;

use proptest::prelude::*;

/// Builds automata from short lines.
pub struct Sketch {
    /// For what there is no short line.
    pub builder: AutomatonBuilder,
    names: Vec<String>,
}

/// One clock atom, the clock by its position.
pub fn atom(clock: usize, cmp: Cmp, constant: i64) -> Guard {
    SimpleConstraint {
        clock: ClockId::from_index(clock),
        cmp,
        constant,
    }
    .into()
}

impl Sketch {
    /// An automaton with these clocks and nothing else.
    pub fn new(name: &str, clocks: &[&str]) -> Self {
        let mut builder = AutomatonBuilder::new(name);
        for clock in clocks {
            builder.clock(*clock);
        }
        Self {
            builder,
            names: Vec::new(),
        }
    }
    /// Adds a location; the first is the initial one.
    pub fn location(&mut self, name: &str, invariant: Guard) {
        self.location_with(name, invariant, Urgency::Normal);
    }
    /// The same, where time may stand still.
    pub fn location_with(&mut self, name: &str, invariant: Guard, urgency: Urgency) {
        let id = self.builder.location(Location {
            name: name.into(),
            invariant,
            urgency,
        });
        if self.names.is_empty() {
            self.builder.initial(id);
        }
        self.names.push(name.to_owned());
    }
    fn id(&self, name: &str) -> LocId {
        LocId::from_index(self.names.iter().position(|known| known == name).unwrap())
    }
    /// Adds an edge `source -> target` whose label ends in `?`, `!` or is empty, that resets `resets` to 0.
    pub fn edge(&mut self, source: &str, target: &str, label: &str, guard: Guard, resets: &[usize]) {
        self.edge_with(source, target, label, guard, resets, Vec::new());
    }
    /// The same, with more updates after the resets.
    pub fn edge_with(
        &mut self,
        source: &str,
        target: &str,
        label: &str,
        guard: Guard,
        resets: &[usize],
        more: Vec<Update>,
    ) {
        let zero = |clock: &usize| Update::Reset(ClockId::from_index(*clock), Expr::Const(0));
        let action = match (label.strip_suffix('?'), label.strip_suffix('!')) {
            (Some(input), _) => self.builder.action(input, Role::Input, false),
            (_, Some(output)) => self.builder.action(output, Role::Output, false),
            _ => self.builder.tau(),
        };
        self.builder.edge(Edge {
            source: self.id(source),
            target: self.id(target),
            action,
            guard,
            updates: resets.iter().map(zero).chain(more).collect(),
            selects: Vec::new(),
        });
    }
    /// The automaton.
    ///
    /// # Panics
    /// If the parts do not fit together.
    pub fn build(self) -> Automaton {
        self.builder.build().unwrap()
    }
}

/// The clock atom `clock - other ~ constant`, for guards that must not be mutated.
pub fn diagonal(clock: usize, other: usize, cmp: Cmp, constant: i64) -> ClockConstraint {
    ClockConstraint {
        left: ClockId::from_index(clock),
        right: Some(ClockId::from_index(other)),
        cmp,
        bound: Expr::Const(constant),
    }
}

fn small_guard() -> impl Strategy<Value = Guard> {
    let cmp = prop::sample::select(vec![Cmp::Lt, Cmp::Le, Cmp::Eq, Cmp::Ge, Cmp::Gt]);
    prop::option::of((0..2_usize, cmp, 0..3_i64))
        .prop_map(|drawn| drawn.map_or_else(Guard::always, |(clock, cmp, constant)| atom(clock, cmp, constant)))
}

prop_compose! {
    /// A game of up to three locations and edges over two clocks.
    pub fn small_automaton()(
        invariants in prop::collection::vec(small_guard(), 1..4),
        edges in prop::collection::vec((0..3_usize, 0..3_usize, 0..3_usize, small_guard(), any::<bool>()), 0..4),
    ) -> Automaton {
        let names = ["l0", "l1", "l2"];
        let n = invariants.len();
        let mut sketch = Sketch::new("A", &["x", "y"]);
        for (name, invariant) in names.into_iter().zip(invariants) {
            sketch.location(name, invariant);
        }
        for (source, target, label, guard, reset) in edges {
            let resets: &[usize] = if reset { &[0] } else { &[] };
            sketch.edge(names[source % n], names[target % n], ["a?", "b!", ""][label], guard, resets);
        }
        sketch.build()
    }
}
