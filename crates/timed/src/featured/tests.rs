//! Projection of every kind of part, and conditions that do not fit.

use super::{Conditions, FeaturedAutomaton, FeaturedError, ProjectionError};
use crate::model::{
    ActionId, Automaton, AutomatonBuilder, Cmp, Edge, EdgeId, Expr, Guard, LocId, Location, Role, SimpleConstraint,
    Update, Urgency,
};
use tamper_features::{FeatureExpr, FeatureId, FeatureModel, GroupKind, Product};
use tamper_text::{Id, IndexVec};

/// Two locations, each with `x <= 1`; edges by a! and b? to each other.
fn automaton() -> Automaton {
    let mut builder = AutomatonBuilder::new("A");
    let clock = builder.clock("x");
    let closing = SimpleConstraint {
        clock,
        cmp: Cmp::Le,
        constant: 1,
    };
    let [l, m] = ["l", "m"].map(|name| {
        builder.location(Location {
            name: name.into(),
            invariant: closing.into(),
            urgency: Urgency::Normal,
        })
    });
    builder.initial(l);
    let actions = [
        builder.action("a", Role::Output, false),
        builder.action("b", Role::Input, false),
    ];
    for (action, source, target) in [(actions[0], l, m), (actions[1], m, l)] {
        builder.edge(Edge {
            source,
            target,
            action,
            guard: Guard::always(),
            updates: vec![Update::Reset(clock, Expr::Const(0))],
            selects: vec![],
        });
    }
    builder.build().unwrap()
}

fn model() -> (FeatureModel, FeatureExpr) {
    let mut model = FeatureModel::new("root").unwrap();
    let group = model.add_group(model.root(), GroupKind::Optional);
    let f = model.add_feature(group, "f").unwrap();
    (model, f.into())
}

fn with(selected: bool) -> Product {
    let indices = if selected { 0..2 } else { 0..1 };
    indices.map(FeatureId::from_index).collect()
}

const L: usize = 0;
const M: usize = 1;

fn featured(change: impl Fn(&mut Conditions, FeatureExpr)) -> FeaturedAutomaton {
    let (model, f) = model();
    let mut conditions = Conditions::always(&automaton());
    change(&mut conditions, f);
    FeaturedAutomaton::new(automaton(), model, conditions).unwrap()
}

#[test]
fn without_conditions_every_product_is_the_automaton() {
    let family = featured(|_, _| {});
    for selected in [false, true] {
        assert_eq!(family.project(&with(selected)), Ok(automaton()));
    }
}

#[test]
fn a_missing_location_takes_its_edges_along() {
    let family = featured(|conditions, f| conditions.locations[LocId::from_index(M)] = f);
    let small = family.project(&with(false)).unwrap();
    assert_eq!(
        (small.locations().len(), small.edges().len(), small.actions().len()),
        (1, 0, 2)
    );
    assert_eq!(family.project(&with(true)), Ok(automaton()));
    let edge = family.edge_condition(EdgeId::from_index(0));
    assert_eq!(family.model().show(&edge), "f");
}

#[test]
fn later_locations_move_down() {
    let family = featured(|conditions, f| {
        conditions.locations[LocId::from_index(L)] = f.clone();
        conditions.initial = vec![(f.clone(), LocId::from_index(L)), (!f, LocId::from_index(M))];
    });
    let small = family.project(&with(false)).unwrap();
    assert_eq!(&*small.locations()[small.initial()].name, "m");
    assert_eq!(family.project(&with(true)).unwrap().initial(), LocId::from_index(L));
}

#[test]
fn edges_conjuncts_urgency_and_actions_come_and_go() {
    let family = featured(|conditions, f| {
        conditions.edges[EdgeId::from_index(0)] = f.clone();
        conditions.actions[ActionId::from_index(0)] = f.clone();
        conditions.invariants[LocId::from_index(L)].clocks[0] = f.clone();
        conditions.urgency[LocId::from_index(M)] = vec![(f.clone(), Urgency::Normal), (!f, Urgency::Urgent)];
    });
    assert_eq!(family.project(&with(true)), Ok(automaton()));
    let small = family.project(&with(false)).unwrap();
    let names: Vec<_> = small.actions().iter().map(ToString::to_string).collect();
    assert_eq!(names, ["b?"]);
    assert_eq!(small.edges().len(), 1);
    assert!(small.locations()[LocId::from_index(L)].invariant.is_trivial());
    assert_eq!(small.locations()[LocId::from_index(M)].urgency, Urgency::Urgent);
}

#[test]
fn conditions_at_fault_are_named() {
    let error = |change: &dyn Fn(&mut Conditions, FeatureExpr)| featured(change).project(&with(false)).unwrap_err();
    let (l, m) = (LocId::from_index(L), LocId::from_index(M));
    let initial = error(&|conditions, f| conditions.initial = vec![(f, l)]);
    assert_eq!(initial, ProjectionError::InitialLocation);
    let two = error(&|conditions, _| conditions.initial.push((FeatureExpr::True, m)));
    assert_eq!(two, ProjectionError::InitialLocation);
    let gone = error(&|conditions, f| conditions.locations[l] = f);
    assert_eq!(gone, ProjectionError::InitialLocation);
    assert_eq!(
        error(&|conditions, f| conditions.urgency[m][0].0 = f),
        ProjectionError::Urgency(m)
    );
    let action = error(&|conditions, f| conditions.actions[ActionId::from_index(1)] = f);
    assert_eq!(action, ProjectionError::Action(EdgeId::from_index(1)));
}

#[test]
fn conditions_that_do_not_fit_are_refused() {
    let error = |change: &dyn Fn(&mut Conditions)| {
        let mut conditions = Conditions::always(&automaton());
        change(&mut conditions);
        FeaturedAutomaton::new(automaton(), model().0, conditions).unwrap_err()
    };
    assert_eq!(
        error(&|conditions| conditions.edges = IndexVec::new()),
        FeaturedError::WrongShape
    );
    let atoms = |conditions: &mut Conditions| conditions.invariants[LocId::from_index(M)].clocks.clear();
    assert_eq!(error(&atoms), FeaturedError::WrongShape);
    let unknown = FeatureExpr::Var(FeatureId::from_index(7));
    let feature = |conditions: &mut Conditions| conditions.actions[ActionId::from_index(1)] = !unknown.clone();
    assert_eq!(error(&feature), FeaturedError::UnknownFeature);
    let initial = |conditions: &mut Conditions| conditions.initial[0].1 = LocId::from_index(5);
    assert_eq!(error(&initial), FeaturedError::UnknownInitialLocation);
}
