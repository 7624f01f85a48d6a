//! Records to tables, pure.
