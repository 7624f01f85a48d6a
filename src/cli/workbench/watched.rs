//! Whether a model was saved, by looking at its file now and then.
//!
//! A look is one question to the file system. It also sees what watching by events does not: editors that write a new file and
//! rename it, and folders on other machines.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What is known of a model without reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stamp(Vec<FileStamp>);

/// What is known of a file; nothing of one that is not there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct FileStamp {
    path: PathBuf,
    /// When it was changed last.
    changed: Option<SystemTime>,
    length: Option<u64>,
}

impl Stamp {
    /// Of the file, or the files of the folder and of its folders, at `path` as it is now; a file that is not there is part of it, too.
    pub fn of(path: &Path) -> Self {
        let mut files = Vec::new();
        collect(path, DEEP, &mut files);
        files.sort();
        Self(files)
    }
}

/// How deep a model's files are: those of a project are in a folder of it. Links may lead round in circles.
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
        // Another file is none of the file's business, but the folder's.
        fs::write(at("other"), "").unwrap();
        assert_eq!(file, Stamp::of(&at("model.xml")));
        assert_ne!(all, Stamp::of(folder.path()));
        // Written anew, replaced by another file, and gone.
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
