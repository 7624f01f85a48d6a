//! From clauses to a circuit: decide, propagate, split into components, and remember each component.
//!
//! As in sharpSAT and Dsharp (component caching with implicit propagation), without learnt clauses. A component is known
//! by its variables and its clauses of three or more literals, which determine what is left of all its clauses; the
//! whole key is compared, so an answer that is found again is exact. No recursion: a model may be ten thousands deep.

use rustc_hash::FxHashMap;

use super::clauses::{Clauses, PartialAssignment};
use super::nodes::{CircuitBranch, Nodes};
use super::order;
use tamper_text::{Budget, StopReason};

/// Most bytes of remembered components if no limit is given; above that all are dropped.
const MOST_REMEMBERED: u64 = 1 << 30;
/// Bytes that a remembered component takes besides its key.
const ENTRY: u64 = 64;
/// Bytes per variable of a component that waits or is being compiled: the variable, and its part of the key.
const WAITING: u64 = 8;
/// Literals that are propagated in search of contradictions before the first decision.
const MOST_PROBED: u64 = 20_000_000;
const REPORT: u64 = 1 << 12;

/// The circuit of `clauses`, and its root. `progress` is called now and then with the number of nodes.
pub(super) fn compile(
    clauses: Clauses,
    budget: &Budget,
    progress: &mut dyn FnMut(usize),
) -> Result<(Nodes, u32), StopReason> {
    let n_vars = clauses.n_vars;
    let mut nodes = Nodes::new();
    let is_empty = clauses.has_empty;
    let units = clauses.units.clone();
    let mut at = PartialAssignment::new(clauses);
    if is_empty || !units.into_iter().all(|lit| at.assign(lit)) || !at.propagate() {
        return Ok((nodes, Nodes::NONE));
    }
    if !probe(&mut at, n_vars, budget)? {
        return Ok((nodes, Nodes::NONE));
    }
    let priorities = order::priorities(&at, n_vars, budget)?;
    let mut search = Compiler {
        seen_vars: vec![0; n_vars],
        seen_clauses: vec![0; at.n_clauses()],
        stamp: 0,
        at,
        priorities,
        vars: (0..n_vars as u32).collect(),
        frames: Vec::new(),
        pending: Vec::new(),
        children: Vec::new(),
        free: Vec::new(),
        known: FxHashMap::default(),
        known_bytes: 0,
        budget,
        n_decisions: 0,
    };
    let root = search.run(&mut nodes, progress)?;
    Ok((nodes, root))
}

/// Makes literals false that propagate to a contradiction; returns `false` if nothing can hold. Only literals that no other
/// one propagates to are examined, and only as long as that is cheap.
fn probe(at: &mut PartialAssignment, n_vars: usize, budget: &Budget) -> Result<bool, StopReason> {
    let mut n_steps = 0;
    loop {
        let before = at.trail().len();
        // By literal: whether it was propagated without a contradiction, so that it cannot be a failed literal itself.
        let mut is_fine = vec![false; 2 * n_vars];
        for lit in 0..2 * n_vars as u32 {
            if !at.is_open(lit / 2) || is_fine[lit as usize] || n_steps > MOST_PROBED {
                continue;
            }
            if let Some(reason) = budget.exceeded(0, 0) {
                return Err(reason);
            }
            let n = at.trail().len();
            let holds = at.assign(lit) && at.propagate();
            at.trail()[n..].iter().for_each(|lit| is_fine[*lit as usize] |= holds);
            n_steps += (at.trail().len() - n) as u64;
            at.undo(n);
            let is_left = holds || at.assign(lit ^ 1) && at.propagate();
            if !is_left {
                return Ok(false);
            }
        }
        if at.trail().len() == before || n_steps > MOST_PROBED {
            return Ok(true);
        }
    }
}

