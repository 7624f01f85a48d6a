//! Consistency and refinement of networks on the region graph, from their definitions. Knows no zones, no composition.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::flat::{Discrete, Flat, Region, Step};
use super::nets::Net;
use super::shown::HIDDEN;
use crate::oracle::clocks::{ClockSpace, Limits, Regions};
use crate::oracle::games::game;

/// The verdict on a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    SpecInconsistent,
    Inconsistent,
    Subsumed,
    NonSubsumed,
}

/// Why there is none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Nothing {
    /// A variable of the original leaves its range.
    SpecOutOfRange,
    /// One of the mutant does; with `differs`, a play in which none does shows that the mutant does not refine.
    OutOfRange {
        differs: bool,
    },
    TooLarge,
}

/// Which refinement is meant.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What the other side has in neither direction is ignored.
    pub ignore: bool,
    /// What it has in the other direction is, too, which no semantics means: this tells where it would make a difference.
    pub ignore_clashes: bool,
    pub prune: bool,
}

/// Regions of that many clocks that tell numbers up to `most` apart.
pub fn regions(n_clocks: usize, most: i64) -> Regions {
    let clocks: Vec<String> = (0..n_clocks).map(|at| format!("x{at}")).collect();
    let atoms: Vec<String> = clocks.iter().map(|clock| format!("{clock}<={most}")).collect();
    let text = format!(
        "clock {}\nloc l\nedge l -> l : tau when {}",
        clocks.join(" "),
        atoms.join(" && ")
    );
    Regions::of(&[&game("caps", &text)], Limits::default())
}

/// The reached states of one network, and which of them are consistent.
struct Own {
    alive: HashSet<(Discrete, Region)>,
    starts: bool,
    /// Whether a step leaves a range.
    fails: bool,
    /// Whether a step is hidden.
    hides: bool,
}

struct Node {
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    later: Option<usize>,
}

/// Explores `flat` without the steps that leave a range, and keeps the consistent states (all with `prune` off).
fn own(flat: &Flat<'_>, prune: bool, max: usize) -> Result<Own, Nothing> {
    let (mut fails, mut hides) = (false, false);
    let start = (flat.initial(), flat.started(flat.space.origin()));
    let mut list = Vec::new();
    let mut known = HashMap::new();
    if flat.exists(&start.0, &start.1) {
        known.insert(start.clone(), 0);
        list.push(start);
    }
    let mut graph = Vec::new();
    while graph.len() < list.len() {
        if list.len() > max {
            return Err(Nothing::TooLarge);
        }
        let (state, region): (Discrete, Region) = list[graph.len()].clone();
        let mut index = |entry: (Discrete, Region)| {
            *known.entry(entry.clone()).or_insert_with(|| {
                list.push(entry);
                list.len() - 1
            })
        };
        let mut node = Node {
            inputs: Vec::new(),
            outputs: Vec::new(),
            later: None,
        };
        let (steps, is_faulty) = flat.possible(&state, &region);
        fails |= is_faulty;
        for step in steps {
            hides |= step.action == HIDDEN;
            let target = index((step.target, step.region));
            let moves = if step.action.ends_with('?') {
                &mut node.inputs
            } else {
                &mut node.outputs
            };
            moves.push(target);
        }
        let later = flat.space.later(&region);
        if flat.passes(&state, &region, &later) {
            node.later = Some(index((state, later)));
        }
        graph.push(node);
    }
    let mut alive = vec![true; graph.len()];
    loop {
        let stays =
            |at: usize| alive[at] && graph[at].inputs.iter().all(|to| alive[*to]) && goes_on(&graph, &alive, at);
        let next: Vec<bool> = (0..graph.len()).map(stays).collect();
        if !prune || next == alive {
            break;
        }
        alive = next;
    }
    Ok(Own {
        fails,
        hides,
        starts: alive.first().copied().unwrap_or(false),
        alive: list
            .into_iter()
            .zip(alive)
            .filter(|(_, alive)| *alive)
            .map(|(state, _)| state)
            .collect(),
    })
}

