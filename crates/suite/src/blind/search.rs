//! The search for a word, best first: prefixes of words are ranked by the distance of the tester from winning, in the worst of the
//! states that the mutant can have reached.
//!
//! The states that mutant and specification can have reached after a prefix are a set of pairs with zones. From there everything is
//! followed that both can do until the next input. The delays that are tried are the moments at which something becomes possible or
//! impossible, and moments between them. A prefix is extended only from points where the tester wins when it sees everything: from
//! other points no word wins. Nothing here is trusted: the execution of a word decides whether it kills.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rustc_hash::FxHashSet;

use super::word::{InputWord, Met, PARTS, TimedInput};
use crate::TestCase;
use crate::definite::DefiniteSolution;
use crate::error::SuiteFailure;
use crate::execution::opponent::Ends;
use crate::execution::subject::is_output;
use crate::pairing::{JointMove, Pair, Pairing};
use tamper_game::symbolic::{INITIAL, PairProduct as _};
use tamper_text::Budget;
use tamper_timed::model::ActionId;
use tamper_zones::{Bound, Clock, Dbm, Federation, Variable};

/// The result of the search.
pub(super) enum WordSearchResult {
    Word(TestCase),
    Nothing { looked_at: usize },
}

/// Maximum number of prefixes that are examined.
const MOST_BEGINNINGS: usize = 200;
/// Maximum number of outputs that are followed between two inputs.
const MOST_OUTPUTS: usize = 24;
/// Maximum number of pairs with zones between two inputs.
const MOST_ZONES: usize = 400;
/// Maximum number of delays that are tried after a prefix.
const MOST_DELAYS: usize = 40;

/// A pair of states, and clock values with which it can be entered.
#[derive(Clone, PartialEq, Eq, Hash)]
struct EntryZone {
    pair: Pair,
    zone: Dbm,
}

/// A prefix of a word, and the states that can have been reached after it.
struct Beginning {
    steps: Vec<TimedInput>,
    /// For each input, the outputs since the last one and the specification states met before it.
    met: Vec<Met>,
    entries: Vec<EntryZone>,
}

/// The states that both can reach after a prefix without a further input.
struct SilentSpan {
    zones: Vec<EntryZone>,
    met: Met,
    /// The moment from which on something is left out; `None` if the span is complete.
    until: Option<Since>,
    /// The moment from which on some run of the mutant has stopped time without a fail.
    stops: Option<i64>,
}

/// A moment, and whether the moment itself is excluded.
type Since = (i64, bool);

/// Makes a test of a word, and executes it on the mutant.
type WordExecutor<'r> = &'r dyn Fn(&InputWord<'_>) -> Result<(TestCase, Ends), SuiteFailure>;

/// Searches for a word on which every run of the mutant fails. `solution` is the game of definite killing, solved to the end. The
/// mutant's last clock is `t`, which its game does not know.
pub(super) fn search(
    solution: &DefiniteSolution<'_, '_>,
    run: WordExecutor<'_>,
    budget: &Budget,
) -> Result<WordSearchResult, SuiteFailure> {
    let pairing = solution.pairing;
    let search = WordSearch {
        pairing,
        solution,
        t: Variable::new(pairing.dim() - 2),
    };
    let first = Beginning {
        steps: Vec::new(),
        met: Vec::new(),
        entries: vec![EntryZone {
            pair: (INITIAL, INITIAL),
            zone: Dbm::zero(pairing.dim()),
        }],
    };
    let mut known: FxHashSet<Vec<EntryZone>> = FxHashSet::default();
    let mut beginnings = vec![first];
    let mut waiting = BinaryHeap::from([Reverse((0u64, 0usize))]);
    let mut looked_at = 0;
    while let Some(Reverse((_, at))) = waiting.pop() {
        looked_at += 1;
        if looked_at > MOST_BEGINNINGS {
            break;
        }
        if let Some(reason) = budget.exceeded(looked_at as u64, 0) {
            return Err(reason.into());
        }
        let Some(span) = search.span(&beginnings[at].entries) else {
            continue;
        };
        if let Some(test) = search.tried(&beginnings[at], &span, run)? {
            return Ok(WordSearchResult::Word(test));
        }
        for (step, entries) in search.continuations(&span) {
            let Some(rank) = search.rank(&entries) else { continue };
            if entries.is_empty() || known.insert(entries.clone()) {
                let before = &beginnings[at];
                let steps: Vec<TimedInput> = before.steps.iter().copied().chain([step]).collect();
                let met = before.met.iter().cloned().chain([span.met.clone()]).collect();
                waiting.push(Reverse((rank, beginnings.len())));
                beginnings.push(Beginning { steps, met, entries });
            }
        }
    }
    Ok(WordSearchResult::Nothing {
        looked_at: looked_at.min(MOST_BEGINNINGS),
    })
}

struct WordSearch<'s, 'p, 'a> {
    pairing: &'p Pairing<'a>,
    solution: &'s DefiniteSolution<'p, 'a>,
    t: Variable,
}

