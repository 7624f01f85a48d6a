//! Extended mutation machines (\[000\] section 5): states with variables over bounded domains, inputs with values,
//! rules with guards and updates, and alternatives for any of these, of which a mutant has exactly one.
//!
//! An alternative is a choice in a suspicious set, as in a plain machine; but the behaviour of a mutant in one
//! configuration can depend on several sets, and one set can matter in many configurations. `Unfolding` finds the
//! configurations on demand. Text is deliberately absent.

mod check;
mod expr;
mod source;
mod step;
mod unfold;

pub use check::{Checked, Flaw, Leniency};
pub use expr::{Expr, Op};
pub use source::{Action, Answer, Domain, Event, ExtendedMachine, Options, Rule, Slot, Trigger, Variable};
pub use step::{ERROR, QUIET};
pub use unfold::{Unfolded, Unfolding};
