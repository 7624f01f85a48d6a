//! A file as the XML file that says the same.

use super::super::transcript::{Mapped, Origin, Transcript};
use super::parse::{File, Process, Transition};
use super::scan::Piece;
use crate::text::Span;

/// The XML file that says what `file` does.
pub(super) fn spell(file: &File<'_>) -> Transcript {
    let mut out = Transcript::default();
    let start = Origin::of(Span::new(0, 0));
    out.markup("<nta>", start);
    let mut globals = Mapped::default();
    for piece in &file.globals {
        globals.escaped(piece.text, Origin::of(piece.span));
        globals.whole("\n", Origin::of(piece.span));
    }
    out.escaped("<declaration>", &globals, "</declaration>\n", start);
    for process in &file.processes {
        template(process, file.is_game, &mut out);
    }
    let system = escaped(file.system);
    out.escaped("<system>", &system, "</system>", Origin::of(file.system.span));
    out.markup("</nta>\n", start);
    out
}

fn escaped(piece: Piece<'_>) -> Mapped {
    let mut mapped = Mapped::default();
    mapped.escaped(piece.text, Origin::of(piece.span));
    mapped
}

fn template(process: &Process<'_>, is_game: bool, out: &mut Transcript) {
    let at = Origin::of(process.name.span);
    out.markup("<template>", at);
    out.escaped("<name>", &escaped(process.name), "</name>", at);
    out.escaped("<parameter>", &escaped(process.parameters), "</parameter>", at);
    out.escaped("<declaration>", &escaped(process.declarations), "</declaration>\n", at);
    for (position, state) in process.states.iter().enumerate() {
        let at = Origin::of(state.name.span);
        out.markup(&format!("<location id=\"id{position}\">"), at);
        out.escaped("<name>", &escaped(state.name), "</name>", at);
        for (kind, text) in [("invariant", state.invariant), ("exponentialrate", state.rate)] {
            if let Some(text) = text {
                label(kind, text, out);
            }
        }
        if state.is_urgent {
            out.markup("<urgent/>", at);
        }
        if state.is_committed {
            out.markup("<committed/>", at);
        }
        out.markup("</location>\n", at);
    }
    let (initial, place) = process.initial;
    out.markup(&format!("<init ref=\"id{initial}\"/>\n"), Origin::of(place));
    for step in &process.transitions {
        transition(step, is_game, out);
    }
    out.markup("</template>\n", at);
}

fn transition(step: &Transition<'_>, is_game: bool, out: &mut Transcript) {
    let at = Origin::of(step.span);
    let (source, target) = step.ends;
    let controllable = match is_game {
        true => format!(" controllable=\"{}\"", step.is_controllable),
        false => String::new(),
    };
    let ends = format!("<source ref=\"id{source}\"/><target ref=\"id{target}\"/>");
    out.markup(&format!("<transition{controllable}>{ends}"), at);
    for (kind, text) in &step.labels {
        label(kind, *text, out);
    }
    out.markup("</transition>\n", at);
}

fn label(kind: &str, text: Piece<'_>, out: &mut Transcript) {
    let at = Origin::of(text.span);
    out.escaped(&format!("<label kind=\"{kind}\">"), &escaped(text), "</label>", at);
}
