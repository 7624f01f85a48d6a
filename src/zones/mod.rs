//! Clocks, bounds, difference-bound matrices and federations. Knows no model.
//!
//! A [`Dbm`] is a non-empty convex set of clock valuations over the non-negative reals, closed (canonical) at all
//! times; emptiness is the absence of a `Dbm`. A [`Federation`] is a finite union of them, with exact subtraction,
//! inclusion and time operators ([`safe_past`], [`safe_future`], [`Federation::delayable`],
//! [`Federation::forever`]). [`reference::NaiveDbm`] is the slow twin that the tests compare against.
//! What is deliberately absent: locations, guards, names of clocks.
//!
//! ```
//! use tamper::zones::{Bound, Clock, Dbm, Federation, Variable};
//!
//! let (x, y) = (Variable::new(0), Variable::new(1));
//! let mut zone = Dbm::zero(3); // two clocks, both zero
//! zone.up();
//! assert!(zone.constrain(x.into(), Clock::ZERO, Bound::le(5)));
//! zone.reset(y, 0);
//! zone.up();
//! assert_eq!(zone.bound(y.into(), x.into()), Bound::le(0));
//! let mut rest = Federation::universe(3);
//! rest.subtract_dbm(&zone);
//! assert!(!rest.includes_dbm(&zone) && rest.complement().includes_dbm(&zone));
//! ```

mod bound;
mod clock;
mod dbm;
mod draft;
mod federation;
pub mod reference;
#[cfg(test)]
mod testing;
mod timed;

pub use bound::Bound;
pub use clock::{Clock, Variable};
pub use dbm::Dbm;
pub use draft::DbmDraft;
pub use federation::Federation;
pub use timed::{safe_future, safe_past};
