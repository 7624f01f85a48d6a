//! The six subject systems of \[003\] section 5.3, embedded so that they are at hand everywhere.

use super::facts::PaperFacts;
use crate::experiment::ModelRef;
use crate::experiment::error::{ExperimentError, OrMalformed as _, Result};
use crate::formats::{ReadOptions, read_bytes};
use crate::model::Automaton;

/// A subject system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Study {
    /// Its folder in `case-studies/`, which is also its name on the command line.
    pub folder: &'static str,
    /// Its name in the paper.
    pub title: &'static str,
    /// The numbers of the paper's tables about its mutants of order 1 and 2.
    pub tables: [u8; 2],
    model: &'static str,
    facts: &'static str,
}

macro_rules! study {
    ($folder:literal, $title:literal, $first:literal, $second:literal) => {
        Study {
            folder: $folder,
            title: $title,
            tables: [$first, $second],
            model: include_str!(concat!("../../case-studies/", $folder, "/model.xml")),
            facts: include_str!(concat!("../../case-studies/", $folder, "/expected.toml")),
        }
    };
}

impl Study {
    /// All studies, in the paper's order.
    pub const ALL: [Self; 6] = [
        study!("cas", "CAS", 2, 8),
        study!("coffee", "COFFEE", 3, 9),
        study!("accel", "ACCEL", 4, 10),
        study!("hotel", "HOTEL", 5, 11),
        study!("wfas", "WFAS", 6, 12),
        study!("mutex", "MUTEX", 7, 13),
    ];

    /// The study of that name, in upper or lower case.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|study| study.folder.eq_ignore_ascii_case(name))
    }

    /// The game of the study.
    ///
    /// # Errors
    /// If the embedded file does not hold exactly one game without a warning.
    pub fn game(&self) -> Result<Automaton> {
        let (document, warnings) = read_bytes(&self.file(), self.model.as_bytes(), &ReadOptions::default())?;
        match document.automata() {
            [game] if warnings.is_empty() => Ok(game.clone()),
            _ => Err(ExperimentError::malformed(format!(
                "{} does not hold exactly one clean game",
                self.file()
            ))),
        }
    }

    /// The reference to `game` in a manifest.
    pub fn model_ref(&self, game: &Automaton) -> ModelRef {
        ModelRef {
            file: self.file(),
            template: game.name().to_owned(),
            hash: blake3::hash(self.model.as_bytes()).to_hex().to_string(),
        }
    }

    /// Reads the published facts about the study's mutants.
    ///
    /// # Errors
    /// If the embedded file has another form.
    pub fn facts(&self) -> Result<PaperFacts> {
        toml::from_str(self.facts).or_malformed(|| format!("case-studies/{}/expected.toml", self.folder))
    }

    fn file(&self) -> String {
        format!("case-studies/{}/model.xml", self.folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_study_reads_and_is_found_by_its_name() {
        for study in Study::ALL {
            study.game().unwrap();
            study.facts().unwrap();
            assert_eq!(Study::find(&study.title.to_lowercase()), Some(study));
        }
        assert_eq!(Study::find("car"), None);
    }
}
