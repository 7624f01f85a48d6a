//! Definitions that are refused, names that read back, and ids of changes of many kinds.

use std::collections::BTreeSet;

use crate::model::{Automaton, Urgency};
use crate::mutation::{Alteration, AppliedOperator, Mutation, MutationOptions, Mutations, Operator, OwnOperatorError};
use crate::studies::wfas;

fn nothing(_: &Automaton) -> Vec<Alteration> {
    Vec::new()
}

#[test]
fn a_name_that_ids_cannot_hold_or_that_tamper_has_is_refused() {
    for name in ["", "deaf", "1A", "DE:AF", "DE AF", "\u{c4}"] {
        let refused = Operator::own(name, "", "", nothing);
        assert_eq!(refused, Err(OwnOperatorError::Name(name.to_owned())));
    }
    for name in ["TMI", "MAS", "PAPER", "NONE"] {
        let refused = Operator::own(name, "", "", nothing);
        assert_eq!(refused, Err(OwnOperatorError::BuiltIn(name.to_owned())));
    }
}

#[test]
fn the_same_definition_again_is_the_same_operator_and_another_one_is_refused() {
    let define = |meaning: &str| Operator::own("TWICE", "do nothing", meaning, nothing);
    let first = define("nothing happens");
    assert!(first.is_ok());
    assert_eq!(define("nothing happens"), first);
    let refused = Err(OwnOperatorError::Defined("TWICE".to_owned()));
    assert_eq!(define("something happens"), refused);
    let other = Operator::own("TWICE", "do nothing", "nothing happens", |_| Vec::new());
    assert_eq!(other, refused);
    // Two closures of one type differ by what they hold.
    let holding = |n: usize| {
        Operator::own("HOLDS", "", "", move |game| {
            nothing(game).into_iter().take(n).collect::<Vec<_>>()
        })
    };
    assert!(holding(1).is_ok());
    assert_eq!(holding(2), Err(OwnOperatorError::Defined("HOLDS".to_owned())));
}

#[test]
fn names_read_back_with_and_without_memory_and_operators_are_applied_in_the_order_of_names() {
    let [later, first] = ["READB", "READA"].map(|name| Operator::own(name, "", "", nothing).unwrap());
    assert_eq!("reada".parse(), Ok(first));
    let again: AppliedOperator = "again:READB".parse().unwrap();
    assert_eq!(
        (again.again, again.operator, again.name()),
        (true, later, "again:READB")
    );
    let options = MutationOptions {
        operators: vec![later, first, Operator::Mas, later],
        ..MutationOptions::default()
    };
    assert_eq!(
        options
            .applied()
            .iter()
            .map(|applied| applied.name())
            .collect::<Vec<_>>(),
        ["MAS", "READA", "READB"]
    );
    let unknown = "UNREAD".parse::<Operator>().unwrap_err().to_string();
    assert!(
        unknown.contains("no operator `UNREAD`") && unknown.contains("READA"),
        "{unknown}"
    );
}

/// Changes of all kinds whose places are named alike, each twice.
fn many(game: &Automaton) -> Vec<Alteration> {
    let mut all = Vec::new();
    for edge in game.edges().ids() {
        let kinds = [
            Alteration::Direction { edge },
            Alteration::DropGuard { edge },
            Alteration::NeverGuard { edge },
            Alteration::Sink { edge },
        ];
        all.extend(kinds);
        for location in game.locations().ids() {
            all.push(Alteration::Target { edge, target: location });
            all.push(Alteration::Source { edge, source: location });
        }
    }
    for location in game.locations().ids() {
        all.push(Alteration::DropInvariant { location });
        let urgencies = [Urgency::Normal, Urgency::Urgent, Urgency::Committed];
        all.extend(urgencies.map(|urgency| Alteration::Urgency { location, urgency }));
    }
    all.extend(game.actions().ids().map(|action| Alteration::Channel { action }));
    [&all[..], &all].concat()
}

#[test]
fn changes_of_all_kinds_have_ids_of_their_own_and_one_said_twice_counts_once() {
    let game = wfas();
    let operator = Operator::own("MANY", "change much", "everything changes", many).unwrap();
    let mutations: Vec<Mutation> = Mutations::of(&game, &MutationOptions::only(operator)).iter().collect();
    let (n_edges, n_locations) = (game.edges().len(), game.locations().len());
    let n = n_edges * (4 + 2 * n_locations) + 4 * n_locations + game.actions().len();
    let ids: BTreeSet<String> = mutations.iter().map(|mutation| mutation.id(&game)).collect();
    assert_eq!((mutations.len(), ids.len()), (n, n));
    let made = mutations.iter().map(|mutation| match mutation {
        Mutation::Alter { alteration, .. } => *alteration,
        other => panic!("{other:?}"),
    });
    assert_eq!(made.collect::<Vec<_>>(), many(&game)[..n]);
    // With memory all but the channels, which no run passes.
    let again = MutationOptions {
        operators: Vec::new(),
        again: vec![operator],
        ..MutationOptions::default()
    };
    let again = Mutations::of(&game, &again);
    assert_eq!(again.len(), (n - game.actions().len()) as u64);
    assert_eq!(again.iter().count() as u64, again.len());
}
