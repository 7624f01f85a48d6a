//! The formats with one file per mutant.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{Kept, MutantFiles};
use crate::error::{ErrorContext as _, ExperimentError, FileAction, OfFile as _, Result};
use crate::files::Draft;
use crate::{ComparedGame, MutantSet, Timer, write_file};
use tamper_game::normal_form;
use tamper_interchange::{write_component, write_global_declarations, write_tchecker};
use tamper_suite::SuiteFailure;
use tamper_timed::model::{Automaton, Role};
use tamper_uppaal::{Document, Inexpressible, Placement, write_mutations};

/// Files for UPPAAL: each has the original, the mutant after every mutation, a refinement query, and the drawing.
#[derive(Debug)]
pub struct UppaalFiles {
    document: Document,
    index: usize,
}

impl UppaalFiles {
    /// The format for mutants of the automaton at `index` of `document`.
    pub fn new(document: Document, index: usize) -> Self {
        Self { document, index }
    }
}

impl MutantFiles for UppaalFiles {
    fn name(&self, kept: &Kept) -> PathBuf {
        format!("{}.xml", kept.stem()).into()
    }
    fn text(&self, kept: &Kept) -> Result<String> {
        Ok(write_mutations(&self.document, self.index, &kept.mutant.mutations)?)
    }
}

/// Files for TChecker: a system per mutant, and `original.tck`.
#[derive(Debug)]
pub struct TcheckerFiles {
    original: String,
}

impl TcheckerFiles {
    /// The format for mutants of `game`.
    ///
    /// # Errors
    /// The construct of `game` that TChecker cannot express.
    pub fn new(game: &Automaton) -> Result<Self, Inexpressible> {
        Ok(Self {
            original: write_tchecker(game)?,
        })
    }
}

impl MutantFiles for TcheckerFiles {
    fn start(&mut self, folder: &Path) -> Result<()> {
        write_file(&folder.join("original.tck"), &self.original)
    }
    fn name(&self, kept: &Kept) -> PathBuf {
        format!("{}.tck", kept.stem()).into()
    }
    fn text(&self, kept: &Kept) -> Result<String> {
        write_tchecker(&kept.mutant.automaton()).doing(|| kept.record.id.clone())
    }
}

/// The remark on a game with hidden steps.
const HIDDEN: &str = "# some internal steps are hidden: nobody sees them, and what is seen is compared\n";

/// Files in the normal form of certificates: a game per mutant, and `original.txt`.
#[derive(Debug)]
pub struct NormalForms<'s> {
    set: &'s dyn MutantSet,
    timer: Timer,
}

impl<'s> NormalForms<'s> {
    /// The format for mutants of `set`, under the limits of `timer` each.
    pub fn new(set: &'s dyn MutantSet, timer: Timer) -> Self {
        Self { set, timer }
    }

    fn of(&self, name: &str, game: std::result::Result<ComparedGame, SuiteFailure>) -> Result<String> {
        let refused = |why: String| ExperimentError::Refused(format!("{name} has no normal form: {why}"));
        let made = game.map_err(|failure| refused(failure.to_string()))?;
        let text = normal_form(&made.game, &made.words, &self.timer.budget());
        let text = text.map_err(|error| refused(error.to_string()))?;
        let hidden = if made.has_hidden { HIDDEN } else { "" };
        Ok(format!("# {name}\n{hidden}{text}"))
    }
}

impl MutantFiles for NormalForms<'_> {
    fn start(&mut self, folder: &Path) -> Result<()> {
        let text = self.of("the original", self.set.compared_original(&self.timer))?;
        write_file(&folder.join("original.txt"), text)
    }
    fn name(&self, kept: &Kept) -> PathBuf {
        format!("{}.txt", kept.stem()).into()
    }
    fn text(&self, kept: &Kept) -> Result<String> {
        self.of(&kept.record.id, self.set.compared(&kept.mutant, &self.timer))
    }
}

/// An Ecdar project: a component for the original and for each mutant, and a refinement query for each mutant.
#[derive(Debug)]
pub struct EcdarProject {
    original: Automaton,
    name: String,
    placement: Placement,
    /// Component of the original, as JSON.
    component: String,
    /// All channels; mutants may add new ones.
    channels: BTreeSet<String>,
    streams: Option<Streams>,
}

/// The files that grow with every mutant.
#[derive(Debug)]
struct Streams {
    system: Draft,
    queries: Draft,
    /// The IO lines, which follow the list of components.
    io: fs::File,
    /// Whether a query was written.
    has_queries: bool,
}

