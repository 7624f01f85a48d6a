//! Writers: models, mutants, families and tests as UPPAAL files.

pub mod declared;
pub mod edit;
pub mod fresh;
pub mod inexpressible;
pub mod patch;
pub mod placement;
pub mod print;
pub mod replacement;
pub mod spelled;
pub mod spelling;
pub mod tester;
pub mod write;
pub mod write_featured;
pub mod write_featured_network;
pub mod write_network;
pub mod write_template;
pub mod writer;
