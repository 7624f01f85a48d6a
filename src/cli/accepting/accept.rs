//! `tamper accept`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::args::AcceptedArgs;
use super::listed::Listed;
use super::rows::{all_operators, asked, read_rows};
use super::system_mutants::SystemMutants;
use super::timed_mutants::TimedMutants;
use crate::cli::arguments::args::{GlobalArgs, LimitArgs, MutationArgs, SpaceGameArgs};
use crate::cli::arguments::network_args::{MutateArgs, NetworkArgs};
use crate::cli::arguments::unspecified::MachineArgs;
use crate::cli::exit::ExitCode;
use crate::cli::models::read_mutated::{MutatedRequest, read_mutated};
use crate::cli::systems::MutatedFile;
use crate::cli::terminal::Terminal;
use toml::value::Date;

use tamper::experiment::{
    AcceptedCondition, AcceptedFile, AcceptedMutant, Asked, Filter, Mutants, accepted_path, parse_day, write_file,
};
use tamper::formats::STDIN;
use tamper::mutation::Order;

/// `tamper accept`.
///
/// Keeps mutants that may survive, each with a reason, in a file beside the model (model.accepted.toml beside model.xml), to be
/// reviewed like code. `tamper score` counts them apart. A row is about what a mutant changes: another edge or a renamed location
/// elsewhere does not matter to it, and a row whose mutant is gone or has changed is named. Without a mutant the rows are listed.
/// In a timed model a comment does the same at its place: `tamper: accept CXL because REASON` in the comments of an edge or a
/// location, or in the declarations of a template.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  tamper accept model.xml 'CXL:invariant:Bright:x<=20=>x<=21' --reason 'the driver is that coarse'
  tamper accept model.xml --keep 'operator == CXS && location has Starting' --reason 'replaced in June' --until 2027-06-30
  tamper accept model.xml              the rows, and which of them accept nothing any more
  tamper accept model.xml --remove     without the rows that accept nothing any more

Exit codes:
  0  done; of a list: every row accepts a mutant
  1  of a list: a row accepts nothing any more
  2  wrong usage, a mutant that the model does not have, or a file that is refused")]
pub struct AcceptArgs {
    /// The model
    pub file: PathBuf,
    /// The mutants, by the ids that `tamper score` and `tamper classify` show
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Accept all mutants for which this condition holds, now and later; the language is that of `tamper export --keep`
    #[arg(long, value_name = "CONDITION")]
    pub keep: Option<String>,
    /// Why they may survive
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    pub reason: Option<String>,
    /// The last day on which they are accepted, as 2027-06-30 (UTC)
    #[arg(long, value_name = "DATE", value_parser = parse_day, requires = "reason")]
    pub until: Option<Date>,
    /// Remove their rows; without a mutant, all rows that accept nothing any more
    #[arg(long, conflicts_with = "reason")]
    pub remove: bool,
    #[command(flatten)]
    pub accepted: AcceptedArgs,
    #[command(flatten)]
    pub read: MachineArgs,
    #[command(flatten)]
    pub timed: AcceptTimedArgs,
}

/// Options of `tamper accept` for timed games.
#[derive(Args, Debug)]
pub struct AcceptTimedArgs {
    #[command(flatten)]
    pub of: SpaceGameArgs,
    #[command(flatten)]
    pub mutation: MutationArgs,
    #[command(flatten)]
    pub mutated: MutateArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

fn parse_reason(text: &str) -> Result<String, &'static str> {
    match text.trim() {
        "" => Err("say why the mutant may survive"),
        text => Ok(text.to_owned()),
    }
}

/// Accepts mutants of a timed game or network. Without --operators the mutants are those of every operator.
pub fn accept_timed(args: &AcceptArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let timed = &args.timed;
    let request = MutatedRequest {
        file: &args.file,
        template: timed.of.template.as_deref(),
        mutate: &timed.mutated,
        network: &timed.network,
        limits: &timed.limits,
    };
    let model = read_mutated(request, None, global, terminal)?;
    let options = match timed.mutation.operators.is_empty() {
        true => model.every_mutant(&timed.mutation),
        false => model.options(&timed.mutation),
    };
    let mutants = TimedMutants {
        model: &*model,
        options: &options,
        order: timed.of.order,
    };
    let operators = mutants.operators();
    let comments = model.accept_comments()?;
    mutants.with(|mutants| done(args, (mutants, &comments), asked(&operators, timed.of.order), terminal))
}

