//! Changes in the words of the file that a game was read from.

use crate::model::Automaton;
use crate::mutation::Alteration;

/// The variants by the operator of that name.
pub fn variants(automaton: &Automaton, operator: &str) -> impl Iterator<Item = Alteration> {
    let variants = (0..).zip(automaton.variants().all());
    let own = variants.filter(move |(_, variant)| variant.operator == operator);
    own.map(|(variant, _)| Alteration::Variant { variant })
}
