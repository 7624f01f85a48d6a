//! What holds for a template holds for each of its instances, or is not used: random networks whose instances have different roles
//! and constants. Each verdict is held against the game without guidelines and congruence, and against the region graph.

use std::collections::BTreeMap;

use tamper::experiment::{
    Component, DecidedBy, Engine, Judgement, Limits, NetworkJudge, NetworkMutant, NetworkMutants, NetworkStep, Scope,
    StaticUse, Verdict, components,
};
use tamper::formats::{NetworkFile, read_network};
use tamper::game::{Scratch, Semantics};
use tamper::model::{Cmp, LocId, Role};
use tamper::mutation::{Mutation, MutationOptions, Operator, Order, Site};
use tamper::network::{View, compose};
use tamper::text::{Budget, Id};

use super::composition::from_environment;
use super::families::{Bound, Families, On, Template, TemplateEdge, families};
use super::judges::{by_regions, judge_within};
use super::mutants::{ALL, view};
use super::nets::{MOST, Net, Random};
use super::verdicts::Rules;

const CASES: u64 = 40;
/// Pairs of states; larger ones are left to others.
const MAX_PAIRS: usize = 800;
/// Of a game.
const MAX_STATES: u64 = 5_000;

type Counts = BTreeMap<String, u64>;

/// The mutant of these steps, each of a template, whose position `tested` has, in all its instances.
fn in_turn(families: &Families, tested: &[usize], steps: &[NetworkStep]) -> Families {
    let mut mutant = families.clone();
    // Locations that are removed stay without an edge, and the others are numbered anew.
    let locations = families.templates.iter().map(|template| template.locations.len());
    let mut left: Vec<Vec<usize>> = locations.map(|n| (0..n).collect()).collect();
    for step in steps {
        let at = tested[step.component];
        mutate(&mut mutant, at, (&step.mutation, &left[at]));
        if let Mutation::RemoveLocation { location } = step.mutation {
            left[at].remove(location.index());
        }
    }
    mutant
}

/// Changes the template at that position, of whose locations these are left.
fn mutate(mutant: &mut Families, at: usize, (mutation, left): (&Mutation, &[usize])) {
    let template = &mut mutant.templates[at];
    let at = |location: LocId| left[location.index()];
    match *mutation {
        Mutation::Alter { .. } | Mutation::Again(_) => panic!("{} is not asked for", mutation.applied()),
        Mutation::RemoveEdge { edge } => {
            template.edges.remove(edge.index());
        }
        Mutation::AddEdge {
            source,
            target,
            role,
            cloned,
        } => {
            let cloned = cloned.map(|edge| template.edges[edge.index()].clone());
            template.edges.push(TemplateEdge {
                source: at(source),
                target: at(target),
                guard: cloned.as_ref().and_then(|edge| edge.guard),
                on: On::Added(mutant.n_added),
                sends: role == Role::Output,
                resets: cloned.as_ref().is_some_and(|edge| edge.resets),
                sets: cloned.and_then(|edge| edge.sets),
            });
            mutant.n_added += 1;
        }
        Mutation::RemoveLocation { location } => {
            let at = at(location);
            template.edges.retain(|edge| edge.source != at && edge.target != at);
        }
        Mutation::LargerConstant { site, old, new, .. } | Mutation::SmallerConstant { site, old, new, .. } => {
            bound(template, site, left).constant.number += new.constant - old.constant;
        }
        Mutation::NegateGuard { edge, .. } => {
            let bound = bound(template, Site::Guard(edge), left);
            bound.sign = match bound.sign {
                "<" => ">=",
                "<=" => ">",
                ">=" => "<",
                ">" => "<=",
                sign => panic!("{sign} is not negated"),
            };
        }
    }
}

