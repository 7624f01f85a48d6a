//! `tamper draw`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use crate::cli::arguments::args::{GlobalArgs, MutationArgs};
use crate::cli::arguments::network_args::{NetworkArgs, may_be_network};
use crate::cli::arguments::unspecified::GraphArgs;
use crate::cli::door::FeaturesFile;
use crate::cli::exit::ExitCode;
use crate::cli::models::families::read_model;
use crate::cli::models::load::Loaded;
use crate::cli::models::mutated::MutatedModel;
use crate::cli::models::mutated_network::MutatedNetwork;
use crate::cli::terminal::Terminal;
use tamper::experiment::{MutantSet as _, Numbered, write_file};
use tamper::formats::{read_model as read_games, read_network_file};
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, Mutation, MutationOptions, Order};
use tamper::report::{Scene, scenes_dot, scenes_svg, tree_dot, tree_svg};

/// `tamper draw`.
#[derive(Args, Debug)]
#[command(after_help = "\
The drawing of the file is kept (positions, nails, labels) where it has one; otherwise the locations are arranged in
layers, with room for all labels. Of a file with several processes or games all are drawn, side by side; --template chooses
one, --network draws the composition. Of a mutant the removed parts stay in the picture, dotted and crossed; added ones are thick; changed texts show
what they were, struck.
A chart (XState, SCXML with delays) is drawn as its file says it, in nested boxes.

Examples:
  tamper draw model.xml --out model.svg
  tamper draw model.xml --mutant 'CXL:invariant:idle:x<=2=>x<=3' --out mutant.svg
  tamper draw trains.xml --out trains.svg               each template of a network
  tamper draw trains.xml --mutant 'Gate/TMI:Free->Occ#0' --out mutant.svg
  tamper draw model.xml --as dot | dot -Tpdf > model.pdf
  tamper draw features.uvl --out features.svg
  tamper draw machine.fsm --as dot --out machine.dot    a state machine, as learners (LearnLib, AALpy) read it
  tamper draw machine.fsm --as dot --distinguishing='b a a b a' | dot -Tsvg > why.svg
                                                        what a test can find out, and what leads there")]
