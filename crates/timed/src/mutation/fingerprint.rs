//! Fingerprints of mutants, to find sequences of mutations that reach the same automaton.
//!
//! A fingerprint is 128 bits of BLAKE3 over an automaton's content: its locations and the multiset of its edges (an
//! additive hash, so edge order does not matter); parts that no mutation changes are left out. Locations count by name.
//! Actions that TAD added are interchangeable: each is on at most one edge, so blanking its name amounts to a canonical
//! renaming; an added action on no edge does not count. Constants are folded; nothing else is normalised.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::{Mutation, Site};
use crate::model::{ActionId, Automaton, Edge, EdgeId, Expr, Guard, LocId, Location, Role};
use tamper_text::Id;

/// Equal for mutants of one base automaton iff they are the same automaton up to edge order and the names of added
/// actions (up to a collision of 128-bit hashes).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// The bits. As in any hash, any subset of them can distinguish fingerprints.
    pub fn bits(self) -> u128 {
        self.0
    }
}

/// Fingerprints the mutants of one base automaton, hashing only the parts that a mutant does not share with it.
#[derive(Clone, Debug)]
pub struct Fingerprinter {
    base: Automaton,
    /// By the address of the base's edge: its content hash. The base keeps the edges alive.
    edges: FxHashMap<usize, u128>,
    /// By the address of the base's location.
    locations: FxHashMap<usize, u128>,
    added: AddedHashes,
}

/// The hashes of clones of the base's first edge between its locations, which most added edges are. By role, source and
/// target; computed on first use.
#[derive(Clone, Debug, Default)]
struct AddedHashes {
    n_locations: usize,
    hashes: OnceLock<Vec<u128>>,
}

/// Most locations for which the clones are precomputed: that must stay cheap if only few are needed.
const MOST_LOCATIONS: usize = 128;

fn address<T>(part: &Arc<T>) -> usize {
    Arc::as_ptr(part).addr()
}

impl Fingerprinter {
    /// For the mutants of `base`.
    pub fn new(base: &Automaton) -> Self {
        let n_actions = base.actions().len();
        let edges = base.edges().iter();
        let locations = base.locations().iter();
        Self {
            edges: edges.map(|e| (address(e), edge_hash(base, e, n_actions))).collect(),
            locations: locations.map(|l| (address(l), location_hash(l))).collect(),
            base: base.clone(),
            added: AddedHashes {
                n_locations: base.locations().len(),
                hashes: OnceLock::new(),
            },
        }
    }

    /// The fingerprint of `mutant`, made from the base by mutations. Linear in its number of edges and locations.
    pub fn fingerprint(&self, mutant: &Automaton) -> Fingerprint {
        let mut sum = 0_u128;
        for location in mutant.locations() {
            sum = sum.wrapping_add(self.of_location(location));
        }
        for edge in mutant.edges() {
            sum = sum.wrapping_add(self.of_edge(mutant, edge));
        }
        Fingerprint(sum.wrapping_add(self.of_channels(mutant)))
    }

    fn of_location(&self, location: &Arc<Location>) -> u128 {
        let known = self.locations.get(&address(location)).copied();
        known.unwrap_or_else(|| location_hash(location))
    }

    /// 0 if the urgency of all channels of the base is unchanged.
    fn of_channels(&self, mutant: &Automaton) -> u128 {
        let actions = self.base.actions().iter_enumerated().zip(mutant.actions());
        let changed = actions.filter(|((_, old), new)| old.urgent != new.urgent);
        changed.fold(0, |sum, ((id, _), new)| sum.wrapping_add(urgency_hash(id, new.urgent)))
    }

    fn of_edge(&self, mutant: &Automaton, edge: &Arc<Edge>) -> u128 {
        // An edge shared with the base has unchanged ends: removing a location makes new edges at the locations that it
        // renumbers.
        let known = self.edges.get(&address(edge)).copied();
        known.unwrap_or_else(|| edge_hash(mutant, edge, self.base.actions().len()))
    }
}

/// Collects the bytes that are hashed, the same on every platform.
struct HashInput(Vec<u8>);

impl HashInput {
    fn new(kind: u8) -> Self {
        let mut bytes = Vec::with_capacity(128);
        bytes.push(kind);
        Self(bytes)
    }
    fn digest(&self) -> u128 {
        let hash = blake3::hash(&self.0);
        let mut half = [0; 16];
        half.copy_from_slice(&hash.as_bytes()[..16]);
        u128::from_le_bytes(half)
    }
}

