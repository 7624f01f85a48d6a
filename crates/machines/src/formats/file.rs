//! Reads a machine of any format from bytes.

use std::collections::BTreeMap;

use super::draft::Unspecified;
use super::extended::read_extended;
use super::options::{MachineFormat, MachineOptions, ReadMachine};
use super::scxml::read_chart;
use super::{dot, kiss, text};
use crate::{MachineError, StateId};
use tamper_text::ReadError;
use tamper_text::decode;
use tamper_text::{Diagnostic, Span, has_error};

/// The machine in `bytes`, the content of a file called `name`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_machine(
    name: &str,
    bytes: &[u8],
    format: MachineFormat,
    options: &MachineOptions,
) -> Result<ReadMachine, ReadError> {
    let file = decode(name, bytes)?;
    let refuse = |diagnostics| ReadError {
        file: file.clone(),
        diagnostics,
    };
    let is_plain = !matches!(format, MachineFormat::Extended | MachineFormat::Scxml);
    if !is_plain && (options.moore || options.start.is_some()) {
        return Err(refuse(vec![only_for(
            "--start and --moore",
            "machines without variables and super-states",
        )]));
    }
    let mut draft = match format {
        MachineFormat::Text => text::read(file.text()),
        MachineFormat::Kiss2 => kiss::read(file.text(), options.unspecified),
        MachineFormat::Extended => return read_extended(&file, options),
        MachineFormat::Scxml => return read_chart(&file, options),
        MachineFormat::Dot => dot::read(file.text(), options),
    };
    if options.moore && format != MachineFormat::Dot {
        draft.diagnostics.push(only_for("--moore", "graphs (DOT)"));
    }
    if let Some(start) = &options.start {
        draft.start_in(start);
    }
    if has_error(&draft.diagnostics) {
        return Err(refuse(draft.diagnostics));
    }
    if options.unspecified == Unspecified::Fill {
        draft.builder.loop_where_unspecified("-");
    }
    if let Some(faults) = options.faults {
        draft.builder.add_faults(faults);
    }
    let (spans, states, mut warnings) = (draft.spans, draft.states, draft.diagnostics);
    let machine = match draft.builder.finish() {
        Ok(machine) => machine,
        Err(errors) => return Err(refuse(explain(&errors, &spans, &states))),
    };
    for state in machine.unreachable() {
        let message = format!("state `{}` is unreachable even with faults", machine.states()[state]);
        let help = "its suspicious transitions multiply the mutants, and none of these can be told apart";
        warnings.push(Diagnostic::warning(message, states.get(&state).copied()).with_help(help));
    }
    Ok(ReadMachine {
        machine,
        file,
        places: draft.places,
        warnings,
    })
}

/// The error that an option has no meaning for this file.
fn only_for(option: &str, what: &str) -> Diagnostic {
    Diagnostic::error(format!("{option}: only for {what}"), None).with_help("leave it out")
}

fn explain(errors: &[MachineError], spans: &[Span], states: &BTreeMap<StateId, Span>) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut missing: BTreeMap<StateId, (&str, Vec<&str>)> = BTreeMap::new();
    for error in errors {
        let at = |number: &usize| spans.get(*number).copied();
        match error {
            MachineError::Nondeterministic { first, second } | MachineError::Repeated { first, second } => {
                let help = match error {
                    MachineError::Repeated { .. } => "remove one of the two",
                    _ => {
                        "if this is a fault, write `mutated` before it (KISS2: put it after a line `.mutated`; DOT: `mutated=true`)"
                    }
                };
                let diagnostic = Diagnostic::error(error.to_string(), at(second)).with_help(help);
                found.push(match at(first) {
                    Some(span) => diagnostic.with_secondary(span, "the first one"),
                    None => diagnostic,
                });
            }
            MachineError::Incomplete {
                state,
                state_name,
                input_name,
            } => {
                let entry = missing.entry(*state).or_insert((state_name, Vec::new()));
                entry.1.push(input_name);
            }
            other => found.push(Diagnostic::error(other.to_string(), None).with_help("give it transitions")),
        }
    }
    for (state, (name, inputs)) in missing {
        let shown: Vec<String> = inputs.iter().take(5).map(|input| format!("`{input}`")).collect();
        let more = inputs.len() - shown.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let message = format!(
            "the specification has no transition from state `{name}` on {}{more}",
            shown.join(", ")
        );
        let help = "add them, or let the machine stay and answer `-` there: --unspecified fill";
        found.push(Diagnostic::error(message, states.get(&state).copied()).with_help(help));
    }
    found
}
