//! Checks that no output replaces an input or another output.

use std::fs;
use std::path::{Path, PathBuf};

use super::identity::{FileId, old, resolved};
use crate::error::{ExperimentError, FileAction, OfFile as _, Result};

/// The kind of an output, which determines what happens to existing data at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputKind {
    /// A file, which is replaced.
    File,
    /// A file, which is kept under another name (`.old`).
    Journal,
    /// A folder, in which files are made or replaced.
    Folder,
    /// A folder of one run, which is kept under another name (`.old`).
    Run,
}

/// An output: a place that a command writes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// The option by which the user names the place, such as `--out`.
    pub option: String,
    /// The place.
    pub path: PathBuf,
    /// The kind of output.
    pub kind: OutputKind,
}

/// A path that writing changes, and the file that it denotes now.
struct Claim {
    path: PathBuf,
    resolved: PathBuf,
    id: Option<FileId>,
}

impl Claim {
    fn of(path: PathBuf) -> Result<Self> {
        let resolved = resolved(&path).cannot(FileAction::Write, &path)?;
        Ok(Self {
            id: FileId::of(&resolved),
            resolved,
            path,
        })
    }
    fn is_in(&self, folder: &FileId) -> bool {
        let mut around = self.resolved.ancestors().skip(1);
        around.any(|above| FileId::of(above).as_ref() == Some(folder))
    }
    fn is(&self, other: &Self) -> bool {
        self.resolved == other.resolved || self.id.is_some() && self.id == other.id
    }
}

impl Output {
    /// The paths that are written, and the paths to which existing data are moved.
    fn claims(&self) -> Result<Vec<Claim>> {
        let mut claims = vec![Claim::of(self.path.clone())?];
        if matches!(self.kind, OutputKind::Journal | OutputKind::Run) {
            claims.push(Claim::of(old(&claims[0].resolved))?);
        }
        Ok(claims)
    }

    fn is_folder(&self) -> bool {
        matches!(self.kind, OutputKind::Folder | OutputKind::Run)
    }

    /// Refuses a place that cannot be written to, before any work is done.
    fn check(&self) -> Result<()> {
        let Self { option, path, .. } = self;
        let shown = path.display();
        let refuse = |why: String| Err(ExperimentError::place(path, why));
        if path.as_os_str().is_empty() {
            return refuse(format!("{option} is empty: name a place to write to"));
        }
        let is_folder = fs::metadata(path).ok().map(|there| there.is_dir());
        match self.is_folder() {
            true if is_folder == Some(false) => {
                return refuse(format!("{option} {shown} is a file: name a folder"));
            }
            false if is_folder == Some(true) => {
                return refuse(format!("{option} {shown} is a folder: name a file"));
            }
            false => {
                let place = resolved(path).cannot(FileAction::Write, path)?;
                let folder = place.parent().unwrap_or(Path::new("/"));
                if !folder.is_dir() {
                    let missing = folder.display();
                    return refuse(format!("cannot write {option} {shown}: there is no folder {missing}"));
                }
            }
            true => {}
        }
        Ok(())
    }
}

/// Refuses outputs that would replace an input or each other.
///
/// # Errors
/// The first output that clashes or cannot be written to.
pub fn refuse_clashes(inputs: &[&Path], outputs: &[Output]) -> Result<()> {
    let mut before: Vec<(&Output, Claim)> = Vec::new();
    for output in outputs {
        output.check()?;
        let claims = output.claims()?;
        for input in inputs {
            claims.iter().try_for_each(|claim| refuse(input, output, claim))?;
        }
        let (option, shown) = (&output.option, output.path.display());
        for claim in &claims {
            if let Some((other, _)) = before.iter().find(|(_, earlier)| earlier.is(claim)) {
                let why = format!(
                    "{option} {shown} and {} {} would be the same file: choose different ones",
                    other.option,
                    other.path.display()
                );
                return Err(ExperimentError::place(&output.path, why));
            }
        }
        before.extend(claims.into_iter().map(|claim| (output, claim)));
    }
    Ok(())
}