/// Whether an output that stays alive comes, now or after some time, or time can pass for ever.
fn goes_on(graph: &[Node], alive: &[bool], mut at: usize) -> bool {
    let mut seen = HashSet::new();
    loop {
        if graph[at].outputs.iter().any(|to| alive[*to]) || !seen.insert(at) {
            return true;
        }
        match graph[at].later {
            Some(next) if alive[next] => at = next,
            _ => return false,
        }
    }
}

type Pair = (Discrete, Discrete, Region);

struct Both<'a> {
    left: Flat<'a>,
    right: Flat<'a>,
    alone: Regions,
    own: (Own, Own),
    rules: Rules,
    alphabets: [BTreeSet<String>; 2],
    /// Actions in reached pairs that the other side has in the other direction only.
    n_clashes: Cell<u64>,
}

/// The verdict on `mutant`, made from `spec`; numbers are at most `most`.
pub fn decide(mutant: &Net, spec: &Net, rules: Rules, most: i64, max: usize) -> Result<Answer, Nothing> {
    decide_made(mutant, spec, (rules, spec), most, max).map(|(answer, _)| answer)
}

/// The verdict on `mutant` and `spec`, whose channels are used by whom `original` says, too, and how many actions were
/// offered that the other network has in the other direction only.
pub fn decide_made(
    mutant: &Net,
    spec: &Net,
    (rules, original): (Rules, &Net),
    most: i64,
    max: usize,
) -> Result<(Answer, u64), Nothing> {
    let n = spec.n_clocks;
    let (alone, space) = (regions(n, most), regions(2 * n, most));
    let flat = |net, original| Flat {
        net,
        original,
        space: &alone,
        offset: 0,
    };
    let right = own(&flat(spec, spec), rules.prune, max)?;
    if right.fails {
        return Err(Nothing::SpecOutOfRange);
    }
    if !right.starts {
        return Ok((Answer::SpecInconsistent, 0));
    }
    let left = own(&flat(mutant, original), rules.prune, max)?;
    let fails = left.fails;
    let alphabets = [flat(mutant, original).alphabet(), flat(spec, spec).alphabet()];
    let has_inputs = alphabets.iter().flatten().any(|action| action.ends_with('?'));
    if fails && (has_inputs || left.hides || right.hides || !left.starts) {
        return Err(Nothing::OutOfRange { differs: false });
    }
    if !left.starts {
        return Ok((Answer::Inconsistent, 0));
    }
    let both = Both {
        left: Flat {
            net: mutant,
            original,
            space: &space,
            offset: 0,
        },
        right: Flat {
            net: spec,
            original: spec,
            space: &space,
            offset: n,
        },
        own: (left, right),
        alone: regions(n, most),
        rules,
        alphabets,
        n_clashes: Cell::new(0),
    };
    let answer = match (both.refines(max)?, fails) {
        (refines, true) => return Err(Nothing::OutOfRange { differs: !refines }),
        (true, false) => Answer::Subsumed,
        (false, false) => Answer::NonSubsumed,
    };
    Ok((answer, both.n_clashes.get()))
}

