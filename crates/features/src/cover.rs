//! A set of products as a condition for readers: few conjunctions of few features.
//!
//! Minato's irredundant sums of products (ISOP, 1992): given a set that must be covered and a larger set that may be, the
//! conjunctions are found by recursion on the first feature. The larger set is the set itself and everything that is no
//! product, so features that the feature model implies do not occur.

use rustc_hash::FxHashMap;

use super::forest::{FALSE, SetOperation, TRUE};
use super::{DiagramSet, Diagrams, FeatureExpr, FeatureId};
use tamper_text::{Id, StopReason};

/// Conjunctions: each a feature and whether it is selected, and the conjunctions that follow that choice.
type Cubes = std::rc::Rc<Vec<Vec<(u32, bool)>>>;

impl Diagrams {
    /// A condition that holds for exactly the products in `set` (and perhaps for sets of features that are no
    /// products): a disjunction of conjunctions, or the negation of one if that is shorter; `None` if both have more
    /// than `most` conjunctions.
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn condition(&mut self, set: DiagramSet, most: usize) -> Result<Option<FeatureExpr>, StopReason> {
        let rest = self.forest.apply(self.all, set.0, SetOperation::Minus)?;
        let own = self.cover(set.0, rest, most)?;
        let other = self.cover(rest, set.0, most)?;
        Ok(match (own, other) {
            (Some(own), Some(other)) => Some(if n_literals(&other) < n_literals(&own) {
                negation(&other)
            } else {
                disjunction(&own)
            }),
            (Some(own), None) => Some(disjunction(&own)),
            (None, Some(other)) => Some(negation(&other)),
            (None, None) => None,
        })
    }

    /// Conjunctions that cover `set` and nothing of `without`.
    fn cover(&mut self, set: u32, without: u32, most: usize) -> Result<Option<Cubes>, StopReason> {
        let most_covered = self.forest.apply(TRUE, without, SetOperation::Minus)?;
        let mut covering = Covering {
            sets: self,
            known: FxHashMap::default(),
            most,
        };
        let found = covering.cover(set, most_covered)?;
        Ok(found.map(|(cubes, _)| cubes))
    }
}

struct Covering<'d> {
    sets: &'d mut Diagrams,
    known: FxHashMap<(u32, u32), Option<(Cubes, u32)>>,
    most: usize,
}

impl Covering<'_> {
    /// Conjunctions that cover all of `least` and nothing outside of `most`, with the set that they cover; `None` if they
    /// are too many. Recursion is as deep as the diagrams, whose depth is at most the number of features.
    fn cover(&mut self, least: u32, most: u32) -> Result<Option<(Cubes, u32)>, StopReason> {
        if least == FALSE {
            return Ok(Some((Cubes::default(), FALSE)));
        }
        if most == TRUE {
            return Ok(Some((vec![Vec::new()].into(), TRUE)));
        }
        if let Some(known) = self.known.get(&(least, most)) {
            return Ok(known.clone());
        }
        let found = self.split(least, most)?;
        self.known.insert((least, most), found.clone());
        Ok(found)
    }

    fn split(&mut self, least: u32, most: u32) -> Result<Option<(Cubes, u32)>, StopReason> {
        let var = self.sets.forest.var(least).min(self.sets.forest.var(most));
        let (least_off, least_on) = self.children(least, var);
        let (most_off, most_on) = self.children(most, var);
        let only_off = self.apply(least_off, most_on, SetOperation::Minus)?;
        let Some((off, covered_off)) = self.cover(only_off, most_off)? else {
            return Ok(None);
        };
        let only_on = self.apply(least_on, most_off, SetOperation::Minus)?;
        let Some((on, covered_on)) = self.cover(only_on, most_on)? else {
            return Ok(None);
        };
        let rest_off = self.apply(least_off, covered_off, SetOperation::Minus)?;
        let rest_on = self.apply(least_on, covered_on, SetOperation::Minus)?;
        let rest = self.apply(rest_off, rest_on, SetOperation::Or)?;
        let both = self.apply(most_off, most_on, SetOperation::And)?;
        let Some((either, covered_either)) = self.cover(rest, both)? else {
            return Ok(None);
        };
        if off.len() + on.len() + either.len() > self.most {
            return Ok(None);
        }
        let with = |cubes: &Cubes, selected: bool| {
            let with = move |cube: &Vec<(u32, bool)>| [&[(var, selected)], cube.as_slice()].concat();
            cubes.iter().map(with).collect::<Vec<_>>()
        };
        let mut cubes = with(&on, true);
        cubes.extend(with(&off, false));
        cubes.extend(either.iter().cloned());
        let all_off = self.apply(covered_off, covered_either, SetOperation::Or)?;
        let all_on = self.apply(covered_on, covered_either, SetOperation::Or)?;
        let covered = self.sets.forest.node(var, all_off, all_on)?;
        Ok(Some((cubes.into(), covered)))
    }

    fn children(&self, set: u32, var: u32) -> (u32, u32) {
        let node = self.sets.forest.nodes[set as usize];
        if node.var == var {
            (node.low, node.high)
        } else {
            (set, set)
        }
    }
    fn apply(&mut self, first: u32, second: u32, op: SetOperation) -> Result<u32, StopReason> {
        self.sets.forest.apply(first, second, op)
    }
}

fn n_literals(cubes: &Cubes) -> usize {
    cubes.iter().map(|cube| cube.len() + 1).sum()
}

fn disjunction(cubes: &Cubes) -> FeatureExpr {
    FeatureExpr::any(cubes.iter().map(|cube| {
        let literals = cube.iter().map(|(var, selected)| literal(*var, *selected));
        FeatureExpr::all(literals)
    }))
}

/// The condition that none of the conjunctions holds; for a single one, that some of its literals does not hold.
fn negation(cubes: &Cubes) -> FeatureExpr {
    match cubes.as_slice() {
        [cube] => FeatureExpr::any(cube.iter().map(|(var, selected)| literal(*var, !selected))),
        _ => !disjunction(cubes),
    }
}

fn literal(var: u32, selected: bool) -> FeatureExpr {
    let feature = FeatureExpr::Var(FeatureId::from_index(var as usize));
    if selected { feature } else { !feature }
}
