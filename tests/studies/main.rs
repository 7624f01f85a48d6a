//! Every published fact about the six case studies of [003], one test each.
//!
//! The facts are in `case-studies/*/expected.toml`; here are their names, so that a failing one is named, and a test per
//! study that none is left out. Order 2 of the two large studies takes too long without optimisation.

mod expected;
mod order_two;
mod tally;

use std::path::PathBuf;
use std::sync::OnceLock;

use expected::Expected;
use tally::{Judged, Tally, judge_all, selects};
use tamper::base::Budget;
use tamper::formats::uppaal::{self, ReadOptions};
use tamper::game::{Semantics, Specification};
use tamper::model::Automaton;

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

mod across {
    //! Facts about several studies, or about a model alone.

    use tamper::base::Id;
    use tamper::model::{Automaton, LocId, Role};

    use super::{Study, Tally};

    pub const FOLDERS: [&str; 6] = ["cas", "coffee", "accel", "hotel", "wfas", "mutex"];

    fn spec(folder: &str) -> Automaton {
        super::read(
            [env!("CARGO_MANIFEST_DIR"), "case-studies", folder, "model.xml"]
                .iter()
                .collect(),
        )
    }
    fn location(spec: &Automaton, name: &str) -> LocId {
        let named = |id: &LocId| &*spec.locations()[*id].name == name;
        spec.locations().ids().find(named).expect("the location is there")
    }
    /// Where an action leads from a location.
    fn after(spec: &Automaton, from: LocId, action: &str) -> Vec<LocId> {
        let labelled = spec
            .edges()
            .iter()
            .filter(|edge| edge.source == from && spec.actions()[edge.action].to_string() == action);
        labelled.map(|edge| edge.target).collect()
    }
    fn names(spec: &Automaton, role: Role) -> Vec<String> {
        let mut names: Vec<_> = spec
            .actions()
            .iter()
            .filter(|a| a.role == role)
            .map(|a| a.name.to_string())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn close_and_lock_lead_from_open_unlocked_to_closed_locked_in_cas() {
        let spec = spec("cas");
        let open_unlocked = spec.initial();
        let [closed] = after(&spec, open_unlocked, "close?")[..] else {
            panic!("one edge")
        };
        let [closed_locked] = after(&spec, closed, "lock?")[..] else {
            panic!("one edge")
        };
        assert_eq!(closed_locked, location(&spec, "l3"));
        assert_eq!(after(&spec, closed_locked, "armedOn!"), [location(&spec, "l6")]);
    }

    #[test]
    fn cas_has_the_published_inputs_and_six_outputs() {
        let spec = spec("cas");
        assert_eq!(names(&spec, Role::Input), ["close", "lock", "open", "unlock"]);
        assert_eq!(
            names(&spec, Role::Output),
            ["armedOff", "armedOn", "flashOff", "flashOn", "soundOff", "soundOn"]
        );
    }

    #[test]
    fn every_location_of_cas_accepts_every_input_and_leads_to_the_sink_by_some() {
        let spec = spec("cas");
        let sink = location(&spec, "sink");
        for from in spec.locations().ids() {
            for input in ["close?", "open?", "lock?", "unlock?"] {
                assert!(
                    !after(&spec, from, input).is_empty(),
                    "{input} in location {}",
                    from.index()
                );
            }
            assert!(
                spec.entering(sink).any(|(_, edge)| edge.source == from),
                "location {}",
                from.index()
            );
        }
    }

    #[test]
    fn two_invariants_of_cas_are_e_at_most_300_and_closed_locked_has_c_at_most_20() {
        let spec = spec("cas");
        let bound = |constant: i64| {
            let simple = |id: &LocId| {
                spec.locations()[*id]
                    .invariant
                    .as_simple()
                    .is_some_and(|atom| atom.constant == constant)
            };
            spec.locations().ids().filter(simple).collect::<Vec<_>>()
        };
        assert_eq!(bound(300), [location(&spec, "l8"), location(&spec, "l15")]);
        assert_eq!(bound(20), [location(&spec, "l3")]);
    }

    #[test]
    fn accel_has_no_invariant_and_only_its_end_is_urgent_without_outputs() {
        let spec = spec("accel");
        let end = location(&spec, "s_end");
        for (id, location) in spec.locations().iter_enumerated() {
            assert!(location.invariant.is_trivial());
            assert_eq!(location.urgency == tamper::model::Urgency::Urgent, id == end);
        }
        assert!(spec.edges().iter().all(|edge| edge.source != end));
    }

    #[test]
    fn the_studies_have_1434_mutants_of_order_1() {
        let expected: u64 = FOLDERS
            .iter()
            .map(|folder| Study::load(folder).expected.order1.total)
            .sum();
        assert_eq!(expected, 1_434);
    }

    #[test]
    fn hotel_is_the_worst_study_and_coffee_the_best_at_order_1() {
        let ratios: Vec<_> = FOLDERS.iter().map(|folder| Study::load(folder).all()).collect();
        let percent = |tally: &Tally| tally.violating as f64 / tally.bad() as f64;
        let order: fn(&f64, &f64) -> std::cmp::Ordering = f64::total_cmp;
        let worst = ratios
            .iter()
            .map(percent)
            .enumerate()
            .min_by(|a, b| order(&a.1, &b.1))
            .expect("six")
            .0;
        let best = ratios
            .iter()
            .map(percent)
            .enumerate()
            .max_by(|a, b| order(&a.1, &b.1))
            .expect("six")
            .0;
        assert_eq!((FOLDERS[worst], FOLDERS[best]), ("hotel", "coffee"));
    }
}
