//! Records: what a run writes about each mutant, and what is counted of it.

pub mod csv_table;
pub mod line_file;
pub mod lines;
pub mod log;
pub mod percent;
pub mod record;
pub mod summary;
pub mod verdict;
pub mod witness;
