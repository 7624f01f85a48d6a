//! The published experiments of \[003\] section 5: the six studies, the paper's statements about them, and the results.
//!
//! [`Study`] holds a model and the published facts, both embedded. [`run_study`] decides its mutants, [`diagnose`] tells why a bad mutant
//! that no guideline names is bad, and [`Comparison`] compares the paper's sentences with the runs. [`report`] presents all of it.

mod causes;
mod claims;
mod compare;
mod examples;
mod facts;
mod measure;
pub mod report;
mod run;
mod study;

pub use causes::{Cause, Diagnosed, Diagnosis, diagnose};
pub use claims::{Check, Checked, Checks, Claim, Mark};
pub use compare::{Comparison, StudyFacts};
pub use examples::{Example, examples};
pub use facts::{CheckedFact, Fact, Facts};
pub use measure::{chance, chance_with_guidelines};
pub use run::{Setting, StudyRun, Workplace, complete_run, run_study};
pub use study::Study;
