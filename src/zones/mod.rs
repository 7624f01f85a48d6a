//! Clocks, bounds, difference-bound matrices and federations. Knows no model.
