//! Which mutants one trace shows together, on regions: an explicit finite graph, no zones, no code of the engine.
//!
//! A position is a place of the specification, what became of each mutant, and a class of all clocks. The specification moves
//! along the trace; a mutant that was not shown yet follows, by any of its answers, or is lost, or is shown: by a wrong output,
//! by refusing the trace's input, or, beside the trace's next output or its end, by staying silent until it makes a wrong
//! output later or the specification's silence is overdue.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};

use tamper::experiment::killing::{Candidate, Generated, KillGoal, Strategy as Choice, generate};
use tamper::experiment::{Limits as RunLimits, Timer};
use tamper::model::{ActionId, Automaton};
use tamper::suite::{Refusals, Style, SuiteFailure};
use tamper::text::Budget;

use crate::suites::adversary::{Case, case};
use testing::oracle::clocks::{ClockSpace, Limits, Regions, has_diagonals};
use testing::oracle::play::{Place, Player};
use testing::oracle::{apply, run};

/// Most positions that are looked at.
const MOST: usize = 30_000;

/// What became of a mutant.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Own {
    At(Place),
    Shown,
    Lost,
}

type Position<C> = (Place, Vec<Own>, <C as ClockSpace>::Point);

struct Search<'a, C: ClockSpace> {
    space: C,
    spec: Player<'a>,
    mutants: Vec<Player<'a>>,
}

/// The sets of mutants that some trace shows, as bits; none if there is too much to look at.
fn shown_together(spec: &Automaton, mutants: &[&Automaton]) -> Option<HashSet<u32>> {
    let games: Vec<&Automaton> = [spec].into_iter().chain(mutants.iter().copied()).collect();
    let mut offset = 0;
    let mut players = Vec::new();
    for game in &games {
        players.push(Player { game, offset });
        offset += game.clocks().len();
    }
    let spec = players.remove(0);
    let search: Search<'_, Regions> = Search {
        space: ClockSpace::of(&games, Limits::of(&games)),
        spec,
        mutants: players,
    };
    let own = search.mutants.iter().map(|mutant| Own::At(mutant.start())).collect();
    let start = (search.spec.start(), own, search.space.origin());
    let key = |(s, own, point): &Position<Regions>| (s.clone(), own.clone(), search.space.class(point));
    let mut known = HashSet::from([key(&start)]);
    let mut waiting = vec![start];
    let mut found = HashSet::new();
    while let Some(position) = waiting.pop() {
        // The trace may end here.
        found.insert(bits(&search.silenced(&position)));
        for next in search.nexts(&position) {
            if known.insert(key(&next)) {
                waiting.push(next);
            }
        }
        if known.len() > MOST {
            return None;
        }
    }
    Some(found)
}

fn bits(own: &[Own]) -> u32 {
    (0..own.len())
        .filter(|at| own[*at] == Own::Shown)
        .map(|at| 1 << at)
        .sum()
}

