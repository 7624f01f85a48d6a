//! Tables and figures of the user's own runs and suites, for papers: the kinds that \[003\] shows for its six studies.
//!
//! The records of a run, a score or a smaller suite are read into counts and a kill matrix; each of them is a table (CSV, LaTeX) and a
//! figure (SVG). Deliberately absent: files.

mod counts;
mod kills;
mod shown;

pub use shown::{Figures, NotThere, Shown};