impl WordSearch<'_, '_, '_> {
    /// The span reached from `entries`; `None` if even the first moment has too many states: an output that takes time can be
    /// repeated without end, but not at that moment.
    fn span(&self, entries: &[EntryZone]) -> Option<SilentSpan> {
        let mut span = SilentSpan {
            zones: Vec::new(),
            met: Met::new(),
            until: None,
            stops: None,
        };
        let mut layer = entries.to_vec();
        for seen in 0.. {
            if layer.is_empty() {
                break;
            }
            if seen > MOST_OUTPUTS || span.zones.len() > MOST_ZONES {
                span.until = layer.iter().map(|entry| self.since(&entry.zone)).min();
                break;
            }
            let mut next: Vec<EntryZone> = Vec::new();
            for EntryZone { pair, zone } in layer {
                span.met.insert((seen, pair.0));
                let zone = self.pairing.waited(pair, zone);
                for joint in self.pairing.joints(pair) {
                    if is_output(joint.spec) {
                        for after in self.pairing.after(&zone, joint) {
                            let pair = Pairing::target(joint);
                            add(EntryZone { pair, zone: after }, &mut next);
                        }
                    }
                }
                let stops = self.stops(pair, &zone);
                span.stops = span.stops.into_iter().chain(stops).min();
                span.zones.push(EntryZone { pair, zone });
            }
            layer = next;
        }
        (span.until != Some((0, false))).then_some(span)
    }

    fn since(&self, zone: &Dbm) -> Since {
        let bound = zone.bound_lower(self.t);
        (-bound.constant(), bound.is_strict())
    }

    /// The test of the word that ends with this prefix, if every run of the mutant fails it.
    fn tried(
        &self,
        beginning: &Beginning,
        span: &SilentSpan,
        run: WordExecutor<'_>,
    ) -> Result<Option<TestCase>, SuiteFailure> {
        let end = |entry: &EntryZone| {
            let bound = entry.zone.bound_upper(self.t);
            (!bound.is_infinite()).then(|| bound.constant())
        };
        let ends: Option<Vec<i64>> = span.zones.iter().map(end).collect();
        let (Some(ends), None) = (ends, span.until) else {
            return Ok(None);
        };
        let met: Vec<Met> = beginning.met.iter().cloned().chain([span.met.clone()]).collect();
        let (test, ends) = run(&InputWord {
            steps: &beginning.steps,
            met: &met,
            patience: ends.into_iter().max().unwrap_or(0) + PARTS,
        })?;
        Ok(ends.must_fail().then_some(test))
    }

    /// The moment from which on the mutant, somewhere in `zone`, can neither wait any longer nor make an output.
    fn stops(&self, pair: Pair, zone: &Dbm) -> Option<i64> {
        let alive = Federation::from(self.pairing.mutant_alive(pair)?);
        let mut points = Federation::from(zone.clone());
        let mut ends = Federation::empty(zone.dim());
        if self.pairing.may_delay(pair).1 {
            ends = Federation::from_zones(zone.dim(), zone.approached());
            ends.subtract(&alive);
            points.subtract(&alive.delayable());
        }
        for output in self.pairing.outputs(pair) {
            let speaks = self.pairing.mutant_enabled(output);
            points.subtract(&speaks);
            speaks
                .zones()
                .iter()
                .filter_map(Dbm::approached)
                .for_each(|open| ends.subtract_dbm(&open));
        }
        let from = |zone: &Dbm| -zone.bound_lower(self.t).constant();
        points.zones().iter().chain(ends.zones()).map(from).min()
    }

    /// Every input at every delay that is tried, with the entries after it.
    fn continuations(&self, span: &SilentSpan) -> Vec<(TimedInput, Vec<EntryZone>)> {
        let inputs = |entry: &EntryZone| {
            self.pairing
                .inputs(entry.pair)
                .map(|step| step.action)
                .collect::<Vec<ActionId>>()
        };
        let actions: BTreeSet<ActionId> = span.zones.iter().flat_map(inputs).collect();
        let mut all = Vec::new();
        for delay in self.delays(span) {
            let now: Vec<EntryZone> = span.zones.iter().filter_map(|entry| self.at(entry, delay)).collect();
            for action in &actions {
                let entries = now.iter().map(|entry| self.given(entry, *action));
                let Some(entries) = entries.collect::<Option<Vec<_>>>() else {
                    continue;
                };
                let mut merged = Vec::new();
                entries.into_iter().flatten().for_each(|entry| add(entry, &mut merged));
                merged.sort_by_key(|entry: &EntryZone| entry.pair);
                all.push((TimedInput { action: *action, delay }, merged));
            }
        }
        all
    }

    /// The moments at which something becomes possible or impossible, and a moment between each two of them and after the last.
    fn delays(&self, span: &SilentSpan) -> Vec<i64> {
        let mut moments = BTreeSet::from([0]);
        let mut note = |zone: &Dbm| {
            moments.insert(-zone.bound_lower(self.t).constant());
            let upper = zone.bound_upper(self.t);
            if !upper.is_infinite() {
                moments.insert(upper.constant());
            }
        };
        for EntryZone { pair, zone } in &span.zones {
            note(zone);
            let inputs = self.pairing.inputs(*pair);
            let spec = inputs.map(|step| self.pairing.spec_enabled(step));
            let joints = self.pairing.joints(*pair).into_iter();
            for mut enabled in spec.chain(joints.map(|joint| self.pairing.enabled(joint))) {
                enabled.intersect_dbm(zone);
                enabled.zones().iter().for_each(&mut note);
            }
        }
        let moments: Vec<i64> = moments.into_iter().collect();
        let last = moments[moments.len() - 1];
        let between = moments.windows(2).filter_map(|pair| simplest(pair[0], pair[1]));
        let between: Vec<i64> = between.chain([(last / PARTS + 1) * PARTS]).collect();
        let mut all: Vec<i64> = moments.into_iter().chain(between).collect();
        all.sort_unstable();
        all.retain(|delay| {
            span.until.is_none_or(|until| (*delay, false) < until) && span.stops.is_none_or(|stops| *delay <= stops)
        });
        all.truncate(MOST_DELAYS);
        all
    }

    /// The points of the entry at that time.
    fn at(&self, entry: &EntryZone, delay: i64) -> Option<EntryZone> {
        let t = Clock::from(self.t);
        let EntryZone { pair, mut zone } = entry.clone();
        let there =
            zone.constrain(t, Clock::ZERO, Bound::le(delay)) && zone.constrain(Clock::ZERO, t, Bound::le(-delay));
        there.then_some(EntryZone { pair, zone })
    }

    /// The entries after the input; `None` if the specification does not accept it everywhere in `entry`.
    fn given(&self, entry: &EntryZone, action: ActionId) -> Option<Vec<EntryZone>> {
        let mut refused = Federation::from(entry.zone.clone());
        let mut entries = Vec::new();
        for spec in self.pairing.inputs(entry.pair).filter(|step| step.action == action) {
            refused.subtract(&self.pairing.spec_enabled(spec));
            for mutant in self.pairing.mutant_moves(entry.pair, spec) {
                let joint = JointMove { spec, mutant };
                for mut zone in self.pairing.after(&entry.zone, joint) {
                    zone.reset(self.t, 0);
                    let pair = Pairing::target(joint);
                    entries.push(EntryZone { pair, zone });
                }
            }
        }
        refused.is_empty().then_some(entries)
    }

    /// The tester's distance from winning in the worst case; `None` if it does not win from all entries.
    fn rank(&self, entries: &[EntryZone]) -> Option<u64> {
        let mut worst = 0;
        for EntryZone { pair, zone } in entries {
            let position = self.solution.pairs.find(*pair)?;
            let mut rest = Federation::from(zone.clone());
            for piece in &self.solution.pairs[position].winning {
                if rest.is_empty() {
                    break;
                }
                if rest.intersects_dbm(&piece.zone) {
                    worst = worst.max(1 + piece.rank);
                    rest.subtract_dbm(&piece.zone);
                }
            }
            if !rest.is_empty() {
                return None;
            }
        }
        Some(worst)
    }
}

/// Adds the entry unless its points are included already.
fn add(entry: EntryZone, entries: &mut Vec<EntryZone>) {
    let is_in = |one: &EntryZone, other: &EntryZone| one.pair == other.pair && other.zone.includes(&one.zone);
    if entries.iter().any(|known| is_in(&entry, known)) {
        return;
    }
    entries.retain(|known| !is_in(known, &entry));
    entries.push(entry);
}

/// A simple moment between the two: the first whole time unit, else half a unit, else any.
fn simplest(after: i64, before: i64) -> Option<i64> {
    let steps = [PARTS, PARTS / 2, 1];
    let mut found = steps.iter().map(|step| (after / step + 1) * step);
    found.find(|moment| *moment < before)
}