impl Both<'_> {
    fn refines(&self, max: usize) -> Result<bool, Nothing> {
        let origin = self.right.started(self.left.started(self.left.space.origin()));
        let start = (self.left.initial(), self.right.initial(), origin);
        let mut list = vec![start.clone()];
        let mut known = HashMap::from([(start, 0)]);
        let mut graph: Vec<Vec<Vec<usize>>> = Vec::new();
        while graph.len() < list.len() {
            if list.len() > max {
                return Err(Nothing::TooLarge);
            }
            let pair = list[graph.len()].clone();
            let mut index = |pair: Pair| {
                *known.entry(pair.clone()).or_insert_with(|| {
                    list.push(pair);
                    list.len() - 1
                })
            };
            let obligations = self.obligations(&pair);
            let numbered = obligations
                .into_iter()
                .map(|choices| choices.into_iter().map(&mut index).collect());
            graph.push(numbered.collect());
        }
        let mut related = vec![true; graph.len()];
        loop {
            let holds = |at: usize| {
                let mut obligations = graph[at].iter();
                related[at] && obligations.all(|choices| choices.iter().any(|choice| related[*choice]))
            };
            let next: Vec<bool> = (0..graph.len()).map(holds).collect();
            if next == related {
                return Ok(related[0]);
            }
            related = next;
        }
    }

    /// Whether the state is one of the (pruned) network.
    fn allows(&self, is_left: bool, state: &Discrete, region: &Region) -> bool {
        let (own, offset) = if is_left {
            (&self.own.0, 0)
        } else {
            (&self.own.1, self.right.offset)
        };
        let n = self.right.offset;
        let part = self.left.space.project(region, offset..offset + n, &self.alone);
        own.alive.contains(&(state.clone(), part))
    }

    /// Whether the side with these actions stays where it is when `action` happens: it has it in neither direction. What has
    /// no name is never ignored.
    fn ignores(&self, alphabet: &BTreeSet<String>, action: &str) -> bool {
        let Some(name) = action.strip_suffix(['!', '?']) else {
            return false;
        };
        let in_either = ["!", "?"]
            .iter()
            .any(|mark| alphabet.contains(&format!("{name}{mark}")));
        if in_either && !alphabet.contains(action) {
            self.n_clashes.set(self.n_clashes.get() + 1);
        }
        self.rules.ignore && (!in_either || self.rules.ignore_clashes && !alphabet.contains(action))
    }

    /// Each: one of these pairs must be related.
    fn obligations(&self, (m, s, region): &Pair) -> Vec<Vec<Pair>> {
        let mut all = Vec::new();
        let (lefts, rights) = (self.left.possible(m, region).0, self.right.possible(s, region).0);
        if !self.left.is_atomic(m) && !self.right.is_atomic(s) {
            for step in rights.iter().filter(|step| step.action.ends_with('?')) {
                let answers = lefts.iter().filter(|answer| answer.action == step.action);
                let pairs = answers.map(|answer| {
                    (
                        answer.target.clone(),
                        step.target.clone(),
                        self.after(region, answer, step),
                    )
                });
                let mut pairs: Vec<Pair> = pairs.collect();
                if self.ignores(&self.alphabets[0], &step.action) {
                    pairs.push((m.clone(), step.target.clone(), step.region.clone()));
                }
                all.push(pairs);
            }
        }
        for step in lefts.iter().filter(|step| !step.action.ends_with('?')) {
            if !self.allows(true, &step.target, &step.region) {
                continue;
            }
            let answers = rights.iter().filter(|answer| answer.action == step.action);
            let allowed = answers.filter(|answer| self.allows(false, &answer.target, &answer.region));
            let pairs = allowed.map(|answer| {
                (
                    step.target.clone(),
                    answer.target.clone(),
                    self.after(region, step, answer),
                )
            });
            let mut pairs: Vec<Pair> = pairs.collect();
            if self.ignores(&self.alphabets[1], &step.action) {
                pairs.push((step.target.clone(), s.clone(), step.region.clone()));
            }
            all.push(pairs);
        }
        let later = self.left.space.later(region);
        if self.left.passes(m, region, &later) && self.allows(true, m, &later) {
            let follows = self.right.passes(s, region, &later) && self.allows(false, s, &later);
            all.push(if follows {
                vec![(m.clone(), s.clone(), later)]
            } else {
                Vec::new()
            });
        } else if !self.left.urgent(m, region) && self.left.space.lasts(region) && self.right.urgent(s, region) {
            // Time passes within the region.
            all.push(Vec::new());
        }
        all
    }

    /// The region after both steps.
    fn after(&self, region: &Region, left: &Step, right: &Step) -> Region {
        let resets = left.resets.iter().chain(&right.resets);
        resets.fold(region.clone(), |region, (clock, value)| {
            self.left.space.reset(&region, *clock, *value)
        })
    }
}
