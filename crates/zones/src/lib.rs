//! Sets of clock valuations: difference-bound matrices ([`Dbm`], also *zones*) and finite unions of them
//! ([`Federation`]). Exact in every operation; knows no model.
//!
//! A [`Dbm`] is a non-empty convex set of clock valuations over the non-negative reals, closed (canonical) at all
//! times; emptiness is the absence of a `Dbm`. It is built by conjunctions of constraints from [`Dbm::zero`] or
//! [`Dbm::universe`], or at once from a [`DbmDraft`]. A [`Federation`] has exact subtraction, inclusion and the time
//! operators of timed games ([`safe_past`], [`safe_future`], [`Federation::delayable`], [`Federation::forever`]).
//! What is deliberately absent: locations, guards, names of clocks.
//!
//! The zones of a small automaton: `x` and `y` start at zero, an edge with guard `x >= 2` resets `y` and leads to a
//! location with invariant `y <= 1`.
//!
//! ```
//! use tamper_zones::{Bound, Clock, Dbm, Federation, Variable};
//!
//! let (x, y) = (Variable::new(0), Variable::new(1));
//! let mut zone = Dbm::zero(3); // two clocks and the reference clock
//! zone.up();
//! assert!(zone.constrain(Clock::ZERO, x.into(), Bound::le(-2))); // 0 - x <= -2
//! zone.reset(y, 0);
//! zone.up();
//! assert!(zone.constrain(y.into(), Clock::ZERO, Bound::le(1)));
//! assert_eq!(zone.constraints(&["x", "y"]), ["y<=1", "x-y>=2"]);
//!
//! // An earlier zone that includes a new one makes it needless.
//! let mut later = zone.clone();
//! assert!(later.constrain(Clock::ZERO, x.into(), Bound::lt(-2)));
//! assert!(zone.includes(&later));
//!
//! // What is left of a set without it, exactly.
//! let mut rest = Federation::from(zone);
//! rest.subtract_dbm(&later);
//! assert_eq!(rest.to_string(), "(x1==2 && x2==0)");
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;

mod bound;
mod clock;
mod dbm;
mod draft;
mod federation;
#[cfg(test)]
mod tests;
mod timed;

pub use bound::Bound;
pub use clock::{Clock, Variable};
pub use dbm::Dbm;
pub use draft::DbmDraft;
pub use federation::Federation;
pub use timed::{future_within, past_within, safe_future, safe_past};
