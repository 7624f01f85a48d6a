//! Checks across the automata of a file, each of which is read as a separate open game.

use std::collections::BTreeMap;

use super::game::ProcessGame;
use super::language::ProcessInstance;
use crate::grammar::syntax::IoTree;
use crate::grammar::template::Template;
use crate::writing::declared::Declared;
use tamper_text::{Diagnostic, Span};
use tamper_timed::model::Role;
use tamper_timed::network::Stored;

/// Checks that each IO line names an automaton, and no automaton has two.
pub(super) fn io_lines(
    templates: &[Template],
    instances: &[ProcessInstance],
    ios: &[IoTree],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut first = BTreeMap::<&str, Span>::new();
    for IoTree { name, .. } in ios {
        let known = templates.iter().any(|template| template.name.text == name.text)
            || instances.iter().any(|instance| instance.name == name.text);
        if !known {
            let error = Diagnostic::error(format!("the IO line names no automaton: `{}`", name.text), name.span);
            diagnostics.push(error.with_help("name a template or a process of the file"));
        }
        if let Some(first) = first.insert(&name.text, name.span) {
            let error = Diagnostic::error(format!("`{}` has two IO lines", name.text), name.span);
            diagnostics.push(
                error
                    .with_secondary(first, "the first one")
                    .with_help("join the two lines"),
            );
        }
    }
}

/// Refuses shared memory; if only some games are asked for, warns that each has a separate copy.
pub(super) fn shared_variables(
    games: &[&ProcessGame],
    globals: &[Declared],
    are_some: bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let stored = |declared: &Declared| Some((declared.stored()?, declared.name.clone()));
    let names: BTreeMap<Stored, _> = globals.iter().filter_map(stored).collect();
    for (stored, name) in &names {
        let users: Vec<&ProcessGame> = games
            .iter()
            .copied()
            .filter(|game| game.used.contains(stored))
            .collect();
        let writer = users.iter().find(|game| game.written.contains(stored));
        let (Some(writer), true) = (writer, users.len() > 1) else {
            continue;
        };
        let other = users
            .iter()
            .find(|game| game.name_span != writer.name_span || game.template != writer.template);
        let other = other.or_else(|| {
            users
                .iter()
                .find(|game| game.automaton.name() != writer.automaton.name())
        });
        let other = other.map_or("another", |game| game.automaton.name());
        let consequence = match are_some {
            true => "each is judged by itself, as if nobody else used it",
            false => "automata that share memory are not supported",
        };
        let message = format!(
            "the global variable `{}` is written by `{}` and used by `{other}`: {consequence}",
            name.text,
            writer.automaton.name(),
        );
        let error = Diagnostic::error(message, name.span);
        if are_some {
            diagnostics.push(error);
            continue;
        }
        diagnostics.push(error.with_help("declare it inside each template, or run one automaton only"));
    }
}

/// Warns once per file that its automata are not composed.
pub(super) fn synchronisation(games: &[&ProcessGame], diagnostics: &mut Vec<Diagnostic>) {
    let mut directions = BTreeMap::<&str, [Option<&ProcessGame>; 2]>::new();
    for game in games {
        for action in game.automaton.actions().iter() {
            let slot = match action.role {
                Role::Output => 0,
                Role::Input => 1,
                Role::Internal => continue,
            };
            directions.entry(&action.name).or_default()[slot].get_or_insert(game);
        }
    }
    let meet = directions.iter().find_map(|(name, ends)| match ends {
        [Some(sender), Some(receiver)] if sender.automaton.name() != receiver.automaton.name() => {
            Some((name, sender, receiver))
        }
        _ => None,
    });
    if let Some((name, sender, receiver)) = meet {
        let (from, to) = (sender.automaton.name(), receiver.automaton.name());
        let message = format!("`{from}` and `{to}` would synchronise on `{name}`, but are read as two separate games");
        let warning = Diagnostic::warning(message, sender.name_span);
        diagnostics.push(
            warning.with_help("here each automaton is a game by itself; with --network they are one, as for `compose`"),
        );
    }
}
