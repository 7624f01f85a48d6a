//! How many products featured mutant models have, against a count that knows nothing of features.
//!
//! [`Count`] multiplies polynomials in the number of mutations, one per part of the automaton whose mutations have
//! nothing to do with those of other parts: an edge (removed or not, and a path of changes of its guard), a
//! location's invariant, an ordered pair of locations with the edges added there. One thing ties parts together: an added
//! edge is a clone of the first edge there is at that time. So the mutations that can bring another edge to the front, or
//! change it there (`Front`), are summed over set by set, and for each set the contents that an added edge can have
//! are found by trying which of its mutations come first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use num_bigint::BigUint;
use tamper::features::Diagram;
use tamper::formats::{ReadOptions, read_file};
use tamper::model::{Automaton, Cmp, Guard};
use tamper::mutation::{FeaturedMutants, MutationOptions, ProductBound};
use tamper::text::{Budget, Id};

/// Each study and how many mutants [003] counts (Tables 2 to 7).
const STUDIES: [(&str, u128); 6] = [
    ("cas", 721),
    ("coffee", 55),
    ("accel", 451),
    ("hotel", 39),
    ("wfas", 121),
    ("mutex", 47),
];

fn study(name: &str) -> Automaton {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("case-studies");
    let read = read_file(&root.join(name).join("model.xml"), &ReadOptions::default());
    read.expect("a readable study").0.automata()[0].clone()
}

fn count(base: &Automaton, bound: ProductBound) -> BigUint {
    let mutants = FeaturedMutants::of(base, &MutationOptions::default(), bound).expect("a supported order");
    let diagram = Diagram::of(mutants.model(), &Budget::unlimited()).expect("no limit");
    diagram.count()
}

/// By number of mutations: in how many ways.
type Poly = [u128; 4];
const ONE: Poly = [1, 0, 0, 0];

fn times(a: Poly, b: Poly) -> Poly {
    let mut product = [0; 4];
    for (i, x) in a.into_iter().enumerate() {
        for (j, y) in b.into_iter().enumerate().take(4 - i) {
            product[i + j] += x * y;
        }
    }
    product
}

fn power(of: Poly, exponent: usize) -> Poly {
    (0..exponent).fold(ONE, |all, _| times(all, of))
}

/// One comparison of a clock, as far as its changes matter.
type Atom = (Cmp, i64);

/// What CXL, CXS (above 0) and CCN (of a guard, not of an equality) make of it.
fn changes((cmp, k): Atom, is_guard: bool) -> Vec<Atom> {
    let smaller = (k > 1).then_some((cmp, k - 1));
    let negated = cmp.negated().filter(|_| is_guard).map(|cmp| (cmp, k));
    [Some((cmp, k + 1)), smaller, negated].into_iter().flatten().collect()
}

/// The atoms after 0 to 3 changes, a path of changes each: its steps, and where it leads.
fn paths(atom: Option<Atom>, is_guard: bool) -> Vec<(Vec<usize>, Option<Atom>)> {
    let mut all = vec![(Vec::new(), atom)];
    let mut from = 0;
    for _ in 0..3 {
        let to = all.len();
        for index in from..to {
            let (path, Some(atom)) = all[index].clone() else {
                continue;
            };
            for (step, changed) in changes(atom, is_guard).into_iter().enumerate() {
                let longer = path.iter().copied().chain([step]).collect();
                all.push((longer, Some(changed)));
            }
        }
        from = to;
    }
    all
}

fn by_length(atom: Option<Atom>, is_guard: bool) -> Poly {
    let mut poly = [0; 4];
    for (path, _) in paths(atom, is_guard) {
        poly[path.len()] += 1;
    }
    poly
}

fn simple(guard: &Guard) -> Option<Atom> {
    guard.as_simple().map(|simple| (simple.cmp, simple.constant))
}

/// An edge with that guard: there or removed, and its guard changed.
fn edge(atom: Option<Atom>) -> Poly {
    times([1, 1, 0, 0], by_length(atom, true))
}

