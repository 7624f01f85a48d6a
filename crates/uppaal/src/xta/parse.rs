//! The structure of a file: its processes, and the text around them.

use std::collections::BTreeMap;

use super::scan::{ScanResult, XtaScanner};
use tamper_text::{Diagnostic, Piece, Span};

/// The parts of a file.
#[derive(Default, Debug)]
pub(super) struct File<'a> {
    /// The texts before the last process, outside of processes.
    pub globals: Vec<Piece<'a>>,
    pub processes: Vec<XtaProcess<'a>>,
    /// The text behind the last process.
    pub system: Piece<'a>,
    /// Whether some transition is uncontrollable.
    pub is_game: bool,
}

#[derive(Debug)]
pub(super) struct XtaProcess<'a> {
    pub name: Piece<'a>,
    pub parameters: Piece<'a>,
    pub declarations: Piece<'a>,
    pub states: Vec<XtaState<'a>>,
    /// Nodes of transitions that choose by weight; numbered after the states.
    pub branchpoints: Vec<Piece<'a>>,
    /// The position of the initial state.
    pub initial: (usize, Span),
    pub transitions: Vec<XtaTransition<'a>>,
}

#[derive(Debug)]
pub(super) struct XtaState<'a> {
    pub name: Piece<'a>,
    pub invariant: Option<Piece<'a>>,
    pub rate: Option<Piece<'a>>,
    pub is_urgent: bool,
    pub is_committed: bool,
}

#[derive(Debug)]
pub(super) struct XtaTransition<'a> {
    /// Positions of states.
    pub ends: (usize, usize),
    pub is_controllable: bool,
    /// Each kind of XML label with its text.
    pub labels: Vec<(&'static str, Piece<'a>)>,
    pub span: Span,
}

/// The words that begin a label, and the kinds of the label in XML.
const LABELS: [(&str, &str); 5] = [
    ("select", "select"),
    ("guard", "guard"),
    ("sync", "synchronisation"),
    ("assign", "assignment"),
    ("probability", "probability"),
];

const PROCESS: &str = "write `process P(int n) { clock x; state A, B; init A; trans A -> B { guard x > n; }; }`";
const STATES: &str = "write `state A, B { x <= 5 };`";
const BRANCHPOINTS: &str = "write `branchpoint B, C;` behind the states";
const TRANSITION: &str = "write `A -> B { guard x > 3; sync a!; assign x = 0; }`";

/// The parts of `text`; syntax errors go to `found`, one per process.
pub(super) fn parse<'a>(text: &'a str, found: &mut Vec<Diagnostic>) -> File<'a> {
    let mut file = File::default();
    if let Some((at, c)) = text.char_indices().find(|(_, c)| is_forbidden(*c)) {
        let error = Diagnostic::error(
            format!("the character U+{:04X} has no place in a model", u32::from(c)),
            Span::new(at, at + c.len_utf8()),
        );
        found.push(error.with_help("remove it, or name a file in UPPAAL's text format"));
        return file;
    }
    let mut scanner = XtaScanner::new(text);
    let mut outside = 0;
    while !scanner.at_end() {
        let start = scanner.position();
        if !scanner.eat_word("process") {
            if let Err(error) = scanner.step() {
                found.push(error);
                return file;
            }
            continue;
        }
        file.globals.push(scanner.piece(outside, start));
        // An error in a process does not affect the next one.
        let mut behind = scanner;
        match process(&mut scanner, found) {
            Ok(process) => file.processes.push(process),
            Err(error) => {
                found.push(error);
                if skip_process(&mut behind).is_err() {
                    return file;
                }
                scanner = behind;
            }
        }
        outside = scanner.position();
        let mut semicolon = scanner;
        if semicolon.eat(";") {
            outside = semicolon.position();
            scanner = semicolon;
        }
    }
    file.system = scanner.piece(outside.min(text.len()), text.len());
    let mut transitions = file.processes.iter().flat_map(|process| &process.transitions);
    file.is_game = transitions.any(|transition| !transition.is_controllable);
    if file.processes.is_empty() && found.is_empty() {
        let error = Diagnostic::error("the file has no process", Span::new(0, 0));
        found.push(error.with_help(PROCESS));
    }
    file
}

/// Whether XML cannot represent a character.
fn is_forbidden(c: char) -> bool {
    (c < ' ' && !matches!(c, '\t' | '\n' | '\r')) || matches!(c, '\u{FFFE}' | '\u{FFFF}')
}

