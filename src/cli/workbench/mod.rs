//! `tamper open`: a page in a browser that follows a model while it is edited.
//!
//! One thread answers the browser, and checks whether the model was saved. What may take long has separate threads: the decision of its
//! mutants (`deciding`), a suite (`making`), conditions and tests on the `decided` mutants.
//! `server` reads requests, `site` decides which ones are answered, `edited` is the content of the page, and `watched` tells whether a file
//! was saved.

mod args;
mod decided;
mod deciding;
mod edited;
mod making;
mod open;
mod progress;
mod server;
mod site;
mod watched;

pub use args::OpenArgs;
pub use open::open;
