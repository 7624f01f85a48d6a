//! The lines of an extended machine: one declaration or transition per line.

use super::draft::ExtendedDraft;
use super::line::{PieceExt as _, SHAPE};
use super::scope::{Type, truth};
use super::terms::is_keyword;
use crate::{Domain, ERROR, Event, Expr, Options, Rule, RuleAction, RuleAnswer, Slot, Trigger, Variable};
use tamper_text::{Diagnostic, Piece, Span};

/// Reads the lines of `text`.
pub(in crate::formats) fn read(text: &str) -> ExtendedDraft {
    let mut draft = ExtendedDraft::default();
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let piece = Piece::new(without_comment(line), start).trimmed();
        start += line.len();
        if !piece.text.is_empty()
            && let Err(error) = read_line(&mut draft, piece, number + 1)
        {
            draft.diagnostics.push(error);
        }
    }
    if draft.slots.iter().all(Vec::is_empty) && draft.diagnostics.is_empty() {
        draft.error("the file has no transition", Span::new(0, text.len().min(1)), SHAPE);
    }
    draft
}

/// A `#` at the beginning of a word starts a comment.
fn without_comment(line: &str) -> &str {
    let starts = |at: &usize| line[..*at].ends_with(char::is_whitespace) || *at == 0;
    let mut marks = line.match_indices('#').map(|(at, _)| at);
    marks.find(starts).map_or(line, |at| &line[..at])
}

fn read_line(draft: &mut ExtendedDraft, line: Piece<'_>, number: usize) -> Result<(), Diagnostic> {
    if line.text.contains("->") {
        return transition(draft, line, number);
    }
    let (kind, rest) = line.word("a declaration or a transition")?;
    match kind.text {
        "var" => variable(draft, rest),
        "input" => declare_event(draft, rest, ""),
        "initial" => {
            let (name, rest) = rest.word("a state")?;
            end(rest)?;
            let state = draft.state(name.text, name.span);
            if draft.initial.replace(state).is_some() {
                draft.error(
                    "the initial state is given twice",
                    line.span,
                    "keep one of the two lines",
                );
            }
            Ok(())
        }
        _ => Err(Diagnostic::error("this line is no transition", line.span).with_help(SHAPE)),
    }
}

fn end(rest: Piece<'_>) -> Result<(), Diagnostic> {
    match rest.text.is_empty() {
        true => Ok(()),
        false => Err(rest.expected("the end of the line")),
    }
}

/// `NAME : DOMAIN = VALUE`
fn variable(draft: &mut ExtendedDraft, rest: Piece<'_>) -> Result<(), Diagnostic> {
    let (name, rest) = identifier(draft, rest)?;
    let rest = rest.skip(":").ok_or_else(|| rest.expected("`:`"))?;
    let (domain, value) = rest
        .cut("=")
        .ok_or_else(|| rest.expected("a domain, `=` and the initial value"))?;
    let domain = read_domain(draft, domain)?;
    let initial = constant(&domain, value)?;
    draft.scope.variables.push(Variable {
        name: name.text.to_owned(),
        domain,
        initial,
    });
    Ok(())
}

/// Reads a name that expressions can use and that is not taken.
fn identifier<'a>(draft: &ExtendedDraft, rest: Piece<'a>) -> Result<(Piece<'a>, Piece<'a>), Diagnostic> {
    let (name, rest) = rest.word("a name")?;
    let error = |message: String, help: &str| Err(Diagnostic::error(message, name.span).with_help(help));
    let is_name = |text: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
        text.chars().all(fits) && !text.starts_with(|c: char| c.is_ascii_digit())
    };
    if !is_name(name.text) || is_keyword(name.text) {
        return error(
            format!("`{}` cannot be the name of a variable", name.text),
            "names have letters, digits and `_`, and are no keywords of expressions",
        );
    }
    if draft.scope.variable(name.text).is_some() || draft.scope.constant(name.text).is_some() {
        return error(format!("`{}` is declared already", name.text), "give it another name");
    }
    Ok((name, rest))
}

