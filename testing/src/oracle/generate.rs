//! Random small games.
//!
//! A [`Sketch`] is plain data in which every index is taken modulo what there is, so each sketch is a well-formed game and
//! shrinking a sketch shrinks the game. Sketches keep the conditions that make every question decidable by
//! definition: integers never leave their range, an action is urgent only if none of its edges has a clock guard or a target
//! with an invariant.

use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use tamper_text::Id;
use tamper_timed::model::{
    ActionId, Automaton, AutomatonBuilder, BinaryOp, ClockConstraint, ClockId, Cmp, Edge, Expr, Guard, IntId, IntVar,
    LocId, Location, Role, Select, Update, Urgency,
};

use super::show::show;

/// A game whose `Debug` is its text.
#[derive(Clone)]
pub struct Shown(pub Automaton);

impl std::fmt::Debug for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&show(&self.0))
    }
}

/// The actions of generated games. The last two occur only in mutants.
pub const ACTIONS: [(&str, Role); 7] = [
    ("o", Role::Output),
    ("a", Role::Input),
    ("p", Role::Output),
    ("b", Role::Input),
    ("tau", Role::Internal),
    ("dummy", Role::Output),
    ("dummy", Role::Input),
];

/// How many of [`ACTIONS`] occur in games that are not mutants.
pub const N_COMMON: u8 = 5;

/// A value: a constant, or with the integer or the select variable added if there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the term its name says")]
pub enum Value {
    Const(u8),
    PlusInt(u8),
    PlusSelect(u8),
}

/// A clock atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The clock.
    pub clock: u8,
    /// Whether the other clock is subtracted.
    pub diagonal: bool,
    /// The comparison.
    pub cmp: Cmp,
    /// The bound.
    pub bound: Value,
}

/// What an edge does to the integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "each is the assignment its name says")]
pub enum Assign {
    Const(u8),
    Next,
    Select,
}

/// An edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeSketch {
    /// Source location.
    pub source: u8,
    /// Target location.
    pub target: u8,
    /// Index into [`ACTIONS`].
    pub action: u8,
    /// Clock atoms.
    pub guard: Vec<Atom>,
    /// A condition on the integer.
    pub data: Option<(BinaryOp, u8)>,
    /// Resets.
    pub resets: Vec<(u8, Value)>,
    /// An assignment to the integer.
    pub assign: Option<Assign>,
    /// Whether the assignment comes before the resets.
    pub assign_first: bool,
    /// Whether there is a select variable `s` in 0..1.
    pub select: bool,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocationSketch {
    /// Its invariant's clock atoms.
    pub invariant: Vec<Atom>,
    /// Its urgency.
    pub urgency: Urgency,
}

/// A game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sketch {
    /// Number of clocks.
    pub clocks: u8,
    /// The integer's initial value, if there is an integer.
    pub int: Option<u8>,
    /// The locations, the initial one first.
    pub locations: Vec<LocationSketch>,
    /// The edges.
    pub edges: Vec<EdgeSketch>,
    /// Per action: whether its channel is urgent (where possible).
    pub urgent: Vec<bool>,
    /// Per action: whether it is declared even if no edge has it.
    pub declared: Vec<bool>,
    /// Whether missing inputs are ignored.
    pub input_enabled: bool,
}

/// The greatest value of the integer.
const INT_HIGH: i32 = 2;

impl Sketch {
    /// The game.
    pub fn build(&self, name: &str) -> Automaton {
        let mut builder = AutomatonBuilder::new(name);
        for clock in ["x", "y"].iter().take(usize::from(self.clocks)) {
            builder.clock(*clock);
        }
        if let Some(initial) = self.int {
            builder.int(IntVar {
                name: "i".into(),
                low: 0,
                high: INT_HIGH,
                initial: i32::from(initial) % (INT_HIGH + 1),
            });
        }
        for (id, location) in self.locations.iter().enumerate() {
            let invariant = Guard {
                clocks: self.atoms(&location.invariant, false),
                data: vec![],
            };
            builder.location(Location {
                name: format!("l{id}").into(),
                invariant,
                urgency: location.urgency,
            });
        }
        let actions = self.actions(&mut builder);
        for edge in &self.edges {
            let edge = self.edge(edge, &actions);
            builder.edge(edge);
        }
        builder.input_enabled(self.input_enabled);
        builder.initial(LocId::from_index(0));
        builder.build().expect("sketches are well-formed")
    }

    fn actions(&self, builder: &mut AutomatonBuilder) -> Vec<Option<ActionId>> {
        let action = |(index, (name, role)): (usize, &(&str, Role))| {
            let used = self.edges.iter().any(|edge| usize::from(edge.action) == index);
            let urgent = self.urgent[index] && self.may_be_urgent(index);
            (used || self.declared[index]).then(|| builder.action(name, *role, urgent))
        };
        ACTIONS.iter().enumerate().map(action).collect()
    }

