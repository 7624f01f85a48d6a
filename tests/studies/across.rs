//! Facts about several studies, or about a model alone.

use tamper::game::{Scratch, Semantics, Specification, Verdict};
use tamper::model::{Automaton, Cmp, EdgeId, LocId, Role};
use tamper::text::{Budget, Id};

use super::{Study, Tally};

pub const FOLDERS: [&str; 6] = ["cas", "coffee", "accel", "hotel", "wfas", "mutex"];

fn spec(folder: &str) -> Automaton {
    super::read(
        [env!("CARGO_MANIFEST_DIR"), "case-studies", folder, "model.xml"]
            .iter()
            .collect(),
    )
}
fn location(spec: &Automaton, name: &str) -> LocId {
    let named = |id: &LocId| &*spec.locations()[*id].name == name;
    spec.locations().ids().find(named).expect("the location is there")
}
/// Where an action leads from a location.
fn after(spec: &Automaton, from: LocId, action: &str) -> Vec<LocId> {
    let labelled = spec
        .edges()
        .iter()
        .filter(|edge| edge.source == from && spec.actions()[edge.action].to_string() == action);
    labelled.map(|edge| edge.target).collect()
}
fn names(spec: &Automaton, role: Role) -> Vec<String> {
    let mut names: Vec<_> = spec
        .actions()
        .iter()
        .filter(|a| a.role == role)
        .map(|a| a.name.to_string())
        .collect();
    names.sort();
    names
}

#[test]
fn close_and_lock_lead_from_open_unlocked_to_closed_locked_in_cas() {
    let spec = spec("cas");
    let open_unlocked = spec.initial();
    let [closed] = after(&spec, open_unlocked, "close?")[..] else {
        panic!("one edge")
    };
    let [closed_locked] = after(&spec, closed, "lock?")[..] else {
        panic!("one edge")
    };
    assert_eq!(closed_locked, location(&spec, "l3"));
    assert_eq!(after(&spec, closed_locked, "armedOn!"), [location(&spec, "l6")]);
}

#[test]
fn cas_has_the_published_inputs_and_six_outputs() {
    let spec = spec("cas");
    assert_eq!(names(&spec, Role::Input), ["close", "lock", "open", "unlock"]);
    assert_eq!(
        names(&spec, Role::Output),
        ["armedOff", "armedOn", "flashOff", "flashOn", "soundOff", "soundOn"]
    );
}

#[test]
fn every_location_of_cas_accepts_every_input_and_leads_to_the_sink_by_some() {
    let spec = spec("cas");
    let sink = location(&spec, "sink");
    for from in spec.locations().ids() {
        for input in ["close?", "open?", "lock?", "unlock?"] {
            assert!(
                !after(&spec, from, input).is_empty(),
                "{input} in location {}",
                from.index()
            );
        }
        assert!(
            spec.entering(sink).any(|(_, edge)| edge.source == from),
            "location {}",
            from.index()
        );
    }
}

#[test]
fn two_invariants_of_cas_are_e_at_most_300_and_closed_locked_has_c_at_most_20() {
    let spec = spec("cas");
    let bound = |constant: i64| {
        let simple = |id: &LocId| {
            spec.locations()[*id]
                .invariant
                .as_simple()
                .is_some_and(|atom| atom.constant == constant)
        };
        spec.locations().ids().filter(simple).collect::<Vec<_>>()
    };
    assert_eq!(bound(300), [location(&spec, "l8"), location(&spec, "l15")]);
    assert_eq!(bound(20), [location(&spec, "l3")]);
}

#[test]
fn accel_has_no_invariant_and_only_its_end_is_urgent_without_outputs() {
    let spec = spec("accel");
    let end = location(&spec, "s_end");
    for (id, location) in spec.locations().iter_enumerated() {
        assert!(location.invariant.is_trivial());
        assert_eq!(location.urgency == tamper::model::Urgency::Urgent, id == end);
    }
    assert!(spec.edges().iter().all(|edge| edge.source != end));
}

