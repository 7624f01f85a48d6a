//! When two sequences of mutations reach the same automaton.
//!
//! A fingerprint is 128 bits of BLAKE3 over an automaton's content: its locations and the multiset
//! of its edges (an additive hash, so edge order does not matter); what no mutation changes does not count. Locations count by name. Actions that
//! mutations added are interchangeable: each is on one edge at most, so blanking its name is renaming it
//! canonically; one that is on no edge does not count. Constants are folded; nothing else is normalised.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::Id;
use crate::model::{Automaton, Edge, Expr, Guard, Location};

/// Equal for mutants of one base automaton iff they are the same automaton up to edge order and the names of added
/// actions (up to a collision of 128-bit hashes).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint(u128);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
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
}

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
        }
    }

    /// The fingerprint of `mutant`, made from the base by mutations. Linear in its number of edges and locations.
    pub fn fingerprint(&self, mutant: &Automaton) -> Fingerprint {
        let mut sum = 0_u128;
        for location in mutant.locations() {
            let known = self.locations.get(&address(location)).copied();
            sum = sum.wrapping_add(known.unwrap_or_else(|| location_hash(location)));
        }
        for edge in mutant.edges() {
            let known = self
                .edges
                .get(&address(edge))
                .copied()
                .filter(|_| self.keeps_ends(mutant, edge));
            let hash = known.unwrap_or_else(|| edge_hash(mutant, edge, self.base.actions().len()));
            sum = sum.wrapping_add(hash);
        }
        Fingerprint(sum)
    }

    /// Whether the edge's ends have the same names in the base: after a removal an id may mean another location.
    fn keeps_ends(&self, mutant: &Automaton, edge: &Edge) -> bool {
        [edge.source, edge.target].into_iter().all(|end| {
            let name = &mutant.locations()[end].name;
            let base = self.base.locations().get(end);
            base.is_some_and(|base| Arc::ptr_eq(&base.name, name) || base.name == *name)
        })
    }
}

/// Collects the bytes that are hashed, the same on every platform.
struct Content(Vec<u8>);

impl Content {
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

impl Hasher for Content {
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
    let mut content = Content::new(1);
    location.name.hash(&mut content);
    location.urgency.hash(&mut content);
    hash_guard(&location.invariant, &mut content);
    content.digest()
}

fn edge_hash(automaton: &Automaton, edge: &Edge, n_base_actions: usize) -> u128 {
    let mut content = Content::new(2);
    automaton.locations()[edge.source].name.hash(&mut content);
    automaton.locations()[edge.target].name.hash(&mut content);
    let is_added = edge.action.index() >= n_base_actions;
    is_added.hash(&mut content);
    let action = &automaton.actions()[edge.action];
    action.role.hash(&mut content);
    if !is_added {
        edge.action.hash(&mut content);
    }
    hash_guard(&edge.guard, &mut content);
    edge.updates.hash(&mut content);
    edge.selects.hash(&mut content);
    content.digest()
}

fn hash_guard(guard: &Guard, content: &mut Content) {
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