    fn may_be_urgent(&self, action: usize) -> bool {
        self.edges
            .iter()
            .filter(|edge| usize::from(edge.action) == action)
            .all(|edge| edge.guard.is_empty() && self.locations[self.location(edge.target)].invariant.is_empty())
    }

    /// The location an index stands for.
    pub fn location(&self, index: u8) -> usize {
        usize::from(index) % self.locations.len()
    }

    fn edge(&self, edge: &EdgeSketch, actions: &[Option<ActionId>]) -> Edge {
        let resets = edge.resets.iter().map(|(clock, value)| {
            Update::Reset(
                ClockId::from_index(usize::from(clock % self.clocks)),
                self.value(*value, edge.select),
            )
        });
        let assigns = edge.assign.filter(|_| self.int.is_some()).map(|assign| {
            let value = match assign {
                Assign::Const(value) => Expr::Const(i64::from(value) % i64::from(INT_HIGH + 1)),
                Assign::Select if edge.select => Expr::Select(0),
                Assign::Next | Assign::Select => {
                    let next = Expr::Binary(BinaryOp::Add, Box::new(int()), Box::new(Expr::Const(1)));
                    Expr::Binary(
                        BinaryOp::Rem,
                        Box::new(next),
                        Box::new(Expr::Const(i64::from(INT_HIGH + 1))),
                    )
                }
            };
            Update::Assign(IntId::from_index(0), value)
        });
        let data = edge.data.filter(|_| self.int.is_some()).map(|(op, value)| {
            Expr::Binary(
                op,
                Box::new(int()),
                Box::new(Expr::Const(i64::from(value) % i64::from(INT_HIGH + 1))),
            )
        });
        let select = edge.select.then(|| Select {
            name: "s".into(),
            low: 0,
            high: 1,
        });
        Edge {
            source: LocId::from_index(self.location(edge.source)),
            target: LocId::from_index(self.location(edge.target)),
            action: actions[usize::from(edge.action)].expect("used actions are declared"),
            guard: Guard {
                clocks: self.atoms(&edge.guard, edge.select),
                data: data.into_iter().collect(),
            },
            updates: if edge.assign_first {
                assigns.into_iter().chain(resets).collect()
            } else {
                resets.chain(assigns).collect()
            },
            selects: select.into_iter().collect(),
        }
    }

    fn atoms(&self, atoms: &[Atom], select: bool) -> Vec<ClockConstraint> {
        let atom = |atom: &Atom| ClockConstraint {
            left: ClockId::from_index(usize::from(atom.clock % self.clocks)),
            right: (atom.diagonal && self.clocks == 2).then(|| ClockId::from_index(usize::from((atom.clock + 1) % 2))),
            cmp: atom.cmp,
            bound: self.value(atom.bound, select),
        };
        atoms.iter().map(atom).collect()
    }

    fn value(&self, value: Value, select: bool) -> Expr {
        let plus = |constant: u8, other| match constant {
            0 => other,
            _ => Expr::Binary(
                BinaryOp::Add,
                Box::new(Expr::Const(i64::from(constant))),
                Box::new(other),
            ),
        };
        match value {
            Value::PlusInt(constant) if self.int.is_some() => plus(constant, int()),
            Value::PlusSelect(constant) if select => plus(constant, Expr::Select(0)),
            Value::Const(constant) | Value::PlusInt(constant) | Value::PlusSelect(constant) => {
                Expr::Const(i64::from(constant))
            }
        }
    }
}

fn int() -> Expr {
    Expr::Var(IntId::from_index(0))
}

fn bound() -> impl Strategy<Value = Value> {
    prop_oneof![
        16 => (0u8..4).prop_map(Value::Const),
        1 => (0u8..2).prop_map(Value::PlusInt),
        1 => (0u8..2).prop_map(Value::PlusSelect),
    ]
}

fn reset_value() -> impl Strategy<Value = Value> {
    prop_oneof![
        12 => Just(Value::Const(0)),
        3 => (1u8..3).prop_map(Value::Const),
        1 => Just(Value::PlusInt(0)),
        1 => Just(Value::PlusSelect(0)),
    ]
}

/// Any comparison.
pub fn cmp() -> impl Strategy<Value = Cmp> {
    prop::sample::select(vec![Cmp::Le, Cmp::Ge, Cmp::Lt, Cmp::Gt, Cmp::Eq])
}

/// An atom of a guard; diagonal with weight `diagonals` of 100.
pub fn guard_atom(diagonals: u32) -> impl Strategy<Value = Atom> {
    let diagonal = prop::bool::weighted(f64::from(diagonals) / 100.0);
    (0u8..2, diagonal, cmp(), bound()).prop_map(|(clock, diagonal, cmp, bound)| Atom {
        clock,
        diagonal,
        cmp,
        bound,
    })
}

