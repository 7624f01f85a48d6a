//! The way from a file to its network.

use std::collections::HashMap;

use super::super::foreign::Foreign;
use super::super::raw::RawFile;
use super::super::read::{checked, parts};
use super::super::system::system;
use super::super::template::{Template, local_declarations, template};
use super::super::xml::raw_file;
use super::places::{InstancePlace, ProcessPlaces};
use super::scope::Lowering;
use crate::network::{Network, Process};
use crate::text::{Diagnostic, ReadError, Severity, SourceFile, Span, decode};

/// A file as one network.
#[derive(Clone, Debug)]
pub struct NetworkFile {
    /// Its network: the processes of the system line, in its order.
    pub network: Network,
    /// The file, decoded.
    pub source: SourceFile,
    /// Per process, the name of its template.
    pub templates: Vec<String>,
    /// Per process, where it stands.
    pub(in crate::formats::uppaal) places: Vec<ProcessPlaces>,
    /// The global declarations, if there are any.
    pub(in crate::formats::uppaal) globals: Option<Span>,
    /// The first template.
    pub(in crate::formats::uppaal) first: Option<Span>,
    /// What it was made from, if that was no XML.
    pub(in crate::formats::uppaal) foreign: Option<Foreign>,
}

/// Reads a UPPAAL file as one network; gives the warnings, too. `name` is how messages call it.
///
/// # Errors
/// Everything in the file that is malformed or has no exact meaning here, in one go.
pub fn read_network(name: &str, bytes: &[u8]) -> Result<(NetworkFile, Vec<Diagnostic>), ReadError> {
    let file = decode(name, bytes)?;
    let mut diagnostics = Vec::new();
    let network = raw_file(&file, &mut diagnostics).and_then(|raw| network(&file, raw, &mut diagnostics));
    checked(file, network, diagnostics)
}

/// The network of a file, and into `diagnostics` what is wrong with it.
pub(in crate::formats::uppaal) fn network(
    file: &SourceFile,
    raw: RawFile,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<NetworkFile> {
    let globals = raw
        .declaration
        .as_ref()
        .map(|declaration| local_declarations(&declaration.text, diagnostics).0);
    let declaration = raw.declaration.as_ref().map(|declaration| declaration.text.content);
    let system = system(&mut parts(&raw, diagnostics), diagnostics);
    let templates: Vec<Template> = raw
        .templates
        .into_iter()
        .filter_map(|raw| template(raw, diagnostics))
        .collect();
    if let Some(io) = system.ios.first() {
        let error = Diagnostic::error(
            "an IO line fixes the alphabet of an open game, not of a network",
            io.name.span,
        );
        diagnostics.push(error.with_help("remove it: in a network, --system and --environment say what is seen"));
    }
    attributes(&templates, diagnostics);
    let mut lowering = Lowering::new(diagnostics);
    lowering.declare(&globals.unwrap_or_default());
    lowering.declare(&system.declarations);
    let instances = lowering.instances(&templates, &system);
    let (mut processes, mut places) = (Vec::<Process>::new(), Vec::new());
    for (at, instance) in instances.iter().enumerate() {
        let template = &templates[instance.template];
        let Some(built) = lowering.build(instance, template, file) else {
            continue;
        };
        processes.push(built.process);
        places.push(ProcessPlaces {
            layout: template.layout.clone(),
            invariants: built.invariants,
            guards: built.guards,
            instance: InstancePlace::of(&instances, at, &system),
        });
    }
    let mut network = lowering.network;
    network.processes = processes;
    if network.processes.is_empty() && !diagnostics.iter().any(|found| found.severity == Severity::Error) {
        let error = Diagnostic::error("the file has no process", None);
        diagnostics.push(error.with_help("add one (in XML a <template>), and let the system run it"));
    }
    let dropped = network.drop_rates_without_effect();
    if dropped > 0 {
        let message =
            format!("{dropped} rates of clocks that nothing is compared with change nothing and are not read");
        diagnostics.push(Diagnostic::warning(message, None));
    }
    let names = instances
        .iter()
        .map(|instance| templates[instance.template].name.text.clone());
    Some(NetworkFile {
        source: file.clone(),
        network,
        templates: names.collect(),
        places,
        globals: declaration,
        first: templates.first().map(|template| template.layout.template),
        foreign: None,
    })
}

/// Who controls an edge is not read from attributes here.
fn attributes(templates: &[Template], diagnostics: &mut Vec<Diagnostic>) {
    let marked = templates
        .iter()
        .flat_map(|template| &template.edges)
        .filter_map(|edge| edge.controllable);
    let spans: Vec<_> = marked.map(|(_, span)| span).collect();
    if let Some(first) = spans.first() {
        let message = format!(
            "the attribute `controllable` of {} edges is not read in a network",
            spans.len()
        );
        let warning = Diagnostic::warning(message, *first);
        diagnostics.push(warning.with_help("--system and --environment decide what is an input"));
    }
    let mut names = HashMap::new();
    for template in templates {
        if let Some(first) = names.insert(&template.name.text, template.name.span) {
            let error = Diagnostic::error(
                format!("two templates are called `{}`", template.name.text),
                template.name.span,
            );
            diagnostics.push(
                error
                    .with_secondary(first, "the first one")
                    .with_help("rename one of the two"),
            );
        }
    }
}
