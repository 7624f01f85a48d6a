//! TChecker (`.tck`): lines that declare processes, events, variables, locations and edges.
//!
//! TChecker has no inputs and outputs. A comment line `# tamper:alphabet press? coffee! tau` gives each event's role,
//! and lists further actions of the alphabet; TChecker skips it. An event whose name differs from its action's is
//! listed as `event=action?`. The writer follows the documented grammar; parts that it cannot express (urgent channels,
//! ignored inputs, select variables, disjunctions) are refused by name. As a network, the file has its processes; as
//! games, each process is a game if the file has no synchronisation vectors, else their product is the only game.

mod actions;
mod expression;
mod network;
mod product;
mod read;
mod scan;
mod spell;
mod system;
mod write;

pub(crate) use spell::fresh;

pub use read::{read_tchecker, read_tchecker_network};
pub use write::write_tchecker;
