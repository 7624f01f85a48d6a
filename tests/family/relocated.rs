//! Counterexamples of one product of a family, played by another.

use tamper::featured::FeaturedAutomaton;
use tamper::features::Product;
use tamper::game::{Counterexample, Demand, Doing, End, PairPoint, Play, Side, Step};
use tamper::model::{EdgeId, LocId};
use tamper::text::Id;

/// A counterexample of the game of one product as one of another product's game; `None` where it names a part that the
/// other does not have.
pub fn relocated(
    featured: &FeaturedAutomaton,
    counterexample: &Counterexample,
    from: &Product,
    to: &Product,
) -> Option<Counterexample> {
    let ((old_locations, old_edges), (new_locations, new_edges)) = (featured.kept(from), featured.kept(to));
    let place = |id: LocId| new_locations.iter().position(|new| *new == old_locations[id]);
    let edge = |id: EdgeId| new_edges.iter().position(|new| *new == old_edges[id]);
    let moving = Relocation {
        location: &|id| place(id).map(LocId::from_index),
        edge: &|id| edge(id).map(EdgeId::from_index),
    };
    let play = moving.play(&counterexample.play)?;
    Some(Counterexample { play })
}

struct Relocation<'r> {
    location: &'r dyn Fn(LocId) -> Option<LocId>,
    edge: &'r dyn Fn(EdgeId) -> Option<EdgeId>,
}

impl Relocation<'_> {
    fn play(&self, play: &Play) -> Option<Play> {
        let step = |step: &Step| {
            Some(Step {
                demand: self.demand(&step.demand)?,
                answer: self.doing(step.answer, step.demand.mover == Side::Specification)?,
            })
        };
        let end = match &play.end {
            End::NoAnswer(demand) => End::NoAnswer(self.demand(demand)?),
            End::NoDelay { from, zone, delay } => End::NoDelay {
                from: self.point(from)?,
                zone: zone.clone(),
                delay: delay.clone(),
            },
            End::Branch(demand, branches) => {
                let of_mutant = demand.mover == Side::Specification;
                let branch = |(doing, play): &(Doing, Play)| Some((self.doing(*doing, of_mutant)?, self.play(play)?));
                End::Branch(
                    self.demand(demand)?,
                    branches.iter().map(branch).collect::<Option<_>>()?,
                )
            }
        };
        let steps = play.steps.iter().map(step).collect::<Option<_>>()?;
        Some(Play { steps, end })
    }
    fn demand(&self, demand: &Demand) -> Option<Demand> {
        Some(Demand {
            from: self.point(&demand.from)?,
            doing: self.doing(demand.doing, demand.mover == Side::Mutant)?,
            ..demand.clone()
        })
    }
    fn point(&self, point: &PairPoint) -> Option<PairPoint> {
        let mut point = point.clone();
        point.mutant.location = (self.location)(point.mutant.location)?;
        Some(point)
    }
    fn doing(&self, doing: Doing, of_mutant: bool) -> Option<Doing> {
        match doing {
            Doing::Edge(edge) if of_mutant => (self.edge)(edge).map(Doing::Edge),
            other => Some(other),
        }
    }
}
