//! Which mutants of the published studies violate a guideline, and each condition alone.

use super::{Rule, violated};
use crate::model::{Automaton, Cmp, Guard, Role};
use crate::mutation::{
    Alteration, AlteredPart, MutantSpace, Mutation, MutationOptions, Mutations, Operator, Order, Site,
};
use crate::studies::{Sketch, atom, coffee, mutex, wfas};

/// The number of violating mutants per operator.
fn violating(automaton: &Automaton) -> [usize; 6] {
    let mutations = Mutations::of(automaton, &MutationOptions::default());
    let violates = |operator| {
        let named = |mutation: &_| violated(automaton, mutation).is_some();
        mutations
            .iter()
            .filter(|m| m.operator() == operator && named(m))
            .count()
    };
    Operator::PAPER.map(violates)
}

/// \[003\] section 5.4.1. WFAS: four outputs (two timeouts, two internal), 36 inputs added, timeout entered by
/// outputs only, all eight guards for CXL; 49 of the 66 subsumed or inconsistent mutants are 74 %.
#[test]
fn the_published_studies_violate_as_published() {
    assert_eq!(violating(&wfas()), [4, 36, 1, 8, 0, 0]);
    // 27 of 37 are 73 %.
    assert_eq!(violating(&mutex()), [4, 16, 3, 1, 3, 0]);
    // 32 of 35 are 91 %.
    assert_eq!(violating(&coffee()), [6, 16, 3, 4, 3, 0]);
}

/// A violating sequence needs both mutations named, the second relative to the first-order mutant. By hand for
/// one location l (x<=3) with the self loop `a! x>=1`: after the input is added, SMI is impossible and l has an
/// input that enters, so CXS on the invariant is named before the addition and not after it (\[003\] Fig. 20).
#[test]
fn an_added_input_ends_the_violation_of_a_smaller_invariant() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.location("l", atom(0, Cmp::Le, 3));
    sketch.edge("l", "l", "a!", atom(0, Cmp::Ge, 1), &[0]);
    let automaton = sketch.build();
    let space = MutantSpace::new(&automaton, &MutationOptions::default(), Order::SECOND).unwrap();
    let smaller = "CXS:invariant:l:x<=3=>x<=2";
    let names = |prefix: &str| {
        let siblings = (0..space.n_families())
            .filter_map(|family| space.siblings(family))
            .find(|siblings| siblings.prefix().next().unwrap().id(&automaton) == prefix)
            .unwrap();
        let last = siblings
            .last()
            .iter()
            .find(|last| last.id(siblings.parent()) == smaller);
        violated(siblings.parent(), &last.unwrap())
    };
    assert_eq!(names("TAD:output:l->l"), Some(Rule::L7i));
    assert_eq!(names("TAD:input:l->l"), None);
}

/// One edge from `l` (with `invariant`) to `m` (with `target`), and what is named among its mutations.
struct Case {
    label: &'static str,
    guard: Guard,
    invariant: Guard,
    target: Guard,
}

impl Default for Case {
    fn default() -> Self {
        Self {
            label: "a!",
            guard: Guard::always(),
            invariant: Guard::always(),
            target: Guard::always(),
        }
    }
}

impl Case {
    fn automaton(self) -> Automaton {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("l", self.invariant);
        sketch.location("m", self.target);
        sketch.edge("l", "m", self.label, self.guard, &[]);
        sketch.build()
    }
}

fn rules(automaton: &Automaton, operator: Operator) -> Vec<Option<Rule>> {
    let mutations = Mutations::of(automaton, &MutationOptions::only(operator));
    mutations
        .iter()
        .map(|mutation| violated(automaton, &mutation))
        .collect()
}

fn check_guard(operator: Operator, label: &'static str, named: [Option<Rule>; 5]) {
    let cmps = [Cmp::Lt, Cmp::Le, Cmp::Eq, Cmp::Ge, Cmp::Gt];
    for (cmp, named) in cmps.into_iter().zip(named) {
        let guard = atom(0, cmp, 5);
        let case = Case {
            label,
            guard,
            ..Case::default()
        };
        assert_eq!(
            rules(&case.automaton(), operator),
            [named],
            "{operator} {label} x{}5",
            cmp.symbol()
        );
    }
}

#[test]
fn guards_follow_lemmata_four_and_six() {
    use Rule::{L4i, L4iii, L6i, L6ii};
    check_guard(Operator::Cxl, "a?", [Some(L4i), Some(L4i), None, None, None]);
    check_guard(Operator::Cxs, "a?", [None, None, None, Some(L6ii), Some(L6ii)]);
    for output in ["a!", ""] {
        check_guard(Operator::Cxl, output, [None, None, None, Some(L4iii), Some(L4iii)]);
        check_guard(Operator::Cxs, output, [Some(L6i), Some(L6i), None, None, None]);
    }
    let negated = Case {
        guard: atom(0, Cmp::Ge, 5),
        ..Case::default()
    };
    assert_eq!(rules(&negated.automaton(), Operator::Ccn), [None]);
}

