//! Feature models as clauses, the solvers behind one interface, and explanations and proofs from them.

pub mod batsat_solver;
pub mod cnf;
pub mod encode;
pub mod explain;
pub mod recorded;
pub mod refutation;
pub mod solver;
pub mod varisat_solver;
