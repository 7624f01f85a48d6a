//! The numbers of the parts of a timed game.

use tamper_text::define_ids;

define_ids! {
    /// A location of an automaton.
    LocId,
    /// An edge of an automaton, in file order.
    EdgeId,
    /// A clock of an automaton (there is no reference clock here).
    ClockId,
    /// An integer variable of an automaton.
    IntId,
    /// An action of an automaton's alphabet.
    ActionId,
}
