//! Suites and their results in the forms of other tools.

pub mod annotations;
pub mod code_quality;
pub mod junit;
pub mod junit_xml;
pub mod sarif;
pub mod scored_report;
pub mod stryker;