impl Hasher for HashInput {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    fn write_u32(&mut self, n: u32) {
        self.write(&n.to_le_bytes());
    }
    fn write_u64(&mut self, n: u64) {
        self.write(&n.to_le_bytes());
    }
    fn write_i32(&mut self, n: i32) {
        self.write(&n.to_le_bytes());
    }
    fn write_i64(&mut self, n: i64) {
        self.write(&n.to_le_bytes());
    }
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
    fn write_isize(&mut self, n: isize) {
        self.write_i64(n as i64);
    }
    /// Unused: the digest is the result.
    fn finish(&self) -> u64 {
        0
    }
}

fn location_hash(location: &Location) -> u128 {
    let mut content = HashInput::new(1);
    location.name.hash(&mut content);
    location.urgency.hash(&mut content);
    hash_guard(&location.invariant, &mut content);
    content.digest()
}

fn urgency_hash(action: ActionId, urgent: bool) -> u128 {
    let mut content = HashInput::new(3);
    (action, urgent).hash(&mut content);
    content.digest()
}

fn edge_hash(automaton: &Automaton, edge: &Edge, n_base_actions: usize) -> u128 {
    let known = Some(edge.action).filter(|action| action.index() < n_base_actions);
    let action = &automaton.actions()[edge.action];
    let hash = hash_of_edge(automaton, edge.source, edge.target, action.role, known, edge);
    let is_dummy = action.name.starts_with("dummy_");
    if known.is_some() || (is_dummy && !action.urgent) {
        return hash;
    }
    // An action of the base in the other direction has a name that is not interchangeable.
    let mut content = HashInput::new(4);
    (hash, action.urgent).hash(&mut content);
    if !is_dummy {
        action.name.hash(&mut content);
    }
    content.digest()
}

/// The hash of an edge with the given ends and action (`None`: an added one), and everything else from `rest`.
fn hash_of_edge(
    automaton: &Automaton,
    source: LocId,
    target: LocId,
    role: Role,
    known: Option<ActionId>,
    rest: &Edge,
) -> u128 {
    let mut content = HashInput::new(2);
    automaton.locations()[source].name.hash(&mut content);
    automaton.locations()[target].name.hash(&mut content);
    known.is_none().hash(&mut content);
    role.hash(&mut content);
    if let Some(action) = known {
        action.hash(&mut content);
    }
    hash_guard(&rest.guard, &mut content);
    rest.updates.hash(&mut content);
    rest.selects.hash(&mut content);
    content.digest()
}

/// The fingerprints of mutants that share all mutations but the last, without making them: the fingerprint of the common
/// part, and the parts that the last mutation removes and adds.
#[derive(Clone, Debug)]
pub struct SiblingFingerprints<'a> {
    fingerprinter: &'a Fingerprinter,
    parent: &'a Automaton,
    /// By location, the base's location of the same name, if the first edge is the base's.
    base_locations: Vec<usize>,
    sum: u128,
    edges: Vec<u128>,
    locations: Vec<u128>,
}

impl Fingerprinter {
    /// For the mutants that one more mutation makes of `parent`, which is made from the base (or is the base).
    pub fn siblings<'a>(&'a self, parent: &'a Automaton) -> SiblingFingerprints<'a> {
        let locations: Vec<u128> = parent.locations().iter().map(|part| self.of_location(part)).collect();
        let edges: Vec<u128> = parent.edges().iter().map(|part| self.of_edge(parent, part)).collect();
        let sum = edges
            .iter()
            .chain(&locations)
            .fold(self.of_channels(parent), |sum: u128, hash| sum.wrapping_add(*hash));
        SiblingFingerprints {
            fingerprinter: self,
            parent,
            base_locations: self.base_locations(parent),
            sum,
            edges,
            locations,
        }
    }
}

impl Fingerprinter {
    fn base_locations(&self, parent: &Automaton) -> Vec<usize> {
        let (first, other) = (self.base.edges().iter().next(), parent.edges().iter().next());
        let same = first.zip(other).is_some_and(|(first, other)| {
            let content = |edge: &Edge| (edge.guard.clone(), edge.updates.clone(), edge.selects.clone());
            Arc::ptr_eq(first, other) || content(first) == content(other)
        });
        if !same || self.base.locations().len() > MOST_LOCATIONS {
            return Vec::new();
        }
        // Mutants keep the order of locations, so one pass over the base finds all names.
        let mut names = self.base.locations().iter().enumerate();
        let find = |location: &Arc<Location>| names.find(|(_, base)| base.name == location.name).map(|(at, _)| at);
        parent.locations().iter().map_while(find).collect()
    }