impl EcdarProject {
    /// The project for mutants of `original`, which is drawn according to `placement`.
    ///
    /// # Errors
    /// The construct of `original` that Ecdar cannot express.
    pub fn new(original: Automaton, placement: Placement) -> Result<Self> {
        let name = component_name(original.name());
        let component = write_component(&original, &name, &placement)?;
        Ok(Self {
            component: serde_json::to_string_pretty(&component)?,
            channels: BTreeSet::new(),
            original,
            name,
            placement,
            streams: None,
        })
    }

    fn io_line(&self, game: &Automaton, name: &str) -> Option<String> {
        if !self.original.is_input_enabled() {
            return None;
        }
        let named = game.actions().iter().filter(|action| action.role != Role::Internal);
        let actions: Vec<_> = named.map(ToString::to_string).collect();
        Some(format!("IO {name} {{ {} }}", actions.join(", ")))
    }
}

/// Turns `name` into a component name of letters, digits and `_`.
fn component_name(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect()
}

fn mutant_name(kept: &Kept) -> String {
    format!("M{}", component_name(&kept.stem()))
}

/// Escapes `text` for use inside a JSON string.
fn escaped(text: &str) -> Result<String> {
    let quoted = serde_json::to_string(text)?;
    Ok(quoted[1..quoted.len() - 1].to_owned())
}

impl MutantFiles for EcdarProject {
    fn start(&mut self, folder: &Path) -> Result<()> {
        let components = folder.join("Components");
        fs::create_dir(&components).cannot(FileAction::Create, &components)?;
        write_file(&components.join(format!("{}.json", self.name)), &self.component)?;
        let mut system = Draft::create(&folder.join("SystemDeclarations.json"))?;
        write!(
            system,
            "{{\n  \"name\": \"System Declarations\",\n  \"declarations\": \"system {}",
            escaped(&self.name)?
        )?;
        let mut queries = Draft::create(&folder.join("Queries.json"))?;
        write!(queries, "[")?;
        let mut io = tempfile::tempfile().doing(|| "cannot create a temporary file".to_owned())?;
        if let Some(line) = self.io_line(&self.original, &self.name) {
            writeln!(io, "{line}")?;
        }
        self.channels
            .extend(self.original.actions().iter().map(|action| action.name.to_string()));
        self.streams = Some(Streams {
            system,
            queries,
            io,
            has_queries: false,
        });
        Ok(())
    }

    fn name(&self, kept: &Kept) -> PathBuf {
        Path::new("Components").join(format!("{}.json", mutant_name(kept)))
    }

    fn text(&self, kept: &Kept) -> Result<String> {
        let component = write_component(&kept.mutant.automaton(), &mutant_name(kept), &self.placement);
        let component = component.doing(|| kept.record.id.clone())?;
        Ok(serde_json::to_string_pretty(&component)?)
    }

    fn written(&mut self, kept: &Kept) -> Result<()> {
        let name = mutant_name(kept);
        let mutant = kept.mutant.automaton();
        let io_line = self.io_line(&mutant, &name);
        self.channels
            .extend(mutant.actions().iter().map(|action| action.name.to_string()));
        let original = self.name.clone();
        let Some(streams) = &mut self.streams else {
            return Ok(());
        };
        write!(streams.system, ", {name}")?;
        let query = json!({
            "query": format!("refinement: {name} <= {original}"),
            "comment": kept.record.id,
            "isPeriodic": false,
        });
        let comma = if streams.has_queries { "," } else { "" };
        write!(streams.queries, "{comma}\n  {query}")?;
        streams.has_queries = true;
        if let Some(line) = io_line {
            writeln!(streams.io, "{line}")?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, folder: &Path) -> Result<()> {
        let Some(mut streams) = self.streams.take() else {
            return Ok(());
        };
        write!(streams.system, ";\\n\\n")?;
        streams.io.seek(SeekFrom::Start(0))?;
        let mut lines = std::io::BufReader::new(streams.io);
        let mut block = [0; 4096];
        loop {
            let length = lines.read(&mut block)?;
            if length == 0 {
                break;
            }
            // IO lines consist of names, marks, brackets and line ends, so that only line ends need escaping.
            for byte in &block[..length] {
                match byte {
                    b'\n' => streams.system.write_all(b"\\n")?,
                    byte => streams.system.write_all(&[*byte])?,
                }
            }
        }
        writeln!(streams.system, "\"\n}}")?;
        streams.system.finish()?;
        writeln!(streams.queries, "\n]")?;
        streams.queries.finish()?;
        let global = json!({
            "name": "Global Declarations",
            "declarations": write_global_declarations(&self.channels),
        });
        let text = serde_json::to_string_pretty(&global)? + "\n";
        write_file(&folder.join("GlobalDeclarations.json"), &text)
    }
}
