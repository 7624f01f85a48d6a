//! tamper: a workbench for mutation testing of real-time systems modelled as timed games.
//!
//! A game is read from a file and mutated, and every mutant is compared with it exactly. A mutant that refines the game (*subsumed*) passes
//! every test; a mutant that does not (*non-subsumed*) can be killed, and a counterexample says how.
//!
//! ```
//! use tamper::game::{Semantics, Verdict};
//! use tamper::{mutation::Order, report::counterexample_text};
//!
//! let game = tamper::read("case-studies/wfas/model.xml")?;
//! let mutants: Vec<_> = tamper::mutate(&game, Order::FIRST)?.collect();
//! let verdicts = tamper::classify(&game, &mutants, Semantics::STRICT)?;
//!
//! let count = |verdict: Verdict| verdicts.iter().filter(|found| **found == verdict).count();
//! assert_eq!(mutants.len(), 121);
//! assert_eq!(count(Verdict::NonSubsumed), 65);
//! assert_eq!(count(Verdict::Subsumed), 42);
//! assert_eq!(count(Verdict::Inconsistent), 14);
//!
//! let killable = verdicts.iter().position(|found| *found == Verdict::NonSubsumed);
//! let mutant = &mutants[killable.expect("65 of them")];
//! let found = tamper::counterexample(&game, mutant, Semantics::STRICT)?;
//! let found = found.expect("a non-subsumed mutant has one");
//! println!("{}: {}\n{}", mutant.id, Verdict::NonSubsumed, counterexample_text(&found, &mutant.automaton, &game));
//! # Ok::<(), tamper::Error>(())
//! ```
//!
//! A test shows the difference to a program. It is made for one mutant, and executed exactly on any game, or driven against a program
//! ([`suite::Sut`]):
//!
//! ```
//! use tamper::suite::{Pick, Potential, Style, Subject, Tester, ends};
//! use tamper::{mutation::Order, text::Budget};
//!
//! let (game, budget) = (tamper::read("uppaal-models/lamp.xml")?, Budget::unlimited());
//! let tester = Tester::new(&game, &budget)?;
//! let mutant = tamper::mutate(&game, Order::FIRST)?.next().expect("a lamp has mutants");
//! let mutant = Subject::new(&mutant.automaton, &budget)?;
//! if let Potential::Killed(test) = tester.potential(&mutant, Style::Cooperative, Pick::Earliest, &budget)? {
//!     assert!(ends(&test, &mutant, &budget)?.can_fail());
//!     assert!(!ends(&test, tester.spec(), &budget)?.can_fail(), "a right lamp passes");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Six more programs are in the book's cookbook.
//!
//! The rooms below have a page each: [`model`] is a timed game, and [`formats`] the files it comes from. [`mutation`] numbers the mutants
//! of any order, [`guidelines`] name mutants that need no exploration, and [`features`] and [`featured`] are families of games. [`game`]
//! decides one mutant or all products at once, by computing with [`symbolic`] and [`zones`]. [`suite`] makes and runs tests, and
//! [`machines`] does the same without time. [`experiment`] holds runs on disk, and [`report`] presents their results. The command `tamper`
//! is a separate program above the rooms (`src/main.rs`).

pub mod formats;
mod front;

#[cfg(feature = "reproduction")]
pub mod reproduction;

pub use front::{Error, Mutant, classify, counterexample, mutate, read};
pub use tamper_features as features;
pub use tamper_game as game;
pub use tamper_game::symbolic;
pub use tamper_machines as machines;
pub use tamper_programs as programs;
pub use tamper_report as report;
pub use tamper_runs as experiment;
pub use tamper_suite as suite;
pub use tamper_systems as systems;
pub use tamper_text as text;
pub use tamper_timed::{featured, guidelines, model, mutation, network};
pub use tamper_untimed as untimed;
pub use tamper_zones as zones;
