//! What holds for a template holds for each of its instances, or is not used: random networks whose instances have different roles
//! and constants. Each verdict is held against the game without guidelines and congruence, and against the region graph.

use std::collections::BTreeMap;

use tamper::experiment::{
    Component, DecidedBy, Engine, Limits, NetworkJudge, NetworkMutants, NetworkSettings, Scope, StaticUse, Timer,
    Verdict, components,
};
use tamper::formats::read_network;
use tamper::game::Scratch;
use tamper::model::{Cmp, Role};
use tamper::mutation::{Mutation, MutationOptions, Operator, Order, Site};
use tamper::network::compose;
use tamper::text::{Budget, Id};

use super::composition::from_environment;
use super::families::{Bound, Families, On, Template, TemplateEdge, families};
use super::mutants::{ALL, view};
use super::nets::{MOST, Random};
use super::verdicts::{Answer, Nothing, decide};

const CASES: u64 = 40;
/// Pairs of states; larger ones are left to others.
const MAX_PAIRS: usize = 800;
/// Of a game.
const MAX_STATES: u64 = 5_000;

type Counts = BTreeMap<String, u64>;

/// The template at that position, changed in all its instances.
fn mutated(families: &Families, at: usize, mutation: &Mutation) -> Families {
    let mut mutant = families.clone();
    let template = &mut mutant.templates[at];
    match *mutation {
        Mutation::Alter { operator, .. } => panic!("{operator} is not asked for"),
        Mutation::RemoveEdge { edge } => {
            template.edges.remove(edge.index());
        }
        Mutation::AddEdge {
            source, target, role, ..
        } => {
            let first = template.edges[0].clone();
            template.edges.push(TemplateEdge {
                source: source.index(),
                target: target.index(),
                on: On::Added,
                sends: role == Role::Output,
                ..first
            });
            mutant.has_added = true;
        }
        Mutation::RemoveLocation { location } => {
            let at = location.index();
            template.edges.retain(|edge| edge.source != at && edge.target != at);
        }
        Mutation::LargerConstant { site, old, new, .. } | Mutation::SmallerConstant { site, old, new, .. } => {
            bound(template, site).constant.number += new.constant - old.constant;
        }
        Mutation::NegateGuard { edge, .. } => {
            let bound = bound(template, Site::Guard(edge));
            bound.sign = match bound.sign {
                "<" => ">=",
                "<=" => ">",
                ">=" => "<",
                ">" => "<=",
                sign => panic!("{sign} is not negated"),
            };
        }
    }
    mutant
}

fn bound(template: &mut Template, site: Site) -> &mut Bound {
    let bound = match site {
        Site::Guard(edge) => template.edges[edge.index()].guard.as_mut(),
        Site::Invariant(location) => template.locations[location.index()].1.as_mut(),
    };
    bound.expect("a bound is changed")
}

/// How many mutants each operator makes of the template, by its text.
fn numbers(template: &Template) -> [usize; 6] {
    let n_locations = template.locations.len();
    let guards: Vec<Bound> = template.edges.iter().filter_map(|edge| edge.guard).collect();
    let invariants = template.locations.iter().filter_map(|(_, invariant)| *invariant);
    let bounds: Vec<Bound> = invariants.chain(guards.iter().copied()).collect();
    let stays_above_0 = |bound: &&Bound| {
        let mut instances = template.instances.iter();
        instances.all(|instance| bound.constant.at(instance.me) - 1 > 0)
    };
    [
        template.edges.len(),
        2 * n_locations * n_locations,
        n_locations - 1,
        bounds.len(),
        bounds.iter().filter(stays_above_0).count(),
        guards.iter().filter(|guard| guard.sign != "==").count(),
    ]
}

fn check_numbers(families: &Families, components: &[Component], at: &[usize]) -> Result<(), String> {
    for (component, at) in components.iter().zip(at) {
        let mutations: Vec<Mutation> = component.mutations(&MutationOptions::default()).iter().collect();
        let found = Operator::PAPER.map(|operator| mutations.iter().filter(|one| one.operator() == operator).count());
        let expected = numbers(&families.templates[*at]);
        if found != expected {
            return Err(format!("{}: {found:?}, but {expected:?} by its text", component.name));
        }
    }
    Ok(())
}

/// The guideline that may name the mutation, by its form.
fn rule(component: &Component, mutation: &Mutation) -> String {
    let change = mutation.constraint();
    let form = match (mutation, change) {
        (Mutation::AddEdge { role, .. }, _) => format!("{role:?}"),
        (_, Some(change)) => {
            let kind = match change.site {
                Site::Guard(_) => "guard",
                Site::Invariant(_) => "invariant",
            };
            let cmp = match change.old.cmp {
                Cmp::Lt | Cmp::Le => "upper",
                Cmp::Eq => "equal",
                Cmp::Ge | Cmp::Gt => "lower",
            };
            format!("{kind} {cmp}")
        }
        _ => String::new(),
    };
    let several = if component.processes.len() > 1 {
        "template"
    } else {
        "instance"
    };
    format!("{several} {} {form}", mutation.operator()).trim().to_owned()
}

