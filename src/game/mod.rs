//! Symbolic semantics of timed games: consistency and refinement.
