//! A guide that goes for one mutant after the other, always the nearest one, and plans anew after whatever the program does.
//!
//! What it plans from is where the specification is, and where each mutant may be that could have done the same. Times of outputs
//! are rounded for that: a plan may be a bad one, and the judge, which knows the real times, is not concerned.

use std::collections::VecDeque;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, Zero as _};
use rayon::prelude::*;

use super::hunt::{Hunt, Open};
use super::run::{Fair, Guide};
use crate::suite::subject::is_output;
use crate::suite::walk::{Shown, Walk};
use crate::suite::{Followed, Leg, Reach, SearchLimits, Sought, SuiteFailure, What};
use crate::symbolic::MoveId;
use crate::text::Budget;

/// Most states of the search for a way to one mutant: a program does not wait.
const MOST_STATES: u64 = 20_000;

/// The way to a mutant.
struct Plan {
    mutant: usize,
    /// The specification's moves, each after a delay.
    moves: VecDeque<(MoveId, BigRational)>,
    shown: Shown,
}

/// What the test does at the end of a wait.
enum Act {
    Nothing,
    /// It gives the input that is this move, so long after what the walk knows.
    Give(MoveId, BigRational),
    /// An output should have come.
    Await,
    /// The mutant had its time to show.
    Show,
}

/// Goes for mutants.
pub struct AdaptiveGuide<'h> {
    hunt: &'h Hunt,
    tolerance: &'h BigRational,
    /// What is left for all tests.
    open: &'h mut Open,
    /// What is left in this round.
    sought: Open,
    round: u32,
    walk: Walk,
    /// By mutant: where it may be.
    followed: Vec<Option<Followed>>,
    /// When the last event of the walk counts as having happened.
    entered: BigRational,
    plan: Option<Plan>,
    act: Act,
    has_rested: bool,
    /// The program is where the walk cannot follow.
    is_lost: bool,
    reach: Reach,
    /// The mutants that the test came to, in order.
    pub came_to: Vec<usize>,
}

impl<'h> AdaptiveGuide<'h> {
    /// A test for the `open` ones of a hunt, of a program whose times may be off by `tolerance` time units.
    pub fn new(hunt: &'h Hunt, open: &'h mut Open, tolerance: &'h BigRational) -> Self {
        let start = |at: usize| open.contains(at).then(|| Followed::start(&hunt.quarry[at].subject));
        Self {
            followed: (0..hunt.quarry.len()).map(start).collect(),
            walk: hunt.tester.walk(),
            sought: open.clone(),
            round: 1,
            entered: BigRational::zero(),
            plan: None,
            act: Act::Nothing,
            has_rested: false,
            is_lost: false,
            reach: Reach::default(),
            came_to: Vec::new(),
            hunt,
            tolerance,
            open,
        }
    }

    /// Whether a way leads to one of the mutants that are left.
    pub fn has_way(mut self) -> bool {
        self.planned().is_some()
    }

    /// The test has ended: a mutant that it was on the way to is not gone for in the same way for ever.
    pub fn end(&mut self) {
        self.strayed();
    }

