//! Whether a game explains a log, by its paths: each sequence of edges gives a system of differences between the times of its
//! steps, which the textbook closure solves. Times may be any fractions; nothing is shared with zones or searches.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_rational::BigRational;
use num_traits::{One as _, ToPrimitive as _};
use tamper_suite::{Event, What};
use tamper_text::Id as _;
use tamper_timed::model::{Automaton, ClockConstraint, Cmp, Edge, Guard, LocId, Role, Update, Urgency, Valuation};

use crate::oracle::clocks::combinations;

/// What the paths say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Said {
    /// Some path explains the log.
    Explained,
    /// None, but one to an input that is not taken.
    Beyond,
    /// None.
    Nothing,
}

/// Internal steps between two events of a log, at most; where a game may make more nothing is said.
const MOST_HIDDEN: usize = 4;
/// Paths after which nothing is said.
const MOST_PATHS: usize = 20_000;

/// `times[left] - times[right] ~ bound`: `<` if strict, else `<=`.
#[derive(Clone, Copy)]
struct Difference {
    left: usize,
    right: usize,
    bound: i64,
    strict: bool,
}

/// Whether some times satisfy all: no cycle of them is negative, or zero with a strict one.
fn is_possible(n_times: usize, all: &[Difference]) -> bool {
    let mut matrix: Vec<Option<(i64, bool)>> = vec![None; n_times * n_times];
    let tighter = |new: (i64, bool), old: Option<(i64, bool)>| {
        old.is_none_or(|old| new.0 < old.0 || (new.0 == old.0 && new.1 && !old.1))
    };
    for difference in all {
        let cell = &mut matrix[difference.left * n_times + difference.right];
        let new = (difference.bound, difference.strict);
        if tighter(new, *cell) {
            *cell = Some(new);
        }
    }
    for via in 0..n_times {
        for left in 0..n_times {
            let Some(first) = matrix[left * n_times + via] else {
                continue;
            };
            for right in 0..n_times {
                let Some(second) = matrix[via * n_times + right] else {
                    continue;
                };
                let sum = (first.0 + second.0, first.1 || second.1);
                if tighter(sum, matrix[left * n_times + right]) {
                    matrix[left * n_times + right] = Some(sum);
                }
            }
        }
    }
    (0..n_times).all(|at| matrix[at * n_times + at].is_none_or(|(bound, strict)| bound > 0 || (bound == 0 && !strict)))
}

/// A log in integers.
struct Log {
    scale: i64,
    until: i64,
    tolerance: i64,
    inputs: Vec<Line>,
    outputs: Vec<Line>,
}

struct Line {
    label: String,
    at: i64,
    position: usize,
    is_refused: bool,
}

impl Log {
    fn new(events: &[Event], until: &BigRational, tolerance: &BigRational) -> Self {
        let all = events.iter().map(|event| &event.at).chain([until, tolerance]);
        let scale = all.fold(BigInt::one(), |scale, time| scale.lcm(time.denom()));
        let integer = |time: &BigRational| (time * &scale).to_integer().to_i64().expect("small times");
        let line = |position: usize, label: &str| Line {
            label: label.to_owned(),
            at: integer(&events[position].at),
            position,
            is_refused: false,
        };
        let (mut inputs, mut outputs): (Vec<Line>, Vec<Line>) = (Vec::new(), Vec::new());
        for (position, event) in events.iter().enumerate() {
            match &event.what {
                What::Input(label) => inputs.push(line(position, label)),
                What::Output(label) => outputs.push(line(position, label)),
                What::Refused(label) => {
                    let mut given = inputs.iter_mut().rev();
                    if let Some(given) = given.find(|line| line.label == *label && !line.is_refused) {
                        given.is_refused = true;
                    }
                }
                What::Silence => {}
            }
        }
        let last = events.iter().map(|event| integer(&event.at)).max().unwrap_or(0);
        Self {
            until: integer(until).max(last),
            tolerance: integer(tolerance),
            scale: scale.to_i64().expect("small denominators"),
            inputs,
            outputs,
        }
    }
}

