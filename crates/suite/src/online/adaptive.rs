//! A guide that goes for one mutant after the other, always the nearest one, and plans again after each event of the program.
//!
//! A plan starts from the state of the specification, and from the possible states of each mutant that could have done the same.
//! Times of outputs are rounded for that: a plan may be a bad one, but the judge, which knows the real times, is not concerned. A
//! specification that is not deterministic may be in one of several states: the guide plans from one of these guesses, and from
//! another if that one was wrong.

use std::collections::VecDeque;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, Zero as _};
use rayon::prelude::*;

use super::campaign::{AdaptiveCampaign, Open};
use super::run::{AllowedInputs, TestPolicy};
use crate::execution::subject::is_output;
use crate::test_trace::{ExpectedFailure, GRID, TestTrace};
use crate::{Extension, MutantEstimate, Reach, SearchLimits, SuiteFailure, TargetMutant, What};
use tamper_game::symbolic::MoveId;
use tamper_text::Budget;

/// Maximum number of states in the search for a way to one mutant: a program does not wait.
const MOST_STATES: u64 = 20_000;

/// The way to a mutant.
struct MutantRoute {
    mutant: usize,
    /// The specification's moves, each after a delay.
    moves: VecDeque<(MoveId, BigRational)>,
    shown: ExpectedFailure,
}

/// The act of the test at the end of a wait.
enum PlannedAct {
    Nothing,
    /// Gives the input of this move, after this delay from the end of the walk.
    Give(MoveId, BigRational),
    /// An output should have come.
    Await,
    /// The mutant had its time to show.
    Show,
}

/// Maximum number of states in which the specification is taken to be; more are forgotten, which only makes plans worse.
const MOST_GUESSES: usize = 16;

/// A state in which the specification may be.
#[derive(Clone)]
struct Guess {
    walk: TestTrace,
    /// The time at which the last event of the walk counts as having happened.
    entered: BigRational,
}

/// A guide that goes for the mutants of a campaign.
pub struct AdaptiveGuide<'h> {
    campaign: &'h AdaptiveCampaign,
    tolerance: &'h BigRational,
    /// The mutants that each round after the first goes for.
    share: &'h Open,
    /// The mutants that are left for all tests.
    open: &'h mut Open,
    /// The mutants that are left in this round.
    sought: Open,
    round: u32,
    /// The states that the specification may be in; the plan begins at the first.
    guesses: Vec<Guess>,
    /// The possible states of each mutant.
    followed: Vec<Option<MutantEstimate>>,
    plan: Option<MutantRoute>,
    act: PlannedAct,
    has_rested: bool,
    /// The program is in a state to which the walk cannot follow.
    is_lost: bool,
    reach: Reach,
    /// The mutants that the test came to, in order.
    pub came_to: Vec<usize>,
}

impl<'h> AdaptiveGuide<'h> {
    /// A guide for a test of the mutants in `open`, and in later rounds of all mutants in its `share`, against a program whose
    /// times may be off by `tolerance` time units.
    pub fn new(
        campaign: &'h AdaptiveCampaign,
        share: &'h Open,
        open: &'h mut Open,
        tolerance: &'h BigRational,
    ) -> Self {
        let start = |at: usize| {
            open.contains(at)
                .then(|| MutantEstimate::start(&campaign.targets[at].subject))
        };
        Self {
            followed: (0..campaign.targets.len()).map(start).collect(),
            guesses: vec![Guess {
                walk: campaign.tester.walk(),
                entered: BigRational::zero(),
            }],
            sought: open.clone(),
            round: 1,
            plan: None,
            act: PlannedAct::Nothing,
            has_rested: false,
            is_lost: false,
            reach: Reach::default(),
            came_to: Vec::new(),
            campaign,
            tolerance,
            share,
            open,
        }
    }

    /// Whether a way leads to one of the mutants that are left.
    pub fn has_way(mut self) -> bool {
        self.planned().is_some()
    }

    /// Ends the test: the mutant that it was on the way to counts as tried, so it is not tried in the same way for ever.
    pub fn end(&mut self) {
        self.strayed();
    }

    /// The first guess.
    fn walk(&self) -> &TestTrace {
        &self.guesses[0].walk
    }