pub struct DrawArgs {
    /// A model, a feature model (UVL, FeatureIDE XML, DIMACS), or a state machine (.fsm, .kiss, .dot), as dot
    pub file: PathBuf,
    #[command(flatten)]
    pub game: DrawGameArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub mutation: MutationArgs,
    #[command(flatten)]
    pub machine: DrawMachineArgs,
    #[command(flatten)]
    pub graph: GraphArgs,
    /// What to draw it as
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORMAT")]
    pub target: DrawFormat,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Options of `tamper draw` for state machines.
#[derive(Args, Debug)]
pub struct DrawMachineArgs {
    /// Of a state machine: its distinguishing automaton ([000] Definition 2), or with WORD (inputs with spaces between) that of a
    /// word (Definition 3), without what cannot end in the sink
    #[arg(long, value_name = "WORD", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub distinguishing: Option<String>,
}

/// Options of `tamper draw` for timed games.
#[derive(Args, Debug)]
pub struct DrawGameArgs {
    /// The game to draw [default: all that the file runs]
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// The mutant to draw, by its id
    #[arg(long, value_name = "ID")]
    pub mutant: Option<String>,
}

/// What pictures are written as.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum, Debug)]
pub enum DrawFormat {
    /// For screens and papers
    #[default]
    Svg,
    /// For Graphviz
    Dot,
}

/// Draws a game, all games or processes of a file, or a mutant with its changes.
pub fn draw_game(args: &DrawArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let scenes = match several(args, global, terminal)? {
        Some(scenes) => scenes,
        None => vec![game(args, global, terminal)?],
    };
    let text = match args.target {
        DrawFormat::Svg => scenes_svg(&scenes),
        DrawFormat::Dot => scenes_dot(&scenes),
    };
    write(&text, args, terminal)
}

/// Draws a feature model.
pub fn draw_features(file: &FeaturesFile, args: &DrawArgs, terminal: &Terminal) -> Result<ExitCode> {
    let model = read_model(file, terminal)?;
    let text = match args.target {
        DrawFormat::Svg => tree_svg(&model),
        DrawFormat::Dot => tree_dot(&model),
    };
    write(&text, args, terminal)
}

fn write(text: &str, args: &DrawArgs, terminal: &Terminal) -> Result<ExitCode> {
    match &args.out {
        Some(path) => {
            write_file(path, text)?;
            terminal.note(&format!("the drawing is in {}", path.display()));
        }
        None => terminal.result(text)?,
    }
    Ok(ExitCode::Yes)
}

/// Draws the processes or games of a file that has several, if none was chosen.
fn several(args: &DrawArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<Option<Vec<Scene>>> {
    let (DrawGameArgs { template, mutant }, network) = (&args.game, &args.network);
    if template.is_some() || network.is_asked() {
        return Ok(None);
    }
    let read = read_games(&args.file, &global.read_options());
    if read.as_ref().is_ok_and(|read| read.document.automata().len() == 1) {
        return Ok(None);
    }
    if may_be_network(&args.file)
        && let Ok(processes) = read_network_file(&args.file)
        && !processes.0.has_roles
    {
        let network = MutatedNetwork::of_all(&args.file, processes, network, terminal)?;
        return Ok(Some(processes_of(&network, args)?));
    }
    let Ok(read) = read else { return Ok(None) };
    if mutant.is_some() {
        return Ok(None);
    }
    let loaded = Loaded::shown(&args.file, read, terminal);
    let games = loaded.automata().iter();
    Ok(Some(
        games
            .map(|game| Scene::of(game, &loaded.placement(game), &[]))
            .collect(),
    ))
}

/// The scenes of a network's processes, with the changes that the typed mutant makes in them.
fn processes_of(network: &MutatedNetwork, args: &DrawArgs) -> Result<Vec<Scene>> {
    let Some(id) = &args.game.mutant else {
        return Ok(network.scenes());
    };
    let model: &dyn MutatedModel = network;
    let mutant = mutant_of(network, &model.options(&args.mutation), id)?;
    let changed = |component: usize| {
        let mutations = mutant.mutations.iter().zip(&mutant.components);
        let own = mutations.filter(|(_, changed)| **changed == component);
        own.map(|(mutation, _)| *mutation).collect::<Vec<_>>()
    };
    let components = 0..network.components.len();
    components.map(|at| network.scene_of(at, &changed(at))).collect()
}

/// The mutant of a network with that id, of any order.
fn mutant_of(network: &MutatedNetwork, options: &MutationOptions, id: &str) -> Result<Numbered> {
    for order in orders(id) {
        let mutants = network.mutants(options, order)?;
        for start in (0..mutants.n_mutants()).step_by(CHUNK) {
            let end = mutants.n_mutants().min(start + CHUNK as u64);
            let numbers: Vec<u64> = (start..end).collect();
            let found = mutants.mutants(&numbers)?.into_iter().find(|mutant| mutant.id == id);
            if let Some(found) = found {
                return Ok(found);
            }
        }
    }
    bail!("{}", no_mutant(&network.model.file, id))
}

/// The number of mutants of a network that are searched at once.
const CHUNK: usize = 512;

/// The orders that a mutant with that id may have.
fn orders(id: &str) -> impl Iterator<Item = Order> {
    // The ids of the mutations are joined by semicolons; names may hold some.
    let most = 1 + id.matches(';').count();
    (1..=Order::MOST).filter_map(Order::new).take(most)
}

fn no_mutant(of: &str, id: &str) -> String {
    format!(
        "{of} has no mutant `{id}`: ids are those of mutants.jsonl, made with the same operators, step and the like"
    )
}

fn game(args: &DrawArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<Scene> {
    let loaded = Loaded::read_game(
        &args.file,
        args.game.template.as_deref(),
        &args.network,
        global,
        terminal,
    )?;
    let game = loaded.game(args.game.template.as_deref())?;
    let placement = loaded.placement(game);
    let mutations = match &args.game.mutant {
        Some(id) => mutations(args, game, id)?,
        None => Vec::new(),
    };
    Ok(Scene::of(game, &placement, &mutations))
}

/// The mutations of the mutant with that id, of any order.
fn mutations(args: &DrawArgs, game: &Automaton, id: &str) -> Result<Vec<Mutation>> {
    for order in orders(id) {
        let space = MutantSpace::new(game, &args.mutation.resolve_for(game), order)?;
        let found = space.number_of(id).and_then(|number| {
            let (family, position) = space.locate(number)?;
            let siblings = space.siblings(family)?;
            let last = siblings.last().get(position)?;
            Some(siblings.mutations(last))
        });
        if let Some(mutations) = found {
            return Ok(mutations);
        }
    }
    bail!("{}", no_mutant(game.name(), id))
}
