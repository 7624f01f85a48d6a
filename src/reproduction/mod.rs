//! The published experiments of \[003\] section 5: the six studies, the paper's statements about them, and the results.
//!
//! [`Study`] holds a model and the published facts, both embedded. [`run_study`] decides its mutants, [`diagnose`] tells why a bad mutant
//! that no guideline names is bad, and [`PaperComparison`] compares the paper's sentences with the runs. [`report`] presents all of it.

mod causes;
mod claims;
mod compare;
mod examples;
mod facts;
mod measure;
pub mod report;
mod run;
mod study;

pub use causes::{Cause, Diagnosed, StudyCauses, diagnose};
pub use claims::{Checks, ClaimCheck, ClaimMark, ClaimResult, PaperClaim};
pub use compare::{PaperComparison, StudyFacts};
pub use examples::{Example, examples};
pub use facts::{CheckedFact, Fact, PaperFacts};
pub use measure::{chance, chance_with_guidelines};
pub use run::{Setting, StudyRun, Workplace, complete_run, run_study};
pub use study::Study;
