//! The products of a family that refine a specification.

use num_bigint::BigUint;

use super::alone::decide_rest;
use super::choices::losing;
use super::forward::{LiftedProduct, explore};
use super::products::{Lowered, Sets, lower};
use super::verdicts::{Effort, ProductVerdicts, Undecided, settle};
use crate::product::{ActionMap, ArenaProduct, has_name};
use crate::specification::Specification;
use crate::symbolic::{Arena, Halt, SharedArena};
use tamper_features::ProductSets;
use tamper_text::{Budget, IndexVec, StopReason};
use tamper_timed::featured::FeaturedAutomaton;
use tamper_timed::model::{Action, ActionId};

/// The verdicts on all products of `featured`, by one exploration in which states are reached by sets of products. Exact:
/// the verdict on each product is the verdict of [`Specification::decide`] on its projection.
///
/// `sets` are the sets of the family's feature model. The budget limits the states of the whole exploration; if it is hit,
/// the verdicts found until then are kept and the other products are undecided.
pub fn decide_products<S: ProductSets>(
    featured: &FeaturedAutomaton,
    specification: &Specification,
    sets: &mut S,
    budget: &Budget,
) -> ProductVerdicts<S::Set> {
    let mut verdicts = ProductVerdicts {
        inconsistent: sets.none(),
        subsumed: sets.none(),
        non_subsumed: sets.none(),
        undecided: Vec::new(),
        effort: Effort::default(),
    };
    let mut rest = sets.all();
    let decided = lifted(featured, specification, sets, &mut rest, &mut verdicts, budget)
        .and_then(|()| decide_rest(featured, specification, sets, &mut rest, &mut verdicts, budget));
    if let Err(halt) = decided {
        let why = match halt {
            Halt::Stopped(reason) => Undecided::Stopped(reason),
            Halt::Error(error) => Undecided::Error(error),
        };
        verdicts.undecided.push((why, rest));
    }
    verdicts
}

pub(super) struct PreparedFamily<Set> {
    pub unpruned: SharedArena<Set>,
    pruned: Option<SharedArena<Set>>,
    /// Per action, the products with the action in their alphabet.
    pub alphabet: IndexVec<ActionId, Set>,
    /// Per action of the specification, the products whose alphabet has its name, as an input or as an output.
    pub known: IndexVec<ActionId, Set>,
    /// Products that are treated together.
    pub together: Set,
}

impl<Set> PreparedFamily<Set> {
    /// The arena in which products are compared with the specification.
    pub fn left(&self) -> &SharedArena<Set> {
        self.pruned.as_ref().unwrap_or(&self.unpruned)
    }
    pub fn both<'a>(&'a self, featured: &FeaturedAutomaton, product: &'a ArenaProduct<'a>) -> LiftedProduct<'a, Set> {
        LiftedProduct {
            left: self.left(),
            product,
            unpruned: featured.automaton().is_input_enabled().then_some(&self.unpruned),
            alphabet: &self.alphabet,
            known: &self.known,
        }
    }
}

/// Lowers and prunes the products among `products` that can be treated together.
pub(super) fn prepare<S: ProductSets>(
    featured: &FeaturedAutomaton,
    specification: &Specification,
    sets: &mut S,
    products: &S::Set,
    budget: &Budget,
) -> Result<PreparedFamily<S::Set>, Halt> {
    let Lowered {
        shared: unpruned,
        alone,
        alphabet,
    } = lower(featured, sets, budget)?;
    let known = specification.automaton().actions().iter();
    let known: Result<IndexVec<ActionId, S::Set>, StopReason> =
        known.map(|action| knowing(featured, &alphabet, action, sets)).collect();
    let together = sets.minus(products, &alone)?;
    let pruned = match specification.semantics().prune {
        true => Some(unpruned.pruned(&together, &mut Sets(sets), budget)?),
        false => None,
    };
    Ok(PreparedFamily {
        unpruned,
        pruned,
        alphabet,
        known: known?,
        together,
    })
}

/// The products whose alphabet has the name of `action`, as an input or as an output.
pub(super) fn knowing<S: ProductSets>(
    featured: &FeaturedAutomaton,
    alphabet: &IndexVec<ActionId, S::Set>,
    action: &Action,
    sets: &mut S,
) -> Result<S::Set, StopReason> {
    let own = featured.automaton().actions().iter_enumerated();
    let mut own = own.filter(|(_, own)| has_name([*own], action));
    own.try_fold(sets.none(), |all, (id, _)| sets.or(&all, &alphabet[id]))
}

/// The products by what their runs can do, whatever else they could have done.
#[derive(Clone, PartialEq, Debug)]
pub struct ShownProducts<Set> {
    /// Products with a run that does something that the specification does not allow.
    pub shown: Set,
    /// Products all of whose runs the specification allows.
    pub silent: Set,
    /// Products that have no state or cannot be treated together.
    pub others: Set,
}

