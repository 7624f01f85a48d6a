//! BTOR2 (Niemetz, Preiner, Wolf, Biere: BTOR2, BtorMC and Boolector 3.0, CAV 2018): bit vectors of up to 31 bits,
//! without arrays and constraints.
//!
//! Words of one bit are truth values, wider ones numbers from 0; every operator is exact, so division by zero, overflow
//! and signs behave as the format defines. Every line that has a value becomes a definition. A state without `next` is
//! a choice of the system in every step, one without `init` initially. Constructs that are not read are refused by
//! name, except properties (`bad` and the like), which change nothing and get a warning.

mod lines;
mod operators;
mod reader;
mod words;

pub use reader::read_btor2;