/// `LOW..HIGH`, `bool` or `{A, B}`.
pub(in crate::formats) fn read_domain(draft: &ExtendedDraft, text: Piece<'_>) -> Result<Domain, Diagnostic> {
    const HELP: &str = "a domain is LOW..HIGH, bool or {NAME, NAME}";
    if text.text == "bool" {
        return Ok(truth());
    }
    if text.text.starts_with('{') {
        let (names, rest) = text.bracket('{', '}')?;
        end(rest)?;
        let mut all: Vec<String> = Vec::new();
        for part in names.alternatives(',') {
            let (name, rest) = part.word("a name")?;
            end(rest)?;
            if all.iter().any(|other| other == name.text) {
                return Err(Diagnostic::error("this value is there twice", name.span).with_help(HELP));
            }
            all.push(name.text.to_owned());
        }
        // Two variables may share an enumeration, but two enumerations may not share a name.
        for name in &all {
            let known = draft.scope.constant(name);
            if draft.scope.variable(name).is_some() || known.is_some_and(|(_, names)| *names != all[..]) {
                let message = format!("`{name}` means something else already");
                return Err(Diagnostic::error(message, text.span).with_help("give the value another name"));
            }
        }
        return Ok(Domain {
            low: 0,
            high: all.len() as i64 - 1,
            names: Some(all.into()),
        });
    }
    let wrong = || Diagnostic::error("this is no domain", text.span).with_help(HELP);
    let (low, high) = text.cut("..").ok_or_else(wrong)?;
    // Any sum of two 32-bit bounds fits in 64 bits.
    let number = |part: Piece<'_>| part.text.parse::<i32>().map(i64::from).map_err(|_| wrong());
    let (low, high) = (number(low)?, number(high)?);
    match low <= high {
        true => Ok(Domain { low, high, names: None }),
        false => Err(Diagnostic::error("this domain is empty", text.span).with_help(HELP)),
    }
}

/// The value of a domain that `text` names.
pub(in crate::formats) fn constant(domain: &Domain, text: Piece<'_>) -> Result<i64, Diagnostic> {
    let named = |names: &std::sync::Arc<[String]>| names.iter().position(|name| name == text.text).map(|at| at as i64);
    let value = match &domain.names {
        Some(names) => named(names),
        None => text.text.parse().ok().filter(|value| domain.has(*value)),
    };
    let wrong = || Diagnostic::error("this is no value of the domain", text.span);
    value.ok_or_else(|| {
        let (low, high) = (domain.show(domain.low), domain.show(domain.high));
        wrong().with_help(format!("its values are {low} to {high}"))
    })
}

/// Declares the input `NAME` or `NAME(PARAMETER : DOMAIN, …)`; expressions have `prefix` before its parameters.
pub(in crate::formats) fn declare_event(
    draft: &mut ExtendedDraft,
    rest: Piece<'_>,
    prefix: &str,
) -> Result<(), Diagnostic> {
    let (name, rest) = rest.word("the name of an input")?;
    if draft.scope.event(name.text).is_some() {
        let error = Diagnostic::error(format!("the input `{}` is there already", name.text), name.span);
        return Err(error.with_help("declare an input once, and before its first transition"));
    }
    let mut parameters: Vec<(String, Domain)> = Vec::new();
    if rest.text.starts_with('(') {
        let (inside, rest) = rest.bracket('(', ')')?;
        end(rest)?;
        for part in inside.alternatives(',') {
            let (parameter, rest) = identifier(draft, part)?;
            let rest = rest.skip(":").ok_or_else(|| rest.expected("`:` and a domain"))?;
            let name = format!("{prefix}{}", parameter.text);
            if parameters.iter().any(|(other, _)| *other == name) {
                let error = Diagnostic::error("two parameters have this name", parameter.span);
                return Err(error.with_help("give one another name"));
            }
            parameters.push((name, read_domain(draft, rest)?));
        }
    } else {
        end(rest)?;
    }
    draft.scope.events.push(Event {
        name: name.text.to_owned(),
        parameters,
        is_input: true,
    });
    Ok(())
}

