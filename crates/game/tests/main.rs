//! The engine against procedures that share no code with it, on random games: consistency and refinement against region
//! graphs, the identity check against the game.

mod certificates;
mod consistency;
mod identity;
mod refinement;