struct Frame {
    vars: (usize, usize),
    key: Vec<u8>,
    /// The literal of the current branch; `None` for the whole formula.
    decision: Option<u32>,
    /// The finished first branch, once the second one is current.
    first: Option<Option<CircuitBranch>>,
    /// Start of the branch in the trail, in the pending components, the children and the free variables.
    starts: [usize; 4],
    is_dead: bool,
}

/// A component that waits to be compiled.
struct Pending {
    vars: (usize, usize),
    key: Vec<u8>,
}

struct Compiler<'b> {
    at: PartialAssignment,
    priorities: Vec<u32>,
    /// The variables of components: of frames, and of pending components.
    vars: Vec<u32>,
    seen_vars: Vec<u32>,
    seen_clauses: Vec<u32>,
    stamp: u32,
    frames: Vec<Frame>,
    pending: Vec<Pending>,
    children: Vec<u32>,
    free: Vec<u32>,
    known: FxHashMap<Box<[u8]>, u32>,
    known_bytes: u64,
    budget: &'b Budget,
    n_decisions: u64,
}

impl Compiler<'_> {
    fn run(&mut self, nodes: &mut Nodes, progress: &mut dyn FnMut(usize)) -> Result<u32, StopReason> {
        self.frames.push(Frame {
            vars: (0, self.vars.len()),
            key: Vec::new(),
            decision: None,
            first: None,
            starts: [0; 4],
            is_dead: false,
        });
        self.split();
        loop {
            self.n_decisions += 1;
            if self.n_decisions.is_multiple_of(REPORT) {
                progress(nodes.len());
            }
            let bytes = nodes.bytes() + self.known_bytes + self.vars.len() as u64 * WAITING;
            if let Some(reason) = self.budget.exceeded(nodes.len() as u64, bytes) {
                return Err(reason);
            }
            let Some(frame) = self.frames.last() else {
                return Ok(Nodes::NONE);
            };
            if !frame.is_dead && self.pending.len() > frame.starts[1] {
                if let Some(pending) = self.pending.pop() {
                    self.open(pending);
                }
                continue;
            }
            let branch = self.close_branch();
            if let Some(lit) = self.second() {
                self.open_second(branch, lit);
                continue;
            }
            let node = self.close(branch, nodes)?;
            match self.frames.last_mut() {
                None => return Ok(node),
                Some(parent) if node == Nodes::NONE => parent.is_dead = true,
                Some(_) => self.children.push(node),
            }
        }
    }

    fn open(&mut self, Pending { vars, key }: Pending) {
        let chosen = self.vars[vars.0..vars.1].iter().copied();
        let chosen = chosen.max_by_key(|var| self.priorities[*var as usize]).unwrap_or(0);
        self.frames.push(Frame {
            vars,
            key,
            decision: Some(2 * chosen),
            first: None,
            starts: self.starts(),
            is_dead: false,
        });
        self.branch(2 * chosen);
    }
    fn starts(&self) -> [usize; 4] {
        let n_trail = self.at.trail().len();
        [n_trail, self.pending.len(), self.children.len(), self.free.len()]
    }
    /// Starts a branch of the last frame.
    fn branch(&mut self, lit: u32) {
        if self.at.assign(lit) && self.at.propagate() {
            self.split();
        } else if let Some(frame) = self.frames.last_mut() {
            frame.is_dead = true;
        }
    }

    /// Ends the current branch and restores the state before it. Returns the branch, or `None` if it is contradictory.
    fn close_branch(&mut self) -> Option<CircuitBranch> {
        let frame = self.frames.last()?;
        let [trail, pending, children, free] = frame.starts;
        let branch = (!frame.is_dead).then(|| CircuitBranch {
            literals: self.at.trail()[trail..].to_vec(),
            free: self.free[free..].to_vec(),
            children: self.children[children..].to_vec(),
        });
        let end = frame.vars.1;
        if frame.decision.is_some() {
            self.at.undo(trail);
        }
        // Components that were pending before have their variables before this frame's: the last one is opened first.
        self.vars.truncate(end);
        self.pending.truncate(pending);
        self.children.truncate(children);
        self.free.truncate(free);
        branch
    }
    /// The literal of the last frame's second branch, if that branch is not compiled yet.
    fn second(&self) -> Option<u32> {
        let frame = self.frames.last()?;
        frame.decision.filter(|_| frame.first.is_none()).map(|lit| lit ^ 1)
    }
    fn open_second(&mut self, first: Option<CircuitBranch>, lit: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.first = Some(first);
            frame.is_dead = false;
            frame.decision = Some(lit);
        }
        self.branch(lit);
    }
    /// The node of the last frame, which is done.
    fn close(&mut self, second: Option<CircuitBranch>, nodes: &mut Nodes) -> Result<u32, StopReason> {
        let Some(frame) = self.frames.pop() else {
            return Ok(Nodes::NONE);
        };
        let node = nodes.push(frame.first.flatten().into_iter().chain(second))?;
        let most = self.budget.max_memory.map_or(MOST_REMEMBERED, |most| most / 2);
        if self.known_bytes > most {
            self.known = FxHashMap::default();
            self.known_bytes = 0;
        }
        self.known_bytes += frame.key.len() as u64 + ENTRY;
        self.known.insert(frame.key.into_boxed_slice(), node);
        Ok(node)
    }

    /// Splits the remaining variables of the last frame into components: known ones become children of the branch, others
    /// become pending.
    fn split(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let (start, end) = frame.vars;
        self.stamp += 1;
        let mut clauses = Vec::new();
        for index in start..end {
            let var = self.vars[index];
            if !self.at.is_open(var) || self.seen_vars[var as usize] == self.stamp {
                continue;
            }
            let from = self.vars.len();
            clauses.clear();
            self.reach(var, &mut clauses);
            if self.vars.len() == from + 1 && clauses.is_empty() {
                self.vars.truncate(from);
                self.free.push(var);
                continue;
            }
            self.vars[from..].sort_unstable();
            clauses.sort_unstable();
            let key = key(&self.vars[from..], &clauses);
            match self.known.get(key.as_slice()) {
                None => self.pending.push(Pending {
                    vars: (from, self.vars.len()),
                    key,
                }),
                Some(&Nodes::NONE) => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.is_dead = true;
                    }
                    return;
                }
                Some(known) => {
                    self.children.push(*known);
                    self.vars.truncate(from);
                }
            }
        }
    }
    /// Adds the variables that `var` is connected to, itself first, and their long clauses.
    fn reach(&mut self, var: u32, clauses: &mut Vec<u32>) {
        let mut next = self.vars.len();
        let stamp = self.stamp;
        self.seen_vars[var as usize] = stamp;
        self.vars.push(var);
        let Self {
            at,
            vars,
            seen_vars,
            seen_clauses,
            ..
        } = self;
        while let Some(&var) = vars.get(next) {
            next += 1;
            for lit in [2 * var, 2 * var + 1] {
                let mut add = |other: u32| {
                    if seen_vars[other as usize] != stamp {
                        seen_vars[other as usize] = stamp;
                        vars.push(other);
                    }
                };
                at.open_neighbours(lit).for_each(&mut add);
                for clause in at.open_clauses(lit) {
                    if seen_clauses[clause as usize] != stamp {
                        seen_clauses[clause as usize] = stamp;
                        clauses.push(clause);
                        at.open_vars(clause).for_each(&mut add);
                    }
                }
            }
        }
    }
}

/// The sorted variables and clauses as bytes: their number, then the difference of each from the one before.
fn key(vars: &[u32], clauses: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(vars.len() + clauses.len() + 8);
    let mut push = |mut number: u32| {
        while number >= 128 {
            bytes.push((number % 128) as u8 | 128);
            number /= 128;
        }
        bytes.push(number as u8);
    };
    push(vars.len() as u32);
    for numbers in [vars, clauses] {
        let mut before = 0;
        for number in numbers {
            push(number - before);
            before = *number;
        }
    }
    bytes
}
