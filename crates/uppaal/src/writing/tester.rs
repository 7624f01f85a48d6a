//! A test beside a model as a UPPAAL network: the tester as a template, and the query whether the test can fail.

use crate::document::{InputEnabling, ReadOptions};
use crate::drawing::Drawing;
use crate::read::read_bytes;
use crate::writing::fresh::{PartComments, Sheet, write_automaton, write_sheets};
use crate::writing::inexpressible::{Inexpressible, Part};
use crate::writing::spelling::Spelling;
use tamper_suite::TesterGame;
use tamper_text::xml::{Element, written};
use tamper_timed::model::{Automaton, Role};
use tamper_timed::mutation::edge_name;

/// The files written for a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TesterFiles {
    /// The network of model and tester, with the query in it.
    pub network: String,
    /// The query alone: `E<>` of the failed location, or of an input that the model refuses.
    pub query: String,
    /// The tester alone, as a game that reads back.
    pub tester: String,
}

/// Checks that the tester of a test can be composed with `model` in UPPAAL.
///
/// # Errors
/// The part that cannot: internal edges, which the tester would have to see, ignored inputs, and urgent channels, which
/// may have no guards on clocks there.
pub fn check_composable(model: &Automaton) -> Result<(), Inexpressible> {
    let cannot = |part| {
        Err(Inexpressible {
            format: "a network of UPPAAL with a tester",
            part,
        })
    };
    if model.is_input_enabled() {
        return cannot(Part::IgnoredInputs);
    }
    if let Some(urgent) = model.actions().iter().find(|action| action.urgent) {
        return cannot(Part::UrgentChannel(urgent.name.to_string()));
    }
    match model.edges().ids().find(|edge| model.role(*edge) == Role::Internal) {
        Some(edge) => cannot(Part::InternalEdge(edge_name(model, edge))),
        None => Ok(()),
    }
}

/// The files of a test; the model is drawn at the positions of `drawing`, and its labels name the constants of
/// `spelling`.
pub fn write_tester(game: &TesterGame, drawing: &Drawing, spelling: &Spelling) -> TesterFiles {
    let (model, tester) = (&game.model, &game.tester);
    let spelling = faithful(spelling.clone().scaled(game.scale, model), model);
    let remarks = &PartComments::default();
    let sheet = |automaton, drawing, spelling| Sheet {
        automaton,
        drawing,
        remarks,
        spelling,
    };
    let (grid, plain) = (Drawing::grid(), Spelling::default());
    let (shown, testing) = (sheet(model, drawing, &spelling), sheet(tester, &grid, &plain));
    let name = tester.name();
    let mut failing = format!("{name}.{}", game.fail);
    if !game.giving.is_empty() {
        let giving: Vec<_> = game
            .giving
            .iter()
            .map(|location| format!("{name}.{location}"))
            .collect();
        let model_is = |location: &String| format!("{}.{location}", model.name());
        let on_the_way: Vec<_> = game.on_the_way.iter().map(model_is).collect();
        let unless = match on_the_way.is_empty() {
            true => String::new(),
            false => format!(" && !({})", on_the_way.join(" || ")),
        };
        failing.push_str(&format!(" || (deadlock && ({}){unless})", giving.join(" || ")));
    }
    let formula = format!("E<> {failing}");
    let comment = format!(
        "Can the test fail? One time unit of the model is {} here. A deadlock where an input is given: it is refused.",
        game.scale
    );
    let query = Element::new("query")
        .block()
        .child(Element::new("formula").text(&*formula))
        .child(Element::new("comment").text(&*comment));
    let queries = Element::new("queries").block().child(query);
    let system = format!("system {}, {name};", model.name());
    TesterFiles {
        network: written(|to| write_sheets(to, &[(&shown, ""), (&testing, "t")], &system, Some(&queries))),
        query: format!("/*\n{comment}\n*/\n{formula}\n"),
        tester: write_automaton(tester),
    }
}

/// `spelling`, if `model` reads back with it; else an empty spelling, so that the model's numbers are written.
fn faithful(spelling: Spelling, model: &Automaton) -> Spelling {
    let sheet = Sheet {
        automaton: model,
        drawing: &Drawing::grid(),
        remarks: &PartComments::default(),
        spelling: &spelling,
    };
    let options = ReadOptions {
        input_enabling: InputEnabling::Off,
        ..ReadOptions::default()
    };
    let read = read_bytes("model", sheet.text().as_bytes(), &options);
    match read {
        Ok((document, _)) if document.automata() == std::slice::from_ref(model) => spelling,
        _ => Spelling::default(),
    }
}