/// Whether the mutant that a fact selects, if it is one, refines the specification under `semantics`.
fn verdict_of(folder: &str, fact: &str, semantics: Semantics) -> Verdict {
    let study = Study::load(folder);
    let spec = study.specification.automaton();
    let fact = study
        .expected
        .fact
        .iter()
        .find(|known| known.id == fact)
        .expect("the file has the fact");
    let selected = study
        .mutants
        .iter()
        .find(|one| super::selects(&fact.r#where, spec, &one.mutation));
    let mutant = selected.expect("it selects a mutant").mutation.apply(spec);
    decide(&mutant, spec, semantics)
}
fn decide(mutant: &Automaton, spec: &Automaton, semantics: Semantics) -> Verdict {
    let budget = Budget::unlimited();
    let specification = Specification::prepare(spec, semantics, &budget).expect("it is consistent");
    let decision = specification.decide(mutant, &budget, &mut Scratch::default());
    decision.expect("the games have a meaning").verdict
}

#[test]
fn add_sugar_of_coffee_lasts_5_and_by_definition_7_its_cxl_mutant_is_non_subsumed() {
    let spec = spec("coffee");
    let bound = spec.locations()[location(&spec, "add_sugar")].invariant.as_simple();
    assert_eq!(bound.map(|atom| (atom.cmp, atom.constant)), Some((Cmp::Le, 5)));
    // With pruning it is subsumed: at y = 6 the mutant has neither a delay nor an output left.
    let fact = "cxl_add_sugar_and_preparing_coffee";
    assert_eq!(verdict_of("coffee", fact, Semantics::DEFINITION), Verdict::NonSubsumed);
    assert_eq!(verdict_of("coffee", fact, Semantics::STRICT), Verdict::Subsumed);
}

#[test]
fn the_edge_that_tad_clones_has_the_published_guard() {
    let guard = |folder: &str| spec(folder).edges().iter().next().expect("an edge").guard.clone();
    let simple = |folder: &str| guard(folder).as_simple().map(|atom| (atom.cmp, atom.constant));
    assert_eq!(simple("wfas"), Some((Cmp::Ge, 2)));
    assert_eq!(simple("hotel"), Some((Cmp::Ge, 4)));
    assert!(guard("accel").is_trivial());
}

#[test]
fn an_added_self_loop_of_accel_is_subsumed_only_when_unmatched_outputs_are_ignored() {
    let fact = "tad_output_self_loop_of_pre_s0";
    assert_eq!(verdict_of("accel", fact, Semantics::TIGA), Verdict::Subsumed);
    assert_eq!(verdict_of("accel", fact, Semantics::DEFINITION), Verdict::NonSubsumed);
}

#[test]
fn pruning_hotel_removes_both_edges_of_its_initial_location() {
    let spec = spec("hotel");
    let q_h1 = location(&spec, "qH1");
    let rooms: Vec<_> = spec
        .entering(q_h1)
        .map(|(id, edge)| (id.index(), edge.source))
        .collect();
    assert_eq!(rooms, [(0, spec.initial()), (1, spec.initial())]);
    let no_output = |edge: EdgeId| spec.edges()[edge].source != q_h1 || spec.role(edge) == Role::Input;
    assert!(spec.edges().ids().all(no_output));
    let first = EdgeId::from_index(0);
    let without_rooms = spec.without_edge(first).without_edge(first);
    assert_eq!(decide(&spec, &without_rooms, Semantics::STRICT), Verdict::Subsumed);
    assert_eq!(
        decide(&spec, &without_rooms, Semantics::DEFINITION),
        Verdict::NonSubsumed
    );
}

#[test]
fn the_studies_have_1434_mutants_of_order_1() {
    let expected: u64 = FOLDERS
        .iter()
        .map(|folder| Study::load(folder).expected.order1.total)
        .sum();
    assert_eq!(expected, 1_434);
}

#[test]
fn hotel_is_the_worst_study_and_coffee_the_best_at_order_1() {
    let ratios: Vec<_> = FOLDERS.iter().map(|folder| Study::load(folder).all()).collect();
    let percent = |tally: &Tally| tally.violating as f64 / tally.bad() as f64;
    let order: fn(&f64, &f64) -> std::cmp::Ordering = f64::total_cmp;
    let worst = ratios
        .iter()
        .map(percent)
        .enumerate()
        .min_by(|a, b| order(&a.1, &b.1))
        .expect("six")
        .0;
    let best = ratios
        .iter()
        .map(percent)
        .enumerate()
        .max_by(|a, b| order(&a.1, &b.1))
        .expect("six")
        .0;
    assert_eq!((FOLDERS[worst], FOLDERS[best]), ("hotel", "coffee"));
}
