//! `tamper check`.

use anyhow::Result;

use super::args::{CheckArgs, Format, GlobalArgs};
use super::exit::ExitCode;
use super::load::Loaded;
use super::terminal::Terminal;
use crate::experiment::Timer;
use crate::game::analyse;
use crate::model::Automaton;
use crate::report::{Facts, facts_text};

/// Shows the facts about each template.
pub fn check(args: &CheckArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let loaded = Loaded::read(&args.file, &global.read_options(), terminal)?;
    let games: Vec<&Automaton> = match &args.template {
        Some(name) => vec![loaded.game(Some(name))?],
        None => loaded.document.automata().iter().collect(),
    };
    let timer = Timer::new(args.limits.resolve());
    let mut code = ExitCode::Yes;
    let mut all = Vec::new();
    for game in games {
        let facts = match analyse(game, &timer.budget()) {
            Ok(Ok(analysis)) => Facts::of(game, &analysis),
            Ok(Err(reason)) => Facts::unexplored(game, reason.to_string()),
            Err(error) => {
                terminal.message(&format!("error: {}: {error}", game.name()));
                code = ExitCode::Error;
                Facts::unexplored(game, error.to_string())
            }
        };
        if !facts.is_complete() && code == ExitCode::Yes {
            code = ExitCode::Unknown;
        }
        all.push(facts);
    }
    match terminal.format {
        Format::Json => terminal.result(&serde_json::to_string_pretty(&all)?)?,
        Format::Text => terminal.result(&all.iter().map(facts_text).collect::<Vec<_>>().join("\n"))?,
    }
    Ok(code)
}
