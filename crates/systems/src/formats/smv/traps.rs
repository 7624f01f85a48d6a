//! Trap properties: questions to a checker of single runs whose counterexamples are tests that kill (named in \[004\]
//! section 7).

use super::print::write_smv;
use crate::{Program, side_by_side};

/// A model in which `program` and `mutant` run side by side on the same inputs, and the property that their outputs
/// never differ, as INVARSPEC, LTLSPEC and CTLSPEC. If `program` has no choices, a counterexample is a run that kills
/// the mutant potentially; if there is no counterexample, no test kills.
pub fn write_trap(program: &Program, mutant: &Program) -> String {
    let (both, seen) = side_by_side(&program.with_flat_names(), &mutant.with_flat_names());
    let same = seen
        .iter()
        .map(|(own, other)| format!("{} = {}", both.name_of(*own), both.name_of(*other)));
    let same = match same.collect::<Vec<_>>().join(" & ") {
        none if none.is_empty() => "TRUE".to_owned(),
        same => same,
    };
    with_property(&both, &same)
}

/// `program`, which has a single truth value as output, with the property that this is always true.
pub fn write_invariant(program: &Program) -> String {
    let names: Vec<&str> = program.outputs.iter().map(|seen| program.name_of(*seen)).collect();
    with_property(program, &names.join(" & "))
}

fn with_property(program: &Program, holds: &str) -> String {
    let model = write_smv(program);
    format!("{model}INVARSPEC {holds};\nLTLSPEC G ({holds});\nCTLSPEC AG ({holds});\n")
}