    /// The nearest mutant, and the way to it.
    fn planned(&mut self) -> Option<Plan> {
        let known = |at: usize| {
            let followed = self.followed[at].as_ref()?;
            let subject = &*self.hunt.quarry[at].subject;
            Some((at, Sought { subject, followed }))
        };
        let (mutants, sought): (Vec<usize>, Vec<Sought<'_>>) = self.sought.iter().filter_map(known).unzip();
        let limits = SearchLimits {
            is_over: &|| false,
            budget: &|| Budget {
                max_states: Some(MOST_STATES),
                ..Budget::unlimited()
            },
        };
        let tester = &self.hunt.tester;
        let (at, leg) = tester.nearest(&self.walk, &sought, self.hunt.pick, &mut self.reach, limits)?;
        let Leg { moves, shown } = leg;
        Some(Plan {
            mutant: mutants[at],
            moves: moves.into(),
            shown,
        })
    }

    /// What comes next of the plan, and how long after what the walk knows.
    fn next(&self, plan: &Plan) -> (Act, BigRational) {
        let arena = &self.hunt.tester.spec().arena;
        let longest = BigRational::from_integer(self.hunt.longest.into());
        match (plan.moves.front(), &plan.shown) {
            (Some((at, delay)), _) if is_output(&arena.moves[*at]) => {
                let patience = self.silence().unwrap_or_else(|| delay + longest);
                (Act::Await, patience)
            }
            (Some((at, delay)), _) | (None, Shown::Refused(at, delay)) => {
                (Act::Give(*at, delay.clone()), delay.clone())
            }
            (None, Shown::Output { from, until }) => (Act::Show, until.min(&(from + longest)).clone()),
            (None, Shown::Overdue) => (Act::Show, self.silence().unwrap_or(longest)),
        }
    }

    /// How much longer it takes until silence is certainly wrong, if it becomes so.
    fn silence(&self) -> Option<BigRational> {
        let end = self.hunt.tester.longest_silence(&self.walk)?;
        Some(end - &self.walk.waited + self.tolerance + BigRational::one())
    }

    /// Rests, then begins another round; nothing if all are done.
    fn rest(&mut self) -> Option<BigRational> {
        self.act = Act::Nothing;
        if !std::mem::replace(&mut self.has_rested, true) {
            return Some(BigRational::from_integer(self.hunt.longest.into()));
        }
        if self.round >= self.hunt.rounds {
            return None;
        }
        self.round += 1;
        self.has_rested = false;
        let Hunt { tester, quarry, .. } = self.hunt;
        self.sought = Open::all(quarry.len());
        for (at, quarry) in quarry.iter().enumerate() {
            self.followed[at] = Followed::beside(tester.spec(), &quarry.subject, &self.walk);
            if self.followed[at].is_none() {
                self.sought.close(at);
            }
        }
        Some(BigRational::zero())
    }

    /// The test came to where the planned mutant would show.
    fn came(&mut self) {
        if let Some(plan) = &self.plan {
            self.shown(plan.mutant);
        }
    }

    /// The mutant would have shown.
    fn shown(&mut self, mutant: usize) {
        if self.open.contains(mutant) {
            self.came_to.push(mutant);
        }
        self.close(mutant);
    }

    /// The program did not go along.
    fn strayed(&mut self) {
        if let Some(plan) = self.plan.take() {
            self.sought.tried(plan.mutant);
            if self.round == 1 {
                self.open.tried(plan.mutant);
            }
        }
    }

    fn close(&mut self, mutant: usize) {
        self.sought.close(mutant);
        self.open.close(mutant);
        if self.plan.as_ref().is_some_and(|plan| plan.mutant == mutant) {
            self.plan = None;
        }
    }

    /// The specification was in one place until `until` after its last event: mutants that could have been wrong there have been come
    /// to.
    fn stayed(&mut self, until: &BigRational, has_come: bool) {
        let had_a_chance = |at: &usize| {
            let subject = &*self.hunt.quarry[*at].subject;
            let followed = self.followed[*at].as_ref();
            followed.is_some_and(|followed| {
                let sought = Sought { subject, followed };
                self.hunt.tester.had_a_chance(&self.walk, until, has_come, sought)
            })
        };
        let sought: Vec<usize> = self.sought.iter().collect();
        let shown: Vec<usize> = sought.into_par_iter().filter(had_a_chance).collect();
        shown.into_iter().for_each(|mutant| self.shown(mutant));
    }

    /// All mutants do what the walk did; those that cannot are none that the program may be.
    fn follow(&mut self) {
        let (hunt, walk, sought) = (self.hunt, &self.walk, &self.sought);
        self.followed.par_iter_mut().enumerate().for_each(|(at, followed)| {
            if let Some(followed) = followed.as_mut().filter(|_| sought.contains(at)) {
                followed.follow(&hunt.quarry[at].subject, walk);
            }
        });
        let left_behind = |at: &usize| self.followed[*at].as_ref().is_some_and(Followed::is_left_behind);
        let gone: Vec<usize> = self.sought.iter().filter(left_behind).collect();
        gone.into_iter().for_each(|mutant| self.close(mutant));
    }

    /// Nothing came until `now`.
    fn waited(&mut self, now: &BigRational) {
        let waited = now - &self.entered;
        // Within the tolerance silence may be longer than the specification's.
        let end = self.hunt.tester.longest_silence(&self.walk);
        self.walk.waited = end.map_or(waited.clone(), |end| end.min(waited));
        let waited = self.walk.waited.clone();
        self.stayed(&waited, false);
    }

    /// The specification has made this move, so long after its last event.
    fn moved(&mut self, at: MoveId, delay: &BigRational, is_output: bool) {
        self.stayed(delay, is_output);
        self.entered += delay;
        self.hunt.tester.takes(&mut self.walk, at, delay);
        self.follow();
    }

    fn gave(&mut self, at: MoveId, delay: &BigRational) {
        let delay = &self.walk.waited + delay;
        let was_last = self.plan.as_mut().is_none_or(|plan| plan.moves.pop_front().is_none());
        if was_last {
            self.came();
        }
        self.moved(at, &delay, false);
    }

    fn heard(&mut self, label: &str, now: &BigRational) {
        let (tester, delay) = (&self.hunt.tester, now - &self.entered);
        let Some((at, moment)) = tester.nearest_output(&self.walk, label, &delay, self.tolerance) else {
            self.is_lost = true;
            return;
        };
        let next = self.plan.as_mut().and_then(|plan| plan.moves.pop_front());
        let is_planned = next.is_some_and(|(planned, delay)| planned == at && &self.walk.waited + delay == moment);
        self.moved(at, &moment, true);
        if !is_planned {
            self.strayed();
        }
    }
}

impl Guide for AdaptiveGuide<'_> {
    fn wait(&mut self, now: &BigRational) -> Option<BigRational> {
        if self.is_lost {
            return None;
        }
        let Some(plan) = self.plan.take().or_else(|| self.planned()) else {
            return self.rest();
        };
        self.has_rested = false;
        let (act, delay) = self.next(&plan);
        self.act = act;
        self.plan = Some(plan);
        let due = &self.entered + &self.walk.waited + delay;
        Some((due - now).max(BigRational::from_integer(BigInt::zero())))
    }

    fn give(&mut self, now: &BigRational, fair: &mut Fair<'_>) -> Result<Option<String>, SuiteFailure> {
        match &self.act {
            Act::Nothing => self.waited(now),
            Act::Await => {
                self.waited(now);
                self.strayed();
            }
            Act::Show => {
                self.waited(now);
                self.came();
            }
            Act::Give(at, _) => {
                let spec = self.hunt.tester.spec();
                let label = &spec.labels[spec.arena.moves[*at].action];
                if fair()?.contains(label) {
                    return Ok(Some(label.clone()));
                }
                self.waited(now);
                self.strayed();
            }
        }
        self.act = Act::Nothing;
        Ok(None)
    }

    fn saw(&mut self, what: &What, now: &BigRational) {
        match (what, std::mem::replace(&mut self.act, Act::Nothing)) {
            (What::Input(_), Act::Give(at, delay)) => self.gave(at, &delay),
            (What::Output(label), _) => self.heard(label, now),
            _ => self.is_lost = true,
        }
    }
}
