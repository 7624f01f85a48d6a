//! Exported mutants: what other tools' grammars say they may be, and that they read back as the same mutants.

mod command;
mod formats;
mod grammar;
mod normal;

use std::path::{Path, PathBuf};

/// The six published systems.
const STUDIES: [&str; 6] = ["accel", "cas", "coffee", "hotel", "mutex", "wfas"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn study(name: &str) -> PathBuf {
    root().join("case-studies").join(name).join("model.xml")
}

/// The UPPAAL files of a folder, in order.
fn models(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let mut list: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    list.retain(|path| path.extension().is_some_and(|end| end == "xml"));
    list.sort();
    list
}