fn bound<'t>(template: &'t mut Template, site: Site, left: &[usize]) -> &'t mut Bound {
    let bound = match site {
        Site::Guard(edge) => template.edges[edge.index()].guard.as_mut(),
        Site::Invariant(location) => template.locations[left[location.index()]].1.as_mut(),
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

/// What is changed: the operator, and the kind of the edge or of the condition.
fn form(mutation: &Mutation) -> String {
    let form = match (mutation, mutation.constraint()) {
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
    format!("{} {form}", mutation.operator()).trim().to_owned()
}

/// The rules, each with the form of what it names: no two name mutations of the same form.
const RULES: [(&str, &str); 11] = [
    ("L1", "TMI"),
    ("L2", "TAD Input"),
    ("L3", "SMI"),
    ("L4.i", "CXL guard upper"),
    ("L4.ii", "CXL guard equal"),
    ("L4.iii", "CXL guard lower"),
    ("L5", "CXL invariant lower"),
    ("L6.i", "CXS guard upper"),
    ("L6.ii", "CXS guard lower"),
    ("L7.i", "CXS invariant upper"),
    ("L7.ii", "CXS invariant lower"),
];

/// The rule that names the mutation, where one does.
fn rule(mutation: &Mutation) -> &'static str {
    let form = form(mutation);
    let rule = RULES.iter().find(|(_, named)| *named == form);
    rule.map_or("none", |(rule, _)| rule)
}

/// A network whose mutants are judged with and without guidelines, and by the region graph.
struct Subject<'s> {
    /// As what is mutated has it: one template for each component.
    families: &'s Families,
    net: &'s Net,
    network: (&'s NetworkFile, &'s View),
    components: &'s [Component],
    /// The template of each component.
    tested: &'s [usize],
    semantics: (Semantics, Rules),
    quick: NetworkJudge<'s>,
    plain: NetworkJudge<'s>,
}