/// An atom of an invariant: mostly an upper bound.
pub fn invariant_atom(diagonals: u32) -> impl Strategy<Value = Atom> {
    let cmp = prop_oneof![12 => Just(Cmp::Le), 4 => Just(Cmp::Lt), 2 => Just(Cmp::Ge), 1 => Just(Cmp::Gt), 1 => Just(Cmp::Eq)];
    let bound = prop_oneof![12 => (1u8..4).prop_map(Value::Const), 2 => Just(Value::Const(0)), 1 => (0u8..2).prop_map(Value::PlusInt)];
    let diagonal = prop::bool::weighted(f64::from(diagonals) / 100.0);
    (0u8..2, diagonal, cmp, bound).prop_map(|(clock, diagonal, cmp, bound)| Atom {
        clock,
        diagonal,
        cmp,
        bound,
    })
}

/// An urgency: mostly none.
pub fn urgency() -> impl Strategy<Value = Urgency> {
    prop_oneof![10 => Just(Urgency::Normal), 1 => Just(Urgency::Urgent), 1 => Just(Urgency::Committed)]
}

fn location(diagonals: u32) -> impl Strategy<Value = LocationSketch> {
    let invariant = prop_oneof![
        3 => Just(Vec::new()),
        3 => vec(invariant_atom(diagonals), 1),
        1 => vec(invariant_atom(diagonals), 2),
    ];
    (invariant, urgency()).prop_map(|(invariant, urgency)| LocationSketch { invariant, urgency })
}

/// An edge.
pub fn edge(diagonals: u32) -> impl Strategy<Value = EdgeSketch> {
    let guard =
        prop_oneof![2 => Just(Vec::new()), 4 => vec(guard_atom(diagonals), 1), 1 => vec(guard_atom(diagonals), 2)];
    let action = prop_oneof![4 => Just(0u8), 3 => Just(1u8), 2 => Just(2u8), 1 => Just(3u8), 1 => Just(4u8)];
    let data_op = prop::sample::select(vec![BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Le, BinaryOp::Gt]);
    let assign = prop_oneof![
        (0u8..3).prop_map(Assign::Const),
        Just(Assign::Next),
        Just(Assign::Select)
    ];
    (
        (
            prop_oneof![3 => Just(0u8), 2 => Just(1u8), 1 => Just(2u8)],
            0u8..3,
            action,
        ),
        guard,
        weighted(0.4, (data_op, 0u8..3)),
        vec((0u8..2, reset_value()), 0..=2),
        weighted(0.4, assign),
        (any::<bool>(), prop::bool::weighted(0.1)),
    )
        .prop_map(
            |((source, target, action), guard, data, resets, assign, (assign_first, select))| EdgeSketch {
                source,
                target,
                action,
                guard,
                data,
                resets,
                assign,
                assign_first,
                select,
            },
        )
}

/// Makes an inconsistent game less likely: the initial location can be entered at 0, and every location that time cannot rest
/// in has an output back to it.
fn with_exits(mut sketch: Sketch) -> Sketch {
    for atom in &mut sketch.locations[0].invariant {
        atom.cmp = if atom.cmp == Cmp::Lt && atom.bound != Value::Const(0) {
            Cmp::Lt
        } else {
            Cmp::Le
        };
    }
    for (source, location) in (0u8..).zip(&sketch.locations) {
        if !location.invariant.is_empty() || location.urgency != Urgency::Normal {
            sketch.edges.push(EdgeSketch {
                source,
                target: 0,
                action: 2 * (source % 2),
                guard: Vec::new(),
                data: None,
                resets: vec![(0, Value::Const(0)), (1, Value::Const(0))],
                assign: None,
                assign_first: false,
                select: false,
            });
        }
    }
    sketch
}

/// A game without diagonals, or with diagonals of weight `diagonals` of 100 per atom.
pub fn sketch_with(diagonals: u32) -> impl Strategy<Value = Sketch> {
    let urgent = vec(prop::bool::weighted(0.08), ACTIONS.len());
    let declared = vec(prop::bool::weighted(0.3), usize::from(N_COMMON)).prop_map(|mut declared| {
        declared.resize(ACTIONS.len(), false);
        declared
    });
    let parts = (
        1u8..=2,
        weighted(0.35, 0u8..3),
        vec(location(diagonals), 1..=3),
        vec(edge(diagonals), 1..=5),
        urgent,
        declared,
        (prop::bool::weighted(0.2), prop::bool::weighted(0.7)),
    );
    parts.prop_map(
        |(clocks, int, locations, edges, urgent, declared, (input_enabled, exits))| {
            let sketch = Sketch {
                clocks,
                int,
                locations,
                edges,
                urgent,
                declared,
                input_enabled,
            };
            if exits { with_exits(sketch) } else { sketch }
        },
    )
}

/// A game, now and then with diagonals.
pub fn sketch() -> impl Strategy<Value = Sketch> {
    prop_oneof![5 => sketch_with(0), 1 => sketch_with(30)]
}

/// A game, now and then with diagonals.
pub fn game() -> impl Strategy<Value = Shown> {
    sketch().prop_map(|sketch| Shown(sketch.build("G")))
}
