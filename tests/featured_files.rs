//! Featured timed games as files: what is written is read back as the same family, projection agrees with its definition,
//! and every member is decided as the game it is.

use std::path::{Path, PathBuf};

use tamper::featured::FeaturedAutomaton;
use tamper::features::{FeatureExpr, FeatureModel, Varisat};
use tamper::formats::feature_model::{read_uvl, write_uvl};
use tamper::formats::{Drawing, ReadOptions, read_bytes, read_file, write_automaton, write_featured};
use tamper::game::{GameError, Scratch, Semantics, Specification, Unmatched, Verdict};
use tamper::guidelines::GuidedMutants;
use tamper::model::{ActionId, LocId};
use tamper::mutation::{FeaturedMutants, MutationOptions, ProductBound};
use tamper::text::{Budget, Id};
use testing::oracle::families::{self, Family};
use testing::oracle::refinement::{self, ALL_RULES, Answer};
use testing::oracle::run;

const STUDIES: [&str; 6] = ["accel", "cas", "coffee", "hotel", "mutex", "wfas"];

fn study(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("case-studies");
    root.join(name).join("model.xml")
}

fn read(text: &str, model: &FeatureModel) -> Result<FeaturedAutomaton, String> {
    let read = read_bytes("family.xml", text.as_bytes(), &ReadOptions::default());
    let (document, warnings) = read.map_err(|error| error.to_string())?;
    assert!(warnings.is_empty(), "{warnings:?}");
    document.featured(0, model).map_err(|error| error.to_string())
}

/// Writes both files and reads them back.
fn round_trip(featured: &FeaturedAutomaton) -> Result<FeaturedAutomaton, String> {
    let uvl = write_uvl(featured.model()).map_err(|error| error.to_string())?;
    let (model, _) = read_uvl(&uvl).map_err(|errors| format!("{errors:?}\n{uvl}"))?;
    read(&write_featured(featured, &Drawing::grid()), &model)
}

#[test]
fn random_families_are_read_back_as_they_were_written() {
    let cases = if cfg!(debug_assertions) { 400 } else { 4000 };
    run::check(cases, &families::family(), |Family(featured)| {
        let text = write_featured(featured, &Drawing::grid());
        let back = read(&text, featured.model())?;
        if back == *featured {
            Ok(())
        } else {
            Err(format!("read back:\n{}", write_featured(&back, &Drawing::grid())))
        }
    });
}

#[test]
fn random_families_have_the_members_of_the_definition() {
    let cases = if cfg!(debug_assertions) { 400 } else { 4000 };
    run::check(cases, &families::family(), |family| {
        for (product, member) in family.members() {
            let projected = family.0.project(&product).map_err(|error| error.to_string())?;
            if projected != member {
                return Err(format!(
                    "{}:\n{}",
                    product.show(family.0.model()),
                    write_automaton(&projected)
                ));
            }
        }
        Ok(())
    });
}

/// No faults, as families are generated; and what no member has, by looking at all members.
#[test]
fn the_audit_of_random_families_finds_what_no_member_has() {
    let cases = if cfg!(debug_assertions) { 300 } else { 3000 };
    run::check(cases, &families::family(), |family| {
        let Family(featured) = family;
        let audit = featured.audit(Varisat::default()).map_err(|error| error.to_string())?;
        if !audit.faults.is_empty() {
            return Err(format!("{audit:?}"));
        }
        let products = families::products(featured.model());
        let is_dead = |when: &FeatureExpr| !products.is_empty() && !products.iter().any(|product| when.holds(product));
        let edges = featured.automaton().edges().ids();
        let edges: Vec<_> = edges.filter(|id| is_dead(&featured.edge_condition(*id))).collect();
        let locations = featured.conditions().locations.iter_enumerated();
        let locations: Vec<_> = locations.filter(|(_, when)| is_dead(when)).map(|(id, _)| id).collect();
        if (&audit.dead_edges, &audit.dead_locations) == (&edges, &locations) {
            Ok(())
        } else {
            Err(format!("{audit:?}, not {edges:?} and {locations:?}"))
        }
    });
}

/// The same with conditions taken away at random: a product is at fault exactly if its projection fails.
#[test]
fn the_audit_finds_every_kind_of_fault_that_projection_finds() {
    let faulty = (families::family(), families::expr(), 0u8..4, 0u8..8);
    let n_faulty = std::cell::Cell::new(0);
    let cases = if cfg!(debug_assertions) { 300 } else { 3000 };
    run::check(cases, &faulty, |(Family(featured), spoiler, kind, place)| {
        let (model, automaton) = (featured.model(), featured.automaton());
        let mut conditions = featured.conditions().clone();
        let when = spoiler.build(model);
        let pick = |n: usize| usize::from(*place) % n.max(1);
        match kind {
            0 => conditions.locations[automaton.initial()] = when,
            1 => conditions.initial[0].0 = when,
            2 => conditions.urgency[LocId::from_index(pick(automaton.locations().len()))][0].0 = when,
            _ if automaton.actions().is_empty() => {}
            _ => conditions.actions[ActionId::from_index(pick(automaton.actions().len()))] = when,
        }
        let featured = FeaturedAutomaton::new(automaton.clone(), model.clone(), conditions).expect("the same shape");
        let audit = featured.audit(Varisat::default()).map_err(|error| error.to_string())?;
        let products = families::products(model);
        let first_fault = products.iter().find_map(|product| featured.project(product).err());
        for (fault, product) in &audit.faults {
            if !model.allows(product) || featured.project(product).is_ok() {
                return Err(format!("{fault} is none for {}", product.show(model)));
            }
        }
        n_faulty.set(n_faulty.get() + u32::from(first_fault.is_some()));
        if first_fault.is_some() == audit.faults.is_empty() {
            return Err(format!("{first_fault:?}, but {audit:?}"));
        }
        Ok(())
    });
    assert!(n_faulty.get() > cases / 10, "{}", n_faulty.get());
}