/// The products of `featured` with a run that shows something that the specification does not allow: with the semantics
/// `definition` and a specification whose state follows from observations, these are the products that some test fails
/// (\[004\] Definition 3). One exploration of all products: where the responder has choices, every choice is a run.
///
/// # Errors
/// The limit that was hit.
pub fn shown_products<S: ProductSets>(
    featured: &FeaturedAutomaton,
    specification: &Specification,
    sets: &mut S,
    budget: &Budget,
) -> Result<ShownProducts<S::Set>, StopReason> {
    let all = sets.all();
    let nothing = |sets: &S| ShownProducts {
        shown: sets.none(),
        silent: sets.none(),
        others: sets.all(),
    };
    let prepared = match prepare(featured, specification, sets, &all, budget) {
        Ok(prepared) => prepared,
        Err(Halt::Error(_)) => return Ok(nothing(sets)),
        Err(Halt::Stopped(reason)) => return Err(reason),
    };
    let starting = starting(&prepared, sets)?;
    let right = specification.behind(prepared.left().arena.n_clocks);
    let product = beside(featured, specification, &prepared, &right);
    let explored = explore(&prepared.both(featured, &product), sets, &starting, budget);
    match explored.stopped {
        Some(Halt::Error(_)) => return Ok(nothing(sets)),
        Some(Halt::Stopped(reason)) => return Err(reason),
        None => {}
    }
    let shown = sets.or(&explored.fails, &explored.perhaps)?;
    Ok(ShownProducts {
        silent: sets.minus(&starting, &shown)?,
        others: sets.minus(&all, &starting)?,
        shown,
    })
}

/// The products treated together that have an initial state.
fn starting<S: ProductSets>(prepared: &PreparedFamily<S::Set>, sets: &mut S) -> Result<S::Set, StopReason> {
    let mut starting = sets.none();
    for (_, products) in &prepared.left().starts {
        starting = sets.or(&starting, products)?;
    }
    sets.and(&prepared.together, &starting)
}

/// The product of all products with the specification, `right`, whose clocks come behind theirs.
fn beside<'a, Set>(
    featured: &FeaturedAutomaton,
    specification: &Specification,
    prepared: &'a PreparedFamily<Set>,
    right: &'a Arena,
) -> ArenaProduct<'a> {
    ArenaProduct {
        left: &prepared.left().arena,
        right,
        actions: ActionMap::new(featured.automaton(), specification.automaton()),
        unmatched: specification.semantics().unmatched,
    }
}

/// Decides the products that can be decided together; the products left in `rest` must be decided one by one.
fn lifted<S: ProductSets>(
    featured: &FeaturedAutomaton,
    specification: &Specification,
    sets: &mut S,
    rest: &mut S::Set,
    verdicts: &mut ProductVerdicts<S::Set>,
    budget: &Budget,
) -> Result<(), Halt> {
    let prepared = match prepare(featured, specification, sets, rest, budget) {
        Ok(prepared) => prepared,
        // A fault of the superposition need not be a fault of its products.
        Err(Halt::Error(_)) => return Ok(()),
        Err(stopped) => return Err(stopped),
    };
    let starting = starting(&prepared, sets)?;
    let inconsistent = sets.minus(&prepared.together, &starting)?;
    settle(&inconsistent, sets, rest, &mut verdicts.inconsistent)?;
    let right = specification.behind(prepared.left().arena.n_clocks);
    let product = beside(featured, specification, &prepared, &right);
    let both = prepared.both(featured, &product);
    let explored = explore(&both, sets, &starting, budget);
    verdicts.effort.states = explored.n_states;
    settle(&explored.fails, sets, rest, &mut verdicts.non_subsumed)?;
    if let Some(halt) = explored.stopped {
        return Err(halt);
    }
    let known = sets.or(&explored.fails, &explored.perhaps)?;
    let subsumed = sets.minus(&starting, &known)?;
    settle(&subsumed, sets, rest, &mut verdicts.subsumed)?;
    if !sets.is_empty(&explored.perhaps) {
        verdicts.effort.has_choices = true;
        let losing = match losing(&both, sets, &explored.perhaps, &budget.at_most(MOST_TOGETHER)) {
            // When products are decided one by one, only the necessary answers are followed.
            Err(Halt::Stopped(_))
                if budget.exceeded(MOST_TOGETHER, 0).is_none()
                    && sets.count(&explored.perhaps) <= BigUint::from(MOST_ALONE) =>
            {
                return Ok(());
            }
            Err(Halt::Stopped(_)) => losing(&both, sets, &explored.perhaps, budget)?,
            losing => losing?,
        };
        let holding = sets.minus(&explored.perhaps, &losing)?;
        settle(&losing, sets, rest, &mut verdicts.non_subsumed)?;
        settle(&holding, sets, rest, &mut verdicts.subsumed)?;
    }
    Ok(())
}

/// Most symbolic states and losing pieces of a game in which all answers are followed, if there are few products.
const MOST_TOGETHER: u64 = 20_000;

/// Up to this number of products, each is decided alone.
const MOST_ALONE: u32 = 20_000;
