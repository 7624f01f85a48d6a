//! The published experiments of \[003\] section 5: the six studies, what is said about them, and what comes out.
//!
//! [`Study`] holds a model and the published facts, both embedded; [`run_study`] decides its mutants;
//! [`diagnose`] tells why a bad mutant that no guideline names is bad; [`Comparison`] holds
//! the paper's sentences against the runs. [`report`] shows it.

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