/// Mutations that decide which edge is the first, and what it looks like.
#[derive(Clone, Default)]
struct Front {
    removed: BTreeSet<usize>,
    locations: BTreeSet<usize>,
    paths: BTreeMap<usize, Vec<usize>>,
}

impl Front {
    fn size(&self) -> usize {
        self.removed.len() + self.locations.len() + self.paths.values().map(Vec::len).sum::<usize>()
    }
}

struct Count {
    /// Of each edge: its ends and its guard.
    edges: Vec<([usize; 2], Option<Atom>)>,
    n_locations: usize,
    initial: usize,
    invariants: Vec<Option<Atom>>,
}

impl Count {
    fn of(base: &Automaton) -> Self {
        let edges = base.edges().iter();
        Self {
            edges: edges
                .map(|edge| ([edge.source.index(), edge.target.index()], simple(&edge.guard)))
                .collect(),
            n_locations: base.locations().len(),
            initial: base.initial().index(),
            invariants: base
                .locations()
                .iter()
                .map(|location| simple(&location.invariant))
                .collect(),
        }
    }

    /// The first edge that is left.
    fn first(&self, removed: &BTreeSet<usize>, locations: &BTreeSet<usize>) -> Option<usize> {
        let gone =
            |index: &usize| removed.contains(index) || self.edges[*index].0.iter().any(|end| locations.contains(end));
        (0..self.edges.len()).find(|index| !gone(index))
    }

    /// Edges that can be first after at most two mutations.
    fn fronts(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let removable: Vec<usize> = (0..self.n_locations)
            .filter(|location| *location != self.initial)
            .collect();
        let mut open = vec![(BTreeSet::new(), BTreeSet::new())];
        for _ in 0..=2 {
            let mut next = Vec::new();
            for (removed, locations) in open {
                let Some(first) = self.first(&removed, &locations) else {
                    continue;
                };
                found.insert(first);
                let mut fewer: BTreeSet<usize> = removed.clone();
                fewer.insert(first);
                next.push((fewer, locations.clone()));
                for location in &removable {
                    let more = locations.iter().copied().chain([*location]).collect();
                    next.push((removed.clone(), more));
                }
            }
            open = next;
        }
        found
    }

    /// The products of at most `order` mutations.
    fn products(&self, order: usize) -> u128 {
        let fronts: Vec<usize> = self.fronts().into_iter().collect();
        let others = (0..self.edges.len()).filter(|index| !fronts.contains(index));
        let edges = others.fold(ONE, |all, index| times(all, edge(self.edges[index].1)));
        let rest = self
            .invariants
            .iter()
            .fold(edges, |all, atom| times(all, by_length(*atom, false)));
        let mut total = 0;
        let mut add = |front: &Front| {
            let all = times(rest, self.added(front));
            total += all.into_iter().take(order + 1 - front.size()).sum::<u128>();
        };
        let mut all = vec![Front::default()];
        let extend = |all: &mut Vec<Front>, change: &dyn Fn(&Front) -> Vec<Front>| {
            let changed: Vec<_> = all
                .iter()
                .flat_map(change)
                .filter(|front| front.size() <= order)
                .collect();
            all.extend(changed);
        };
        for index in fronts {
            extend(&mut all, &|front: &Front| {
                let mut with = front.clone();
                with.removed.insert(index);
                vec![with]
            });
            extend(&mut all, &|front: &Front| {
                let paths = paths(self.edges[index].1, true).into_iter().skip(1);
                let with = paths.map(|(path, _)| {
                    let mut with = front.clone();
                    with.paths.insert(index, path);
                    with
                });
                with.collect()
            });
        }
        for location in (0..self.n_locations).filter(|location| *location != self.initial) {
            extend(&mut all, &|front: &Front| {
                let mut with = front.clone();
                with.locations.insert(location);
                vec![with]
            });
        }
        all.iter().for_each(&mut add);
        total
    }