fn compare(families: &Families, (random, most): (&mut Random, usize), counts: &mut Counts) -> Result<(), String> {
    let xml = families.xml();
    let net = families.net();
    let (file, _) = read_network("net.xml", xml.as_bytes()).map_err(|error| error.to_string())?;
    let view = view(&net, &file);
    if compose(&file.network, &view, &Budget::unlimited()).is_err() {
        return Ok(());
    }
    let (semantics, rules) = ALL[random.below(3)];
    let scope = if random.chance(75) {
        Scope::Template
    } else {
        Scope::Instance
    };
    let families = match scope {
        Scope::Template => families.clone(),
        Scope::Instance => families.split(),
    };
    let is_tested = |at: &usize| !families.templates[*at].environment;
    let tested: Vec<usize> = (0..families.templates.len()).filter(is_tested).collect();
    let components = components((&file.network, &view), &file.templates, &[], scope).map_err(|e| e.to_string())?;
    check_numbers(&families, &components, &tested)?;
    let judge = |statics, engine| {
        let settings = NetworkSettings {
            semantics,
            statics,
            witness: false,
            engine,
        };
        let timer = Timer::new(Limits {
            max_states: Some(MAX_STATES),
            ..Limits::default()
        });
        NetworkJudge::new((&file.network, &view), &components, settings, timer)
    };
    let engine = [Engine::Family, Engine::Enumerate][random.below(2)];
    let (Ok(quick), Ok(plain)) = (judge(StaticUse::Use, Engine::Family), judge(StaticUse::Off, engine)) else {
        return Ok(());
    };
    let options = MutationOptions::default();
    let mutants = NetworkMutants::of((&file.network, &view), &components, &options, Order::FIRST).unwrap();
    let n_mutants = usize::try_from(mutants.len()).unwrap();
    let from = random.below(n_mutants.max(1));
    let mut scratch = Scratch::default();
    for number in (0..n_mutants).map(|at| (from + at) % n_mutants).take(most) {
        let mutant = mutants.get(number as u64).unwrap();
        let id = mutant.id();
        let (found, _) = quick.decide(&mutant, &mut scratch);
        let (by_game, _) = plain.decide(&mutant, &mut scratch);
        // A limit was hit, or steps are hidden.
        if [found.verdict, by_game.verdict].contains(&Verdict::Unknown) {
            *counts.entry("unknown".to_owned()).or_default() += 1;
            continue;
        }
        if found.verdict != by_game.verdict {
            return Err(format!(
                "{id} under {semantics}: {found:?}, but {by_game:?} without guidelines"
            ));
        }
        let mutated = mutated(&families, tested[mutant.last.component], &mutant.last.mutation);
        let expected = match decide(&mutated.net(), &net, rules, MOST + 1, MAX_PAIRS) {
            Ok(Answer::SpecInconsistent) => return Err("the specification is inconsistent".to_owned()),
            Ok(Answer::Inconsistent) => Verdict::Inconsistent,
            Ok(Answer::Subsumed) => Verdict::Subsumed,
            Ok(Answer::NonSubsumed) => Verdict::NonSubsumed,
            Err(Nothing::OutOfRange | Nothing::SpecOutOfRange) => return Err(format!("{id} leaves a range")),
            Err(Nothing::TooLarge) => {
                *counts.entry("too large".to_owned()).or_default() += 1;
                continue;
            }
        };
        if found.verdict != expected {
            return Err(format!(
                "{id} under {semantics}: {found:?}, but {expected:?} on the region graph"
            ));
        }
        let mut count = |what: String| *counts.entry(what).or_default() += 1;
        count(format!("{} by {}", found.verdict.name(), found.decided_by.name()));
        count("mutants".to_owned());
        if found.decided_by != DecidedBy::Game {
            let component = &components[mutant.last.component];
            count(format!(
                "{}: {}",
                found.decided_by.name(),
                rule(component, &mutant.last.mutation)
            ));
        }
    }
    Ok(())
}

/// With `TAMPER_CASES=1500` more than 20,000 mutants.
#[test]
fn guidelines_hold_for_each_instance_of_a_template() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 71),
        from_environment("TAMPER_CASES", CASES),
    );
    let mut source = Random(seed);
    let mut counts = Counts::new();
    for case in 0..cases {
        let families = families(&mut source);
        if let Err(message) = compare(&families, (&mut source, 24), &mut counts) {
            panic!("seed {seed}, network {case}: {message}\n{}", families.xml());
        }
    }
    for (what, n) in &counts {
        println!("{n:>8} {what}");
    }
    println!("seed {seed}, {cases} networks");
    let of = |start: &str| {
        counts
            .iter()
            .filter(|(what, _)| what.starts_with(start))
            .map(|(_, n)| n)
            .sum::<u64>()
    };
    for what in [
        "rule: template TMI",
        "rule: template TAD",
        "rule: template CX",
        "subsumed by congruence",
    ] {
        assert!(of(what) > 0, "{what}: {counts:?}");
    }
}
