//! The processes of a file as automata: each a separate open game.

use std::collections::BTreeSet;
use std::mem;
use std::rc::Rc;

use super::document::{AutomatonOrigin, Document, ReadOptions, TemplateArgument};
use super::game::{Context, ProcessGame, game, has_error};
use super::language::{DeclaredSymbol, NetworkLowering, ProcessInstance, SymbolKind};
use super::network;
use super::raw::RawFile;
use crate::grammar::sections::Sections;
use crate::grammar::syntax::{DeclarationTree, Name, SystemTree};
use crate::grammar::template::Template;
use crate::writing::declared::{Declared, unread_function, unread_parts};
use tamper_text::{Diagnostic, Severity, SourceFile, Span};
use tamper_timed::network::{Network, Root};

/// The parts of a file to read, and how.
#[derive(Clone, Copy)]
pub(super) struct ReadRequest<'a> {
    pub options: &'a ReadOptions,
    /// The processes that are read; errors elsewhere are then warnings.
    pub only: Option<&'a [&'a str]>,
}

impl ReadRequest<'_> {
    fn has(self, name: &str) -> bool {
        self.only.is_none_or(|only| only.contains(&name))
    }

    fn has_template(self, template: usize, instances: &[ProcessInstance]) -> bool {
        let mut of_template = instances.iter().filter(|instance| instance.template == template);
        of_template.any(|instance| self.has(&instance.name))
    }

    /// Whether a process in `only` is missing from `instances`.
    fn misses(self, instances: &[ProcessInstance]) -> bool {
        let is_missing = |name: &&str| instances.iter().all(|instance| instance.name != **name);
        self.only.is_some_and(|only| only.iter().any(is_missing))
    }
}

/// A game with the names that its template declares.
struct ReadGame {
    game: ProcessGame,
    /// The positions of the clocks that it compares with something.
    compared: BTreeSet<usize>,
    names: Vec<(Name, Rc<DeclaredSymbol>)>,
    arguments: Vec<TemplateArgument>,
}

