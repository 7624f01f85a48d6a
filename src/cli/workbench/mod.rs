//! `tamper open`: a page in a browser that follows a model while it is edited.
//!
//! One thread does everything in turn: it answers the browser, looks whether the model was saved, and then decides its mutants
//! again. What the page asks for and may take long has threads of its own: a suite (`making`), conditions and tests on what was
//! `decided`. `server` reads requests, `site` says who is answered, `edited` is what the page shows, `watched` whether a file was saved.

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