/// A path, and the system of its times: time 0 is the start, the last one is now.
#[derive(Clone)]
struct Path {
    location: LocId,
    ints: Vec<i32>,
    /// Of each clock, which time it was reset at, and to what.
    clocks: Vec<(usize, i64)>,
    n_times: usize,
    system: Vec<Difference>,
    n_inputs: usize,
    n_outputs: usize,
    /// Internal steps and unseen outputs since the last event.
    n_hidden: usize,
}

struct Paths<'a> {
    game: &'a Automaton,
    log: Log,
    n_paths: usize,
    is_cut: bool,
    said: Said,
}

/// What the paths of `game` say of the log; none if they are too many.
pub fn said(game: &Automaton, events: &[Event], until: &BigRational, tolerance: &BigRational) -> Option<Said> {
    let mut paths = Paths {
        game,
        log: Log::new(events, until, tolerance),
        n_paths: 0,
        is_cut: false,
        said: Said::Nothing,
    };
    let start = Path {
        location: game.initial(),
        ints: game.ints().iter().map(|var| var.initial).collect(),
        clocks: vec![(0, 0); game.clocks().len()],
        n_times: 1,
        system: Vec::new(),
        n_inputs: 0,
        n_outputs: 0,
        n_hidden: 0,
    };
    let start = paths.stays(start);
    paths.follow(&start);
    match paths.said {
        Said::Explained => Some(Said::Explained),
        _ if paths.is_cut => None,
        said => Some(said),
    }
}

