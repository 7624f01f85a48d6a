//! Execution of a test against a system that is in one place at a time. A [`SingleSystem`] is the system, a [`RunObserver`] observes
//! its runs.

use std::hash::Hash;
use std::rc::Rc;

use crate::execution::compiled::CompiledNode;
use crate::execution::execute::{ExecutionEnd, ExecutionWorld, ViewGroup};
use crate::view::View;
use tamper_zones::{Dbm, Federation};

/// The system that is led through the test: a game, or games side by side.
pub(crate) trait SingleSystem {
    type Place: Clone + Eq + Hash;
    fn n_clocks(&self) -> usize;
    fn start(&self) -> Self::Place;
    /// The moves and the invariant at a place.
    fn view(&self, place: &Self::Place) -> Rc<View<Self::Place>>;
}

/// An observer of the runs, whose places are `P`.
pub(crate) trait RunObserver<P> {
    /// Whether it matters that time is stopped before a verdict.
    const HEEDS_SILENCE: bool = false;
    /// Some runs come to `place` with the clocks of `entry`.
    fn comes_to(&mut self, _place: &P, _entry: &Dbm) {}
    /// Some runs are at `place` while the test is in `node`.
    fn is_at(&mut self, _place: &P, _node: &CompiledNode) {}
    fn waits(&mut self, _reached: &Dbm, _when: &Dbm) -> Option<Federation> {
        None
    }
    /// Some run ends this way.
    fn ends(&mut self, _end: ExecutionEnd) {}
    /// Whether the observer needs no more runs.
    fn is_settled(&self) -> bool {
        false
    }
}

pub(crate) struct Single<'a, S, W> {
    pub stage: &'a S,
    pub watch: W,
}

impl<S: SingleSystem, W: RunObserver<S::Place>> ExecutionWorld for Single<'_, S, W> {
    type Place = S::Place;
    type Group = ();
    fn n_clocks(&self) -> usize {
        self.stage.n_clocks()
    }
    fn start(&self) -> (S::Place, ()) {
        (self.stage.start(), ())
    }
    fn enters(&mut self, place: &S::Place, entry: &Dbm) {
        self.watch.comes_to(place, entry);
    }
    fn split(&mut self, place: &S::Place, (): &(), node: &CompiledNode) -> Vec<ViewGroup<S::Place, ()>> {
        self.watch.is_at(place, node);
        vec![(self.stage.view(place), ())]
    }
    fn beyond(&mut self, (): &(), (): &(), _: bool) -> Option<()> {
        None
    }
    fn unite(&mut self, (): &mut (), (): &()) {}
    fn waits(&mut self, reached: &Dbm, when: &Dbm) -> Option<Federation> {
        self.watch.waits(reached, when)
    }
    fn end(&mut self, end: ExecutionEnd, (): &()) {
        self.watch.ends(end);
    }
    fn is_settled(&self, (): &()) -> bool {
        self.watch.is_settled()
    }
    fn heeds_silence(&self) -> bool {
        W::HEEDS_SILENCE
    }
}
