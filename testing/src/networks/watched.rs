//! What of a network can be seen, by sets of regions: the states in which a network may be after a timed word of what is seen.
//!
//! Time is counted in whole units of a net whose constants are scaled; one more clock than the net has is the stopwatch. A set of
//! regions without caps is exact: resets and elapsing time lead from all of a region to all of others, forwards and back.

use std::collections::{BTreeSet, HashSet, VecDeque};

use super::flat::{Discrete, Flat, Region, Step};
use super::nets::{Net, Update};
use super::shown::HIDDEN;
use super::verdicts::regions;
use crate::oracle::clocks::{ClockSpace, Regions};
use tamper_timed::model::Cmp;

/// The net with a unit of time that is `factor` times smaller.
pub fn scaled(net: &Net, factor: i64) -> Net {
    let mut net = net.clone();
    for process in &mut net.procs {
        let edges = process.edges.iter_mut();
        let guards = edges.flat_map(|edge| {
            for update in &mut edge.updates {
                if let Update::Reset(_, value) = update {
                    *value *= factor;
                }
            }
            &mut edge.clocks
        });
        guards.for_each(|atom| atom.number *= factor);
        for loc in &mut process.locs {
            loc.invariant.iter_mut().for_each(|atom| atom.number *= factor);
        }
    }
    net
}

/// A state, or one of many.
pub type At = (Discrete, Region);
/// Where a net may be.
pub type Set = BTreeSet<(Discrete, Vec<(i64, u8)>)>;

/// A variable left its range, or there are too many states.
#[derive(Debug)]
pub struct Stop;

pub struct Watch<'a> {
    flat: Flat<'a>,
    /// The actions that it has, if it stays where it is when others happen.
    known: Option<BTreeSet<String>>,
}

fn key(region: &Region) -> Vec<(i64, u8)> {
    let number = |clock: &crate::oracle::clocks::ClockRegion| match clock {
        crate::oracle::clocks::ClockRegion::Known(whole, rank) => (*whole, *rank),
        crate::oracle::clocks::ClockRegion::Above => panic!("no clock gets there"),
    };
    region.iter().map(number).collect()
}

fn region(key: &[(i64, u8)]) -> Region {
    key.iter()
        .map(|(whole, rank)| crate::oracle::clocks::ClockRegion::Known(*whole, *rank))
        .collect()
}

/// The space in which clocks are known up to `most`.
pub fn space(net: &Net, most: i64) -> Regions {
    regions(net.n_clocks + 1, most)
}

impl<'a> Watch<'a> {
    pub fn new(net: &'a Net, original: &'a Net, space: &'a Regions) -> Self {
        let flat = Flat {
            net,
            original,
            space,
            offset: 0,
        };
        Self { flat, known: None }
    }

    /// The same, ignoring actions that it has in neither direction.
    pub fn ignoring(self) -> Self {
        Self {
            known: Some(self.flat.alphabet()),
            ..self
        }
    }

    fn ignores(&self, action: &str) -> bool {
        let (Some(known), Some(name)) = (&self.known, action.strip_suffix(['!', '?'])) else {
            return false;
        };
        !["!", "?"].iter().any(|mark| known.contains(&format!("{name}{mark}")))
    }

    fn stopwatch(&self) -> usize {
        self.flat.net.n_clocks
    }

    pub fn start(&self) -> Option<At> {
        let at = (self.flat.initial(), self.flat.started(self.flat.space.origin()));
        self.flat.exists(&at.0, &at.1).then_some(at)
    }

    pub fn steps(&self, (state, region): &At) -> Result<Vec<Step>, Stop> {
        self.flat.steps(state, region).map_err(|_| Stop)
    }

    pub fn is_atomic(&self, (state, _): &At) -> bool {
        self.flat.is_atomic(state)
    }

    /// The next region, if time may pass.
    fn next(&self, (state, region): &At) -> Option<At> {
        let later = self.flat.space.later(region);
        let may = self.flat.passes(state, region, &later);
        may.then(|| (state.clone(), later))
    }

    /// A point of whole numbers one unit later, if time may pass.
    pub fn tick(&self, at: &At) -> Option<At> {
        let (state, region) = self.next(&self.next(at)?)?;
        Some((state, self.flat.space.reset(&region, self.stopwatch(), 0)))
    }

    /// What is reached by time and hidden steps, `span` in all.
    fn follow(&self, start: Vec<At>, span: i64) -> Result<Set, Stop> {
        let mut known: HashSet<At> = HashSet::new();
        let mut waiting: VecDeque<At> = start.into();
        let mut now = Set::new();
        while let Some(at) = waiting.pop_front() {
            if known.len() > 4_000 {
                return Err(Stop);
            }
            if !known.insert(at.clone()) {
                continue;
            }
            let hidden = self.steps(&at)?.into_iter().filter(|step| step.action == HIDDEN);
            waiting.extend(hidden.map(|step| (step.target, step.region)));
            if self.flat.space.holds(&at.1, self.stopwatch(), None, Cmp::Eq, span) {
                let reset = self.flat.space.reset(&at.1, self.stopwatch(), 0);
                now.insert((at.0.clone(), key(&reset)));
            } else {
                waiting.extend(self.next(&at));
            }
        }
        Ok(now)
    }

    pub fn first(&self) -> Result<Set, Stop> {
        self.follow(self.start().into_iter().collect(), 0)
    }

    pub fn after_tick(&self, set: &Set) -> Result<Set, Stop> {
        self.follow(points(set).collect(), 1)
    }

    pub fn after(&self, set: &Set, action: &str) -> Result<Set, Stop> {
        let mut reached = Vec::new();
        for at in points(set) {
            let steps = self.steps(&at)?.into_iter().filter(|step| step.action == action);
            reached.extend(steps.map(|step| (step.target, step.region)));
        }
        self.follow(reached, 0)
    }

