//! All first-order mutations of one automaton, numbered.
//!
//! Added edges (2 L², the bulk of the six) and edges that start or end elsewhere (E L) are computed from their number; the
//! others are few and kept. So the list costs memory linear in the automaton (and in its alphabet, clocks or
//! conditions, where an operator gives each edge each of them), and the mutation of any number is found in constant time.

use std::collections::HashSet;

use super::formula::FormulaSite;
use super::operators::Alterations;
use super::operators::variants::variants;
use super::options::in_order;
use super::place::Conjunct;
use super::{Alteration, AlteredPart, MemoryMutation, Mutation, MutationOptions, Operator, Site, TadGuard};
use crate::model::{Automaton, EdgeId, Guard, LocId, Role, SimpleConstraint};
use tamper_text::Id;

/// The operators that change clock constraints, in order.
const CONSTRAINT_OPERATORS: [Operator; 3] = [Operator::Cxl, Operator::Cxs, Operator::Ccn];

/// The mutations of one automaton under some options, in order: TMI, TAD (inputs, then outputs), SMI, CXL, CXS, CCN,
/// then the other operators, then those with memory; within an operator in file order (locations before edges).
#[derive(Clone, Debug)]
pub struct Mutations {
    n_locations: u64,
    cloned: Option<EdgeId>,
    removed: Vec<Mutation>,
    added: u64,
    others: Vec<Mutation>,
    /// The mutations of the operators beyond the six: each run with the number of the first after it, counted from its own.
    runs: Vec<(u64, OperatorMutations)>,
    /// The mutations that hold once more with memory.
    again: Option<Box<Self>>,
}

/// The mutations of an operator beyond the six.
#[derive(Clone, Debug)]
enum OperatorMutations {
    Listed(Vec<Mutation>),
    /// Each edge with its end moved to each other location; `ends` are the present ones.
    Elsewhere {
        operator: Operator,
        ends: Vec<LocId>,
        moved: fn(EdgeId, LocId) -> Alteration,
        n_others: u64,
    },
}

impl OperatorMutations {
    /// `None` for the six operators of \[003\].
    fn of(operator: Operator, automaton: &Automaton, is_closed: &dyn Fn(Site) -> bool) -> Option<Self> {
        match operator.alterations() {
            Alterations::Paper => None,
            Alterations::OfChart => {
                let alterations = variants(automaton, operator.name());
                let mutations = alterations.map(|alteration| Mutation::Alter { operator, alteration });
                Some(Self::Listed(mutations.collect()))
            }
            Alterations::Listed(alterations) => {
                let reads_closed = |alteration: &Alteration| match alteration {
                    Alteration::Expression {
                        place: FormulaSite::Conditions(site),
                        ..
                    } => is_closed(*site),
                    Alteration::Extra { edge, from, .. } => {
                        let is_data = matches!(alteration.extra(automaton), Some(Conjunct::Data(_)));
                        is_data && [*edge, *from].into_iter().any(|edge| is_closed(Site::Guard(edge)))
                    }
                    _ => false,
                };
                let alterations = alterations(automaton).into_iter();
                let alterations = alterations.filter(|alteration| !reads_closed(alteration));
                let mutations = alterations.map(|alteration| Mutation::Alter { operator, alteration });
                let mut ids = HashSet::new();
                // The operators of the table say no change twice.
                let is_first = |mutation: &Mutation| !operator.is_own() || ids.insert(mutation.id(automaton));
                Some(Self::Listed(mutations.filter(is_first).collect()))
            }
            Alterations::Elsewhere { end, moved } => Some(Self::Elsewhere {
                operator,
                ends: automaton.edges().iter().map(|edge| end(edge)).collect(),
                moved,
                n_others: automaton.locations().len().saturating_sub(1) as u64,
            }),
        }
    }

    fn len(&self) -> u64 {
        match self {
            Self::Listed(mutations) => mutations.len() as u64,
            Self::Elsewhere { ends, n_others, .. } => ends.len() as u64 * n_others,
        }
    }

    fn get(&self, index: u64) -> Option<Mutation> {
        match self {
            Self::Listed(mutations) => mutations.get(position(index)).copied(),
            Self::Elsewhere {
                operator,
                ends,
                moved,
                n_others,
            } => {
                let edge = position(index.checked_div(*n_others)?);
                let end = ends.get(edge)?.index();
                let other = position(index % n_others);
                // The present location of the end is skipped.
                let location = LocId::from_index(other + usize::from(other >= end));
                Some(Mutation::Alter {
                    operator: *operator,
                    alteration: moved(EdgeId::from_index(edge), location),
                })
            }
        }
    }
}

impl Mutations {
    /// Lists the mutations that `options` allow of `automaton`.
    pub fn of(automaton: &Automaton, options: &MutationOptions) -> Self {
        Self::but(automaton, options, &|_| false)
    }