/// Moves behind the block of the process whose name is next.
fn skip_process(scanner: &mut XtaScanner<'_>) -> ScanResult<()> {
    loop {
        let mut block = *scanner;
        if block.at_end() {
            return Err(block.unexpected("`{`", PROCESS));
        }
        let is_block = block.eat("{");
        scanner.step()?;
        if is_block {
            return Ok(());
        }
    }
}

/// Reads a process, from behind the word `process`.
fn process<'a>(scanner: &mut XtaScanner<'a>, found: &mut Vec<Diagnostic>) -> ScanResult<XtaProcess<'a>> {
    let mut process = head(scanner)?;
    let name = process.name;
    scanner.eat_word("state");
    states(scanner, &mut process)?;
    let names = (0..).zip(&process.states).map(|(at, state)| (state.name.text, at));
    let mut names = StateIndex {
        process: name,
        positions: names.collect(),
    };
    let mut has_initial = false;
    while !scanner.eat("}") {
        match scanner.peek_word() {
            word @ ("commit" | "urgent") => {
                scanner.eat_word(word);
                for at in state_list(scanner, &names, found)? {
                    match process.states.get_mut(at) {
                        Some(state) if word == "commit" => state.is_committed = true,
                        Some(state) => state.is_urgent = true,
                        None => return Err(scanner.unexpected("states", "a branchpoint is left at once in any case")),
                    }
                }
            }
            "init" if !has_initial => {
                scanner.eat_word("init");
                let state = scanner.name("the name of a state", "write `init A;`")?;
                process.initial = (names.find(state, found).unwrap_or(0), state.span);
                has_initial = true;
                scanner.expect(";", "write `init A;`")?;
            }
            "trans" => {
                scanner.eat_word("trans");
                process.transitions.extend(transitions(scanner, &names, found)?);
            }
            "branchpoint" => {
                scanner.eat_word("branchpoint");
                branchpoints(scanner, &mut process, &mut names)?;
            }
            _ => return Err(scanner.unexpected("`branchpoint`, `commit`, `urgent`, `init`, `trans` or `}`", PROCESS)),
        }
    }
    if !has_initial {
        let error = Diagnostic::error(format!("the process `{}` has no initial state", name.text), name.span);
        found.push(error.with_help("add `init A;` behind its states"));
    }
    Ok(process)
}

/// Reads the head of a process, up to its states.
fn head<'a>(scanner: &mut XtaScanner<'a>) -> ScanResult<XtaProcess<'a>> {
    let name = scanner.name("a name for the process", PROCESS)?;
    let mut parameters = name.part(0, 0);
    if scanner.eat("(") {
        parameters = scanner.until(&[')'], name.span)?;
        scanner.expect(")", PROCESS)?;
    }
    scanner.expect("{", PROCESS)?;
    let start = scanner.position();
    while scanner.peek_word() != "state" {
        let mut end = *scanner;
        if end.at_end() || end.eat("}") {
            return Err(scanner.unexpected("`state`", STATES));
        }
        scanner.step()?;
    }
    let end = scanner.position();
    Ok(XtaProcess {
        name,
        parameters,
        declarations: scanner.piece(start, end),
        states: Vec::new(),
        branchpoints: Vec::new(),
        initial: (0, name.span),
        transitions: Vec::new(),
    })
}

/// The states of a process.
struct StateIndex<'a> {
    process: Piece<'a>,
    /// Their positions, by name.
    positions: BTreeMap<&'a str, usize>,
}

impl StateIndex<'_> {
    fn find(&self, state: Piece<'_>, found: &mut Vec<Diagnostic>) -> Option<usize> {
        let at = self.positions.get(state.text).copied();
        if at.is_none() {
            let message = format!("`{}` has no state `{}`", self.process.text, state.text);
            found.push(Diagnostic::error(message, state.span).with_help("name it behind `state`"));
        }
        at
    }
}