/// Accepts mutants of an untimed system; those of a state machine are of all orders.
pub fn accept_system(args: &AcceptArgs, file: MutatedFile, terminal: &Terminal) -> Result<ExitCode> {
    let mutants = SystemMutants::of(file, args.read.fills(), terminal)?;
    mutants.with(|mutants| done(args, (mutants, &[]), asked(&all_operators(), Order::FIRST), terminal))
}

/// Does what was asked for, to mutants of a model with these `comments`, which accept some.
fn done(
    args: &AcceptArgs,
    (mutants, comments): (&Mutants<'_>, &[AcceptedCondition]),
    asked: Asked<'_>,
    terminal: &Terminal,
) -> Result<ExitCode> {
    let asked = Asked {
        is_whole: args.timed.mutation.operators.is_empty(),
        ..asked
    };
    // What the comments accept is listed behind the rows, whose positions stay.
    let among = |rows: &AcceptedFile| {
        let mut all = rows.clone();
        all.conditions.extend_from_slice(comments);
        all.among(mutants, asked)
    };
    let named = args.accepted.accepted.as_deref();
    if named.is_none() && args.file.as_os_str() == STDIN {
        bail!("there is no place beside standard input: name a file with --accepted");
    }
    let is_there = named.is_none_or(Path::is_file);
    let mut rows = match is_there {
        true => read_rows(named, &args.file)?,
        false => AcceptedFile::default(),
    };
    let path = named.map_or_else(|| accepted_path(&args.file), Path::to_owned);
    let is_about_some = !args.ids.is_empty() || args.keep.is_some();
    match &args.reason {
        Some(reason) if is_about_some => add(args, reason, &mut rows, mutants)?,
        Some(_) => bail!("--reason: name the mutants that it is about, by ids or with --keep"),
        None if !args.remove && is_about_some => bail!("give a --reason why they may survive, or --remove"),
        None if !args.remove => {
            let listed = Listed::of(&path, &rows, comments, &among(&rows)?);
            return listed.shown(terminal);
        }
        None if is_about_some => remove(args, &mut rows, &path)?,
        None => {
            let found = rows.among(mutants, asked)?;
            rows.remove_lost(&found.lost);
        }
    }
    write_file(&path, rows.text())?;
    let listed = Listed::of(&path, &rows, comments, &among(&rows)?);
    listed.written(terminal)?;
    Ok(ExitCode::Yes)
}

/// Adds the rows; a row about the same mutant or condition is replaced.
fn add(args: &AcceptArgs, reason: &str, rows: &mut AcceptedFile, mutants: &Mutants<'_>) -> Result<()> {
    for found in mutants.named(&args.ids)? {
        let row = AcceptedMutant {
            id: found.id().to_owned(),
            operators: found.record.operators.iter().map(ToString::to_string).collect(),
            content: found.content.clone(),
            reason: reason.to_owned(),
            until: args.until,
        };
        rows.mutants
            .retain(|known| known.content != row.content || known.id != row.id);
        rows.mutants.push(row);
    }
    if let Some(keep) = &args.keep {
        let keep = Filter::parse_for(&all_operators(), "--keep", keep)?;
        keep.check_before_run()?;
        rows.conditions.retain(|known| known.keep.text() != keep.text());
        rows.conditions.push(AcceptedCondition {
            keep,
            comment: None,
            reason: reason.to_owned(),
            until: args.until,
        });
    }
    Ok(())
}

fn remove(args: &AcceptArgs, rows: &mut AcceptedFile, path: &Path) -> Result<()> {
    for id in &args.ids {
        let n_before = rows.mutants.len();
        rows.mutants.retain(|row| row.id != *id);
        if rows.mutants.len() == n_before {
            bail!("{} has no row with the id `{id}`", path.display());
        }
    }
    if let Some(keep) = &args.keep {
        let n_before = rows.conditions.len();
        rows.conditions.retain(|row| row.keep.text() != keep);
        if rows.conditions.len() == n_before {
            bail!("{} has no row with the condition `{keep}`", path.display());
        }
    }
    Ok(())
}
