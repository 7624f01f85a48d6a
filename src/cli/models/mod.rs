//! What a file of timed games becomes: a game, a composition, or a model whose mutants are made.

pub mod families;
pub mod load;
pub mod mutated;
pub mod mutated_game;
pub mod mutated_network;
pub mod observations;
pub mod prepare;
pub mod read_mutated;
pub mod timed_world;