/// `A, B { x <= 5 }, C { x <= 5; 3 };`
fn states<'a>(scanner: &mut XtaScanner<'a>, process: &mut XtaProcess<'a>) -> ScanResult<()> {
    loop {
        let name = scanner.name("the name of a state", STATES)?;
        let (mut invariant, mut rate) = (None, None);
        if scanner.eat("{") {
            let text = scanner.until(&[';', '}'], name.span)?;
            invariant = (!text.text.is_empty()).then_some(text);
            if scanner.eat(";") {
                let text = scanner.until(&['}'], name.span)?;
                rate = (!text.text.is_empty()).then_some(text);
            }
            scanner.expect("}", STATES)?;
        }
        process.states.push(XtaState {
            name,
            invariant,
            rate,
            is_urgent: false,
            is_committed: false,
        });
        if !scanner.eat(",") {
            break;
        }
    }
    scanner.expect(";", STATES)
}

/// Reads `B, C;`: nodes that are numbered after the states.
fn branchpoints<'a>(
    scanner: &mut XtaScanner<'a>,
    process: &mut XtaProcess<'a>,
    names: &mut StateIndex<'a>,
) -> ScanResult<()> {
    loop {
        let name = scanner.name("the name of a branchpoint", BRANCHPOINTS)?;
        let position = process.states.len() + process.branchpoints.len();
        names.positions.insert(name.text, position);
        process.branchpoints.push(name);
        if !scanner.eat(",") {
            return scanner.expect(";", BRANCHPOINTS);
        }
    }
}

/// `A, B;`
fn state_list(
    scanner: &mut XtaScanner<'_>,
    names: &StateIndex<'_>,
    found: &mut Vec<Diagnostic>,
) -> ScanResult<Vec<usize>> {
    let mut list = Vec::new();
    loop {
        let state = scanner.name("the name of a state", "write `commit A, B;` or `urgent A, B;`")?;
        list.extend(names.find(state, found));
        if !scanner.eat(",") {
            break;
        }
    }
    scanner.expect(";", "write `commit A, B;` or `urgent A, B;`")?;
    Ok(list)
}

/// `A -> B { … }, -> C { … }, B -u-> A { … };`: a transition without a source has the source of the previous one.
fn transitions<'a>(
    scanner: &mut XtaScanner<'a>,
    names: &StateIndex<'_>,
    found: &mut Vec<Diagnostic>,
) -> ScanResult<Vec<XtaTransition<'a>>> {
    let mut list = Vec::new();
    let mut source = None;
    loop {
        let start = scanner.position();
        let mut arrow = *scanner;
        let goes_on = source.is_some() && (arrow.eat("->") || arrow.eat("-u->"));
        if !goes_on {
            let state = scanner.name("the name of a state", TRANSITION)?;
            source = Some(names.find(state, found));
        }
        let is_controllable = !scanner.eat("-u->");
        if is_controllable {
            scanner.expect("->", TRANSITION)?;
        }
        let target = scanner.name("the name of a state", TRANSITION)?;
        let target = names.find(target, found);
        scanner.expect("{", TRANSITION)?;
        let labels = labels(scanner, found)?;
        let end = scanner.position();
        scanner.expect("}", TRANSITION)?;
        if let Some(ends) = source.flatten().zip(target) {
            list.push(XtaTransition {
                ends,
                is_controllable,
                labels,
                span: Span::new(start, end + 1),
            });
        }
        if !scanner.eat(",") {
            break;
        }
    }
    scanner.expect(";", "end the transitions by `;`, and separate them by `,`")?;
    Ok(list)
}

fn labels<'a>(scanner: &mut XtaScanner<'a>, found: &mut Vec<Diagnostic>) -> ScanResult<Vec<(&'static str, Piece<'a>)>> {
    let mut list: Vec<(&str, Piece<'_>)> = Vec::new();
    loop {
        let word = scanner.peek_word();
        let Some((_, kind)) = LABELS.iter().find(|(label, _)| *label == word) else {
            if word.is_empty() {
                return Ok(list);
            }
            return Err(scanner.unexpected("`select`, `guard`, `sync`, `assign` or `}`", TRANSITION));
        };
        let start = scanner.position();
        scanner.eat_word(word);
        let place = Span::new(start, start + word.len());
        let text = scanner.until(&[';'], place)?;
        scanner.expect(";", TRANSITION)?;
        if let Some((_, first)) = list.iter().find(|(known, _)| known == kind) {
            let error = Diagnostic::error(format!("a second `{word}` of the transition"), place);
            found.push(
                error
                    .with_secondary(first.span, "the first one")
                    .with_help("join the two"),
            );
        }
        list.push((kind, text));
    }
}