/// `[mutated] STATE INPUT [GUARD] / OUTPUT {UPDATES} -> STATE`
fn transition(draft: &mut ExtendedDraft, line: Piece<'_>, number: usize) -> Result<(), Diagnostic> {
    let (first, rest) = line.word("a state")?;
    let mutated = first.text == "mutated"
        && !rest.text.starts_with('/')
        && rest.word("an input").is_ok_and(|(_, rest)| {
            // A state may be called `mutated`: its transition has one word less then.
            !rest.text.starts_with(['/', '[', '('])
        });
    let (state, rest) = if mutated { rest.word("a state")? } else { (first, rest) };
    let (input, mut rest) = rest.word("an input")?;
    let from = draft.state(state.text, state.span);
    let event = event_of(draft, input.text);
    let mut parameters = draft.scope.events[event].parameters.clone();
    if rest.text.starts_with('(') {
        let (names, after) = rest.bracket('(', ')')?;
        rename(&mut parameters, input, names)?;
        rest = after;
    }
    let head = format!("{} {}", state.text, input.text);
    let context = |what: &str| format!("{head}: {what} (line {number})");
    let mut guard = Expr::yes();
    if rest.text.starts_with('[') {
        let (inside, after) = rest.bracket('[', ']')?;
        let wrap = |part: &str| context(&format!("[{part}]"));
        (guard, _) = draft.expression(inside, &parameters, Some(&Type::Bool), &wrap)?;
        rest = after;
    }
    let rest = rest.skip("/").ok_or_else(|| rest.expected("`/` and an output"))?;
    let (before, targets) = rest.cut("->").ok_or_else(|| rest.expected("`->` and a state"))?;
    let (outputs, updates) = match before.cut_before('{') {
        Some((outputs, braces)) => {
            let (updates, after) = braces.bracket('{', '}')?;
            end(after)?;
            (outputs, Some(updates))
        }
        None => (before, None),
    };
    let mut actions = vec![answer(draft, outputs, &parameters, &context)?];
    for update in updates.map(|updates| updates.alternatives(',')).unwrap_or_default() {
        actions.push(assignment(draft, update, &parameters, &context)?);
    }
    let target = target(draft, targets, &context)?;
    let rule = Rule {
        guard,
        actions,
        target,
        span: line.span,
    };
    let label = format!("{} (line {number})", line.text);
    place(draft, from, Trigger::Event(event), rule, mutated, label)
}

/// The input of that name, which is declared by its first transition if it has no parameters.
fn event_of(draft: &mut ExtendedDraft, name: &str) -> usize {
    draft.scope.event(name).unwrap_or_else(|| {
        draft.scope.events.push(Event {
            name: name.to_owned(),
            parameters: Vec::new(),
            is_input: true,
        });
        draft.scope.events.len() - 1
    })
}

/// Renames parameters to the names that a transition uses.
fn rename(parameters: &mut [(String, Domain)], input: Piece<'_>, names: Piece<'_>) -> Result<(), Diagnostic> {
    let names = names.alternatives(',');
    if names.len() != parameters.len() {
        let message = format!("`{}` has {} parameters", input.text, parameters.len());
        let error = Diagnostic::error(message, input.span);
        return Err(error.with_help("declare them before: `input NAME(PARAMETER : LOW..HIGH)`"));
    }
    for (name, parameter) in names.iter().zip(parameters) {
        parameter.0 = name.word("the name of a parameter")?.0.text.to_owned();
    }
    Ok(())
}