    /// The mutations of `automaton`, without rewrites of the integer conditions at sites for which `is_closed` holds.
    pub fn but(automaton: &Automaton, options: &MutationOptions, is_closed: &dyn Fn(Site) -> bool) -> Self {
        let uses = |operator| options.operators.contains(&operator);
        let n_locations = automaton.locations().len() as u64;
        let mut removed = Vec::new();
        if uses(Operator::Tmi) {
            removed.extend(automaton.edges().ids().map(|edge| Mutation::RemoveEdge { edge }));
        }
        let mut others = Vec::new();
        if uses(Operator::Smi) {
            let removable = automaton.locations().ids().filter(|id| *id != automaton.initial());
            others.extend(removable.map(|location| Mutation::RemoveLocation { location }));
        }
        let atoms = mutable_atoms(automaton, options.conjuncts);
        for operator in CONSTRAINT_OPERATORS {
            others.extend(atoms.iter().filter_map(|atom| atom.mutated_by(operator, options)));
        }
        let mut runs = Vec::new();
        let mut end = 0;
        for operator in in_order(&options.operators) {
            if let Some(run) = OperatorMutations::of(operator, automaton, is_closed) {
                end += run.len();
                runs.push((end, run));
            }
        }
        Self {
            n_locations,
            cloned: match options.tad_guard {
                TadGuard::FirstEdge => automaton.edges().ids().next(),
                TadGuard::None => None,
            },
            removed,
            added: if uses(Operator::Tad) {
                2 * n_locations * n_locations
            } else {
                0
            },
            others,
            runs,
            again: options.with_memory().map(|again| {
                let all = Self::but(automaton, &again, is_closed);
                Box::new(all.without(|mutation| matches!(mutation.part(), Some(AlteredPart::Action(_)))))
            }),
        }
    }

    /// The mutations that `other` has, too, at the same places; `other` are the mutations of another instance of the same
    /// template.
    #[must_use]
    pub fn shared_with(mut self, other: &Self) -> Self {
        self.again = self
            .again
            .zip(other.again.as_ref())
            .map(|(own, other)| Box::new(own.shared_with(other)));
        let place = |mutation: &Mutation| {
            let constraint = mutation.constraint();
            (mutation.operator(), constraint.map(|change| (change.site, change.atom)))
        };
        let places: HashSet<_> = other.others.iter().map(place).collect();
        let runs = other.runs.iter().flat_map(|(_, run)| match run {
            OperatorMutations::Listed(mutations) => mutations.as_slice(),
            OperatorMutations::Elsewhere { .. } => &[],
        });
        let altered: HashSet<&Mutation> = runs.collect();
        self.without(|mutation| match mutation {
            Mutation::Alter { .. } => !altered.contains(mutation),
            _ => !places.contains(&place(mutation)),
        })
    }

    /// The mutations for which `is_left_out` does not hold. It is not asked about edges that are removed, added or moved
    /// elsewhere.
    #[must_use]
    pub fn without(mut self, is_left_out: impl Fn(&Mutation) -> bool) -> Self {
        self.others.retain(|mutation| !is_left_out(mutation));
        let mut all = 0;
        for (end, run) in &mut self.runs {
            if let OperatorMutations::Listed(mutations) = run {
                mutations.retain(|mutation| !is_left_out(mutation));
            }
            all += run.len();
            *end = all;
        }
        self.again = self.again.map(|again| Box::new(again.without(is_left_out)));
        self
    }

    /// The number of mutations in the list.
    pub fn len(&self) -> u64 {
        let n_altered = self.runs.last().map_or(0, |(end, _)| *end);
        let n_again = self.again.as_ref().map_or(0, |again| again.len());
        self.removed.len() as u64 + self.added + self.others.len() as u64 + n_altered + n_again
    }
    /// Whether the list has no mutation.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The mutation of that number, counted from 0.
    pub fn get(&self, index: u64) -> Option<Mutation> {
        let n_removed = self.removed.len() as u64;
        if index < n_removed {
            return self.removed.get(position(index)).copied();
        }
        match index - n_removed {
            added if added < self.added => Some(self.added_edge(added)),
            rest => {
                let n_others = self.others.len() as u64;
                match rest - self.added {
                    other if other < n_others => self.others.get(position(other)).copied(),
                    altered => self.altered(altered - n_others),
                }
            }
        }
    }
    /// All mutations, in order.
    pub fn iter(&self) -> impl Iterator<Item = Mutation> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }
    /// The numbers of the added edges: all of these mutants have the same number of mutations.
    pub(super) fn added_range(&self) -> std::ops::Range<u64> {
        let start = self.removed.len() as u64;
        start..start + self.added
    }

    fn altered(&self, index: u64) -> Option<Mutation> {
        let run = self.runs.partition_point(|(end, _)| *end <= index);
        let Some((end, run)) = self.runs.get(run) else {
            let n_altered = self.runs.last().map_or(0, |(end, _)| *end);
            let once = self.again.as_ref()?.get(index - n_altered)?;
            return MemoryMutation::of(once).map(Mutation::Again);
        };
        run.get(index - (end - run.len()))
    }

    fn added_edge(&self, index: u64) -> Mutation {
        let pairs = self.n_locations * self.n_locations;
        let pair = index % pairs;
        let location = |n: u64| LocId::from_index(position(n));
        Mutation::AddEdge {
            source: location(pair / self.n_locations),
            target: location(pair % self.n_locations),
            role: if index < pairs { Role::Input } else { Role::Output },
            cloned: self.cloned,
        }
    }
}

