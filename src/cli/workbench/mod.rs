//! `tamper open`: a page in a browser that follows a model while it is edited.
//!
//! One thread does everything in turn: it answers the browser, checks whether the model was saved, and if so decides its mutants again.
//! Requests of the page that may take long have separate threads: a suite (`making`), conditions and tests on the `decided` mutants.
//! `server` reads requests, `site` decides which ones are answered, `edited` is the content of the page, and `watched` tells whether a file
//! was saved.

mod args;
mod decided;
mod edited;
mod making;
mod open;
mod server;
mod site;
mod watched;

pub use args::OpenArgs;
pub use open::open;
