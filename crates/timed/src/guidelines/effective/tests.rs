//! Which lemma names a mutation, and which run it asks for, on a game that has every case.

use super::*;
use crate::mutation::{MutationOptions, Mutations};
use crate::studies::{Sketch, atom};

/// An input and an output with an upper and a lower bound each; locations with such invariants, entered by one or the other.
fn game() -> Automaton {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("s", Guard::always());
    for (name, cmp) in [
        ("short_in", Cmp::Le),
        ("late_in", Cmp::Ge),
        ("late_out", Cmp::Ge),
        ("short_out", Cmp::Le),
    ] {
        sketch.location(name, atom(0, cmp, 4));
    }
    sketch.edge("s", "short_in", "i?", atom(0, Cmp::Le, 3), &[]);
    sketch.edge("s", "late_in", "j?", atom(0, Cmp::Ge, 2), &[]);
    sketch.edge("s", "late_out", "a!", atom(0, Cmp::Le, 3), &[]);
    sketch.edge("s", "short_out", "b!", atom(0, Cmp::Ge, 2), &[]);
    sketch.build()
}

fn all(automaton: &Automaton) -> Vec<Mutation> {
    Mutations::of(automaton, &MutationOptions::default()).iter().collect()
}

fn find(automaton: &Automaton, id: &str) -> Mutation {
    let mut all = all(automaton).into_iter();
    all.find(|mutation| mutation.id(automaton) == id).expect(id)
}

/// \[003\] Lemmata 8 to 14, each about its own operator, comparison and role.
#[test]
fn each_lemma_names_its_own_mutations() {
    let game = game();
    let expected = [
        ("TMI:s->short_in#0", Some(Lemma::L8)),
        ("TMI:s->late_in#0", Some(Lemma::L8)),
        ("TMI:s->late_out#0", None),
        ("TMI:s->short_out#0", None),
        ("CXL:guard:s->short_in#0:x<=3=>x<=4", None),
        ("CXL:guard:s->late_in#0:x>=2=>x>=3", Some(Lemma::L10ii)),
        ("CXL:guard:s->late_out#0:x<=3=>x<=4", Some(Lemma::L10i)),
        ("CXL:guard:s->short_out#0:x>=2=>x>=3", None),
        ("CXL:invariant:short_in:x<=4=>x<=5", Some(Lemma::L11ii)),
        ("CXL:invariant:late_in:x>=4=>x>=5", Some(Lemma::L11i)),
        ("CXL:invariant:late_out:x>=4=>x>=5", None),
        ("CXL:invariant:short_out:x<=4=>x<=5", Some(Lemma::L11ii)),
        ("CXS:guard:s->short_in#0:x<=3=>x<=2", Some(Lemma::L12i)),
        ("CXS:guard:s->late_in#0:x>=2=>x>=1", None),
        ("CXS:guard:s->late_out#0:x<=3=>x<=2", None),
        ("CXS:guard:s->short_out#0:x>=2=>x>=1", Some(Lemma::L12ii)),
        ("CXS:invariant:short_in:x<=4=>x<=3", Some(Lemma::L13ii)),
        ("CXS:invariant:late_in:x>=4=>x>=3", None),
        ("CXS:invariant:late_out:x>=4=>x>=3", Some(Lemma::L13i)),
        ("CXS:invariant:short_out:x<=4=>x<=3", None),
        ("CCN:s->short_in#0:x<=3=>x>3", Some(Lemma::L14)),
        ("CCN:s->late_in#0:x>=2=>x<2", Some(Lemma::L14)),
        ("CCN:s->late_out#0:x<=3=>x>3", Some(Lemma::L14)),
        ("CCN:s->short_out#0:x>=2=>x<2", Some(Lemma::L14)),
    ];
    for (id, lemma) in expected {
        assert_eq!(effective(&game, &find(&game, id)), lemma, "{id}");
    }
    for mutation in all(&game) {
        let lemma = effective(&game, &mutation);
        match mutation {
            Mutation::AddEdge { role, .. } => assert_eq!(lemma, (role == Role::Output).then_some(Lemma::L9)),
            Mutation::RemoveLocation { .. } => assert_eq!(lemma, None),
            _ => {}
        }
    }
}

/// The run that a reading asks for, as the ends and guards of the edges it looks for.
fn asked(automaton: &Automaton, id: &str, reading: Reading) -> Option<Vec<(String, Vec<ClockConstraint>)>> {
    let question = question(automaton, &find(automaton, id), reading)?;
    let name = |location: LocId| question.runs.locations()[location].name.to_string();
    let edges = question.edges.iter().map(|id| {
        let edge = &question.runs.edges()[*id];
        (
            format!("{}->{}", name(edge.source), name(edge.target)),
            edge.guard.clocks.clone(),
        )
    });
    Some(edges.collect())
}

fn atoms<const N: usize>(bounds: [(Cmp, i64); N]) -> Vec<ClockConstraint> {
    bounds
        .into_iter()
        .flat_map(|(cmp, constant)| atom(0, cmp, constant).clocks)
        .collect()
}

