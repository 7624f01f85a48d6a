//! The programs of the book's page for programmers: each uses nothing but the library.

mod family;
mod network;
mod own_operator;
mod program;
mod suite;
mod verdicts;
