//! `tamper check`.

use std::path::Path;

use anyhow::{Result, bail};

use crate::cli::arguments::args::GlobalArgs;
use crate::cli::arguments::game_args::CheckArgs;
use crate::cli::door::open_features;
use crate::cli::exit::ExitCode;
use crate::cli::games::word::run_word;
use crate::cli::models::families::{read_model, survey};
use crate::cli::models::load::Loaded;
use crate::cli::terminal::Terminal;
use tamper::experiment::Timer;
use tamper::features::Batsat;
use tamper::game::analyse;
use tamper::model::Automaton;
use tamper::report::{Facts, FamilyFacts, facts_text, family_text};

/// Shows the facts about each template.
pub fn check(args: &CheckArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    if let Some(features) = &args.timed.features {
        if args.run.is_some() {
            bail!("--run is for one game: leave out --features, or make the game of a product with `tamper project`");
        }
        if args.network.is_asked() {
            bail!("a family of games is not composed: leave out --features, or --network and its options");
        }
        return check_families(args, features, global, terminal);
    }
    let names = args.timed.template.as_deref();
    let loaded = Loaded::read_either(
        &args.file,
        names.as_slice(),
        &args.network,
        &args.limits,
        global,
        terminal,
    )?;
    let games: Vec<&Automaton> = match &args.timed.template {
        Some(name) => vec![loaded.game(Some(name))?],
        None => loaded.automata().iter().collect(),
    };
    if let Some(word) = &args.run {
        return run_word(loaded.game(names)?, word, &args.limits, terminal);
    }
    let timer = Timer::new(args.limits.resolve());
    let [untaken, unreached] = loaded.unused();
    let mut code = ExitCode::Yes;
    let mut all = Vec::new();
    for game in games {
        let facts = match analyse(game, &timer.budget()) {
            Ok(Ok(analysis)) => {
                Facts::of(game, &analysis, &|at| loaded.place_in_words(at)).with_unused(untaken, unreached)
            }
            Ok(Err(reason)) => Facts::unexplored(game, reason.to_string()),
            Err(error) => {
                terminal.message(&format!("error: {}: {}: {error}", loaded.name(), game.name()));
                code = ExitCode::Error;
                Facts::unexplored(game, error.to_string())
            }
        };
        code = match (code, facts.is_complete(), facts.may_be_consistent()) {
            (ExitCode::Error, ..) => code,
            (_, _, false) => ExitCode::No,
            (ExitCode::Yes, false, _) => ExitCode::Unknown,
            _ => code,
        };
        all.push(facts);
    }
    terminal.answer(|| &all, || all.iter().map(facts_text).collect::<Vec<_>>().join("\n"))?;
    Ok(code)
}

/// Shows the facts about each template as a family over one feature model.
fn check_families(args: &CheckArgs, features: &Path, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    let loaded = Loaded::read_family(&args.file, &global.read_options(), terminal)?;
    let model = read_model(&open_features(features)?, terminal)?;
    let only = args
        .timed
        .template
        .as_deref()
        .map(|name| loaded.game(Some(name)))
        .transpose()?;
    let timer = Timer::new(args.limits.resolve());
    let count = survey(&model, &timer, terminal).count;
    let mut all = Vec::new();
    for game in loaded.automata() {
        if only.is_none_or(|only| only.name() == game.name()) {
            let (document, index) = loaded.in_file(game)?;
            let family = document.featured(index, &model)?;
            let audit = family.audit(Batsat::default())?;
            all.push(FamilyFacts::of(&family, &audit, &count));
        }
    }
    terminal.answer(|| &all, || all.iter().map(family_text).collect::<Vec<_>>().join("\n"))?;
    let is_sound = all.iter().all(FamilyFacts::is_sound);
    let is_complete = all.iter().all(FamilyFacts::is_complete);
    Ok(match (is_sound, is_complete) {
        (false, _) => ExitCode::No,
        (true, false) => ExitCode::Unknown,
        (true, true) => ExitCode::Yes,
    })
}