    /// The edges added between any two locations as inputs or outputs, where the mutations `front` are made at some time.
    fn added(&self, front: &Front) -> Poly {
        let mut by_untouched = BTreeMap::<BTreeSet<usize>, usize>::new();
        for source in 0..self.n_locations {
            for target in 0..self.n_locations {
                let untouched = front
                    .locations
                    .iter()
                    .copied()
                    .filter(|location| ![source, target].contains(location));
                *by_untouched.entry(untouched.collect()).or_default() += 2;
            }
        }
        let places = by_untouched.into_iter().map(|(untouched, n)| {
            let contents = self.contents(front, &untouched);
            let place = contents.into_values().fold(ONE, |all, atom| times(all, copies(atom)));
            power(place, n)
        });
        places.fold(ONE, times)
    }

    /// What an added edge can look like, after some mutations of `front` that only take the locations `untouched` away: the
    /// edge it is a clone of and its path (none of both where no edge is left), and the guard.
    fn contents(
        &self,
        front: &Front,
        untouched: &BTreeSet<usize>,
    ) -> BTreeMap<Option<(usize, Vec<usize>)>, Option<Atom>> {
        let mut contents = BTreeMap::new();
        for removed in subsets(&front.removed) {
            for locations in subsets(untouched) {
                let Some(first) = self.first(&removed, &locations) else {
                    assert!(
                        front.size() >= 2,
                        "one mutation does not take all edges of a study away"
                    );
                    contents.insert(None, None);
                    continue;
                };
                let longest = front.paths.get(&first).cloned().unwrap_or_default();
                for (path, atom) in paths(self.edges[first].1, true) {
                    if longest.starts_with(&path) {
                        contents.insert(Some((first, path)), atom);
                    }
                }
            }
        }
        contents
    }
}

/// No edge of that content, one, one and another one like it, and so on; each mutated or not.
fn copies(atom: Option<Atom>) -> Poly {
    let one = times([0, 1, 0, 0], edge(atom));
    (0..3).fold(ONE, |more, _| {
        let mut at_least_none = times(one, more);
        at_least_none[0] += 1;
        at_least_none
    })
}

fn subsets(of: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
    of.iter().fold(vec![BTreeSet::new()], |all, item| {
        let with = all.iter().map(|set| set.iter().copied().chain([*item]).collect());
        all.iter().cloned().chain(with).collect()
    })
}

#[test]
fn products_of_orders_one_to_three_are_as_many_as_a_count_without_features_says() {
    for (name, n_mutants) in STUDIES {
        let base = study(name);
        let expected = Count::of(&base);
        assert_eq!(expected.products(1), 1 + n_mutants, "{name}: the published number");
        for order in 1..=3 {
            let products = count(&base, ProductBound::Sequences(order));
            assert_eq!(
                products,
                BigUint::from(expected.products(order.into())),
                "{name} {order}"
            );
        }
    }
}

/// Each edge and each location but the initial one is removed or not, each of 2 L^2 edges added or not, and of each
/// constraint at most one change is made.
#[test]
fn sets_of_mutations_are_as_many_as_a_formula_says() {
    for (name, n_mutants) in STUDIES {
        let base = study(name);
        let n_locations = base.locations().len();
        let n_free = base.edges().len() + 2 * n_locations * n_locations + n_locations - 1;
        let guards = base.edges().iter().filter_map(|edge| simple(&edge.guard));
        let guards = guards.map(|atom| changes(atom, true).len());
        let invariants = base
            .locations()
            .iter()
            .filter_map(|location| simple(&location.invariant));
        let invariants = invariants.map(|atom| changes(atom, false).len());
        let n_changes: Vec<usize> = guards.chain(invariants).collect();
        assert_eq!(
            (n_free + n_changes.iter().sum::<usize>()) as u128,
            n_mutants,
            "{name}: the published number"
        );
        let ways = n_changes.iter().map(|n| BigUint::from(n + 1));
        let formula = ways.fold(BigUint::from(1_u8) << n_free, |all, ways| all * ways);
        assert_eq!(count(&base, ProductBound::Sets(None)), formula, "{name}");
    }
}
