//! The way from a file to its automata.

use std::collections::HashMap;
use std::path::Path;

use super::cursor::Parser;
use super::declare::declare_global;
use super::document::{Document, Origin, ReadOptions};
use super::game::{Context, Game, game};
use super::instances::instances;
use super::lexer::lex;
use super::network;
use super::raw::RawFile;
use super::scope::Table;
use super::template::{Template, local_declarations, template};
use super::xml::raw_file;
use crate::formats::input::read_input;
use crate::model::Automaton;
use crate::text::{Diagnostic, ReadError, Severity, SourceFile, Span, decode};

/// Reads a UPPAAL file from disk.
///
/// # Errors
/// The file cannot be read, or [`read_bytes`] refuses it.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    let name = path.display().to_string();
    let bytes = read_input(path, "name a UPPAAL XML file that exists and may be read")?;
    read_bytes(&name, &bytes, options)
}

/// Reads a UPPAAL file given as bytes; gives the warnings, too. `name` is how messages call it.
///
/// ```
/// use tamper::formats::{ReadOptions, read_bytes};
/// let file = br#"<nta><declaration>chan a;</declaration><template><name>T</name>
///     <location id="l"/><init ref="l"/>
///     <transition><source ref="l"/><target ref="l"/><label kind="synchronisation">a!</label></transition>
///     </template><system>system T;</system></nta>"#;
/// let (document, warnings) = read_bytes("t.xml", file, &ReadOptions::default()).unwrap();
/// assert_eq!(document.automata()[0].edges().len(), 1);
/// assert!(warnings.is_empty());
/// ```
///
/// # Errors
/// Everything in the file that is malformed or outside a single timed game, in one go.
pub fn read_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    read(name, bytes, options, None)
}

/// Reads a UPPAAL file of which only these processes are asked for: what is wrong elsewhere in it is a warning, and each of
/// them is judged as if nobody else used the variables it uses.
///
/// # Errors
/// Everything that is wrong with these processes, or with the file as a whole.
pub fn read_only(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
    only: &[&str],
) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    read(name, bytes, options, Some(only))
}

fn read(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
    only: Option<&[&str]>,
) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    let file = decode(name, bytes)?;
    let mut diagnostics = Vec::new();
    let document = raw_file(&file, &mut diagnostics).map(|raw| document(&file, raw, (options, only), &mut diagnostics));
    checked(file, document, diagnostics)
}

/// What was made of a file, unless something is wrong with it.
pub(super) fn checked<T>(
    file: SourceFile,
    made: Option<T>,
    diagnostics: Vec<Diagnostic>,
) -> Result<(T, Vec<Diagnostic>), ReadError> {
    let diagnostics = in_order(diagnostics);
    let refused = diagnostics.iter().any(|found| found.severity == Severity::Error);
    match made {
        Some(made) if !refused => Ok((made, diagnostics)),
        _ => Err(ReadError { file, diagnostics }),
    }
}