    /// The nearest mutant, and the way to it.
    fn planned(&mut self) -> Option<MutantRoute> {
        let known = |at: usize| {
            let followed = self.followed[at].as_ref()?;
            let subject = &*self.campaign.targets[at].subject;
            Some((at, TargetMutant { subject, followed }))
        };
        let (mutants, sought): (Vec<usize>, Vec<TargetMutant<'_>>) = self.sought.iter().filter_map(known).unzip();
        let limits = SearchLimits {
            is_over: &|| false,
            budget: &|| Budget {
                max_states: Some(MOST_STATES),
                ..Budget::unlimited()
            },
        };
        let tester = &self.campaign.tester;
        let (at, extension) = tester.nearest(
            &self.guesses[0].walk,
            &sought,
            self.campaign.pick,
            &mut self.reach,
            limits,
        )?;
        let Extension { moves, shown } = extension;
        Some(MutantRoute {
            mutant: mutants[at],
            moves: moves.into(),
            shown,
        })
    }

    /// The next act of the plan, and its delay from the end of the walk.
    fn next(&self, plan: &MutantRoute) -> (PlannedAct, BigRational) {
        let arena = &self.campaign.tester.spec().arena;
        let longest = BigRational::from_integer(self.campaign.longest.into());
        match (plan.moves.front(), &plan.shown) {
            (Some((at, delay)), _) if is_output(&arena.moves[*at]) => {
                let patience = self.silence().unwrap_or_else(|| delay + longest);
                (PlannedAct::Await, patience)
            }
            (Some((at, delay)), _) | (None, ExpectedFailure::Refused(at, delay)) => {
                (PlannedAct::Give(*at, delay.clone()), delay.clone())
            }
            (None, ExpectedFailure::Output { from, until }) => (PlannedAct::Show, until.min(&(from + longest)).clone()),
            (None, ExpectedFailure::Overdue) => (PlannedAct::Show, self.silence().unwrap_or(longest)),
        }
    }

    /// The time until silence is certainly wrong; `None` if it never is.
    fn silence(&self) -> Option<BigRational> {
        let end = self.campaign.tester.longest_silence(self.walk())?;
        Some(end - &self.walk().waited + self.tolerance + BigRational::one())
    }

    /// Rests, then begins another round; `None` if all rounds are done.
    fn rest(&mut self) -> Option<BigRational> {
        self.act = PlannedAct::Nothing;
        if !std::mem::replace(&mut self.has_rested, true) {
            return Some(BigRational::from_integer(self.campaign.longest.into()));
        }
        if self.round >= self.campaign.rounds {
            return None;
        }
        self.round += 1;
        self.has_rested = false;
        let AdaptiveCampaign { tester, targets, .. } = self.campaign;
        self.sought = self.share.clone();
        for at in self.share.iter() {
            self.followed[at] = MutantEstimate::beside(tester.spec(), &targets[at].subject, &self.guesses[0].walk);
            if self.followed[at].is_none() {
                self.sought.close(at);
            }
        }
        Some(BigRational::zero())
    }

    /// Notes that the test has come to where the planned mutant would show.
    fn came(&mut self) {
        if let Some(plan) = &self.plan {
            self.shown(plan.mutant);
        }
    }

    /// Notes that the mutant would have shown.
    fn shown(&mut self, mutant: usize) {
        if self.open.contains(mutant) {
            self.came_to.push(mutant);
        }
        self.close(mutant);
    }

    /// Notes that the program did not follow the plan.
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

    /// Notes that the specification was in one state until the moment `until`: the test has come to the mutants that could have
    /// been wrong in every guess.
    fn stayed(&mut self, until: &BigRational, has_come: bool) {
        let had_a_chance = |at: &usize| {
            let subject = &*self.campaign.targets[*at].subject;
            let Some(followed) = self.followed[*at].as_ref() else {
                return false;
            };
            let sought = TargetMutant { subject, followed };
            let mut guesses = self.guesses.iter();
            guesses.all(|Guess { walk, entered }| {
                let stayed = until - entered;
                self.campaign.tester.had_a_chance(walk, &stayed, has_come, sought)
            })
        };
        let sought: Vec<usize> = self.sought.iter().collect();
        let shown: Vec<usize> = sought.into_par_iter().filter(had_a_chance).collect();
        shown.into_iter().for_each(|mutant| self.shown(mutant));
    }

    /// Follows all mutants along the first guess; the program cannot be a mutant that cannot follow.
    fn follow(&mut self) {
        let (campaign, walk, sought) = (self.campaign, &self.guesses[0].walk, &self.sought);
        self.followed.par_iter_mut().enumerate().for_each(|(at, followed)| {
            if let Some(followed) = followed.as_mut().filter(|_| sought.contains(at)) {
                followed.follow(&campaign.targets[at].subject, walk);
            }
        });
        let left_behind = |at: &usize| self.followed[*at].as_ref().is_some_and(MutantEstimate::is_left_behind);
        let gone: Vec<usize> = self.sought.iter().filter(left_behind).collect();
        gone.into_iter().for_each(|mutant| self.close(mutant));
    }

    /// Notes that nothing came until `now`.
    fn waited(&mut self, now: &BigRational) {
        self.drop_overdue(now);
        // A plan is made in small parts of a unit, whatever the clock on the wall says.
        let grid = BigRational::from_integer(GRID.into());
        let mut until = None;
        for Guess { walk, entered } in &mut self.guesses {
            let waited = ((now - &*entered) * &grid).floor() / &grid;
            // Within the tolerance silence may be longer than the specification's.
            walk.waited = self.campaign.tester.still_silent(walk, waited);
            until.get_or_insert_with(|| &*entered + &walk.waited);
        }
        if let Some(until) = until {
            self.stayed(&until, false);
        }
    }

    /// Forgets guesses in which something would have come by now, unless these are all guesses.
    fn drop_overdue(&mut self, now: &BigRational) {
        let is_possible = |guess: &Guess| {
            let end = self.campaign.tester.longest_silence(&guess.walk);
            end.is_none_or(|end| now - &guess.entered <= end + self.tolerance)
        };
        if let Some(first) = self
            .guesses
            .iter()
            .position(is_possible)
            .filter(|_| self.guesses.len() > 1)
        {
            self.guesses = self
                .guesses
                .iter()
                .filter(|guess| is_possible(guess))
                .cloned()
                .collect();
            if first > 0 {
                self.strayed();
            }
        }
    }

    /// Continues each guess by its moves, each with a delay after the guess's last event. The moves of the first guess come first.
    fn moved(&mut self, moves: Vec<Vec<(MoveId, BigRational)>>) {
        let mut next: Vec<Guess> = Vec::new();
        for (guess, moves) in std::mem::take(&mut self.guesses).into_iter().zip(moves) {
            for (at, delay) in moves {
                let mut guess = guess.clone();
                guess.entered += &delay;
                self.campaign.tester.takes(&mut guess.walk, at, &delay);
                let is_new = !next
                    .iter()
                    .any(|known| known.walk.is_where(&guess.walk) && known.entered == guess.entered);
                if is_new && next.len() < MOST_GUESSES {
                    next.push(guess);
                }
            }
        }
        self.guesses = next;
        self.follow();
    }

    fn gave(&mut self, at: MoveId, delay: &BigRational) {
        let was_last = self.plan.as_mut().is_none_or(|plan| plan.moves.pop_front().is_none());
        if was_last {
            self.came();
        }
        let now = &self.guesses[0].entered + &self.walk().waited + delay;
        self.stayed(&now, false);
        let spec = self.campaign.tester.spec();
        let action = spec.arena.moves[at].action;
        let moves = self
            .guesses
            .iter()
            .enumerate()
            .map(|(position, Guess { walk, entered })| {
                let delay = &now - entered;
                let mut moves = self.campaign.tester.moves_at(walk, action, &delay);
                if position == 0 {
                    // The planned move comes first, whichever others there are.
                    moves.retain(|other| *other != at);
                    moves.insert(0, at);
                }
                moves.into_iter().map(|at| (at, delay.clone())).collect()
            });
        self.moved(moves.collect());
    }

    fn heard(&mut self, label: &str, now: &BigRational) {
        let near = |Guess { walk, entered }: &Guess| {
            self.campaign
                .tester
                .outputs_near(walk, label, &(now - entered), self.tolerance)
        };
        let moves: Vec<_> = self.guesses.iter().map(near).collect();
        let Some(first) = moves.iter().position(|moves| !moves.is_empty()) else {
            self.is_lost = true;
            return;
        };
        let (at, moment) = moves[first][0].clone();
        let next = self.plan.as_mut().and_then(|plan| plan.moves.pop_front());
        let is_planned =
            next.is_some_and(|(planned, delay)| first == 0 && planned == at && &self.walk().waited + delay == moment);
        let guess = &self.guesses[first];
        self.stayed(&(&guess.entered + moment), true);
        self.moved(moves);
        if !is_planned {
            self.strayed();
        }
    }
}

impl TestPolicy for AdaptiveGuide<'_> {
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
        let due = &self.guesses[0].entered + &self.walk().waited + delay;
        Some((due - now).max(BigRational::from_integer(BigInt::zero())))
    }

    fn give(&mut self, now: &BigRational, fair: &mut AllowedInputs<'_>) -> Result<Option<String>, SuiteFailure> {
        match &self.act {
            PlannedAct::Nothing => self.waited(now),
            PlannedAct::Await => {
                self.waited(now);
                self.strayed();
            }
            PlannedAct::Show => {
                self.waited(now);
                self.came();
            }
            PlannedAct::Give(at, _) => {
                let spec = self.campaign.tester.spec();
                let label = &spec.labels[spec.arena.moves[*at].action];
                if fair()?.contains(label) {
                    return Ok(Some(label.clone()));
                }
                self.waited(now);
                self.strayed();
            }
        }
        self.act = PlannedAct::Nothing;
        Ok(None)
    }

    fn saw(&mut self, what: &What, now: &BigRational) {
        match (what, std::mem::replace(&mut self.act, PlannedAct::Nothing)) {
            (What::Input(_), PlannedAct::Give(at, delay)) => self.gave(at, &delay),
            (What::Output(label), _) => self.heard(label, now),
            _ => self.is_lost = true,
        }
    }
}
