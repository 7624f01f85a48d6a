//! All games of one shape, numbered: one clock, one input `a?` and one output `o!`, every edge over every choice of ends,
//! action, guard and reset, every location over every choice of invariant.
#![allow(dead_code, reason = "each program that includes this module uses its own part of it")]

use std::fmt::Write as _;

use tamper::model::{
    Automaton, AutomatonBuilder, ClockId, Cmp, Edge, Expr, Guard, LocId, Location, Role, SimpleConstraint, Update,
    Urgency,
};
use tamper::text::Id;

const ACTIONS: [(&str, Role); 2] = [("a", Role::Input), ("o", Role::Output)];

/// A shape.
pub struct Family {
    pub n_locations: usize,
    pub n_edges: usize,
    pub guards: Vec<Guard>,
    pub invariants: Vec<Guard>,
}

/// No condition, and every atom over these.
pub fn atoms(cmps: &[Cmp], constants: &[i64]) -> Vec<Guard> {
    let atom = |cmp: Cmp, constant| {
        let clock = ClockId::from_index(0);
        Guard::from(SimpleConstraint { clock, cmp, constant })
    };
    let mut guards = vec![Guard::always()];
    for cmp in cmps {
        guards.extend(constants.iter().map(|constant| atom(*cmp, *constant)));
    }
    guards
}

struct Digits(u64);

impl Digits {
    fn next(&mut self, radix: usize) -> usize {
        let radix = radix as u64;
        let digit = self.0 % radix;
        self.0 /= radix;
        usize::try_from(digit).expect("less than the radix")
    }
}

/// An edge's choices.
#[derive(PartialEq)]
struct Choice {
    source: usize,
    target: usize,
    action: usize,
    guard: usize,
    resets: bool,
}

impl Family {
    /// How many numbers there are.
    pub fn len(&self) -> u64 {
        let of_edge = (self.n_locations * self.n_locations * ACTIONS.len() * self.guards.len() * 2) as u64;
        let of_location = self.invariants.len() as u64;
        let power = |base: u64, exponent: usize| (0..exponent).fold(1, |product, _| product * base);
        power(of_edge, self.n_edges) * power(of_location, self.n_locations)
    }

    /// The game of that number; none where an edge occurs twice, a location is not connected to the first, or the
    /// locations are not numbered in the order in which the edges name them (the same game has another number then).
    pub fn get(&self, number: u64) -> Option<Automaton> {
        let mut digits = Digits(number);
        let choices: Vec<Choice> = (0..self.n_edges)
            .map(|_| Choice {
                source: digits.next(self.n_locations),
                target: digits.next(self.n_locations),
                action: digits.next(ACTIONS.len()),
                guard: digits.next(self.guards.len()),
                resets: digits.next(2) == 1,
            })
            .collect();
        let repeats = |at: usize| choices[..at].contains(&choices[at]);
        if !self.is_connected(&choices) || (0..choices.len()).any(repeats) {
            return None;
        }
        let mut builder = AutomatonBuilder::new("S");
        let clock = builder.clock("x");
        for location in 0..self.n_locations {
            builder.location(Location {
                name: format!("l{location}").into(),
                invariant: self.invariants[digits.next(self.invariants.len())].clone(),
                urgency: Urgency::Normal,
            });
        }
        for choice in &choices {
            let (name, role) = ACTIONS[choice.action];
            let action = builder.action(name, role, false);
            builder.edge(Edge {
                source: LocId::from_index(choice.source),
                target: LocId::from_index(choice.target),
                action,
                guard: self.guards[choice.guard].clone(),
                updates: Vec::from_iter(choice.resets.then_some(Update::Reset(clock, Expr::Const(0)))),
                selects: Vec::new(),
            });
        }
        builder.initial(LocId::from_index(0));
        Some(builder.build().expect("the parts are there"))
    }

    fn is_connected(&self, choices: &[Choice]) -> bool {
        let mut named = 0;
        for end in choices.iter().flat_map(|choice| [choice.source, choice.target]) {
            if end > named + 1 {
                return false;
            }
            named = named.max(end);
        }
        let mut reached = vec![false; self.n_locations];
        reached[0] = true;
        for _ in 0..self.n_locations {
            for choice in choices {
                reached[choice.target] |= reached[choice.source];
            }
        }
        reached.iter().all(|reached| *reached)
    }
}

fn text_of(guard: &Guard) -> String {
    let atoms = guard.clocks.iter().map(|atom| {
        let bound = atom.bound.as_const().expect("a constant");
        format!("x{}{bound}", atom.cmp.symbol())
    });
    atoms.collect::<Vec<_>>().join(" && ")
}

/// A game of a family or a mutant of one, on one line.
pub fn text(game: &Automaton) -> String {
    let mut text = String::new();
    for (id, location) in game.locations().iter_enumerated() {
        let start = if id == game.initial() { "*" } else { "" };
        let _ = write!(text, "{start}{}({}) ", location.name, text_of(&location.invariant));
    }
    for edge in game.edges() {
        let (source, target) = (&game.locations()[edge.source].name, &game.locations()[edge.target].name);
        let reset = if edge.updates.is_empty() { "" } else { " x:=0" };
        let action = &game.actions()[edge.action];
        let _ = write!(text, "| {source} -{action} {}{reset}-> {target} ", text_of(&edge.guard));
    }
    text.trim_end().to_owned()
}

/// Smaller games first: locations, edges, atoms, resets, constants.
pub type Size = (usize, usize, usize, usize, i64);

/// The size of a game.
pub fn size(game: &Automaton) -> Size {
    let invariants = game.locations().iter().map(|location| &location.invariant);
    let guards = game.edges().iter().map(|edge| &edge.guard);
    let atoms: Vec<_> = invariants.chain(guards).flat_map(|guard| &guard.clocks).collect();
    (
        game.locations().len(),
        game.edges().len(),
        atoms.len(),
        game.edges().iter().map(|edge| edge.updates.len()).sum(),
        atoms.iter().filter_map(|atom| atom.bound.as_const()).sum(),
    )
}
