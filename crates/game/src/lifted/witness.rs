//! One counterexample for many products: exactly the products that can play it.
//!
//! A counterexample of one product is executed with exact clock values on the arena of all products: each step keeps the
//! products that can make it and whose answers are the listed ones. The remaining products play it to its end, as
//! [`crate::replay`] does with each of them.

use num_rational::BigRational;
use num_traits::{Signed, Zero};

use super::decide::{PreparedFamily, knowing, prepare};
use crate::specification::{Disproof, Specification};
use crate::symbolic::{Arena, GameError, Halt, Move, NodeId, SharedArena, timing};
use crate::witness::{Counterexample, Demand, Doing, End, GamePoint, PairPoint, Play, Side};
use tamper_features::{Product, ProductSets};
use tamper_text::{Budget, IndexVec, StopReason};
use tamper_timed::featured::FeaturedAutomaton;
use tamper_timed::model::{Action, ActionId, EdgeId, LocId, Role};

/// Products that share a counterexample.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedWitness<Set> {
    /// The product it was found for; it plays as this product's game.
    pub product: Product,
    /// The counterexample, for one of the products.
    pub counterexample: Counterexample,
    /// All products that can play it, this one among them.
    pub products: Set,
}

/// Witnesses, or the limit that was hit.
pub type SharedWitnesses<Set> = Result<Vec<SharedWitness<Set>>, StopReason>;

/// Counterexamples that together refute all of `products`, which do not refine the specification: each with the products
/// among them that can play it and no earlier one. Stops after `most` counterexamples.
///
/// # Errors
/// The budget, and products without a meaning.
pub fn shared_witnesses<S: ProductSets>(
    featured: &FeaturedAutomaton,
    specification: &Specification,
    sets: &mut S,
    products: &S::Set,
    most: usize,
    budget: &Budget,
) -> Result<SharedWitnesses<S::Set>, GameError> {
    Halt::sorted(find(featured, specification, sets, products, most, budget))
}

fn find<S: ProductSets>(
    featured: &FeaturedAutomaton,
    specification: &Specification,
    sets: &mut S,
    products: &S::Set,
    most: usize,
    budget: &Budget,
) -> Result<Vec<SharedWitness<S::Set>>, Halt> {
    let all = sets.all();
    let prepared = match prepare(featured, specification, sets, &all, budget) {
        Ok(prepared) => Some(prepared),
        // Then every product has its own counterexample.
        Err(Halt::Error(_)) => None,
        Err(stopped) => return Err(stopped),
    };
    let mut rest = products.clone();
    let mut found = Vec::new();
    while let Some(product) = sets.some(&rest).filter(|_| found.len() < most) {
        let game = featured.project(&product).expect("a product with a verdict has a game");
        let counterexample = match specification.counterexample(&game, budget)? {
            Disproof::Counterexample(counterexample) => *counterexample,
            Disproof::Unknown(reason) => return Err(reason.into()),
            refines => unreachable!("the product is known not to refine the specification: {refines:?}"),
        };
        let mut sharing = sets.none();
        if let Some(prepared) = &prepared {
            let (locations, edges) = featured.kept(&product);
            let mut replay = Replay {
                prepared,
                featured,
                specification,
                locations: &locations,
                edges: &edges,
                sets,
            };
            sharing = replay.counterexample(&counterexample, &rest)?;
        }
        if !sets.contains(&sharing, &product) {
            // This product was decided alone.
            let own = only(featured, sets, &product)?;
            sharing = sets.or(&sharing, &own)?;
        }
        let products = sets.and(&rest, &sharing)?;
        rest = sets.minus(&rest, &products)?;
        found.push(SharedWitness {
            product,
            counterexample,
            products,
        });
    }
    Ok(found)
}

/// The set of this product alone.
fn only<S: ProductSets>(featured: &FeaturedAutomaton, sets: &mut S, product: &Product) -> Result<S::Set, Halt> {
    let mut set = sets.all();
    for feature in featured.model().features().ids() {
        let selected = sets.holding(&feature.into())?;
        set = match product.contains(feature) {
            true => sets.and(&set, &selected)?,
            false => sets.minus(&set, &selected)?,
        };
    }
    Ok(set)
}

type Standing<Set> = Vec<(NodeId, Set)>;

struct Replay<'r, S: ProductSets> {
    prepared: &'r PreparedFamily<S::Set>,
    featured: &'r FeaturedAutomaton,
    specification: &'r Specification,
    /// The superposition's ids of the locations and edges of the product it was found for.
    locations: &'r IndexVec<LocId, LocId>,
    edges: &'r IndexVec<EdgeId, EdgeId>,
    sets: &'r mut S,
}