/// The document of a file; errors in the asked processes go to `diagnostics`.
pub(super) fn open_games(
    file: &SourceFile,
    raw: RawFile,
    asked: ReadRequest<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Document {
    let (root, are_games) = (raw.root, raw.are_games);
    let mut elsewhere = Vec::new();
    let mut sections = Sections::of(raw, diagnostics, &mut elsewhere);
    elsewhere.extend(sections.system.beyond.iter().cloned());
    refuse_priorities(&sections.declarations, diagnostics);
    refuse_priorities(&sections.system.declarations, &mut elsewhere);
    let mut found = Vec::new();
    let mut lowering = NetworkLowering::new(&mut found);
    lowering.declare(&sections.declarations);
    diagnostics.append(lowering.diagnostics);
    lowering.declare(&sections.system.declarations);
    let names = mem::take(&mut lowering.declared);
    let instances = lowering.instances(&sections.templates, &sections.system);
    let is_complete = !has_error(lowering.diagnostics);
    elsewhere.append(lowering.diagnostics);
    if is_complete {
        warn_unread(&sections, &instances, &mut elsewhere);
    }
    for (at, found) in mem::take(&mut sections.found).into_iter().enumerate() {
        match asked.has_template(at, &instances) {
            true => diagnostics.extend(found),
            false => elsewhere.extend(found),
        }
    }
    network::io_lines(&sections.templates, &instances, &sections.system.ios, &mut elsewhere);
    if asked.only.is_none() {
        diagnostics.append(&mut elsewhere);
    }
    if instances.is_empty() && !has_error(diagnostics) && !has_error(&elsewhere) {
        let start = Span::new(root.start as usize, root.start as usize);
        let error = Diagnostic::error("the file has no automaton", start);
        diagnostics.push(error.with_help("add one (in XML a <template>), and let the system run it"));
    }
    let mut games = Vec::new();
    for instance in &instances {
        let context = Context {
            is_refused: has_error(diagnostics) || has_error(&elsewhere),
            ios: &sections.system.ios,
            options: asked.options,
        };
        let game = read_game(&mut lowering, instance, &sections, context, file);
        match asked.has(&instance.name) {
            true => diagnostics.append(lowering.diagnostics),
            false => elsewhere.append(lowering.diagnostics),
        }
        games.extend(game);
    }
    let globals = declared(&names, &lowering.network);
    let all: Vec<&ProcessGame> = games.iter().map(|read| &read.game).collect();
    network::shared_variables(&all, &globals, asked.only.is_some(), &mut elsewhere);
    if !are_games {
        network::synchronisation(&all, &mut elsewhere);
    }
    let all_names = games.iter().flat_map(|read| &read.names).chain(&names);
    let all_names: Vec<_> = all_names.cloned().collect();
    elsewhere.extend(
        all_names
            .iter()
            .filter_map(|(name, named)| unread_function(name, named)),
    );
    // A comparison with an odd clock in an asked game is an error, whatever other games the file has.
    let of_asked = games.iter().filter(|read| asked.has(read.game.automaton.name()));
    let of_asked: BTreeSet<usize> = of_asked.flat_map(|read| read.compared.iter().copied()).collect();
    diagnostics.extend(lowering.odd_clocks(&of_asked));
    let warning = unread_parts(&mut lowering, &sections.weights, &all_names);
    elsewhere.append(lowering.diagnostics);
    elsewhere.extend(warning);
    // If an asked process is missing, any error elsewhere may be the reason, so errors stay errors.
    if asked.only.is_some() && !asked.misses(&instances) {
        let all = elsewhere.iter_mut();
        all.for_each(|found| found.severity = Severity::Warning);
    }
    diagnostics.append(&mut elsewhere);
    games.retain(|read| asked.has(read.game.automaton.name()));
    let document = Document {
        source: file.clone(),
        automata: Vec::new(),
        layouts: Vec::new(),
        origins: Vec::new(),
        annotations: Vec::new(),
        globals,
        statements: sections.system.statements,
        options: *asked.options,
        is_product: false,
        foreign: None,
    };
    with_games(document, games, &sections.templates, &lowering.network)
}

fn declared(names: &[(Name, Rc<DeclaredSymbol>)], network: &Network) -> Vec<Declared> {
    let declared = |(name, named): &(Name, Rc<DeclaredSymbol>)| Declared::of(name, named, network);
    names.iter().map(declared).collect()
}

/// Adds the games to `document`.
fn with_games(mut document: Document, games: Vec<ReadGame>, templates: &[Template], network: &Network) -> Document {
    for ReadGame {
        game, names, arguments, ..
    } in games
    {
        document.layouts.push(templates[game.template].layout.clone());
        document.annotations.push(game.annotations);
        let is_left_out = |clock: usize| network.left_out.contains(&game.clocks[clock]);
        document.automata.push(game.automaton.with_clocks_left_out(is_left_out));
        document.origins.push(AutomatonOrigin {
            locals: declared(&names, network),
            written: game.written,
            arguments,
            has_io: game.has_io,
        });
    }
    document
}

fn read_game(
    lowering: &mut NetworkLowering<'_>,
    instance: &ProcessInstance,
    sections: &Sections,
    context: Context<'_>,
    file: &SourceFile,
) -> Option<ReadGame> {
    let template = &sections.templates[instance.template];
    lowering.enter(instance);
    let before = mem::take(&mut lowering.compared);
    let mut draft = lowering.draft(template, file);
    lowering.drop_rates(&mut draft);
    let game = game(lowering, instance, template, &draft, context);
    lowering.leave();
    let compared = lowering.compared.clone();
    lowering.compared.extend(before);
    Some(ReadGame {
        game: game?,
        compared,
        names: draft.declared,
        arguments: arguments(instance, template, &sections.system, &lowering.network),
    })
}

/// The arguments of `instance` in the place where it is instantiated.
fn arguments(
    instance: &ProcessInstance,
    template: &Template,
    system: &SystemTree,
    network: &Network,
) -> Vec<TemplateArgument> {
    let mut trees = system.instances.iter().filter(|tree| tree.parameters.is_empty());
    let direct = trees.rfind(|tree| tree.name.text == instance.name && tree.template.text == template.name.text);
    if let Some(tree) = direct {
        return tree
            .arguments
            .iter()
            .map(|argument| TemplateArgument::Written(argument.span))
            .collect();
    }
    let spelt = |(_, what): &(Name, SymbolKind)| match what {
        SymbolKind::Number(value, ..) => value.to_string(),
        SymbolKind::Clocks(at, _) => network.clocks[*at as usize].to_string(),
        SymbolKind::Channels(at, _) => network.channels[*at as usize].name.to_string(),
        SymbolKind::Cells(Root::Variable(at), ..) => network.variables[*at as usize].name.to_string(),
        // Not possible in a single automaton: the game is refused when it uses this.
        _ => String::new(),
    };
    instance
        .bound
        .iter()
        .map(|bound| TemplateArgument::Spelt(spelt(bound)))
        .collect()
}

/// Channel priorities decide between processes, but an open game is single.
fn refuse_priorities(declarations: &[DeclarationTree], diagnostics: &mut Vec<Diagnostic>) {
    for declaration in declarations {
        if let DeclarationTree::ChannelPriority { span, .. } = declaration {
            let error = Diagnostic::error("channel priorities are not supported", *span);
            diagnostics.push(error.with_help("encode the priority in the guards of the edges"));
        }
    }
}

/// Warns about templates without processes, which are not read further; once each.
fn warn_unread(sections: &Sections, instances: &[ProcessInstance], diagnostics: &mut Vec<Diagnostic>) {
    let read: BTreeSet<usize> = instances.iter().map(|instance| instance.template).collect();
    for (index, template) in sections.templates.iter().enumerate() {
        if sections.system.processes.is_some() && !read.contains(&index) {
            let name = &template.name;
            let message = format!(
                "the template `{}` is not run by the system line and is not read",
                name.text
            );
            let warning = Diagnostic::warning(message, name.span);
            diagnostics.push(warning.with_help("add it to the `system` line to use it"));
        }
    }
}