fn engine(member: &tamper::model::Automaton, spec: &tamper::model::Automaton, semantics: Semantics) -> Answer {
    let budget = Budget::unlimited();
    let specification = match Specification::prepare(spec, semantics, &budget) {
        Ok(specification) => specification,
        Err(GameError::SpecInconsistent { .. }) => return Answer::SpecInconsistent,
        Err(error) => panic!("{error}"),
    };
    let decision = specification.decide(member, &budget, &mut Scratch::default());
    match decision.expect("a game without limits").verdict {
        Verdict::Inconsistent => Answer::Inconsistent,
        Verdict::Subsumed => Answer::Subsumed,
        Verdict::NonSubsumed => Answer::NonSubsumed,
        Verdict::Unknown(reason) => panic!("unknown without a budget: {reason}"),
    }
}

/// What a check of the whole family has to say, product by product.
#[test]
fn members_of_random_families_are_decided_as_the_oracle_decides_them() {
    let cases = if cfg!(debug_assertions) { 40 } else { 400 };
    run::check(cases, &families::pair(), |pair| {
        let specs = pair.specs.members();
        for ((product, member), (_, spec)) in pair.mutants.members().into_iter().zip(specs).take(6) {
            for rules in ALL_RULES {
                let semantics = Semantics {
                    unmatched: match rules.unmatched {
                        refinement::Unmatched::Reject => Unmatched::Reject,
                        refinement::Unmatched::Ignore => Unmatched::Ignore,
                    },
                    prune: rules.prune,
                };
                let (found, expected) = (
                    engine(&member, &spec, semantics),
                    refinement::decide(&member, &spec, rules),
                );
                if found != expected {
                    let shown = product.show(pair.specs.0.model()).to_string();
                    return Err(format!("{shown} {rules:?}: {found:?}, not {expected:?}"));
                }
            }
        }
        Ok(())
    });
}

/// Whatever is conditional in a family: its mutants are games, and without a mutation they are its members.
#[test]
fn mutants_of_random_families_are_games() {
    let cases = if cfg!(debug_assertions) { 60 } else { 600 };
    run::check(cases, &families::family(), |family| {
        for bound in [
            ProductBound::Sequences(1),
            ProductBound::Sequences(2),
            ProductBound::Sets(None),
        ] {
            let mutants = FeaturedMutants::of_family(&family.0, &MutationOptions::default(), bound);
            let mutants = mutants.map_err(|error| error.to_string())?;
            let audit = mutants
                .automaton()
                .audit(Varisat::default())
                .map_err(|error| error.to_string())?;
            if let Some((fault, product)) = audit.faults.first() {
                return Err(format!("{bound:?} {}: {fault}", product.show(mutants.model())));
            }
            for (product, member) in family.members() {
                let unmutated = mutants.project(&product).map_err(|error| error.to_string())?;
                if unmutated != member {
                    return Err(format!(
                        "{}:\n{}",
                        product.show(family.0.model()),
                        write_automaton(&unmutated)
                    ));
                }
            }
        }
        Ok(())
    });
}

fn mutants(name: &str, bound: ProductBound) -> FeaturedMutants {
    let (document, _) = read_file(&study(name), &ReadOptions::default()).expect("a readable study");
    FeaturedMutants::of(&document.automata()[0], &MutationOptions::default(), bound).expect("a supported order")
}

#[test]
fn featured_mutant_models_of_the_studies_are_read_back_as_they_were_written() {
    for name in STUDIES {
        for bound in [
            ProductBound::Sequences(1),
            ProductBound::Sequences(2),
            ProductBound::Sets(None),
        ] {
            let mutants = mutants(name, bound);
            assert_eq!(
                round_trip(mutants.automaton()).as_ref(),
                Ok(mutants.automaton()),
                "{name} {bound:?}"
            );
            if bound != ProductBound::Sets(None) {
                let guided = GuidedMutants::of(&mutants).expect("a supported order");
                let guided = guided.mutants().automaton();
                assert_eq!(round_trip(guided).as_ref(), Ok(guided), "{name} {bound:?} guided");
            }
        }
    }
}
