//! `tamper refine` of transition systems.

use std::path::Path;

use anyhow::Result;

use super::load::{read, states};
use crate::cli::arguments::game_args::RefineArgs;
use crate::cli::door::{UntimedFile, open};
use crate::cli::exit::ExitCode;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::formats::{FileKind, SystemFormat};
use tamper::report::systems::{verdicts_json, verdicts_text};
use tamper::systems::{Decision, Pair, Verdicts, decide};
use tamper::text::{Budget, StopReason};

/// Decides how surely a test can distinguish the left system from the right one.
pub fn refine(file: &UntimedFile, args: &RefineArgs, terminal: &Terminal) -> Result<ExitCode> {
    let subject = open(Path::new(args.left()?))?;
    let specification = match subject.kind {
        FileKind::System(format @ (SystemFormat::Smv | SystemFormat::Btor2)) => subject.system(format, &file.names),
        _ => return Err(subject.not("a transition system").into()),
    };
    let (left, right) = (read(file, terminal)?, read(&specification, terminal)?);
    let timer = Timer::new(args.limits.resolve());
    let budget: Budget = timer.budget();
    let mutant = states(&left, args.machine.fills(), &budget)?;
    let specification = states(&right, args.machine.fills(), &budget)?;
    let (pair, verdicts) = match (mutant, specification) {
        (Ok(mutant), Ok(specification)) => {
            let pair = Pair::new(&mutant, &specification)?;
            let verdicts = decide(&pair, &budget);
            (Some(pair), verdicts)
        }
        (Err(reason), _) | (_, Err(reason)) => (None, unknown(reason)),
    };
    terminal.answer(
        || verdicts_json(&verdicts, pair.as_ref(), args.shown.witness),
        || verdicts_text(&verdicts, pair.as_ref(), args.shown.witness),
    )?;
    Ok(match (verdicts.kill(), verdicts.potential) {
        (Err(_), _) => ExitCode::Unknown,
        (Ok(_), Decision::No) => ExitCode::Yes,
        (Ok(_), _) => ExitCode::No,
    })
}

fn unknown(reason: StopReason) -> Verdicts {
    Verdicts {
        potential: Decision::Unknown(reason),
        definite: Decision::Unknown(reason),
        blind: Decision::Unknown(reason),
    }
}