/// `n` as a position in a vector; a number that does not fit is past the end of every vector.
fn position(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// A clock atom that can be mutated, with its place.
#[derive(Clone, Copy)]
struct MutableAtom {
    site: Site,
    atom: u32,
    old: SimpleConstraint,
}

fn mutable_atoms(automaton: &Automaton, conjuncts: bool) -> Vec<MutableAtom> {
    let mut atoms = Vec::new();
    for (id, location) in automaton.locations().iter_enumerated() {
        collect_atoms(&location.invariant, Site::Invariant(id), conjuncts, &mut atoms);
    }
    for (id, edge) in automaton.edges().iter_enumerated() {
        collect_atoms(&edge.guard, Site::Guard(id), conjuncts, &mut atoms);
    }
    atoms
}

fn collect_atoms(guard: &Guard, site: Site, conjuncts: bool, atoms: &mut Vec<MutableAtom>) {
    if !conjuncts {
        atoms.extend(guard.as_simple().map(|old| MutableAtom { site, atom: 0, old }));
        return;
    }
    for (atom, constraint) in (0..).zip(&guard.clocks) {
        let constant = constraint.bound.as_const().filter(|_| constraint.right.is_none());
        atoms.extend(constant.map(|constant| MutableAtom {
            site,
            atom,
            old: SimpleConstraint {
                clock: constraint.left,
                cmp: constraint.cmp,
                constant,
            },
        }));
    }
}

/// The clock atoms of `guard` that CXL, CXS and CCN may change, with their positions.
pub(super) fn mutable_atoms_of(guard: &Guard, site: Site, conjuncts: bool) -> Vec<(u32, SimpleConstraint)> {
    let mut atoms = Vec::new();
    collect_atoms(guard, site, conjuncts, &mut atoms);
    atoms.into_iter().map(|atom| (atom.atom, atom.old)).collect()
}

/// The changes of one clock atom by CXL, CXS and CCN, as far as they apply.
pub(super) fn atom_changes(
    site: Site,
    atom: u32,
    old: SimpleConstraint,
    options: &MutationOptions,
) -> impl Iterator<Item = Mutation> {
    let atom = MutableAtom { site, atom, old };
    let operators = CONSTRAINT_OPERATORS.into_iter();
    operators.filter_map(move |operator| atom.mutated_by(operator, options))
}

/// Number of mutations of `guard` by CXL, CXS and CCN.
pub(super) fn n_constraint_mutations(guard: &Guard, site: Site, options: &MutationOptions) -> u64 {
    let mut atoms = Vec::new();
    collect_atoms(guard, site, options.conjuncts, &mut atoms);
    let mutations = |atom: &MutableAtom| {
        let by = |operator: &Operator| atom.mutated_by(*operator, options).is_some();
        CONSTRAINT_OPERATORS.iter().filter(|operator| by(operator)).count() as u64
    };
    atoms.iter().map(mutations).sum()
}

impl MutableAtom {
    fn mutated_by(self, operator: Operator, options: &MutationOptions) -> Option<Mutation> {
        if !options.operators.contains(&operator) {
            return None;
        }
        match operator {
            Operator::Cxl => self.larger(options.step),
            Operator::Cxs => self.smaller(options),
            Operator::Ccn => self.negated(),
            _ => None,
        }
    }

    fn larger(self, step: i64) -> Option<Mutation> {
        let Self { site, atom, old } = self;
        let constant = old.constant.checked_add(step)?;
        let new = SimpleConstraint { constant, ..old };
        Some(Mutation::LargerConstant { site, atom, old, new })
    }

    fn smaller(self, options: &MutationOptions) -> Option<Mutation> {
        let Self { site, atom, old } = self;
        let constant = old.constant.checked_sub(options.step)?;
        let least = if options.cxs_to_zero { 0 } else { 1 };
        let new = SimpleConstraint { constant, ..old };
        (constant >= least).then_some(Mutation::SmallerConstant { site, atom, old, new })
    }

    /// For guards only; the negation of an equality is not a conjunction.
    fn negated(self) -> Option<Mutation> {
        let Self { site, atom, old } = self;
        let Site::Guard(edge) = site else { return None };
        let cmp = old.cmp.negated()?;
        let new = SimpleConstraint { cmp, ..old };
        Some(Mutation::NegateGuard { edge, atom, old, new })
    }
}
