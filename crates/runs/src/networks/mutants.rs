//! The mutants of some components of a network, numbered by their first mutation, then the second, and so on; the
//! mutations of one network are ordered by component.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::Component;
use super::stage::{NetworkStage, NetworkStep};
use crate::plans::sample::OperatorPairs;
use tamper_timed::guidelines::Rule;
use tamper_timed::mutation::{AppliedOperator, MutationOptions, Order, TooManyMutants};
use tamper_timed::network::{Network, Original, View};

/// Largest number of mutants of order k - 1 that are made to number the mutants of order k.
const MOST_FAMILIES: u64 = 1 << 18;

/// The symbolic states of a mutant that are composed in any case: equal mutants are known by them.
pub(super) const COMPOSED_FIRST: u64 = 2_000;

/// All mutants of one order of some components.
#[derive(Debug)]
pub struct NetworkMutants<'c> {
    /// The components to mutate.
    pub components: &'c [Component],
    pub(super) network: &'c Network,
    pub(super) view: &'c View,
    options: MutationOptions,
    order: Order,
    /// The stage before the first mutation.
    original: NetworkStage,
    families: Option<NetworkFamilies<'c>>,
    /// The symbolic states of a mutant that are composed for tests before the runs that it has in common with the original are
    /// tried.
    pub composed_first: u64,
    /// The steps of the original, once mutants were tested; `None` if a limit was hit.
    pub(super) original_steps: OnceLock<Option<Original>>,
}

/// The mutants of order k - 1: mutants that share all mutations but the last form a family.
#[derive(Debug)]
struct NetworkFamilies<'c> {
    mutants: Box<NetworkMutants<'c>>,
    /// The number of the first mutant of each family, followed by the number of all mutants.
    starts: Vec<u64>,
}

/// A mutant of a network.
#[derive(Clone, Debug)]
pub struct NetworkMutant {
    pub(super) stage: NetworkStage,
    /// Its last mutation.
    pub last: NetworkStep,
}

impl<'c> NetworkMutants<'c> {
    /// The mutants of order `order` that the operators make of `components` of `network`. At order k each mutant of
    /// order k - 1 is made once.
    ///
    /// # Errors
    /// If there are too many mutants of order k - 1.
    pub fn of(
        network: &'c Network,
        view: &'c View,
        components: &'c [Component],
        options: &MutationOptions,
        order: Order,
    ) -> Result<Self, TooManyMutants> {
        let families = match order.before() {
            Some(before) => Some(NetworkFamilies::of(Self::of(
                network, view, components, options, before,
            )?)?),
            None => None,
        };
        Ok(Self {
            components,
            network,
            view,
            options: options.clone(),
            order,
            original: NetworkStage::original(network, components, options),
            families,
            composed_first: COMPOSED_FIRST,
            original_steps: OnceLock::new(),
        })
    }

    /// Number of mutants.
    pub fn len(&self) -> u64 {
        match &self.families {
            Some(families) => families.starts.last().copied().unwrap_or_default(),
            None => self.original.len(),
        }
    }

    /// Whether there are no mutants.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of mutations of each mutant.
    pub fn order(&self) -> Order {
        self.order
    }

    /// The mutant with this number, if there is one.
    pub fn get(&self, number: u64) -> Option<NetworkMutant> {
        let (stage, position) = match &self.families {
            Some(families) => {
                let family = families
                    .starts
                    .partition_point(|start| *start <= number)
                    .checked_sub(1)?;
                (families.stage(family as u64)?, number - families.starts[family])
            }
            None => (self.original.clone(), number),
        };
        let last = stage.step(position)?;
        Some(NetworkMutant { stage, last })
    }

    /// The stage after the mutations of the mutant with this number.
    fn stage(&self, number: u64) -> Option<NetworkStage> {
        let mutant = self.get(number)?;
        Some(mutant.stage.after(&mutant.last, self.view, &self.options))
    }

    /// The operators of all pairs of mutations, grouped by the first mutation.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = OperatorPairs> {
        let families = self.families.iter();
        let families = families.flat_map(|of| (0..of.mutants.len()).map(move |family| (of, family)));
        families.filter_map(|(of, family)| {
            let stage = of.stage(family)?;
            Some(OperatorPairs {
                first: stage.first_operator()?,
                start: *of.starts.get(usize::try_from(family).ok()?)?,
                lasts: stage.operators(),
            })
        })
    }
}

impl<'c> NetworkFamilies<'c> {
    fn of(mutants: NetworkMutants<'c>) -> Result<Self, TooManyMutants> {
        if mutants.len() > MOST_FAMILIES {
            return Err(TooManyMutants::Effort);
        }
        let lengths = (0..mutants.len()).into_par_iter();
        let lengths: Vec<u64> = lengths
            .map(|number| mutants.stage(number).map_or(0, |stage| stage.len()))
            .collect();
        let mut starts = vec![0u64];
        for length in lengths {
            let end = starts[starts.len() - 1].checked_add(length);
            starts.push(end.ok_or(TooManyMutants::Number)?);
        }
        Ok(Self {
            mutants: Box::new(mutants),
            starts,
        })
    }

    fn stage(&self, family: u64) -> Option<NetworkStage> {
        self.mutants.stage(family)
    }
}

impl NetworkMutant {
    /// Its id.
    pub fn id(&self) -> String {
        self.stage.id(&self.last)
    }

    /// The mutations of the mutant, in order.
    pub fn steps(&self) -> Vec<NetworkStep> {
        self.stage.steps(&self.last)
    }

    /// The operators of its mutations.
    pub fn operators(&self) -> Vec<AppliedOperator> {
        self.steps().iter().map(|step| step.mutation.applied()).collect()
    }

    /// The guidelines that name its mutations, each relative to the network to which it is applied; `None` if some
    /// mutation is not named.
    pub(super) fn rules(&self, view: &View) -> Option<Vec<Rule>> {
        self.stage.rules(view, &self.last)
    }

    /// The network after its mutations.
    pub fn network(&self) -> Network {
        self.stage.mutant(&self.last)
    }
}
