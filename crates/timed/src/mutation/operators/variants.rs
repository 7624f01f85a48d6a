//! Changes in the words of the file that a game was read from.

use crate::model::Automaton;
use crate::mutation::Alteration;

macro_rules! by_name {
    ($($name:ident)+) => {
        $(pub const $name: fn(&Automaton) -> Vec<Alteration> = |game| of(game, stringify!($name));)+
    };
}

by_name! { DLO DSH DMI TRM GNE ACM TGE HDR LVL REE REA }

/// The variants by the operator of that name.
fn of(automaton: &Automaton, operator: &str) -> Vec<Alteration> {
    let variants = (0..).zip(automaton.variants().all());
    let own = variants.filter(|(_, variant)| variant.operator == operator);
    own.map(|(variant, _)| Alteration::Variant { variant }).collect()
}
