//! What the tests of this package share.

pub mod grids;
pub mod reference;
