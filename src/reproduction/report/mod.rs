//! The results of the published experiments: tables, figures and pages, as files that can be compared byte by byte.
//!
//! Every function makes [`Page`]s from finished runs. Nothing here depends on the time, the machine or the number of threads, except
//! [`timing_page`], which is kept apart for that reason.

mod comparison;
mod figures;
mod overview;
mod page;
mod semantics;
mod soundness;
mod tables;
mod timing;

pub use comparison::readme_page;
pub use figures::figure_pages;
pub use overview::{overview_json, overview_text};
pub use page::Page;
pub use semantics::semantics_pages;
pub use soundness::soundness_pages;
pub use tables::{pairs_pages, table_pages, wrapper_page};
pub use timing::timing_page;