fn refuse(input: &Path, output: &Output, claim: &Claim) -> Result<()> {
    let Some(read) = FileId::of(input) else {
        return Ok(());
    };
    let (option, shown, input_shown) = (&output.option, claim.path.display(), input.display());
    let place = match claim.path == output.path {
        true => format!("{option} {shown}"),
        false => format!("{shown}, to which the previous {option} would be moved,"),
    };
    let refuse = |why: String| Err(ExperimentError::place(&output.path, why));
    if claim.id.as_ref() == Some(&read) {
        return refuse(format!(
            "{place} is the input {input_shown}, which would be replaced: choose another place"
        ));
    }
    if input.is_dir() && claim.is_in(&read) {
        return refuse(format!(
            "{place} is in the input folder {input_shown}: choose a place outside it"
        ));
    }
    if output.kind == OutputKind::Run
        && let Some(folder) = &claim.id
        && Claim::of(input.to_owned())?.is_in(folder)
    {
        return refuse(format!(
            "{place} holds the input {input_shown}, which would be moved away: choose another place"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(option: &str, path: PathBuf, kind: OutputKind) -> Output {
        Output {
            option: option.to_owned(),
            path,
            kind,
        }
    }

    fn refusal(input: &Path, outputs: &[Output]) -> String {
        match refuse_clashes(&[input], outputs) {
            Ok(()) => String::new(),
            Err(error) => format!("{error:#}"),
        }
    }

    #[test]
    fn a_file_is_itself_by_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("model.xml"), "<nta/>").unwrap();
        fs::hard_link(at("model.xml"), at("hard.xml")).unwrap();
        let mut names = vec!["model.xml", "sub/../model.xml", "./model.xml", "hard.xml"];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("model.xml", at("soft.xml")).unwrap();
            std::os::unix::fs::symlink("sub", at("link")).unwrap();
            names.extend(["soft.xml", "link/../model.xml"]);
        }
        for name in names {
            let message = refusal(&at("model.xml"), &[output("--out", at(name), OutputKind::File)]);
            assert!(message.contains("is the input"), "{name}: {message}");
        }
        assert_eq!(
            refusal(&at("model.xml"), &[output("--out", at("new"), OutputKind::File)]),
            ""
        );
    }

    #[test]
    fn folders_that_are_read_or_moved_are_not_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["project", "run", "run.old"] {
            fs::create_dir(at(name)).unwrap();
            fs::write(at(name).join("model.xml"), "<nta/>").unwrap();
        }
        let message = refusal(&at("project"), &[output("--out", at("project/a/b"), OutputKind::Run)]);
        assert!(message.contains("in the input folder"), "{message}");
        let message = refusal(&at("run/model.xml"), &[output("--out", at("run"), OutputKind::Run)]);
        assert!(message.contains("holds the input"), "{message}");
        let message = refusal(&at("run.old/model.xml"), &[output("--out", at("run"), OutputKind::Run)]);
        assert!(message.contains("holds the input"), "{message}");
        let message = refusal(&at("run.old"), &[output("--out", at("run"), OutputKind::Run)]);
        assert!(message.contains("is the input"), "{message}");
        assert_eq!(
            refusal(&at("run/model.xml"), &[output("--out", at("run"), OutputKind::Folder)]),
            ""
        );
    }

    #[test]
    fn two_outputs_are_two_places() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let none = at("none");
        for (first, second) in [("a", "a"), ("a", "./a"), ("a.old", "a")] {
            let outputs = [
                output("--out", at(first), OutputKind::File),
                output("--journal", at(second), OutputKind::Journal),
            ];
            let message = refusal(&none, &outputs);
            assert!(message.contains("same file"), "{first}, {second}: {message}");
        }
        let message = refusal(&none, &[output("--out", at("missing/a"), OutputKind::File)]);
        assert!(message.contains("there is no folder"), "{message}");
        let message = refusal(&none, &[output("--out", folder.path().to_owned(), OutputKind::File)]);
        assert!(message.contains("is a folder"), "{message}");
    }
}