impl Subject<'_> {
    fn mutants(&self, order: Order) -> NetworkMutants<'_> {
        let (file, view) = self.network;
        let options = MutationOptions::default();
        NetworkMutants::of(&file.network, view, self.components, &options, order).unwrap()
    }

    /// Up to `most` mutants in the order in which they are numbered, from one of them on.
    fn first_order(&self, (random, most): (&mut Random, usize), counts: &mut Counts) -> Result<(), String> {
        let mutants = self.mutants(Order::FIRST);
        let n_mutants = mutants.len();
        let from = random.next() % n_mutants.max(1);
        let mut scratch = Scratch::default();
        for number in (0..n_mutants).map(|at| (from + at) % n_mutants).take(most) {
            let mutant = mutants.get(number).unwrap();
            let (found, _) = self.quick.decide(&mutant, &mut scratch);
            self.check((&mutant, &found), &mut scratch, counts)?;
        }
        Ok(())
    }

    /// Up to `most` pairs of mutations that guidelines name, among many that are drawn, and a few others.
    fn second_order(&self, (random, most): (&mut Random, usize), counts: &mut Counts) -> Result<(), String> {
        let mutants = self.mutants(Order::SECOND);
        if mutants.is_empty() {
            return Ok(());
        }
        let (mut n_named, mut n_others) = (0, 0);
        let mut scratch = Scratch::default();
        for _ in 0..10 * most {
            let mutant = mutants.get(random.next() % mutants.len()).unwrap();
            let (found, _) = self.quick.decide(&mutant, &mut scratch);
            let n = match found.decided_by {
                DecidedBy::Rule => &mut n_named,
                _ => &mut n_others,
            };
            let most = if found.decided_by == DecidedBy::Rule {
                most
            } else {
                most / 4
            };
            if *n < most {
                *n += 1;
                self.check((&mutant, &found), &mut scratch, counts)?;
            }
        }
        Ok(())
    }

    /// Holds what was found about a mutant against the game without guidelines, and against the region graph.
    fn check(
        &self,
        (mutant, found): (&NetworkMutant, &Judgement),
        scratch: &mut Scratch,
        counts: &mut Counts,
    ) -> Result<(), String> {
        let (id, (semantics, rules)) = (mutant.id(), self.semantics);
        let steps = mutant.steps();
        let order = steps.len();
        let mut count = |what: String| *counts.entry(what).or_default() += 1;
        let (by_game, _) = self.plain.decide(mutant, scratch);
        // A limit was hit, or steps are hidden.
        if [found.verdict, by_game.verdict].contains(&Verdict::Unknown) {
            count(format!("order {order}: unknown"));
            return Ok(());
        }
        if found.verdict != by_game.verdict {
            return Err(format!(
                "{id} under {semantics}: {found:?}, but {by_game:?} without guidelines"
            ));
        }
        let mutated = in_turn(self.families, self.tested, &steps).net();
        let most = MOST + i64::try_from(order).unwrap();
        let expected =
            by_regions((&mutated, self.net), rules, most, MAX_PAIRS).map_err(|error| format!("{id}: {error}"))?;
        let Some(expected) = expected else {
            count(format!("order {order}: too large"));
            return Ok(());
        };
        if expected == Verdict::Invalid {
            return Err(format!("{id} leaves a range"));
        }
        if found.verdict != expected {
            return Err(format!(
                "{id} under {semantics}: {found:?}, but {expected:?} on the region graph"
            ));
        }
        let by = found.decided_by.name();
        count(format!("order {order}: mutants"));
        count(format!("order {order}: {} by {by}", found.verdict.name()));
        for step in &steps {
            let several = match self.components[step.component].processes.len() {
                1 => "instance",
                _ => "template",
            };
            match found.decided_by {
                DecidedBy::Rule => count(format!("order {order}: rule {}: {several}", rule(&step.mutation))),
                DecidedBy::Congruence => {
                    count(format!("order {order}: congruence: {several} {}", form(&step.mutation)))
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Compares the verdicts on mutants of `families`.
fn compare(families: &Families, random: &mut Random, counts: &mut Counts) -> Result<(), String> {
    let xml = families.xml();
    let net = families.net();
    let (file, _) = read_network("net.xml", xml.as_bytes()).map_err(|error| error.to_string())?;
    let view = view(&net, &file);
    if compose(&file.network, &view, &Budget::unlimited()).is_err() {
        return Ok(());
    }
    let semantics = ALL[random.below(3)];
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
    let components = components(&file.network, &view, &file.templates, &[], scope).map_err(|e| e.to_string())?;
    check_numbers(&families, &components, &tested)?;
    let judge = |statics, engine| {
        let limits = Limits {
            max_states: Some(MAX_STATES),
            ..Limits::default()
        };
        judge_within((&file, &view), &components, (semantics.0, statics, engine), limits)
    };
    let engine = [Engine::Family, Engine::Enumerate][random.below(2)];
    let (Ok(quick), Ok(plain)) = (judge(StaticUse::Use, Engine::Family), judge(StaticUse::Off, engine)) else {
        return Ok(());
    };
    let subject = Subject {
        families: &families,
        net: &net,
        network: (&file, &view),
        components: &components,
        tested: &tested,
        semantics,
        quick,
        plain,
    };
    subject.first_order((random, 24), counts)?;
    subject.second_order((random, 4), counts)
}

/// With `TAMPER_CASES=1500` more than 15,000 mutants; from there on each rule names some.
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
        if let Err(message) = compare(&families, &mut source, &mut counts) {
            panic!("seed {seed}, network {case}: {message}\n{}", families.xml());
        }
    }
    for (what, n) in &counts {
        println!("{n:>8} {what}");
    }
    println!("seed {seed}, {cases} networks");
    let of = |start: &str| {
        let found = counts.iter().filter(|(what, _)| what.starts_with(start));
        found.map(|(_, n)| n).sum::<u64>()
    };
    for what in [
        "order 1: rule L1: template",
        "order 1: rule L2: template",
        "order 1: rule L4",
        "order 1: rule L6",
        "order 1: subsumed by congruence",
        "order 2: subsumed by rule",
    ] {
        assert!(of(what) > 0, "{what}: {counts:?}");
    }
    if cases >= 1_500 {
        for (rule, _) in RULES {
            for order in [1, 2] {
                let what = format!("order {order}: rule {rule}:");
                assert!(of(&what) > 0, "{what}: {counts:?}");
            }
        }
    }
}
