//! The commands about families of games, and about feature models.

pub mod features;
pub mod fmm;
pub mod products;
pub mod project;
