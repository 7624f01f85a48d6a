//! Reads a `.tck` file into its games: the declarations are checked, then handed to the UPPAAL reader.

use super::network::{channels, connect, vectors};
use super::scan::{TcheckerDeclaration, scan};
use super::spell::{spell, spell_network};
use super::system::{AlphabetEntry, Int, Process, Sync, SyncPart, System, TcheckerEdge, TcheckerLocation};
use tamper_text::{Diagnostic, Piece, ReadError, Severity, Span, decode};
use tamper_timed::model::Role;
use tamper_uppaal::{Document, ForeignFile, NetworkFile, ReadOptions, read_behind};

/// The games in `bytes`, the content of a file called `name`, and warnings about it.
///
/// # Errors
/// Everything that is malformed, that TChecker would refuse, or that is outside a single timed game.
pub fn read_tchecker(
    name: &str,
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<(Document, Vec<Diagnostic>), ReadError> {
    let file = decode(name, bytes)?;
    let mut found = Vec::new();
    let text = file.clone();
    let system = declared(text.text(), &mut found);
    let raw = spell(&system, &mut found);
    let (document, found) = read_behind(file, raw, found, options)?;
    // A product is a composition: its committed locations are intermediate steps.
    let document = match system.syncs.is_empty() {
        true => document,
        false => document.of_product(),
    };
    Ok((document, found))
}

/// The network of the processes in `bytes`, the content of a file called `name`, and warnings about it.
///
/// # Errors
/// Everything that is malformed, that TChecker would refuse, or that has no exact meaning here.
pub fn read_tchecker_network(name: &str, bytes: &[u8]) -> Result<(NetworkFile, Vec<Diagnostic>), ReadError> {
    let file = decode(name, bytes)?;
    let mut found = Vec::new();
    let text = file.clone();
    let system = declared(text.text(), &mut found);
    let channels = channels(&system);
    let raw = spell_network(&system, &channels, &mut found);
    let vectors = vectors(&system, &mut found);
    if found.iter().any(|found| found.severity == Severity::Error) {
        return Err(ReadError {
            file,
            diagnostics: found,
        });
    }
    let (mut file, found) = ForeignFile { file, raw, found }.network()?;
    connect(&mut file.network, &channels, &vectors);
    Ok((file, found))
}

/// Reads the declarations of `text`.
fn declared<'a>(text: &'a str, found: &mut Vec<Diagnostic>) -> System<'a> {
    let scanned = scan(text, found);
    let mut system = System::default();
    for directive in &scanned.directives {
        alphabet(*directive, &mut system, found);
    }
    match scanned.declarations.first() {
        Some(first) if first.keyword.text != "system" => {
            let error = Diagnostic::error("the file does not start with a system", first.keyword.span);
            found.push(error.with_help("the first declaration is `system:name`"));
        }
        Some(_) => {}
        None => found.push(
            Diagnostic::error("the file declares nothing", Span::new(0, 0)).with_help("name a TChecker file (.tck)"),
        ),
    }
    for (at, declaration) in scanned.declarations.iter().enumerate() {
        declare(declaration, at == 0, &mut system, found);
    }
    system
}

/// `alphabet press? a.in=a? tau`
fn alphabet<'a>(directive: Piece<'a>, system: &mut System<'a>, found: &mut Vec<Diagnostic>) {
    let mut words = directive.text.split_whitespace();
    if words.next() != Some("alphabet") {
        let error = Diagnostic::error(
            format!("the directive `tamper:{}` is not understood", directive.text),
            directive.span,
        );
        found.push(error.with_help("the one directive is `# tamper:alphabet press? coffee! tau`"));
        return;
    }
    for word in words {
        let (event, action) = word.split_once('=').unwrap_or((word, word));
        let (channel, role) = match action.char_indices().last() {
            Some((at, '?')) => (&action[..at], Role::Input),
            Some((at, '!')) => (&action[..at], Role::Output),
            _ => (action, Role::Internal),
        };
        let event = if event == action { channel } else { event };
        if role == Role::Internal && action != "tau" {
            let message = format!("`{word}` is neither an input (`?`) nor an output (`!`)");
            let error = Diagnostic::error(message, directive.span);
            found.push(error.with_help(format!("write `{word}?`, `{word}!`, or `{word}=tau` if it is internal")));
        }
        if system.alphabet.iter().any(|(known, _)| known == event) {
            let error = Diagnostic::error(format!("the event `{event}` is listed twice"), directive.span);
            found.push(error.with_help("an event is one action: say which"));
        }
        let span = directive.span;
        system
            .alphabet
            .push((event.to_owned(), AlphabetEntry { channel, role, span }));
    }
}