#[test]
fn an_equality_needs_its_own_closing_invariant() {
    let named = |cmp, constant| {
        let case = Case {
            guard: atom(0, Cmp::Eq, 5),
            invariant: atom(0, cmp, constant),
            ..Case::default()
        };
        // The invariant's own mutation comes first.
        rules(&case.automaton(), Operator::Cxl)[1]
    };
    assert_eq!(named(Cmp::Le, 5), Some(Rule::L4ii));
    assert_eq!(named(Cmp::Le, 6), None);
    assert_eq!(named(Cmp::Lt, 5), None);
}

#[test]
fn invariants_follow_lemmata_five_and_seven() {
    let named = |label, cmp, operator| {
        let case = Case {
            label,
            target: atom(0, cmp, 5),
            ..Case::default()
        };
        rules(&case.automaton(), operator)[0]
    };
    for (upper, lower) in [(Cmp::Le, Cmp::Ge), (Cmp::Lt, Cmp::Gt)] {
        assert_eq!(named("a!", lower, Operator::Cxl), Some(Rule::L5));
        assert_eq!(named("a?", lower, Operator::Cxl), None);
        assert_eq!(named("a!", upper, Operator::Cxl), None);
        assert_eq!(named("a!", upper, Operator::Cxs), Some(Rule::L7i));
        assert_eq!(named("a?", upper, Operator::Cxs), None);
        assert_eq!(named("a?", lower, Operator::Cxs), Some(Rule::L7ii));
        assert_eq!(named("a!", lower, Operator::Cxs), None);
    }
    assert_eq!(named("a!", Cmp::Eq, Operator::Cxs), None);
}

#[test]
fn the_initial_location_is_entered_without_an_input() {
    let case = Case {
        label: "a?",
        invariant: atom(0, Cmp::Ge, 5),
        ..Case::default()
    };
    assert_eq!(rules(&case.automaton(), Operator::Cxs), [None]);
}

#[test]
fn ignored_inputs_end_the_rules_that_enlarge_inputs() {
    let relaxed = |guard, target| {
        let case = Case {
            label: "a?",
            guard,
            target,
            ..Case::default()
        };
        case.automaton().with_input_enabling(true)
    };
    assert_eq!(
        rules(&relaxed(atom(0, Cmp::Le, 5), Guard::always()), Operator::Cxl),
        [None]
    );
    assert_eq!(
        rules(&relaxed(atom(0, Cmp::Ge, 5), Guard::always()), Operator::Cxs),
        [None]
    );
    assert_eq!(
        rules(&relaxed(Guard::always(), atom(0, Cmp::Ge, 5)), Operator::Cxs),
        [None]
    );
    let added = relaxed(Guard::always(), Guard::always());
    assert_eq!(rules(&added, Operator::Tad)[0], Some(Rule::L2));
}

#[test]
fn urgent_outputs_end_the_rules_that_take_outputs_away() {
    let mut sketch = Sketch::new("A", &["x"]);
    sketch.builder.action("a", Role::Output, true);
    sketch.location("l", atom(0, Cmp::Le, 5));
    sketch.location("m", atom(0, Cmp::Le, 3));
    sketch.edge("l", "m", "a!", atom(0, Cmp::Eq, 5), &[]);
    let automaton = sketch.build();
    assert_eq!(rules(&automaton, Operator::Tmi), [None]);
    assert_eq!(rules(&automaton, Operator::Smi), [None]);
    assert_eq!(rules(&automaton, Operator::Cxl), [None, None, None]);
    // No edge enters l, so its smaller invariant takes no output away.
    assert_eq!(rules(&automaton, Operator::Cxs), [Some(Rule::L7i), None, None]);
}

#[test]
fn every_rule_has_its_own_name() {
    let names: std::collections::BTreeSet<_> = Rule::ALL.iter().map(Rule::to_string).collect();
    assert_eq!(names.len(), Rule::ALL.len());
    assert!(names.contains("L4.ii") && Rule::L4ii.source().contains("Lemma 4 (ii)"));
}

/// G2 names outputs that GFL takes away; it says nothing of the same changes by an operator that a program defines.
#[test]
fn no_guideline_names_mutants_of_a_programs_own_operator() {
    fn never(game: &Automaton) -> Vec<Alteration> {
        game.edges().ids().map(|edge| Alteration::NeverGuard { edge }).collect()
    }
    let game = wfas();
    let own = Operator::own("MUTE", "never take an edge", "each edge is never taken", never).unwrap();
    let of = |operator| Mutations::of(&game, &MutationOptions::only(operator));
    let is_output = |mutation: &Mutation| {
        let Some(AlteredPart::Constraint(Site::Guard(edge))) = mutation.part() else {
            return false;
        };
        game.role(edge) == Role::Output
    };
    let [own, twin] = [own, Operator::Gfl].map(|operator| of(operator).iter().filter(is_output).collect::<Vec<_>>());
    assert_eq!(own.len(), twin.len());
    assert!(twin.iter().any(|mutation| violated(&game, mutation).is_some()));
    assert!(own.iter().all(|mutation| violated(&game, mutation).is_none()));
}