impl Paths<'_> {
    /// All paths that begin with `path`.
    fn follow(&mut self, path: &Path) {
        self.n_paths += 1;
        if self.n_paths > MOST_PATHS {
            self.is_cut = true;
        }
        if self.is_cut && self.n_paths > MOST_PATHS || self.said == Said::Explained {
            return;
        }
        if !is_possible(path.n_times, &path.system) {
            return;
        }
        if path.n_inputs == self.log.inputs.len() && path.n_outputs == self.log.outputs.len() {
            let mut end = self.departs(path);
            at_least(&mut end, self.log.until);
            if is_possible(end.n_times, &end.system) {
                self.said = Said::Explained;
                return;
            }
        }
        for (action, parts) in self.game.actions().iter_enumerated() {
            let label = parts.to_string();
            for edge in self
                .game
                .edges()
                .iter()
                .filter(|edge| edge.source == path.location && edge.action == action)
            {
                let step = match parts.role {
                    Role::Input => self.input(path, &label),
                    Role::Output => self.output(path, &label),
                    Role::Internal => self.hidden(path),
                };
                if let Some(step) = step {
                    self.take(&step, edge);
                }
            }
        }
        self.beyond(path);
    }

    fn hidden(&mut self, path: &Path) -> Option<Path> {
        let mut step = self.departs(path);
        step.n_hidden += 1;
        if step.n_hidden > MOST_HIDDEN {
            self.is_cut |= is_possible(step.n_times, &step.system);
            return None;
        }
        Some(step)
    }

    fn output(&mut self, path: &Path, label: &str) -> Option<Path> {
        let Some(line) = self.log.outputs.get(path.n_outputs) else {
            if self.log.tolerance == 0 {
                return None;
            }
            let (from, until) = (self.log.until - self.log.tolerance, self.log.until);
            let mut step = self.hidden(path)?;
            at_least(&mut step, from);
            at_most(&mut step, until);
            return Some(step);
        };
        let inputs_before = self
            .log
            .inputs
            .iter()
            .filter(|input| input.position < line.position)
            .count();
        if line.label != label || (self.log.tolerance == 0 && path.n_inputs < inputs_before) {
            return None;
        }
        let mut step = self.departs(path);
        at_least(&mut step, line.at - self.log.tolerance);
        at_most(&mut step, line.at + self.log.tolerance);
        (step.n_outputs, step.n_hidden) = (path.n_outputs + 1, 0);
        Some(step)
    }

    /// The next input comes now, if it can.
    fn given(&self, path: &Path) -> Option<Path> {
        let line = self.log.inputs.get(path.n_inputs)?;
        let outputs_before = self
            .log
            .outputs
            .iter()
            .filter(|output| output.position < line.position)
            .count();
        if path.n_outputs < outputs_before {
            return None;
        }
        let mut step = self.departs(path);
        at_least(&mut step, line.at);
        at_most(&mut step, line.at);
        (step.n_inputs, step.n_hidden) = (path.n_inputs + 1, 0);
        Some(step)
    }

    fn input(&self, path: &Path, label: &str) -> Option<Path> {
        let line = self.log.inputs.get(path.n_inputs)?;
        if line.label != label || line.is_refused || self.is_committed(path) {
            return None;
        }
        self.given(path)
    }

    fn is_committed(&self, path: &Path) -> bool {
        self.game.is_atomic() && self.game.locations()[path.location].urgency == Urgency::Committed
    }

    /// Whether the next input can come where no edge takes it.
    fn beyond(&mut self, path: &Path) {
        let Some(step) = self.given(path) else { return };
        let line = &self.log.inputs[path.n_inputs];
        let ignores = self.game.is_input_enabled() && !self.is_committed(path);
        let mut edges: Vec<&Edge> = self.game.edges().iter().map(|edge| &**edge).collect();
        edges.retain(|edge| edge.source == path.location);
        edges.retain(|edge| self.game.actions()[edge.action].to_string() == line.label);
        if self.is_committed(path) {
            edges.clear();
        }
        // Each edge and choice is impossible for some reason: all combinations of reasons.
        let mut systems = vec![step];
        for edge in edges {
            for (mut taken, n_before) in self.taken(&systems[0], edge) {
                let own = taken.system.split_off(n_before);
                let mut excluded = Vec::new();
                for system in &systems {
                    for reason in &own {
                        let mut without = system.clone();
                        without.system.push(opposite(*reason));
                        if is_possible(without.n_times, &without.system) {
                            excluded.push(without);
                        }
                    }
                }
                systems = excluded;
                if systems.is_empty() {
                    return;
                }
            }
        }
        systems.retain(|system| is_possible(system.n_times, &system.system));
        match ignores {
            // It stays, unless the input was refused: that is never so for a game that takes all.
            true if line.is_refused => {}
            true => systems
                .iter()
                .for_each(|system| self.follow(&self.stays(system.clone()))),
            false if !systems.is_empty() => self.said = self.said.min(Said::Beyond),
            false => {}
        }
    }

    /// What taking `edge` now adds, for each choice: the path after it, and how many constraints it had before.
    fn taken(&self, step: &Path, edge: &Edge) -> Vec<(Path, usize)> {
        let ranges: Vec<_> = edge.selects.iter().map(|select| (select.low, select.high)).collect();
        let mut all = Vec::new();
        for selects in combinations(&ranges) {
            let at = Valuation {
                ints: &step.ints,
                selects: &selects,
            };
            let mut after = step.clone();
            if !self.add(&mut after, &edge.guard, at) {
                continue;
            }
            let now = after.n_times - 1;
            for update in &edge.updates {
                let value = |expr: &tamper_timed::model::Expr, ints: &[i32]| {
                    let at = Valuation {
                        ints,
                        selects: &selects,
                    };
                    expr.eval(at).expect("generated expressions have values")
                };
                match update {
                    Update::Reset(clock, expr) => {
                        let value = value(expr, &after.ints);
                        after.clocks[clock.index()] = (now, value * self.log.scale);
                    }
                    Update::Assign(int, expr) => {
                        let value = value(expr, &after.ints);
                        after.ints[int.index()] = i32::try_from(value).expect("in range");
                    }
                }
            }
            after.location = edge.target;
            let ints = after.ints.clone();
            let at = Valuation {
                ints: &ints,
                selects: &[],
            };
            let invariant = &self.game.locations()[edge.target].invariant;
            if self.add(&mut after, invariant, at) {
                all.push((after, step.system.len()));
            }
        }
        all
    }

    fn take(&mut self, step: &Path, edge: &Edge) {
        for (after, _) in self.taken(step, edge) {
            self.follow(&after);
        }
    }

    /// The path with the invariant where it is now.
    fn stays(&self, mut path: Path) -> Path {
        let ints = path.ints.clone();
        let at = Valuation {
            ints: &ints,
            selects: &[],
        };
        let invariant = &self.game.locations()[path.location].invariant;
        if !self.add(&mut path, invariant, at) {
            never(&mut path);
        }
        path
    }

    /// Time passes in the location, up to the next step.
    fn departs(&self, path: &Path) -> Path {
        let mut step = path.clone();
        let (before, now) = (step.n_times - 1, step.n_times);
        step.n_times += 1;
        let difference = |left, right| Difference {
            left,
            right,
            bound: 0,
            strict: false,
        };
        step.system.push(difference(before, now));
        if self.is_urgent(path) {
            step.system.push(difference(now, before));
        }
        self.stays(step)
    }

    /// Edges of urgent actions have no conditions on clocks, nor have their targets.
    fn is_urgent(&self, path: &Path) -> bool {
        if self.game.locations()[path.location].urgency != Urgency::Normal {
            return true;
        }
        let edges = self.game.edges().iter().filter(|edge| edge.source == path.location);
        let urgent = edges.filter(|edge| self.game.actions()[edge.action].urgent);
        urgent.into_iter().any(|edge| !self.taken(path, edge).is_empty())
    }

    /// Adds what `guard` says now; `false` if the integers exclude it.
    fn add(&self, path: &mut Path, guard: &Guard, at: Valuation<'_>) -> bool {
        let eval = |expr: &tamper_timed::model::Expr| expr.eval(at).expect("generated expressions have values");
        if guard.data.iter().any(|condition| eval(condition) == 0) {
            return false;
        }
        for atom in &guard.clocks {
            let bound = eval(&atom.bound) * self.log.scale;
            path.system.extend(differences(path, atom, bound));
        }
        true
    }
}

