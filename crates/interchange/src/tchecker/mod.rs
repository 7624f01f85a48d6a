//! TChecker (`.tck`): lines that declare processes, events, variables, locations and edges.
//!
//! TChecker has no inputs and outputs. A comment line `# tamper:alphabet press? coffee! tau` says which event is
//! which, and which others the alphabet has; TChecker skips it. An event whose name is not its action's is listed as
//! `event=action?`. The writer follows the documented grammar; what it cannot say (urgent channels, ignored inputs,
//! select variables, disjunctions) is refused by name. Where a network is asked for, the processes are those of one; as games, processes
//! without synchronisation vectors are games of their own, and with vectors all of them are one, their product.

mod actions;
mod expression;
mod network;
mod product;
mod read;
mod scan;
mod spell;
mod system;
mod write;

pub use read::{read_tchecker, read_tchecker_network};
pub use write::write_tchecker;