fn declare<'a>(declared: &TcheckerDeclaration<'a>, first: bool, system: &mut System<'a>, found: &mut Vec<Diagnostic>) {
    let keyword = declared.keyword;
    let expected = match keyword.text {
        "system" | "process" | "event" => 1,
        "clock" => 2,
        "int" => 5,
        "location" => 2,
        "edge" => 4,
        "sync" => return sync(declared, system, found),
        _ => {
            let error = Diagnostic::error(format!("`{}` declares nothing", keyword.text), keyword.span);
            return found
                .push(error.with_help("declarations are system, process, event, clock, int, location, edge, sync"));
        }
    };
    if declared.fields.len() != expected {
        return found.push(wrong_fields(declared, expected));
    }
    let name = declared.fields[expected - 1];
    if !is_name(name.text) {
        let error = Diagnostic::error(format!("`{}` is not a name", name.text), name.span);
        found.push(error.with_help("names have letters, digits, `_` and `.`, and no digit first"));
        return;
    }
    match keyword.text {
        "system" if !first => {
            let error = Diagnostic::error("a second system", declared.span);
            found.push(error.with_help("a file has one system, declared first"));
        }
        "system" => system.name = Some(name),
        "process" => process(name, system, found),
        "event" => {
            if let Some(earlier) = system.events.insert(name.text, name.span) {
                found.push(twice("event", name, earlier));
            }
        }
        "clock" => {
            single(declared.fields[0], found);
            variable(name, system, found);
            system.clocks.push(name);
        }
        "int" => int(declared, system, found),
        "location" => location(declared, system, found),
        _ => edge(declared, system, found),
    }
    if !matches!(keyword.text, "location" | "edge") {
        unknown_attributes(declared, &[], found);
    }
}

fn wrong_fields(declared: &TcheckerDeclaration<'_>, expected: usize) -> Diagnostic {
    let (keyword, n_fields) = (declared.keyword.text, declared.fields.len());
    let message = format!("`{keyword}` has {n_fields} fields, not {expected}");
    let help = match keyword {
        "clock" => "write `clock:1:x`",
        "int" => "write `int:1:0:5:0:i` (size, least, greatest, initial value, name)",
        "location" => "write `location:P:idle{initial:}`",
        "edge" => "write `edge:P:idle:busy:press{provided:x<=5:do:x=0}`",
        _ => "write `process:P`, `event:press`",
    };
    Diagnostic::error(message, declared.span).with_help(help)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
}

fn twice(what: &str, name: Piece<'_>, first: Span) -> Diagnostic {
    Diagnostic::error(format!("the {what} `{}` is declared twice", name.text), name.span)
        .with_secondary(first, "first declared here")
        .with_help("rename one of the two")
}

fn process<'a>(name: Piece<'a>, system: &mut System<'a>, found: &mut Vec<Diagnostic>) {
    if let Some(earlier) = system.processes.iter().find(|known| known.name.text == name.text) {
        return found.push(twice("process", name, earlier.name.span));
    }
    system.processes.push(Process {
        name,
        locations: Vec::new(),
        edges: Vec::new(),
    });
}

fn single(size: Piece<'_>, found: &mut Vec<Diagnostic>) {
    if size.text != "1" {
        let error = Diagnostic::error("arrays of variables are not supported", size.span);
        found.push(error.with_help("declare one variable per element, of size 1"));
    }
}

fn variable(name: Piece<'_>, system: &System<'_>, found: &mut Vec<Diagnostic>) {
    let clocks = system.clocks.iter().copied();
    let earlier = clocks
        .chain(system.ints.iter().map(|int| int.name))
        .find(|known| known.text == name.text);
    if let Some(earlier) = earlier {
        found.push(twice("variable", name, earlier.span));
    }
    if name.text.contains('.') {
        let error = Diagnostic::error(format!("the variable `{}` has a `.` in its name", name.text), name.span);
        found.push(error.with_help("no expression can name it: use `_`"));
    }
}

fn int<'a>(declared: &TcheckerDeclaration<'a>, system: &mut System<'a>, found: &mut Vec<Diagnostic>) {
    let [size, low, high, initial, name] = declared.fields[..] else {
        return;
    };
    single(size, found);
    variable(name, system, found);
    let mut number = |word: Piece<'_>| match word.text.parse::<i32>() {
        Ok(number) => number,
        Err(_) => {
            let error = Diagnostic::error(format!("`{}` is not a 32-bit number", word.text), word.span);
            found.push(error.with_help("write `int:1:0:5:0:i` (size, least, greatest, initial value, name)"));
            0
        }
    };
    let (low_value, high_value, initial_value) = (number(low), number(high), number(initial));
    system.ints.push(Int {
        name,
        low: low_value,
        high: high_value,
        initial: initial_value,
    });
}

