//! Mutation operators: a mutant is a record, not a copy of the model.
