//! Reads a file as one network: its processes over shared variables, clocks and channels.

use super::language::{InstancePlace, NetworkLowering, ProcessPlaces};
use super::raw::{ForeignParts, RawFile};
use crate::grammar::sections::Sections;
use crate::grammar::template::Template;
use crate::writing::declared::{unread_function, unread_parts};
use tamper_text::{Diagnostic, Severity, SourceFile, Span};
use tamper_timed::network::Network;

/// A file as one network.
#[derive(Clone, Debug)]
pub struct NetworkFile {
    /// The network: the processes of the system line, in its order.
    pub network: Network,
    /// The file, decoded.
    pub source: SourceFile,
    /// Per process, the name of its template.
    pub templates: Vec<String>,
    /// Whether its edges have attributes for their controller, as in a file of open games.
    pub has_roles: bool,
    /// The places of each process.
    pub(super) places: Vec<ProcessPlaces>,
    /// The place of the global declarations, if there are any.
    pub(super) globals: Option<Span>,
    /// The place of the first template.
    pub(super) first: Option<Span>,
    /// The parts it was made from, if it was not read from XML.
    pub(super) foreign: Option<ForeignParts>,
}

/// The network of a file; errors and warnings go to `diagnostics`.
pub(super) fn network_file(file: &SourceFile, raw: RawFile, diagnostics: &mut Vec<Diagnostic>) -> Option<NetworkFile> {
    let mut elsewhere = Vec::new();
    let sections = Sections::of(raw, diagnostics, &mut elsewhere);
    diagnostics.append(&mut elsewhere);
    diagnostics.extend(sections.found.iter().flatten().cloned());
    diagnostics.extend(refused_io(&sections));
    let roles = unread_roles(&sections.templates);
    let has_roles = roles.is_some();
    let mut lowering = NetworkLowering::new(diagnostics);
    lowering.declare(&sections.declarations);
    lowering.declare(&sections.system.declarations);
    let mut names = std::mem::take(&mut lowering.declared);
    let instances = lowering.instances(&sections.templates, &sections.system);
    let (mut processes, mut places) = (Vec::new(), Vec::new());
    for (at, instance) in instances.iter().enumerate() {
        let template = &sections.templates[instance.template];
        lowering.enter(instance);
        let mut draft = lowering.draft(template, file);
        lowering.leave();
        names.append(&mut draft.declared);
        let Some((process, [invariants, guards])) = draft.process(instance, template) else {
            continue;
        };
        processes.push(process);
        places.push(ProcessPlaces {
            layout: template.layout.clone(),
            invariants,
            guards,
            instance: InstancePlace::of(&instances, at, &sections.system),
        });
    }
    lowering.start_clocks_ahead();
    let unread = unread_parts(&mut lowering, &sections.weights, &names);
    let mut network = lowering.network;
    network.processes = processes;
    // A process by itself is no network.
    diagnostics.extend(roles.filter(|_| instances.len() > 1));
    diagnostics.extend(unread);
    diagnostics.extend(names.iter().filter_map(|(name, named)| unread_function(name, named)));
    if network.processes.is_empty() && !diagnostics.iter().any(|found| found.severity == Severity::Error) {
        let error = Diagnostic::error("the file has no process", None);
        diagnostics.push(error.with_help("add one (in XML a <template>), and let the system run it"));
    }
    drop_rates(&mut network, diagnostics);
    let template_of = |template: usize| sections.templates[template].name.text.clone();
    Some(NetworkFile {
        source: file.clone(),
        network,
        templates: instances
            .iter()
            .map(|instance| template_of(instance.template))
            .collect(),
        has_roles,
        places,
        globals: sections.declared_at,
        first: sections.templates.first().map(|template| template.layout.template),
        foreign: None,
    })
}

/// The error at the first IO line.
fn refused_io(sections: &Sections) -> Option<Diagnostic> {
    let io = sections.system.ios.first()?;
    let message = "an IO line fixes the alphabet of an open game, not of a network";
    let error = Diagnostic::error(message, io.name.span);
    Some(error.with_help("remove it: in a network, --system and --environment say what is seen"))
}

/// Leaves out rates that change nothing, and warns of them.
fn drop_rates(network: &mut Network, diagnostics: &mut Vec<Diagnostic>) {
    let dropped = network.drop_rates_without_effect();
    if dropped > 0 {
        let message =
            format!("{dropped} rates of clocks that nothing is compared with change nothing and are not read");
        diagnostics.push(Diagnostic::warning(message, None));
    }
}

/// A warning that attributes for the controller of an edge are not read; `None` if there are none.
fn unread_roles(templates: &[Template]) -> Option<Diagnostic> {
    let edges = templates.iter().flat_map(|template| &template.edges);
    let marked: Vec<Span> = edges.filter_map(|edge| Some(edge.controllable?.1)).collect();
    let message = format!(
        "the attribute `controllable` of {} edges is not read in a network",
        marked.len()
    );
    let warning = Diagnostic::warning(message, *marked.first()?);
    Some(warning.with_help("--system and --environment decide what is an input"))
}