/// `sync:P@a:Q@b?`
fn sync<'a>(declared: &TcheckerDeclaration<'a>, system: &mut System<'a>, found: &mut Vec<Diagnostic>) {
    const HELP: &str = "write `sync:P@press:Q@ring`, or `Q@ring?` where `Q` need not take part";
    let mut parts: Vec<SyncPart<'_>> = Vec::new();
    let mut words = Vec::new();
    for field in &declared.fields {
        words.push(field.text);
        let Some((process, event)) = field.text.split_once('@') else {
            let error = Diagnostic::error(format!("`{}` names no process and event", field.text), field.span);
            return found.push(error.with_help(HELP));
        };
        let (event, is_weak) = match event.strip_suffix('?') {
            Some(event) => (event, true),
            None => (event, false),
        };
        let start = field.span.start as usize;
        let word = |text: &'a str, at: usize| Piece {
            text,
            span: Span::new(at, at + text.len()),
        };
        let (process, event) = (word(process, start), word(event, start + process.len() + 1));
        if !system.events.contains_key(event.text) {
            let error = Diagnostic::error(format!("the event `{}` is not declared", event.text), event.span);
            return found.push(error.with_help("declare it above: `event:press`"));
        }
        let Some(position) = system
            .processes
            .iter()
            .position(|known| known.name.text == process.text)
        else {
            let error = Diagnostic::error(format!("the process `{}` is not declared", process.text), process.span);
            return found.push(error.with_help("declare it above: `process:P`"));
        };
        if parts.iter().any(|part| part.process == position) {
            let error = Diagnostic::error(format!("`{}` is twice in this vector", process.text), field.span);
            return found.push(error.with_help("a process takes part once: write one vector per event of it"));
        }
        parts.push(SyncPart {
            process: position,
            event,
            is_weak,
        });
    }
    if parts.is_empty() {
        return found.push(Diagnostic::error("a vector of nothing", declared.span).with_help(HELP));
    }
    unknown_attributes(declared, &[], found);
    system.syncs.push(Sync {
        name: words.join(":"),
        parts,
        span: declared.span,
    });
}

fn find_process<'s, 'a>(
    name: Piece<'_>,
    system: &'s mut System<'a>,
    found: &mut Vec<Diagnostic>,
) -> Option<&'s mut Process<'a>> {
    let process = system
        .processes
        .iter_mut()
        .find(|process| process.name.text == name.text);
    if process.is_none() {
        let error = Diagnostic::error(format!("the process `{}` is not declared", name.text), name.span);
        found.push(error.with_help("declare it above: `process:P`"));
    }
    process
}

fn location<'a>(declared: &TcheckerDeclaration<'a>, system: &mut System<'a>, found: &mut Vec<Diagnostic>) {
    let name = declared.fields[1];
    let Some(process) = find_process(declared.fields[0], system, found) else {
        return;
    };
    if let Some(earlier) = process.locations.iter().find(|known| known.name.text == name.text) {
        found.push(twice("location", name, earlier.name.span));
        return;
    }
    let get = |key: &str| declared.attributes.iter().find(|(known, _)| known.text == key);
    process.locations.push(TcheckerLocation {
        name,
        invariant: get("invariant").map(|(_, value)| *value),
        initial: get("initial").map(|(key, _)| key.span),
        urgent: get("urgent").is_some(),
        committed: get("committed").is_some(),
    });
    unknown_attributes(declared, &["invariant", "initial", "urgent", "committed"], found);
}

fn edge<'a>(declared: &TcheckerDeclaration<'a>, system: &mut System<'a>, found: &mut Vec<Diagnostic>) {
    let [process, source, target, event] = declared.fields[..] else {
        return;
    };
    if !system.events.contains_key(event.text) {
        let error = Diagnostic::error(format!("the event `{}` is not declared", event.text), event.span);
        found.push(error.with_help("declare it above: `event:press`"));
    }
    let Some(process) = find_process(process, system, found) else {
        return;
    };
    let mut end = |name: Piece<'_>| {
        let position = process.locations.iter().position(|known| known.name.text == name.text);
        if position.is_none() {
            let message = format!("`{}` has no location `{}`", process.name.text, name.text);
            found.push(Diagnostic::error(message, name.span).with_help("declare it above: `location:P:idle`"));
        }
        position
    };
    let (source, target) = (end(source), end(target));
    let get = |key: &str| {
        let known = declared.attributes.iter().find(|(known, _)| known.text == key);
        known.map(|(_, value)| *value)
    };
    if let Some(ends) = source.zip(target) {
        process.edges.push(TcheckerEdge {
            ends,
            event,
            guard: get("provided"),
            update: get("do"),
            span: declared.span,
        });
    }
    unknown_attributes(declared, &["provided", "do"], found);
}

fn unknown_attributes(declared: &TcheckerDeclaration<'_>, known: &[&str], found: &mut Vec<Diagnostic>) {
    for (at, (key, _)) in declared.attributes.iter().enumerate() {
        let earlier = declared.attributes[..at]
            .iter()
            .find(|(earlier, _)| earlier.text == key.text);
        if let Some((earlier, _)) = earlier {
            let error = Diagnostic::error(format!("the attribute `{}` is given twice", key.text), key.span);
            found.push(
                error
                    .with_secondary(earlier.span, "first given here")
                    .with_help("keep one"),
            );
        } else if !known.contains(&key.text) {
            let warning = Diagnostic::warning(format!("the attribute `{}` is not read", key.text), key.span);
            found.push(warning.with_help("it has no meaning for a timed game"));
        }
    }
}