    /// The inputs that are accepted wherever the net may be; none where one of the states is atomic.
    pub fn accepted(&self, set: &Set) -> Result<BTreeSet<String>, Stop> {
        let mut all: Option<BTreeSet<String>> = None;
        for at in points(set) {
            let inputs = self.steps(&at)?.into_iter().map(|step| step.action);
            let inputs: BTreeSet<String> = inputs.filter(|action| action.ends_with('?')).collect();
            let here = if self.is_atomic(&at) { BTreeSet::new() } else { inputs };
            all = Some(match all {
                Some(all) => all.intersection(&here).cloned().collect(),
                None => here,
            });
        }
        Ok(all.unwrap_or_default())
    }

    /// Whether the input is refused here, and after all hidden steps that take no time, none of which is atomic.
    pub fn refuses(&self, at: &At, input: &str) -> Result<bool, Stop> {
        let mut known = vec![at.clone()];
        let mut next = 0;
        while let Some(at) = known.get(next).cloned() {
            next += 1;
            if self.is_atomic(&at) {
                return Ok(false);
            }
            for step in self.steps(&at)? {
                if step.action == input {
                    return Ok(false);
                }
                let target = (step.target, step.region);
                if step.action == HIDDEN && !known.contains(&target) {
                    known.push(target);
                }
            }
        }
        Ok(true)
    }
}

fn points(set: &Set) -> impl Iterator<Item = At> {
    set.iter().map(|(state, key)| (state.clone(), region(key)))
}

/// Whether some run of `left`, of at most `depth` steps and `ticks` units of time, tells it from `right`.
pub fn differ(left: &Watch<'_>, right: &Watch<'_>, (depth, ticks): (usize, i64)) -> Result<bool, Stop> {
    let Some(start) = left.start() else { return Ok(false) };
    let mut known = HashSet::new();
    let mut waiting = VecDeque::from([(start, right.first()?, depth, ticks)]);
    while let Some((at, set, depth, ticks)) = waiting.pop_front() {
        if known.len() > 1_500 {
            return Err(Stop);
        }
        if !known.insert((at.0.clone(), key(&at.1), set.clone())) || depth == 0 {
            continue;
        }
        let steps = left.steps(&at)?;
        for step in steps.iter().filter(|step| !step.action.ends_with('?')) {
            let next = match step.action.as_str() {
                HIDDEN => set.clone(),
                action => right.after(&set, action)?,
            };
            if next.is_empty() {
                return Ok(true);
            }
            waiting.push_back(((step.target.clone(), step.region.clone()), next, depth - 1, ticks));
        }
        if !left.is_atomic(&at) {
            for input in right.accepted(&set)? {
                let answers: HashSet<At> = steps
                    .iter()
                    .filter(|step| step.action == input)
                    .map(|step| (step.target.clone(), step.region.clone()))
                    .collect();
                if answers.is_empty() && left.refuses(&at, &input)? {
                    return Ok(true);
                }
                if answers.len() == 1 {
                    let target = answers.into_iter().next().expect("one");
                    waiting.push_back((target, right.after(&set, &input)?, depth - 1, ticks));
                }
            }
        }
        if ticks > 0
            && let Some(later) = left.tick(&at)
        {
            let next = right.after_tick(&set)?;
            if next.is_empty() {
                return Ok(true);
            }
            waiting.push_back((later, next, depth - 1, ticks - 1));
        }
    }
    Ok(false)
}

/// What an observation consists of, in whole units of time.
#[derive(Clone, Debug)]
pub enum Seen {
    Tick,
    /// [`HIDDEN`] is a hidden step of the left net.
    Step(String),
    Refused(String),
}

/// Whether some run of `left` is this one, and `right` cannot look like it, but can up to the last step or into the last delay.
pub fn confirms(left: &Watch<'_>, right: &Watch<'_>, run: &[Seen]) -> Result<bool, Stop> {
    let Some(start) = left.start() else { return Ok(false) };
    walk(left, right, run, (start, right.first()?))
}

fn walk(left: &Watch<'_>, right: &Watch<'_>, run: &[Seen], (at, set): (At, Set)) -> Result<bool, Stop> {
    if set.is_empty() {
        let mut ticks = run.iter();
        let end = ticks.try_fold(at, |at, seen| left.tick(&at).filter(|_| matches!(seen, Seen::Tick)));
        return Ok(end.is_some());
    }
    let Some((first, rest)) = run.split_first() else {
        return Ok(false);
    };
    match first {
        Seen::Tick => match left.tick(&at) {
            Some(later) => walk(left, right, rest, (later, right.after_tick(&set)?)),
            None => Ok(false),
        },
        Seen::Refused(input) => {
            let is_asked = rest.is_empty() && right.accepted(&set)?.contains(input);
            Ok(is_asked && !left.ignores(input) && left.refuses(&at, input)?)
        }
        Seen::Step(action) => {
            let steps: Vec<Step> = left
                .steps(&at)?
                .into_iter()
                .filter(|step| step.action == *action)
                .collect();
            let mut targets: HashSet<At> = steps.into_iter().map(|step| (step.target, step.region)).collect();
            if action.ends_with('?') {
                targets.extend(left.ignores(action).then(|| at.clone()));
                let is_fair = targets.len() == 1 && !left.is_atomic(&at) && right.accepted(&set)?.contains(action);
                if !is_fair {
                    return Ok(false);
                }
            }
            let next = match action.as_str() {
                HIDDEN => set,
                action if right.ignores(action) => set,
                action => right.after(&set, action)?,
            };
            for target in targets {
                if walk(left, right, rest, (target, next.clone()))? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    }
}
