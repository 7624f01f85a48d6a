//! The help about conditions.

use std::fmt::Write as _;

use crate::cli::exit::EXIT_CODES;
use tamper::experiment::{FIELDS, Kind};

/// The language of `--keep`, its fields, and examples.
pub fn export_help() -> String {
    let mut text = "\
Conditions:
  A condition compares fields of a mutant, joined by && (and), || (or), ! (not) and brackets:
    verdict == non-subsumed && operator in (CXL, CXS) && !violates
  flags    stand alone: violates, !duplicate
  numbers  ==  !=  <  <=  >=  >  in (1, 2)
  texts    ==  !=  in (…)  ~ 'a*b?' (* is any text, ? any character); texts that are no names stand in quotes
  sets     == a        the set is just a
           in (a, b)   it is made of these and not empty
           has a       a is in it (has (a, b): one of them is)
           ~ 'a*'      one of its elements fits
  A verdict alone (subsumed) means verdict == subsumed; all keeps everything; violating and not-violating are violates
  and !violates. a != b is !(a == b), not in is !(in).
  At order 2 the sets are over both mutations: operator in (CXL, CXS) means that both are, operator has CXL that one is.

Fields:
"
    .to_owned();
    for info in FIELDS {
        let kind = match info.kind {
            Kind::Flag => "flag",
            Kind::Number => "number",
            Kind::Text => "text",
            Kind::Choice => "name",
            Kind::Set => "set",
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {:<10} {kind:<6}  {}", info.name, info.what);
    }
    text.push_str(FILES);
    text.push_str("\n\n");
    text.push_str(EXIT_CODES);
    text
}

const FILES: &str = "
Files:
  index.jsonl (for the tables the table itself) says which file is which mutant; it gets its name last, so a folder
  that has it is whole. Without --mutants the folder also holds the run that decided the mutants, as classify writes it.
  uppaal      NNNNNN-OPERATORS.xml: the original as Spec, the mutant as Spec_mutant (at order 2 Spec_mutant_mutant)
  ecdar-json  Components/, GlobalDeclarations.json, SystemDeclarations.json, Queries.json
  normal      NNNNNN-OPERATORS.txt and original.txt: the games as they stand in certificates; of networks what they are composed to
  tchecker    NNNNNN-OPERATORS.tck and original.tck; comment lines `# tamper:alphabet` say what is input and output
  fmm         fmm.xml (all mutations as one featured game) and its feature model as features.uvl, features.xml
              (FeatureIDE) and features.dimacs; index.jsonl names the features of each mutant

Examples:
  tamper export model.xml --keep 'non-subsumed && !duplicate' --out mutants
  tamper classify model.xml --order 2 && tamper export model.xml --mutants tamper.out --keep 'operator has TMI' --out removed
  tamper export model.xml --keep \"edge has 'idle->busy#0'\" --as csv --out table";
