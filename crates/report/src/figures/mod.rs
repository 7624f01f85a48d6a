//! Tables and figures of one's own runs and suites, for papers: what \[003\] shows of six studies, of anything.
//!
//! What a run, a score or a smaller suite wrote down is read into counts and a kill matrix; each of them is a table (CSV, LaTeX) and
//! a figure (SVG). What is deliberately absent: files.

mod counts;
mod kills;
mod shown;

pub use shown::{Figures, NotThere, Shown};
