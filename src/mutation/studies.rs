//! Three published case studies of \[003\] section 5.3, built by hand for the tests.

use crate::base::Id;
use crate::model::{
    Automaton, AutomatonBuilder, BinaryOp, ClockConstraint, ClockId, Cmp, Edge, Expr, Guard, IntVar, LocId, Location,
    Role, SimpleConstraint, Update, Urgency,
};

/// Builds automata from short lines.
pub struct Sketch {
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

fn equals(int: usize, value: i64) -> Expr {
    let var = Expr::Var(crate::model::IntId::from_index(int));
    Expr::Binary(BinaryOp::Eq, Box::new(var), Box::new(Expr::Const(value)))
}

fn also(mut guard: Guard, data: Expr) -> Guard {
    guard.data.push(data);
    guard
}

impl Sketch {
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
    pub fn edge(&mut self, ends: (&str, &str), label: &str, guard: Guard, resets: &[usize]) {
        self.edge_with(ends, label, guard, resets, Vec::new());
    }
    /// The same, with more updates after the resets.
    pub fn edge_with(
        &mut self,
        (source, target): (&str, &str),
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
    pub fn build(self) -> Automaton {
        self.builder.build().unwrap()
    }
}

pub fn wfas() -> Automaton {
    let mut sketch = Sketch::new("WFAS", &["x"]);
    for (name, most) in [("cont_1", 2), ("cont_2", 5), ("cont_3", 2), ("cont_4", 9)] {
        sketch.location(name, atom(0, Cmp::Le, most));
    }
    sketch.location("fail", Guard::always());
    sketch.location("timeout", Guard::always());
    sketch.edge(("cont_1", "timeout"), "timeout!", atom(0, Cmp::Ge, 2), &[]);
    sketch.edge(("cont_1", "fail"), "result1?", Guard::always(), &[]);
    sketch.edge(("cont_1", "fail"), "result2?", Guard::always(), &[]);
    sketch.edge(("cont_1", "cont_2"), "wakeup1?", atom(0, Cmp::Lt, 2), &[]);
    sketch.edge(("cont_2", "fail"), "result2?", Guard::always(), &[]);
    sketch.edge(("cont_2", "cont_3"), "", atom(0, Cmp::Eq, 5), &[0]);
    sketch.edge(("cont_2", "cont_3"), "result1?", atom(0, Cmp::Lt, 5), &[0]);
    sketch.edge(("cont_3", "timeout"), "timeout!", atom(0, Cmp::Ge, 2), &[]);
    sketch.edge(("cont_3", "fail"), "result1?", Guard::always(), &[]);
    sketch.edge(("cont_3", "fail"), "result2?", Guard::always(), &[]);
    sketch.edge(("cont_3", "cont_4"), "wakeup2?", atom(0, Cmp::Lt, 2), &[]);
    sketch.edge(("cont_4", "fail"), "result1?", Guard::always(), &[]);
    sketch.edge(("cont_4", "cont_1"), "", atom(0, Cmp::Eq, 9), &[0]);
    sketch.edge(("cont_4", "cont_1"), "result2?", atom(0, Cmp::Lt, 9), &[0]);
    sketch.build()
}

pub fn mutex() -> Automaton {
    let mut sketch = Sketch::new("MUTEX", &["x"]);
    let lock = sketch.builder.int(IntVar {
        name: "lock".into(),
        low: 0,
        high: 1,
        initial: 0,
    });
    sketch.location("start_1", atom(0, Cmp::Le, 2));
    sketch.location("set_1", atom(0, Cmp::Le, 2));
    sketch.location("tryenter_1", atom(0, Cmp::Le, 4));
    sketch.location("cs_1", Guard::always());
    let set = |value| vec![Update::Assign(lock, Expr::Const(value))];
    let (start, set_1, try_, cs) = ("start_1", "set_1", "tryenter_1", "cs_1");
    sketch.edge((start, set_1), "a!", also(atom(0, Cmp::Gt, 1), equals(0, 0)), &[0]);
    sketch.edge_with((set_1, try_), "b!", atom(0, Cmp::Gt, 1), &[0], set(1));
    sketch.edge((try_, cs), "c!", also(atom(0, Cmp::Gt, 3), equals(0, 1)), &[]);
    sketch.edge_with((cs, start), "d!", Guard::always(), &[0], set(0));
    sketch.build()
}

pub fn coffee() -> Automaton {
    let mut sketch = Sketch::new("COFFEE", &["x", "y"]);
    sketch.location("idle", Guard::always());
    sketch.location("add_sugar", atom(1, Cmp::Le, 5));
    sketch.location("preparing_coffee", atom(1, Cmp::Le, 8));
    sketch.location("cdone", atom(0, Cmp::Le, 10));
    sketch.edge(("idle", "add_sugar"), "press!", Guard::always(), &[0, 1]);
    sketch.edge(("add_sugar", "add_sugar"), "press!", atom(0, Cmp::Ge, 1), &[0]);
    sketch.edge(("add_sugar", "preparing_coffee"), "cup!", atom(1, Cmp::Eq, 5), &[]);
    sketch.edge(("preparing_coffee", "cdone"), "coffee!", atom(1, Cmp::Eq, 8), &[0]);
    sketch.edge(("cdone", "add_sugar"), "press!", Guard::always(), &[0, 1]);
    sketch.edge(("cdone", "idle"), "sleep!", atom(0, Cmp::Eq, 10), &[]);
    sketch.build()
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
