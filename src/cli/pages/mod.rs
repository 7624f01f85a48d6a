//! Drawings, reports and their pages.

pub mod draw;
pub mod plays;
pub mod report;
pub mod report_figures;
pub mod report_results;
