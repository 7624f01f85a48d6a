//! `tamper open`: a page in a browser that follows a model while it is edited.
//!
//! One thread does everything in turn: it answers the browser, looks whether the model was saved, and then decides its mutants
//! again. `site` says who is answered, `edited` what was decided, `watched` whether a file was saved.

mod args;
mod edited;
mod open;
mod site;
mod watched;

pub use args::OpenArgs;
pub use open::open;
