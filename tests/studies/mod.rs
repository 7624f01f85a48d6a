//! Every published fact about the six case studies of [003], one test each.
//!
//! The facts are in `case-studies/*/expected.toml`; here are their names, so that a failing one is named, and a test per
//! study that none is left out. Order 2 of the two large studies takes too long without optimisation.

mod across;
mod constants;
mod counterexamples;
mod duplicates;
mod expected;
mod order_two;
mod tally;

use std::path::PathBuf;
use std::sync::OnceLock;

use expected::Expected;
use tally::{Judged, Tally, judge_all, selects};
use tamper::formats::uppaal::{self, ReadOptions};
use tamper::game::{Semantics, Specification};
use tamper::model::Automaton;
use tamper::text::Budget;

struct Study {
    expected: Expected,
    specification: Specification,
    mutants: Vec<Judged>,
}

impl Study {
    fn load(folder: &str) -> Self {
        let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "case-studies", folder].iter().collect();
        let text = std::fs::read_to_string(folder.join("expected.toml")).expect("the facts are there");
        let expected: Expected = toml::from_str(&text).expect("the facts have the right form");
        assert_eq!(expected.semantics, "tiga");
        let specification =
            Specification::prepare(&read(folder.join("model.xml")), Semantics::TIGA, &Budget::unlimited())
                .expect("the study is consistent");
        let mutants = judge_all(&specification);
        Self {
            expected,
            specification,
            mutants,
        }
    }
    fn all(&self) -> Tally {
        Tally::of(&self.mutants)
    }
    fn check_fact(&self, id: &str) {
        let fact = self
            .expected
            .fact
            .iter()
            .find(|fact| fact.id == id)
            .expect("the file has the fact");
        let spec = self.specification.automaton();
        let selected: Vec<_> = self
            .mutants
            .iter()
            .filter(|one| selects(&fact.r#where, spec, &one.mutation))
            .collect();
        assert!(!selected.is_empty(), "the fact is about something");
        Tally::of(selected).check(fact);
    }
    fn check_model(&self) {
        let spec = self.specification.automaton();
        let expected = &self.expected.model;
        assert_eq!(spec.locations().len(), expected.locations);
        assert_eq!(spec.edges().len(), expected.edges);
        assert_eq!(spec.clocks().len(), expected.clocks);
    }
    fn check_order_1(&self) {
        let (all, expected) = (self.all(), &self.expected.order1);
        assert_eq!(all.total, expected.total, "{}", self.expected.study);
        assert_eq!(all.unknown, 0);
        assert_eq!(all.ratio(1), expected.ratio, "{all:?}");
        assert_eq!(all.ratio(0), expected.published_percent.to_string());
    }
    fn check_names(&self, names: &[&str]) {
        let ids: Vec<_> = self.expected.fact.iter().map(|fact| fact.id.as_str()).collect();
        assert_eq!(ids, names, "every fact of the file has a test");
    }
}

/// The game of a model file that holds one.
fn read(path: PathBuf) -> Automaton {
    let (document, warnings) = match uppaal::read_file(&path, &ReadOptions::default()) {
        Ok(read) => read,
        Err(error) => panic!("{}", tamper::formats::render(&error.file, &error.diagnostics, false)),
    };
    assert_eq!(warnings, []);
    let [automaton] = document.automata() else {
        panic!("{} holds one game", path.display())
    };
    automaton.clone()
}

macro_rules! study {
    ($name:ident: $($fact:ident)*) => {
        mod $name {
            fn study() -> &'static super::Study {
                static STUDY: super::OnceLock<super::Study> = super::OnceLock::new();
                STUDY.get_or_init(|| super::Study::load(stringify!($name)))
            }
            #[test]
            fn the_model_has_the_published_parts() {
                study().check_model();
            }
            #[test]
            fn order_1_has_the_published_total_and_ratio() {
                study().check_order_1();
            }
            #[test]
            fn no_violating_mutant_of_order_1_is_non_subsumed() {
                assert_eq!(study().all().unsound, 0);
            }
            #[test]
            fn every_fact_has_a_test() {
                study().check_names(&[$(stringify!($fact)),*]);
            }
            $(#[test]
            fn $fact() {
                study().check_fact(stringify!($fact));
            })*
        }
    };
}

study! { wfas:
    tmi_outputs_inconsistent smi_timeout smi_cont_3 smi_others tad_inputs tad_outputs tad_outputs_ten cxs_guards
    cxs_invariants cxl_only_two_non_subsumed cxl_cont_1_cont_3 cxl_cont_2_cont_4 cxl_guards
    cxl_inconsistent_are_outputs ccn_all_non_subsumed
}

study! { mutex:
    tmi_all_detected smi_all_detected cxl_all_detected cxs_all_detected ccn_non_subsumed tad_inputs
    tad_inputs_inconsistent tad_outputs only_tad_outputs_undetected
}

study! { coffee:
    tmi_all_detected smi_all_detected cxs_all_detected tad_mostly_detected cxl_six_subsumed_four_detected
    cxl_add_sugar_and_preparing_coffee cxl_cdone_non_subsumed
}

study! { hotel:
    tmi_all_subsumed smi_all_subsumed cxl_all_subsumed cxs_all_subsumed ccn_four_subsumed one_inconsistent
    tad_input_qh0_qh1 tad_outputs tad_outputs_four seventeen_undetected
}

study! { accel:
    tmi_all_detected smi_all_detected cxs_all_detected cxl_all_detected one_inconsistent tad_input_pre_s0_s_end
    tad_subsumed tad_inputs tad_outputs tad_output_self_loop_of_pre_s0 tad_outputs_self_loops
    tad_outputs_into_s_end tad_outputs_into_s_soon_end ccn_one_subsumed ccn_s_soon_end_s_end
}

study! { cas:
    tmi_all_detected tmi_inputs_non_subsumed tmi_only_output_of_closed_locked smi_inconsistent_too
    cxl_guard_e_300 cxs_invariants_e_300 cxl_ratio tad_ratio cxs_ratio smi_ratio ccn_never_violates
}
