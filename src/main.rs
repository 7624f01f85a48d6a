//! The `tamper` command.

fn main() {}