/// `left - right ~ bound` in times: a clock is now minus when it was reset, plus the value then.
fn differences(path: &Path, atom: &ClockConstraint, bound: i64) -> Vec<Difference> {
    let now = path.n_times - 1;
    let (reset, value) = path.clocks[atom.left.index()];
    // later - earlier + offset ~ bound
    let (later, earlier, offset) = match atom.right {
        None => (now, reset, value),
        Some(right) => {
            let (other, other_value) = path.clocks[right.index()];
            (other, reset, value - other_value)
        }
    };
    let upper = |strict| Difference {
        left: later,
        right: earlier,
        bound: bound - offset,
        strict,
    };
    let lower = |strict| Difference {
        left: earlier,
        right: later,
        bound: offset - bound,
        strict,
    };
    match atom.cmp {
        Cmp::Lt => vec![upper(true)],
        Cmp::Le => vec![upper(false)],
        Cmp::Gt => vec![lower(true)],
        Cmp::Ge => vec![lower(false)],
        Cmp::Eq => vec![upper(false), lower(false)],
    }
}

fn opposite(difference: Difference) -> Difference {
    Difference {
        left: difference.right,
        right: difference.left,
        bound: -difference.bound,
        strict: !difference.strict,
    }
}

fn at_least(path: &mut Path, time: i64) {
    let right = path.n_times - 1;
    path.system.push(Difference {
        left: 0,
        right,
        bound: -time,
        strict: false,
    });
}

fn at_most(path: &mut Path, time: i64) {
    let left = path.n_times - 1;
    path.system.push(Difference {
        left,
        right: 0,
        bound: time,
        strict: false,
    });
}

fn never(path: &mut Path) {
    path.system.push(Difference {
        left: 0,
        right: 0,
        bound: -1,
        strict: false,
    });
}
