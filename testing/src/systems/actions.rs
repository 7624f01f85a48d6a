//! Random action systems of two variables.

use tamper_features::Random;
use tamper_systems::actions::{
    ActionBody, ActionCondition, ActionInstance, ActionSystem, ComparisonOperator, GuardedAction, IntType, IntegerTerm,
    StateVariable, action_mutations,
};
use tamper_text::Span;

fn random_term(random: &mut Random, n_parameters: usize, simple: bool) -> IntegerTerm {
    let value = IntegerTerm::Value(random.below(4) as i64, Span::default());
    let variable = IntegerTerm::Variable(random.below(2));
    match random.below(if simple { 5 } else { 8 }) {
        0..=2 => value,
        3 => variable,
        4 if n_parameters > 0 => IntegerTerm::Parameter(random.below(n_parameters)),
        5 => IntegerTerm::Add(Box::new(variable), Box::new(value)),
        6 => IntegerTerm::Subtract(Box::new(variable), Box::new(value)),
        7 if n_parameters > 0 => IntegerTerm::Add(
            Box::new(IntegerTerm::Parameter(random.below(n_parameters))),
            Box::new(variable),
        ),
        _ => variable,
    }
}

fn random_condition(random: &mut Random, n_parameters: usize, depth: usize) -> ActionCondition {
    let inner = |random: &mut Random| Box::new(random_condition(random, n_parameters, depth - 1));
    match random.below(if depth == 0 { 3 } else { 6 }) {
        0 if depth > 0 => ActionCondition::True,
        3 => ActionCondition::And(inner(random), inner(random)),
        4 => ActionCondition::Or(inner(random), inner(random)),
        5 => ActionCondition::Not(inner(random)),
        _ => {
            let relations = [
                ComparisonOperator::Equal,
                ComparisonOperator::Unequal,
                ComparisonOperator::Less,
                ComparisonOperator::Greater,
                ComparisonOperator::LessEqual,
                ComparisonOperator::GreaterEqual,
            ];
            let left = match (n_parameters, random.below(2)) {
                (1.., 0) => IntegerTerm::Parameter(random.below(n_parameters)),
                _ => IntegerTerm::Variable(random.below(2)),
            };
            let relation = relations[[0, 0, 0, 1, 2, 3, 4, 5][random.below(8)]];
            ActionCondition::Compare(
                relation,
                left,
                random_term(random, n_parameters, false),
                Span::default(),
            )
        }
    }
}

fn random_body(random: &mut Random, n_parameters: usize, depth: usize) -> ActionBody {
    let inner = |random: &mut Random| Box::new(random_body(random, n_parameters, depth - 1));
    match random.below(if depth == 0 { 1 } else { 5 }) {
        1 => ActionBody::Sequence(inner(random), inner(random)),
        2 => ActionBody::Choice(inner(random), inner(random)),
        3 | 4 => ActionBody::Guard(
            random_condition(random, n_parameters, 1),
            Span::default(),
            inner(random),
        ),
        _ => {
            let (variable, simple) = (random.below(2), random.below(4) > 0);
            ActionBody::Assign(variable, random_term(random, n_parameters, simple))
        }
    }
}

pub fn random_system(random: &mut Random) -> ActionSystem {
    let int_type = |name: &str, last| IntType {
        name: name.to_owned(),
        first: 0,
        last,
    };
    let mut system = ActionSystem {
        types: vec![int_type("small", 2), int_type("wide", 5)],
        variables: ["v", "w"]
            .iter()
            .map(|name| StateVariable {
                name: (*name).to_owned(),
                int_type: 0,
            })
            .collect(),
        init: vec![random.below(3) as i64, 0],
        ..ActionSystem::default()
    };
    for place in 0..2 + random.below(2) {
        let n_parameters = [0, 0, 1, 1, 2][random.below(5)];
        let name = ["a", "b", "c"][place].to_owned();
        if random.below(3) == 0 {
            system.inputs.insert(name.clone());
        }
        system.actions.push(GuardedAction {
            name,
            parameters: ["X", "Y"][..n_parameters]
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            guard: (random_condition(random, n_parameters, 1), Span::default()),
            body: random_body(random, n_parameters, 2),
        });
        let types = (0..n_parameters).map(|_| random.below(2)).collect();
        system.instances.push(ActionInstance { action: place, types });
    }
    system
}

/// A mutant of order 1 or 2.
pub fn random_mutant(random: &mut Random, original: &ActionSystem) -> ActionSystem {
    let mut mutant = original.clone();
    for _ in 0..1 + random.below(2) {
        let mutations = action_mutations(&mutant);
        if !mutations.is_empty() {
            mutant = mutations[random.below(mutations.len())].apply(&mutant);
        }
    }
    mutant
}
