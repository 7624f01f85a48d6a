//! A file as the parts of a UPPAAL file.

use super::parse::{File, XtaProcess, XtaState, XtaTransition};
use crate::{
    RATE, RawBranchpoint, RawEdge, RawFile, RawLocation, RawTemplate, RawText, WEIGHT, location_id, one_edge_per_branch,
};
use tamper_text::{Diagnostic, Piece, Span, Text};

/// The parts of `file`. Errors in its labels go to `found`.
pub(super) fn spell(file: &File<'_>, found: &mut Vec<Diagnostic>) -> RawFile {
    let mut globals = Text::default();
    for piece in &file.globals {
        globals.append(&text(*piece));
        globals.whole("\n", piece.span);
    }
    let mut templates: Vec<RawTemplate> = file
        .processes
        .iter()
        .map(|process| template(process, file.is_game))
        .collect();
    for template in &mut templates {
        one_edge_per_branch(template, found);
    }
    RawFile {
        declaration: RawText::of(globals, Span::new(0, 0)),
        templates,
        system: raw(file.system),
        weights: file.processes.iter().flat_map(weights).collect(),
        ..RawFile::default()
    }
}

/// The weights of a process, by kind and place.
fn weights(process: &XtaProcess<'_>) -> Vec<(&'static str, Span)> {
    let rates = process.states.iter().filter_map(|state| state.rate);
    let labels = process.transitions.iter().flat_map(|step| &step.labels);
    let of_branches = labels.filter(|(kind, _)| *kind == "probability");
    rates
        .map(|rate| (RATE, rate.span))
        .chain(of_branches.map(|(_, weight)| (WEIGHT, weight.span)))
        .collect()
}

/// The text of a piece, its line ends as XML has them.
fn text(piece: Piece<'_>) -> Text {
    let (mut text, mut at) = (Text::within(piece.span), piece.start());
    for line in piece.text.split_inclusive('\n') {
        let shown = line.strip_suffix("\r\n").unwrap_or(line);
        text.exact(shown, at);
        if shown.len() < line.len() {
            text.exact("\n", at + line.len() - 1);
        }
        at += line.len();
    }
    text
}

fn raw(piece: Piece<'_>) -> Option<RawText> {
    RawText::of(text(piece), piece.span)
}

fn template(process: &XtaProcess<'_>, is_game: bool) -> RawTemplate {
    let place = process.name.span;
    let (initial, initial_place) = process.initial;
    let locations = process.states.iter().enumerate();
    let locations = locations.map(|(position, state)| location(position, state)).collect();
    let branchpoints = (process.states.len()..).zip(&process.branchpoints);
    let branchpoints = branchpoints.map(|(position, name)| RawBranchpoint {
        id: location_id(position),
        place: name.span,
    });
    RawTemplate {
        parameter: raw(process.parameters),
        declaration: raw(process.declarations),
        locations,
        branchpoints: branchpoints.collect(),
        init: Some((location_id(initial), initial_place)),
        edges: process.transitions.iter().map(|step| edge(step, is_game)).collect(),
        ..RawTemplate::new(raw(process.name), place)
    }
}

fn location(position: usize, state: &XtaState<'_>) -> RawLocation {
    RawLocation {
        invariant: state.invariant.and_then(raw),
        rate: state.rate.and_then(raw),
        urgent: state.is_urgent,
        committed: state.is_committed,
        ..RawLocation::new(position, raw(state.name), state.name.span)
    }
}

fn edge(step: &XtaTransition<'_>, is_game: bool) -> RawEdge {
    let (source, target) = step.ends;
    let label = |kind: &str| {
        let mut labels = step.labels.iter();
        labels
            .find(|(known, _)| *known == kind)
            .and_then(|(_, text)| raw(*text))
    };
    RawEdge {
        controllable: is_game.then_some((step.is_controllable, step.span)),
        select: label("select"),
        guard: label("guard"),
        sync: label("synchronisation"),
        update: label("assignment"),
        ..RawEdge::new(source, target, step.span)
    }
}
