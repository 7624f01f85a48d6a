//! Suites against all faults at once: of mutation machines, and of all products of a family.

pub mod coverage;
pub mod coverage_lists;
pub mod journal;
pub mod products;
pub mod products_clauses;
pub mod products_journal;