pub(super) fn document(
    file: &SourceFile,
    raw: RawFile,
    (options, only): (&ReadOptions, Option<&[&str]>),
    diagnostics: &mut Vec<Diagnostic>,
) -> Document {
    let mut globals = Table::default();
    if let Some(declaration) = &raw.declaration {
        let (list, directives) = local_declarations(&declaration.text, diagnostics);
        let actions = directives.actions.iter().map(|(_, span, _)| *span);
        let alphabet = directives.alphabet.iter().flatten().map(|sync| sync.channel.span);
        for span in actions.chain(alphabet.take(1)) {
            let error = Diagnostic::error("a directive outside a template", span);
            diagnostics.push(error.with_help("move it into the declarations of the template it is about"));
        }
        declare_global(&list, &mut globals, diagnostics);
    }
    let root = raw.root;
    let mut elsewhere = Vec::new();
    let system = super::system::system(&mut parts(&raw, &mut elsewhere), &mut elsewhere);
    elsewhere.extend(system.beyond.iter().cloned());
    let read: Vec<(Template, Vec<Diagnostic>)> = raw
        .templates
        .into_iter()
        .filter_map(|raw| {
            let mut found = Vec::new();
            let template = template(raw, &mut found);
            match template {
                Some(template) => Some((template, found)),
                None => {
                    elsewhere.append(&mut found);
                    None
                }
            }
        })
        .collect();
    let (templates, found): (Vec<Template>, Vec<_>) = read.into_iter().unzip();
    template_names(&templates, &mut elsewhere);
    declare_global(&system.declarations, &mut globals, &mut elsewhere);
    let instances = instances(&templates, &system, &globals, &mut elsewhere);
    let is_asked = |name: &str| only.is_none_or(|only| only.contains(&name));
    for (at, found) in found.into_iter().enumerate() {
        let mut of_template = instances.iter().filter(|instance| instance.template == at);
        match of_template.any(|instance| is_asked(&instance.name.text)) {
            true => diagnostics.extend(found),
            false => elsewhere.extend(found),
        }
    }
    let context = Context {
        globals: &globals,
        ios: &system.ios,
        options,
    };
    network::io_lines(&templates, &instances, &system.ios, &mut elsewhere);
    let is_missing = |name: &&str| instances.iter().all(|instance| instance.name.text != **name);
    let missing = only.is_some_and(|only| only.iter().any(is_missing));
    if only.is_none() {
        diagnostics.append(&mut elsewhere);
    }
    let mut found = diagnostics.iter().chain(&elsewhere);
    if instances.is_empty() && found.all(|found| found.severity == Severity::Warning) {
        let error = Diagnostic::error(
            "the file has no automaton",
            Span::new(root.start as usize, root.start as usize),
        );
        diagnostics.push(error.with_help("add one (in XML a <template>), and let the system run it"));
    }
    let games: Vec<Game> = instances
        .into_iter()
        .filter_map(|instance| {
            let template = &templates[instance.template];
            let found = match is_asked(&instance.name.text) {
                true => &mut *diagnostics,
                false => &mut elsewhere,
            };
            game(instance, template, &context, found)
        })
        .collect();
    network::check(&games, &globals, (&*diagnostics, only.is_some()), &mut elsewhere);
    // Of a file that lacks what is asked for, everything may be the reason.
    if only.is_some() && !missing {
        elsewhere
            .iter_mut()
            .for_each(|found| found.severity = Severity::Warning);
    }
    diagnostics.append(&mut elsewhere);
    let games: Vec<Game> = games
        .into_iter()
        .filter(|game| is_asked(game.automaton.name()))
        .collect();
    let layouts = games
        .iter()
        .map(|game| templates[game.template].layout.clone())
        .collect();
    let annotations = games.iter().map(|game| game.annotations.clone()).collect();
    let (automata, origins) = games.into_iter().map(origin).unzip();
    Document {
        source: file.clone(),
        automata,
        layouts,
        origins,
        annotations,
        globals,
        statements: system.statements,
        options: *options,
        foreign: None,
    }
}

fn origin(game: Game) -> (Automaton, Origin) {
    let origin = Origin {
        locals: game.locals,
        written: game.written,
        arguments: game.arguments,
        has_io: game.has_io,
    };
    (game.automaton, origin)
}

/// The instantiation section of the oldest files and the system section, as one text.
pub(super) fn parts(raw: &RawFile, diagnostics: &mut Vec<Diagnostic>) -> Parser {
    let mut tokens = Vec::new();
    for section in [&raw.instantiation, &raw.system].into_iter().flatten() {
        let lexed = lex(&section.text);
        diagnostics.extend(lexed.errors);
        tokens.pop();
        tokens.extend(lexed.tokens);
    }
    Parser::new(tokens)
}

fn template_names(templates: &[Template], diagnostics: &mut Vec<Diagnostic>) {
    let mut names = HashMap::<&str, Span>::new();
    for Template { name, .. } in templates {
        if let Some(first) = names.insert(&name.text, name.span) {
            let error = Diagnostic::error(format!("two templates are called `{}`", name.text), name.span);
            diagnostics.push(
                error
                    .with_secondary(first, "the first one")
                    .with_help("rename one of the two"),
            );
        }
    }
}

/// Each finding once, in the order of the file (instances of one template repeat its findings).
fn in_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
    diagnostics.dedup_by(|a, b| a.span == b.span && a.message == b.message);
    diagnostics
}