impl<C: ClockSpace> Search<'_, C> {
    fn nexts(&self, position: &Position<C>) -> Vec<Position<C>> {
        let (s, own, point) = position;
        let own: Vec<Own> = self
            .mutants
            .iter()
            .zip(own)
            .map(|pair| self.heard(pair, (s, point)))
            .collect();
        let heard = (s.clone(), own, point.clone());
        let mut nexts = Vec::new();
        for is_input in [true, false] {
            for action in self.spec.actions(is_input) {
                let moves = self.spec.moves(&self.space, s, point, action);
                let own = if is_input {
                    heard.1.clone()
                } else {
                    self.silenced(&heard)
                };
                for (s_next, middle) in moves {
                    nexts.extend(self.followed(&own, (&s_next, &middle), (action, is_input)));
                }
            }
        }
        let later = self.space.later(point);
        if self.stays(&self.spec, s, point, &later) {
            let mut own = heard.1.clone();
            for (mutant, own) in self.mutants.iter().zip(&mut own) {
                if matches!(own, Own::At(m) if !self.stays(mutant, m, point, &later)) {
                    *own = Own::Lost;
                }
            }
            nexts.push((s.clone(), own, later));
        } else {
            nexts.push(heard);
        }
        nexts
    }

    /// A mutant that makes a wrong output now is shown.
    fn heard(&self, (mutant, own): (&Player<'_>, &Own), (s, point): (&Place, &C::Point)) -> Own {
        let Own::At(m) = own else { return own.clone() };
        let is_wrong = |action| {
            let same = self.spec.same_action(mutant.game, action);
            let moves = mutant.moves(&self.space, m, point, action);
            let wrong =
                |middle: &C::Point| same.is_none_or(|same| self.spec.moves(&self.space, s, middle, same).is_empty());
            moves.iter().any(|(_, middle)| wrong(middle))
        };
        let mut outputs = mutant.actions(false);
        if outputs.any(is_wrong) { Own::Shown } else { own.clone() }
    }

    fn stays(&self, player: &Player<'_>, place: &Place, point: &C::Point, later: &C::Point) -> bool {
        !player.is_urgent(&self.space, place, point) && player.exists(&self.space, place, later)
    }

    /// Every way in which the mutants follow an action of the trace.
    fn followed(
        &self,
        own: &[Own],
        (s, point): (&Place, &C::Point),
        (action, is_input): (ActionId, bool),
    ) -> Vec<Position<C>> {
        let mut all = vec![(Vec::new(), point.clone())];
        for (mutant, own) in self.mutants.iter().zip(own) {
            let mut longer = Vec::new();
            for (before, point) in all {
                let with = |last: Own| [before.as_slice(), &[last]].concat();
                let Own::At(m) = own else {
                    longer.push((with(own.clone()), point));
                    continue;
                };
                let same = mutant.same_action(self.spec.game, action);
                let answers = same.map_or(Vec::new(), |same| mutant.moves(&self.space, m, &point, same));
                if answers.is_empty() {
                    longer.push((with(if is_input { Own::Shown } else { Own::Lost }), point.clone()));
                }
                longer.extend(answers.into_iter().map(|(m, point)| (with(Own::At(m)), point)));
            }
            all = longer;
        }
        let done = |(own, mut point): (Vec<Own>, C::Point)| {
            for (mutant, own) in self.mutants.iter().zip(&own) {
                if !matches!(own, Own::At(_)) {
                    // Its clocks say nothing any longer.
                    point = mutant
                        .range()
                        .fold(point, |point, clock| self.space.reset(&point, clock, 0));
                }
            }
            (s.clone(), own, point)
        };
        all.into_iter().map(done).collect()
    }

    /// The mutants that can be silent until the specification's silence is overdue are shown.
    fn silenced(&self, (s, own, point): &Position<C>) -> Vec<Own> {
        let shown = |(mutant, own): (&Player<'_>, &Own)| match own {
            Own::At(m) if self.is_shown_later(s, (mutant, m), point) => Own::Shown,
            _ => own.clone(),
        };
        self.mutants.iter().zip(own).map(shown).collect()
    }

    fn is_shown_later(&self, s: &Place, (mutant, m): (&Player<'_>, &Place), point: &C::Point) -> bool {
        let mut point = point.clone();
        let mut known = HashSet::new();
        while known.insert(self.space.class(&point)) {
            let later = self.space.later(&point);
            if self.heard((mutant, &Own::At(m.clone())), (s, &point)) == Own::Shown {
                return true;
            }
            if mutant.is_urgent(&self.space, m, &point) {
                return false;
            }
            let leaves = mutant.exists(&self.space, m, &later);
            if self.spec.is_urgent(&self.space, s, &point) {
                return leaves || self.space.lasts(&point);
            }
            if !leaves {
                return false;
            }
            if !self.spec.exists(&self.space, s, &later) {
                return true;
            }
            point = later;
        }
        false
    }
}

/// The fewest of the sets that hold all.
fn fewest(sets: &HashSet<u32>, all: u32) -> usize {
    let mut reached = HashSet::from([0_u32]);
    let mut n = 0;
    while !reached.contains(&all) {
        reached = reached
            .iter()
            .flat_map(|have| sets.iter().map(move |set| have | set))
            .collect();
        n += 1;
    }
    n
}

#[derive(Default, Debug)]
struct Counts {
    compared: usize,
    too_large: usize,
    /// Found as few as there can be; the bound says so; several are needed.
    fewest: usize,
    proved: usize,
    several: usize,
    several_proved: usize,
    /// Pairs of mutants that no trace shows together, and those that the library says so of.
    apart: usize,
    said_apart: usize,
}

fn compare(case: &Case, counts: &RefCell<Counts>) -> Result<(), String> {
    let Some(tester) = case.tester() else { return Ok(()) };
    let spec = tester.automaton();
    let has_meaning = |candidate: &Candidate| !matches!(candidate.subject, Err(SuiteFailure::Game(_)));
    let all: Vec<Candidate> = case.candidates(&tester).into_iter().filter(has_meaning).collect();
    let timer = Timer::new(RunLimits::default());
    let made = |candidates: &[Candidate]| -> Result<Generated, String> {
        generate(&tester, candidates, &case.wish(), &timer, &|_| ()).map_err(|error| error.to_string())
    };
    let killed = made(&all)?;
    let killed: Vec<Candidate> = all
        .into_iter()
        .zip(&killed.mutants)
        .filter(|(_, mutant)| mutant.test.is_some())
        .map(|(candidate, _)| candidate)
        .collect();
    // The first, the last and one in between: neighbours are made at one place.
    let places: BTreeSet<usize> = [0, killed.len() / 2, killed.len().saturating_sub(1)].into();
    let candidates: Vec<Candidate> = places.into_iter().filter_map(|at| killed.get(at).cloned()).collect();
    let games: Vec<Automaton> = candidates
        .iter()
        .map(|one| apply::mutant(spec, &one.mutations))
        .collect();
    if games.len() < 2 || has_diagonals(spec) || games.iter().any(has_diagonals) {
        return Ok(());
    }
    let Some(sets) = shown_together(spec, &games.iter().collect::<Vec<_>>()) else {
        counts.borrow_mut().too_large += 1;
        return Ok(());
    };
    let least = fewest(&sets, (1 << games.len()) - 1);
    let suite = made(&candidates)?;
    let (bound, proved) = suite.bound.ok_or("no bound")?;
    let bound = usize::try_from(bound).map_err(|error| error.to_string())?;
    if bound > least || suite.tests.len() < least || (proved && suite.tests.len() != bound) {
        return Err(format!(
            "{} tests, bound {bound}; regions: {least}, {sets:?}; of {:?}: {:?}",
            suite.tests.len(),
            candidates.iter().map(|one| &one.id).collect::<Vec<_>>(),
            suite.tests
        ));
    }
    let mut counts = counts.borrow_mut();
    for one in 0..games.len() {
        for other in 0..one {
            let both = 1 << one | 1 << other;
            let truth = !sets.iter().any(|set| set & both == both);
            let sites = [one, other].map(|at| {
                let subject = candidates[at].subject.as_ref().map_err(ToString::to_string)?;
                tester
                    .sites(subject, &Budget::unlimited())
                    .map_err(|error| error.to_string())
            });
            let [one_sites, other_sites] = sites;
            let said = tester
                .apart(&[one_sites?, other_sites?], 100, &Budget::unlimited())
                .len()
                == 2;
            if said && !truth {
                return Err(format!("{one} and {other} are shown by one trace: {sets:?}"));
            }
            counts.apart += usize::from(truth);
            counts.said_apart += usize::from(said);
        }
    }
    counts.compared += 1;
    counts.fewest += usize::from(suite.tests.len() == least);
    counts.proved += usize::from(proved);
    counts.several += usize::from(least > 1);
    counts.several_proved += usize::from(least > 1 && proved);
    Ok(())
}

/// `TAMPER_CASES` games of `TAMPER_SEED`, if these are set.
#[test]
fn the_fewest_traces_for_a_few_mutants_are_those_of_the_region_graph() {
    use proptest::strategy::Strategy as _;
    let counts = RefCell::new(Counts::default());
    let cases = case().prop_map(|mut case| {
        (case.wanted, case.style, case.strategy) = (KillGoal::Potential, Style::Adaptive, Choice::Fewest);
        (case.refusals, case.rounds, case.linger) = (Refusals::Error, 1, None);
        case
    });
    let n_cases = if cfg!(debug_assertions) { 300 } else { 3_000 };
    run::check(n_cases, &cases, |case| compare(case, &counts));
    let counts = counts.into_inner();
    println!("{counts:?}");
    let (compared, several) = (counts.compared as u64 * 15, counts.several as u64 * 300);
    assert!(compared.min(several) >= u64::from(n_cases), "{counts:?}");
    assert!(counts.fewest * 10 >= counts.compared * 8, "{counts:?}");
    assert!(counts.said_apart > 0 && counts.several_proved > 0, "{counts:?}");
}