    /// The hash of a clone of the base's first edge between two of its locations.
    fn of_clone(&self, source: usize, target: usize, role: Role) -> u128 {
        let n = self.added.n_locations;
        let hashes = self.added.hashes.get_or_init(|| {
            let edge = &self.base.edges()[EdgeId::from_index(0)];
            let mut hashes = Vec::with_capacity(2 * n * n);
            for role in [Role::Input, Role::Output] {
                for pair in 0..n * n {
                    let (source, target) = (LocId::from_index(pair / n), LocId::from_index(pair % n));
                    hashes.push(hash_of_edge(&self.base, source, target, role, None, edge));
                }
            }
            hashes
        });
        let block = if role == Role::Input { 0 } else { n * n };
        hashes[block + source * n + target]
    }
}

impl SiblingFingerprints<'_> {
    /// The fingerprint of the mutant that `last` makes, without making it; equal to the fingerprint of the mutant as an
    /// automaton.
    pub fn of(&self, last: &Mutation) -> Fingerprint {
        let parent = self.parent;
        let delta = match *last {
            Mutation::RemoveEdge { edge } => self.edges[edge.index()].wrapping_neg(),
            Mutation::AddEdge {
                source,
                target,
                role,
                cloned,
            } => self.of_added(source, target, role, cloned),
            Mutation::RemoveLocation { location } => {
                let incident = parent.edges().iter().zip(&self.edges);
                let gone = incident.filter(|(edge, _)| edge.source == location || edge.target == location);
                let gone = gone.fold(self.locations[location.index()], |sum, (_, hash)| {
                    sum.wrapping_add(*hash)
                });
                gone.wrapping_neg()
            }
            Mutation::LargerConstant { .. } | Mutation::SmallerConstant { .. } | Mutation::NegateGuard { .. } => {
                self.of_changed(last)
            }
            Mutation::Alter { .. } | Mutation::Again(_) => return self.fingerprinter.fingerprint(&last.apply(parent)),
        };
        Fingerprint(self.sum.wrapping_add(delta))
    }

    fn of_added(&self, source: LocId, target: LocId, role: Role, cloned: Option<EdgeId>) -> u128 {
        match cloned {
            Some(first)
                if first.index() == 0
                    && role != Role::Internal
                    && self.base_locations.len() == self.parent.locations().len() =>
            {
                let base = |location: LocId| self.base_locations[location.index()];
                self.fingerprinter.of_clone(base(source), base(target), role)
            }
            Some(edge) => hash_of_edge(self.parent, source, target, role, None, &self.parent.edges()[edge]),
            None => {
                let blank = Edge {
                    source,
                    target,
                    action: ActionId::from_index(0),
                    guard: Guard::always(),
                    updates: Vec::new(),
                    selects: Vec::new(),
                };
                hash_of_edge(self.parent, source, target, role, None, &blank)
            }
        }
    }

    fn of_changed(&self, last: &Mutation) -> u128 {
        let (Some(change), Some(guard)) = (last.constraint(), last.new_guard(self.parent)) else {
            return 0;
        };
        match change.site {
            Site::Guard(id) => {
                let edge = Edge {
                    guard,
                    ..(*self.parent.edges()[id]).clone()
                };
                edge_hash(self.parent, &edge, self.fingerprinter.base.actions().len())
                    .wrapping_sub(self.edges[id.index()])
            }
            Site::Invariant(id) => {
                let location = Location {
                    invariant: guard,
                    ..(*self.parent.locations()[id]).clone()
                };
                location_hash(&location).wrapping_sub(self.locations[id.index()])
            }
        }
    }
}

fn hash_guard(guard: &Guard, content: &mut HashInput) {
    guard.clocks.len().hash(content);
    for atom in &guard.clocks {
        (atom.left, atom.right, atom.cmp).hash(content);
        match atom.bound.as_const() {
            Some(constant) => Expr::Const(constant).hash(content),
            None => atom.bound.hash(content),
        }
    }
    guard.data.hash(content);
}