#[test]
fn a_needed_run_shows_the_difference_where_nothing_else_answers() {
    let game = game();
    let needed = |id| asked(&game, id, Reading::Needed);
    let one = |ends: &str, bounds| Some(vec![(ends.to_owned(), bounds)]);
    // The edge itself, or a copy of it with what is lost or gained as guard.
    assert_eq!(needed("TMI:s->short_in#0"), one("s->short_in", atoms([(Cmp::Le, 3)])));
    assert_eq!(
        needed("CXL:guard:s->late_out#0:x<=3=>x<=4"),
        one("s->late_out", atoms([(Cmp::Le, 4), (Cmp::Gt, 3)]))
    );
    assert_eq!(
        needed("CXS:guard:s->short_in#0:x<=3=>x<=2"),
        one("s->short_in", atoms([(Cmp::Le, 3), (Cmp::Gt, 2)]))
    );
    // An invariant: where an edge enters with a value that only one of the two has.
    assert_eq!(
        needed("CXL:invariant:late_in:x>=4=>x>=5"),
        one("s->s", atoms([(Cmp::Ge, 2), (Cmp::Ge, 4), (Cmp::Lt, 5)]))
    );
    assert_eq!(
        needed("CXS:invariant:late_out:x>=4=>x>=3"),
        one("s->s", atoms([(Cmp::Le, 3), (Cmp::Ge, 3), (Cmp::Lt, 4)]))
    );
    assert_eq!(
        needed("CXL:invariant:short_out:x<=4=>x<=5"),
        one("short_out->short_out", Vec::new())
    );
    assert_eq!(needed("TMI:s->late_out#0"), None);
}

#[test]
fn another_edge_of_the_same_action_may_answer() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("s", Guard::always());
    sketch.location("t", atom(0, Cmp::Ge, 4));
    sketch.edge("s", "t", "a!", atom(0, Cmp::Le, 3), &[]);
    sketch.edge("s", "s", "a!", atom(0, Cmp::Ge, 9), &[]);
    sketch.edge("s", "t", "i?", atom(0, Cmp::Le, 3), &[]);
    sketch.edge("s", "s", "i?", atom(0, Cmp::Ge, 9), &[]);
    let game = sketch.build();
    for (id, by_needed) in [
        ("CXL:guard:s->t#0:x<=3=>x<=4", false),
        ("CXS:invariant:t:x>=4=>x>=3", false),
        ("CXL:invariant:t:x>=4=>x>=5", true),
        ("TMI:s->t#1", true),
    ] {
        let runs = |reading| asked(&game, id, reading).is_some_and(|edges| !edges.is_empty());
        assert_eq!(
            (runs(Reading::Stated), runs(Reading::Needed)),
            (true, by_needed),
            "{id}"
        );
    }
}

/// Ignored inputs are no loss; urgent channels forbid delay in more than one way.
#[test]
fn where_inputs_are_ignored_only_gains_show() {
    let game = game();
    let ignoring = game.with_input_enabling(true);
    for (id, shows) in [
        ("TMI:s->short_in#0", false),
        ("CXS:guard:s->short_in#0:x<=3=>x<=2", false),
        ("CXL:guard:s->late_out#0:x<=3=>x<=4", true),
        ("CXL:invariant:short_in:x<=4=>x<=5", true),
    ] {
        assert!(asked(&game, id, Reading::Needed).is_some(), "{id}");
        assert_eq!(asked(&ignoring, id, Reading::Needed).is_some(), shows, "{id}");
    }
    let mut urgent = Sketch::new("A", &["x"]);
    urgent.location("s", Guard::always());
    urgent.builder.action("hurry", Role::Output, true);
    urgent.edge("s", "s", "i?", Guard::always(), &[]);
    let urgent = urgent.build();
    assert_eq!(asked(&urgent, "TMI:s->s#0", Reading::Needed), None);
    assert!(asked(&urgent, "TMI:s->s#0", Reading::Stated).is_some());
}

/// A clock that an edge sets enters with that value, whatever it was.
#[test]
fn an_edge_that_resets_the_clock_enters_with_a_constant() {
    for (constant, enters) in [(0, true), (1, false)] {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("s", Guard::always());
        sketch.location("t", atom(0, Cmp::Ge, constant));
        sketch.edge("s", "t", "i?", atom(0, Cmp::Ge, 2), &[0]);
        let game = sketch.build();
        let id = format!("CXL:invariant:t:x>={constant}=>x>={}", constant + 1);
        // 0 lies in x>=0 and not in x>=1; it lies in neither x>=1 nor x>=2.
        let expected = enters.then(|| ("s->s".to_owned(), atoms([(Cmp::Ge, 2)])));
        assert_eq!(asked(&game, &id, Reading::Needed), Some(expected.into_iter().collect()));
    }
}

#[test]
fn lemmata_are_written_with_their_number() {
    assert_eq!(Lemma::L8.to_string(), "L8");
    assert_eq!(format!("{:<7}|", Lemma::L13ii), "L13.ii |");
    let names: std::collections::BTreeSet<_> = Lemma::ALL.iter().map(|lemma| lemma.name()).collect();
    assert_eq!(names.len(), Lemma::ALL.len());
}
