//! Detection of a saved model, by checking its file now and then.
//!
//! A check is one question to the file system. It also sees changes that watching by events does not: editors that write a new file and
//! rename it, and folders on other machines.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The facts about a model's files that show a change without reading them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stamp(Vec<FileStamp>);

/// The facts about a file; `None` each if it does not exist.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct FileStamp {
    path: PathBuf,
    /// The time of the last change.
    changed: Option<SystemTime>,
    length: Option<u64>,
}

impl Stamp {
    /// The stamp of the file at `path` or, for a folder, of the files in it and in its folders. A file that does not exist has a stamp,
    /// too.
    pub fn of(path: &Path) -> Self {
        let mut files = Vec::new();
        collect(path, DEEP, &mut files);
        files.sort();
        Self(files)
    }
}

/// The depth of a model's files: a project's files are in a folder of the project. Links may form cycles.
const DEEP: usize = 2;

fn collect(path: &Path, deep: usize, files: &mut Vec<FileStamp>) {
    let facts = fs::metadata(path).ok();
    if facts.as_ref().is_some_and(fs::Metadata::is_dir) {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let entries = entries.filter(|_| deep > 0);
        entries.for_each(|entry| collect(&entry.path(), deep - 1, files));
    } else {
        files.push(FileStamp {
            path: path.to_owned(),
            changed: facts.as_ref().and_then(|facts| facts.modified().ok()),
            length: facts.map(|facts| facts.len()),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_is_seen_in_whatever_way_it_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("model.xml"), "one").unwrap();
        let (file, all) = (Stamp::of(&at("model.xml")), Stamp::of(folder.path()));
        assert_eq!(file, Stamp::of(&at("model.xml")));
        // Another file does not matter to the file, but to the folder.
        fs::write(at("other"), "").unwrap();
        assert_eq!(file, Stamp::of(&at("model.xml")));
        assert_ne!(all, Stamp::of(folder.path()));
        // The file is rewritten, replaced by another file, and deleted.
        fs::write(at("model.xml"), "longer").unwrap();
        let longer = Stamp::of(&at("model.xml"));
        assert_ne!(file, longer);
        fs::write(at("new"), "two").unwrap();
        fs::rename(at("new"), at("model.xml")).unwrap();
        assert_ne!(longer, Stamp::of(&at("model.xml")));
        #[cfg(unix)]
        for name in ["round", "and_round"] {
            std::os::unix::fs::symlink(".", at(name)).unwrap();
            assert_ne!(all, Stamp::of(folder.path()), "it ends");
        }
        fs::remove_file(at("model.xml")).unwrap();
        assert_ne!(file, Stamp::of(&at("model.xml")));
    }
}
