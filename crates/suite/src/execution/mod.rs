//! Tests executed against games in simulated time.

pub mod compiled;
pub mod concrete_state;
pub mod duration;
pub mod execute;
pub mod opponent;
pub mod random_game;
pub mod reads;
pub mod simulate;
pub mod single;
pub mod subject;
pub mod visits;
