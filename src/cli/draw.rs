//! `tamper draw`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use super::args::{GlobalArgs, MutationArgs};
use super::door::FeaturesFile;
use super::exit::ExitCode;
use super::families::read_model;
use super::load::Loaded;
use super::network_args::NetworkArgs;
use super::terminal::Terminal;
use tamper::experiment::write_file;
use tamper::model::Automaton;
use tamper::mutation::{MutantSpace, Mutation, Order};
use tamper::report::{Scene, scene_dot, scene_svg, tree_dot, tree_svg};

/// `tamper draw`.
#[derive(Args, Debug)]
#[command(after_help = "\
The drawing of the file is kept (positions, nails, labels) where it has one; otherwise the locations are arranged in
layers. Of a mutant the removed parts stay in the picture, dotted and crossed; added ones are thick; changed texts show
what they were, struck.

Examples:
  tamper draw model.xml --out model.svg
  tamper draw model.xml --mutant 'CXL:invariant:idle:x<=2=>x<=3' --out mutant.svg
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
    pub mutation: MutationArgs,
    #[command(flatten)]
    pub machine: DrawMachineArgs,
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
    /// The game to draw (needed when the file runs several)
    #[arg(long, value_name = "NAME")]
    pub template: Option<String>,
    /// The mutant to draw, by its id
    #[arg(long, value_name = "ID")]
    pub mutant: Option<String>,
    #[command(flatten)]
    pub network: NetworkArgs,
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

/// Draws a game or a mutant of it.
pub fn draw_game(args: &DrawArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    write(&game(args, global, terminal)?, args, terminal)
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
        Some(path) => write_file(path, text)?,
        None => terminal.result(text)?,
    }
    Ok(ExitCode::Yes)
}

fn game(args: &DrawArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<String> {
    let loaded = Loaded::read_game(
        &args.file,
        args.game.template.as_deref(),
        &args.game.network,
        global,
        terminal,
    )?;
    let game = loaded.game(args.game.template.as_deref())?;
    let placement = loaded.placement(game);
    let mutations = match &args.game.mutant {
        Some(id) => mutations(args, game, id)?,
        None => Vec::new(),
    };
    let scene = Scene::of(game, &placement, &mutations);
    Ok(match args.target {
        DrawFormat::Svg => scene_svg(&scene),
        DrawFormat::Dot => scene_dot(&scene),
    })
}

/// The mutations of the mutant with that id, of whatever order.
fn mutations(args: &DrawArgs, game: &Automaton, id: &str) -> Result<Vec<Mutation>> {
    // The ids of the mutations are joined by semicolons; names may hold some.
    let most = 1 + id.matches(';').count();
    for order in (1..=Order::MOST).filter_map(Order::new).take(most) {
        let space = MutantSpace::new(game, &args.mutation.resolve(), order)?;
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
    bail!(
        "{} has no mutant `{id}`: ids are those of mutants.jsonl, made with the same operators, step and the like",
        game.name()
    )
}