/// The states that `targets` name as alternatives.
fn target(
    draft: &mut ExtendedDraft,
    targets: Piece<'_>,
    context: &dyn Fn(&str) -> String,
) -> Result<Options<usize>, Diagnostic> {
    let parts = targets.alternatives('|');
    let mut states = Vec::new();
    for part in &parts {
        let (name, rest) = part.word("a state")?;
        end(rest)?;
        states.push(draft.state(name.text, name.span));
    }
    let labels = || parts.iter().map(|part| context(&format!("-> {}", part.text))).collect();
    Ok(draft.options(states, labels))
}

/// Adds the rule to its state after the others, or, if it is mutated, beside the rule that it can replace.
fn place(
    draft: &mut ExtendedDraft,
    state: usize,
    trigger: Trigger,
    rule: Rule,
    mutated: bool,
    label: String,
) -> Result<(), Diagnostic> {
    if !mutated {
        draft.shown[state].push(label);
        draft.slots[state].push(Slot {
            trigger,
            rule: Options::one(Some(rule)),
        });
        return Ok(());
    }
    let span = rule.span;
    let Some(at) = draft.slots[state].iter().rposition(|slot| slot.trigger == trigger) else {
        let error = Diagnostic::error("there is no transition above that this one may replace", span);
        return Err(
            error.with_help("a mutated transition stands below the one of the same state and input that it replaces")
        );
    };
    let label = label
        .strip_prefix("mutated")
        .map_or(label.as_str(), str::trim_start)
        .to_owned();
    let slot = &mut draft.slots[state][at];
    match slot.rule.set {
        Some(set) => draft.sets[set].push(label),
        None => slot.rule.set = Some(draft.sets.push(vec![draft.shown[state][at].clone(), label])),
    }
    slot.rule.all.push(Some(rule));
    Ok(())
}

fn answer(
    draft: &mut ExtendedDraft,
    outputs: Piece<'_>,
    parameters: &[(String, Domain)],
    context: &dyn Fn(&str) -> String,
) -> Result<RuleAction, Diagnostic> {
    let parts = outputs.alternatives('|');
    let mut answers = Vec::with_capacity(parts.len());
    for part in &parts {
        let (name, rest) = part.word("an output")?;
        if name.text == ERROR {
            let error = Diagnostic::error("`error` is what mutants answer that cannot do what they say", name.span);
            return Err(error.with_help("give the output another name"));
        }
        let mut arguments = Vec::new();
        if rest.text.starts_with('(') {
            let (inside, after) = rest.bracket('(', ')')?;
            end(after)?;
            for argument in inside.alternatives(',') {
                let wrap = |text: &str| context(&format!("/ {}({text})", name.text));
                let (expr, own) = draft.expression(argument, parameters, None, &wrap)?;
                arguments.push((expr, own.names()));
            }
        } else {
            end(rest)?;
        }
        answers.push(RuleAnswer {
            name: name.text.to_owned(),
            arguments,
        });
    }
    let labels = || parts.iter().map(|part| context(&format!("/ {}", part.text))).collect();
    Ok(RuleAction::Answer(draft.options(answers, labels)))
}

fn assignment(
    draft: &mut ExtendedDraft,
    update: Piece<'_>,
    parameters: &[(String, Domain)],
    context: &dyn Fn(&str) -> String,
) -> Result<RuleAction, Diagnostic> {
    let (name, value) = update.cut(":=").ok_or_else(|| update.expected("`VARIABLE := VALUE`"))?;
    let Some(variable) = draft.scope.variable(name.text) else {
        let error = Diagnostic::error(format!("there is no variable `{}`", name.text), name.span);
        return Err(error.with_help("declare it before: `var NAME : LOW..HIGH = VALUE`"));
    };
    let own = Type::of(&draft.scope.variables[variable].domain);
    let wrap = |part: &str| context(&format!("{} := {part}", name.text));
    let (value, _) = draft.expression(value, parameters, Some(&own), &wrap)?;
    Ok(RuleAction::Assign {
        variable,
        value,
        span: update.span,
    })
}
