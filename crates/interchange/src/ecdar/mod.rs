//! Ecdar projects: a folder with a JSON file per component in `Components/`, `GlobalDeclarations.json`,
//! `SystemDeclarations.json` and `Queries.json`.
//!
//! A component's labels have UPPAAL's syntax and meaning. A component ignores inputs that no edge accepts, and its
//! actions are the actions of its `IO` line and of its edges, as in the Ecdar engines. A component without an `IO` line
//! whose declarations have a comment `// tamper:alphabet a? b!` refuses inputs. A universal location allows every
//! action of the component at any time, an inconsistent one stops time; edges for all channels (`*`) that leave these
//! locations are redundant. Prohibited locations are refused by name. Only the components that are asked for are read.

mod content;
mod joined;
mod needed;
mod project;
mod queries;
mod read;
mod run;
mod spell;
mod write;

pub use queries::{EcdarQuery, read_ecdar_queries};
pub use read::{read_ecdar, read_ecdar_only};
pub use write::{Component, write_component, write_global_declarations};