impl<S: ProductSets> Replay<'_, S> {
    fn counterexample(&mut self, counterexample: &Counterexample, products: &S::Set) -> Result<S::Set, Halt> {
        let prepared = self.prepared;
        let start = &counterexample.play.start().mutant;
        let mut standing = Vec::new();
        for (node, own) in &prepared.left().starts {
            let own = self.sets.and(own, products)?;
            let own = self.sets.and(&own, &prepared.together)?;
            if self.is_at(*node, start) && !self.sets.is_empty(&own) {
                standing.push((*node, own));
            }
        }
        self.play(&counterexample.play, standing)
    }

    fn is_at(&self, node: NodeId, point: &GamePoint) -> bool {
        let arena = &self.prepared.left().arena;
        let location = self.locations.get(point.location);
        location == Some(&arena.node(node).location) && arena.values_of(node) == point.ints
    }

    fn play(&mut self, play: &Play, mut standing: Standing<S::Set>) -> Result<S::Set, Halt> {
        for (position, step) in play.steps.iter().enumerate() {
            let next = match play.steps.get(position + 1) {
                Some(next) => &next.demand.from,
                None => play.end.from(),
            };
            let mut after = self.demand(standing, &step.demand, &[(step.answer, next)])?;
            standing = after.pop().unwrap_or_default();
        }
        match &play.end {
            End::NoAnswer(demand) => {
                let after = self.demand(standing, demand, &[])?;
                self.all(&after.concat())
            }
            End::Branch(demand, branches) => {
                let listed: Vec<_> = branches.iter().map(|(doing, play)| (*doing, play.start())).collect();
                let after = self.demand(standing, demand, &listed)?;
                let mut playing = self.sets.all();
                for ((_, play), standing) in branches.iter().zip(after) {
                    let branch = self.play(play, standing)?;
                    playing = self.sets.and(&playing, &branch)?;
                }
                Ok(playing)
            }
            End::NoDelay { from, delay, .. } => {
                let standing = self.delayed(standing, &from.mutant, delay);
                self.all(&standing)
            }
        }
    }

    fn all(&mut self, standing: &[(NodeId, S::Set)]) -> Result<S::Set, Halt> {
        let mut all = self.sets.none();
        for (_, products) in standing {
            all = self.sets.or(&all, products)?;
        }
        Ok(all)
    }

    /// The products that can let `delay` pass.
    fn delayed(&self, mut standing: Standing<S::Set>, at: &GamePoint, delay: &BigRational) -> Standing<S::Set> {
        let arena = &self.prepared.left().arena;
        let can = |node: NodeId| {
            if delay.is_zero() {
                return true;
            }
            let stays = timing::stays(&at.clocks, arena.alive(node));
            let is_within = |delays: timing::Delays| {
                let mut high = delays.high.iter();
                high.all(|high| delay < high || (delay == high && delays.high_in))
            };
            !arena.node(node).urgent && !delay.is_negative() && stays.is_some_and(is_within)
        };
        standing.retain(|(node, _)| can(*node));
        standing
    }

    /// The products that can make the demand and whose answers are exactly the listed ones, with the nodes that each answer
    /// leads them to. If no answers are listed, the nodes are the ones at which they have no answer.
    fn demand(
        &mut self,
        standing: Standing<S::Set>,
        demand: &Demand,
        listed: &[(Doing, &PairPoint)],
    ) -> Result<Vec<Standing<S::Set>>, Halt> {
        let standing = self.delayed(standing, &demand.from.mutant, &demand.delay);
        let clocks = timing::delayed(&demand.from.mutant.clocks, &demand.delay);
        match demand.mover {
            Side::Mutant => self.made(&standing, demand, &clocks, listed),
            Side::Specification => self.answered(&standing, demand, &clocks, listed),
        }
    }

    /// The nodes after the mutant's own move, once per answer; the existing answers depend on the specification alone.
    fn made(
        &mut self,
        standing: &[(NodeId, S::Set)],
        demand: &Demand,
        clocks: &[BigRational],
        listed: &[(Doing, &PairPoint)],
    ) -> Result<Vec<Standing<S::Set>>, Halt> {
        let left = self.prepared.left();
        let Doing::Edge(edge) = demand.doing else {
            return Ok(Vec::new());
        };
        let targets: Vec<Option<&GamePoint>> = match listed {
            [] => vec![None],
            listed => listed.iter().map(|(_, next)| Some(&next.mutant)).collect(),
        };
        let mut after = Vec::new();
        for target in targets {
            let mut reached = Vec::new();
            for (node, products) in standing {
                for at in left.move_ids(*node) {
                    let step = &left.arena.moves[at];
                    let is_meant = step.edge == self.edges.get(edge).copied();
                    if is_meant && is_enabled(&left.arena, step, clocks) && self.leads_to(step, clocks, target) {
                        let going = self.sets.and(products, &left.moves[at])?;
                        reached.push((step.target, going));
                    }
                }
            }
            after.push(reached);
        }
        Ok(after)
    }

    fn leads_to(&self, step: &Move, clocks: &[BigRational], target: Option<&GamePoint>) -> bool {
        let Some(target) = target else { return true };
        let mut after = clocks.to_vec();
        timing::set(&mut after, self.prepared.left().arena.resets_of(step));
        self.is_at(step.target, target) && after == target.clocks
    }

    /// The nodes after the mutant's answers to an input, for the products that have all listed answers and no others.
    fn answered(
        &mut self,
        standing: &[(NodeId, S::Set)],
        demand: &Demand,
        clocks: &[BigRational],
        listed: &[(Doing, &PairPoint)],
    ) -> Result<Vec<Standing<S::Set>>, Halt> {
        let mut after = vec![Vec::new(); listed.len().max(1)];
        for (node, products) in standing {
            let answers = self.answers(*node, &demand.action, clocks)?;
            let mut able = products.clone();
            let mut leading: Standing<S::Set> = Vec::new();
            for (doing, next) in listed {
                // One of the matching answers is enough; each leads different products to a node.
                let mut having = self.sets.none();
                for answer in self.meant(&answers, *doing, &next.mutant) {
                    having = self.sets.or(&having, &answer.products)?;
                }
                able = self.sets.and(&able, &having)?;
            }
            for answer in &answers {
                let mut listed = listed.iter();
                if !listed.any(|(doing, next)| self.is(answer, *doing, &next.mutant)) {
                    able = self.sets.minus(&able, &answer.products)?;
                }
            }
            if self.sets.is_empty(&able) {
                continue;
            }
            if listed.is_empty() {
                after[0].push((*node, able));
                continue;
            }
            for (position, (doing, next)) in listed.iter().enumerate() {
                leading.clear();
                for answer in self.meant(&answers, *doing, &next.mutant) {
                    let going = self.sets.and(&able, &answer.products)?;
                    if !self.sets.is_empty(&going) {
                        leading.push((answer.node, going));
                    }
                }
                after[position].append(&mut leading);
            }
        }
        Ok(after)
    }

    fn meant<'a>(
        &self,
        answers: &'a [Answering<S::Set>],
        doing: Doing,
        next: &GamePoint,
    ) -> Vec<&'a Answering<S::Set>> {
        let answers = answers.iter();
        answers.filter(|answer| self.is(answer, doing, next)).collect()
    }

    fn is(&self, answer: &Answering<S::Set>, doing: Doing, next: &GamePoint) -> bool {
        let same = match (answer.doing, doing) {
            (Doing::Edge(edge), Doing::Edge(meant)) => self.edges.get(meant) == Some(&edge),
            (own, meant) => own == meant,
        };
        same && self.is_at(answer.node, next) && answer.clocks == next.clocks
    }

    /// All answers of the mutant's side to an input, in the superposition's ids.
    fn answers(
        &mut self,
        node: NodeId,
        action: &Action,
        clocks: &[BigRational],
    ) -> Result<Vec<Answering<S::Set>>, Halt> {
        let prepared = self.prepared;
        let left = prepared.left();
        let own = self.featured.automaton().actions().iter_enumerated();
        let mut own = own.filter(|(_, own)| own.name == action.name && own.role == action.role);
        let id = own.next().map(|(id, _)| id);
        let staying = |doing, products| Answering {
            doing,
            products,
            node,
            clocks: clocks.to_vec(),
        };
        let mut answers = Vec::new();
        let unmatched = self.specification.semantics().unmatched;
        if action.role != Role::Internal && unmatched == crate::semantics::Unmatched::Ignore {
            let knowing = knowing(self.featured, &prepared.alphabet, action, self.sets)?;
            let unknowing = self.sets.minus(&self.sets.all(), &knowing)?;
            answers.push(staying(Doing::Stays, unknowing));
        }
        let Some(id) = id else { return Ok(answers) };
        for at in left.move_ids(node) {
            let step = &left.arena.moves[at];
            if step.action == id && is_enabled(&left.arena, step, clocks) {
                let mut after = clocks.to_vec();
                for (variable, value) in left.arena.resets_of(step) {
                    after[variable.index() - 1] = BigRational::from_integer((*value).into());
                }
                answers.push(Answering {
                    doing: Doing::Edge(step.edge.expect("no move of all products is implicit")),
                    products: left.moves[at].clone(),
                    node: step.target,
                    clocks: after,
                });
            }
        }
        if self.featured.automaton().is_input_enabled() {
            let ignoring = self.ignoring(&prepared.unpruned, left.origins[node], id, clocks)?;
            answers.push(staying(Doing::Ignores, ignoring));
        }
        Ok(answers)
    }

    /// The products for which the input is not possible at all.
    fn ignoring(
        &mut self,
        unpruned: &SharedArena<S::Set>,
        node: NodeId,
        action: ActionId,
        clocks: &[BigRational],
    ) -> Result<S::Set, Halt> {
        let mut ignoring = self.sets.and(&self.sets.all(), &self.prepared.alphabet[action])?;
        for at in unpruned.move_ids(node) {
            let step = &unpruned.arena.moves[at];
            if step.action == action && is_enabled(&unpruned.arena, step, clocks) {
                ignoring = self.sets.minus(&ignoring, &unpruned.moves[at])?;
            }
        }
        Ok(ignoring)
    }
}

/// An answer of the mutant's side.
struct Answering<Set> {
    doing: Doing,
    products: Set,
    node: NodeId,
    clocks: Vec<BigRational>,
}

fn is_enabled(arena: &Arena, step: &Move, clocks: &[BigRational]) -> bool {
    arena.cases(step.enabled).any(|atoms| timing::holds(clocks, atoms))
}
