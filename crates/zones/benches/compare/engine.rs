//! The measured operations, written once and compiled for either engine.

/// A module with every measured operation on the zones of `$zones`.
macro_rules! engine {
    ($name:ident, $($zones:ident)::+) => {
        pub mod $name {
            use crate::operands::{Operands, Raw};
            use std::hint::black_box;
            use std::ops::Range;
            use $($zones)::+::{Bound, Clock, Dbm, DbmDraft, Federation, Variable, safe_past};

            fn bound(constant: i64, strict: bool) -> Bound {
                if strict { Bound::lt(constant) } else { Bound::le(constant) }
            }

            fn draft(dim: usize, raw: &Raw) -> DbmDraft {
                let mut draft = DbmDraft::new(dim);
                for &(left, right, constant, strict) in raw {
                    draft.constrain(Clock::from_index(left), Clock::from_index(right), bound(constant, strict));
                }
                draft
            }

            /// The operands, in this engine's own types.
            pub struct Engine {
                zones: Vec<Dbm>,
                drafts: Vec<DbmDraft>,
                guards: Vec<(Clock, Clock, Bound)>,
                unions: Vec<Federation>,
                scratch: Dbm,
                variables: Vec<Variable>,
                max: Vec<i64>,
            }

            impl Engine {
                pub fn new(dim: usize, operands: &Operands) -> Self {
                    let zones: Vec<Dbm> =
                        operands.zones.iter().map(|raw| draft(dim, raw).close().expect("a zone")).collect();
                    let guard = |&(left, right, constant, strict): &(usize, usize, i64, bool)| {
                        (Clock::from_index(left), Clock::from_index(right), bound(constant, strict))
                    };
                    let unions = (0..zones.len())
                        .map(|first| {
                            let parts = (0..4).map(|part| zones[(first + 31 * part) % zones.len()].clone());
                            Federation::from_zones(dim, parts)
                        })
                        .collect();
                    Self {
                        drafts: operands.drafts.iter().map(|raw| draft(dim, raw)).collect(),
                        guards: operands.guards.iter().map(guard).collect(),
                        unions,
                        scratch: Dbm::zero(dim),
                        variables: (0..zones.len()).map(|turn| Variable::new(turn % (dim - 1))).collect(),
                        max: vec![15; dim],
                        zones,
                    }
                }

                /// Performs an operation on the operands of some turns, and hands each result to `sink`.
                pub fn run(&mut self, name: &str, turns: Range<usize>, sink: impl FnMut(Outcome<'_>)) {
                    match name {
                        "clone" => self.each(turns, sink, |e, turn, _, sink| sink(Outcome::Zone(&e.zones[turn].clone()))),
                        "close" => self.each(turns, sink, |e, turn, _, sink| {
                            sink(e.drafts[turn].clone().close().as_ref().map_or(Outcome::Answer(false), Outcome::Zone));
                        }),
                        "fed copy" => self.each(turns, sink, |e, turn, _, sink| sink(Outcome::Union(&e.unions[turn].clone()))),
                        "fed - zone" => self.each(turns, sink, |e, turn, other, sink| {
                            let mut union = e.unions[turn].clone();
                            union.subtract_dbm(&e.zones[other]);
                            sink(Outcome::Union(&union));
                        }),
                        "fed - fed" => self.each(turns, sink, |e, turn, other, sink| {
                            let mut union = e.unions[turn].clone();
                            union.subtract(&e.unions[other]);
                            sink(Outcome::Union(&union));
                        }),
                        "fed ∩ fed" => self.each(turns, sink, |e, turn, other, sink| {
                            let mut union = e.unions[turn].clone();
                            union.intersect(&e.unions[other]);
                            sink(Outcome::Union(&union));
                        }),
                        "fed includes fed" => self.each(turns, sink, |e, turn, other, sink| {
                            sink(Outcome::Answer(e.unions[turn].includes(&e.unions[other])));
                        }),
                        "safe_past" => self.each(turns, sink, |e, turn, other, sink| {
                            sink(Outcome::Union(&safe_past(&e.unions[turn], &e.unions[other])));
                        }),
                        "includes" => self.each(turns, sink, |e, turn, other, sink| {
                            sink(Outcome::Answer(e.zones[turn].includes(&e.zones[other])));
                        }),
                        "intersects" => self.each(turns, sink, |e, turn, other, sink| {
                            sink(Outcome::Answer(e.zones[turn].intersects(&e.zones[other])));
                        }),
                        _ => self.run_in_place(name, turns, sink),
                    }
                }

                /// [`Engine::run`] of the operations that change a zone: a copy of it, where the last copy was.
                fn run_in_place(&mut self, name: &str, turns: Range<usize>, sink: impl FnMut(Outcome<'_>)) {
                    match name {
                        "copy" => self.each(turns, sink, |e, turn, _, sink| sink(Outcome::Zone(e.copy(turn)))),
                        "constrain" => self.each(turns, sink, |e, turn, _, sink| {
                            let (left, right, bound) = e.guards[turn];
                            match e.copy(turn).constrain(left, right, bound) {
                                true => sink(Outcome::Zone(&e.scratch)),
                                false => sink(Outcome::Answer(false)),
                            }
                        }),
                        "intersect" => self.each(turns, sink, |e, turn, other, sink| {
                            e.copy(turn);
                            match e.scratch.intersect(&e.zones[other]) {
                                true => sink(Outcome::Zone(&e.scratch)),
                                false => sink(Outcome::Answer(false)),
                            }
                        }),
                        "up" => self.change(turns, sink, |zone, _, _| zone.up()),
                        "down" => self.change(turns, sink, |zone, _, _| zone.down()),
                        "free" => self.change(turns, sink, |zone, variable, _| zone.free(variable)),
                        "reset" => self.change(turns, sink, |zone, variable, _| zone.reset(variable, 0)),
                        "extrapolate" => self.change(turns, sink, |zone, _, max| zone.extrapolate_max(max)),
                        _ => unreachable!("an operation without code: {name}"),
                    }
                }

                #[inline(always)]
                fn each<S: FnMut(Outcome<'_>)>(
                    &mut self,
                    turns: Range<usize>,
                    mut sink: S,
                    step: impl Fn(&mut Self, usize, usize, &mut S),
                ) {
                    for turn in turns {
                        let far = turn + self.zones.len() / 2;
                        let other = if far < self.zones.len() { far } else { far - self.zones.len() };
                        step(self, turn, other, &mut sink);
                    }
                }

                #[inline(always)]
                fn change(
                    &mut self,
                    turns: Range<usize>,
                    sink: impl FnMut(Outcome<'_>),
                    step: impl Fn(&mut Dbm, Variable, &[i64]),
                ) {
                    self.each(turns, sink, |e, turn, _, sink| {
                        let variable = e.variables[turn];
                        e.copy(turn);
                        step(&mut e.scratch, variable, &e.max);
                        sink(Outcome::Zone(&e.scratch));
                    });
                }

                /// A copy of the zone of this turn.
                #[inline(always)]
                fn copy(&mut self, turn: usize) -> &mut Dbm {
                    self.scratch.clone_from(&self.zones[turn]);
                    &mut self.scratch
                }

                /// Performs the operation on the operands of some turns; returns how many zones came out.
                #[inline(never)]
                pub fn pass(&mut self, name: &str, turns: Range<usize>) -> usize {
                    let mut zones = 0;
                    self.run(name, turns, |outcome| match outcome {
                        Outcome::Answer(answer) => zones += usize::from(black_box(answer)),
                        Outcome::Union(union) => zones += black_box(union).zones().len(),
                        Outcome::Zone(zone) => zones += usize::from(black_box(zone).dim() > 0),
                    });
                    zones
                }

                /// The results in full, for comparison: every bound of every zone, in order.
                pub fn shown(&mut self, name: &str, turns: Range<usize>) -> Vec<String> {
                    let show = |zone: &Dbm| {
                        let clocks = || (0..zone.dim()).map(Clock::from_index);
                        let bounds = clocks().flat_map(|i| clocks().map(move |j| zone.bound(i, j).to_string()));
                        bounds.collect::<Vec<_>>().join(" ")
                    };
                    let mut shown = Vec::new();
                    self.run(name, turns, |outcome| {
                        shown.push(match outcome {
                            Outcome::Answer(answer) => answer.to_string(),
                            Outcome::Zone(zone) => show(zone),
                            Outcome::Union(union) => union.zones().iter().map(show).collect::<Vec<_>>().join("\n"),
                        });
                    });
                    shown
                }
            }

            /// What an operation gave.
            pub enum Outcome<'a> {
                Answer(bool),
                Zone(&'a Dbm),
                Union(&'a Federation),
            }
        }
    };
}

engine!(before, crate::old);
engine!(now, tamper_zones);
