//! The executable content of a chart: assignments, answers and internal events, with alternatives.

use roxmltree::Node;

use super::super::extended::{ExtendedDraft, PieceExt as _, Term, terms};
use crate::SetId;
use tamper_text::scxml::{TAMPER, Value, attribute, check_attributes, children, place, required};
use tamper_text::{Diagnostic, Piece, Span};

/// An expression with alternatives, names not yet resolved.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    pub set: Option<SetId>,
    pub all: Vec<Term>,
}

/// An executable element.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Assign {
        variable: String,
        value: Terms,
        span: Span,
    },
    Send {
        set: Option<SetId>,
        names: Vec<String>,
        arguments: Vec<Terms>,
        span: Span,
    },
    Raise {
        event: String,
        span: Span,
    },
}

/// The expression in `own`, and the alternatives in `others`; `what` describes them.
pub(super) fn read_terms(
    own: &Value<'_>,
    others: Option<&Value<'_>>,
    draft: &mut ExtendedDraft,
    what: &str,
) -> Result<Terms, Diagnostic> {
    let one = |value: &Value<'_>| {
        // JavaScript's strict comparisons mean the plain ones here; the characters after them keep their places.
        let text = value.text.replace("!==", "!= ").replace("===", "== ");
        terms(Piece::new(&text, value.span.start as usize), value.place())
    };
    let mut all = one(own)?;
    if all.len() > 1 {
        let error = Diagnostic::error("alternatives in an attribute of SCXML", own.span);
        return Err(error.with_help("the alternatives of an attribute stand in tamper's attribute of the same name"));
    }
    let Some(others) = others else {
        return Ok(Terms { set: None, all });
    };
    let more = one(others)?;
    let shown = |text: &str| format!("{what} {}", text.trim());
    let parts = others.piece().alternatives('|');
    let labels = std::iter::once(shown(own.text)).chain((0..more.len()).map(|at| match parts.get(at) {
        Some(part) if parts.len() == more.len() => shown(part.text),
        _ => shown(&format!("{} of {}", at + 1, others.text)),
    }));
    let set = draft.sets.push(labels.collect());
    all.extend(more);
    Ok(Terms { set: Some(set), all })
}

/// Reads the executable children of `node`, in order; `context` names the element they belong to.
pub(super) fn read_content(node: Node<'_, '_>, context: &str, draft: &mut ExtendedDraft) -> Vec<Content> {
    let mut contents = Vec::new();
    for child in children(node, &["assign", "send", "raise", "log"], &mut draft.diagnostics) {
        let read = match child.tag_name().name() {
            // A log changes nothing, and no test sees it.
            "log" => continue,
            "assign" => assign(child, context, draft),
            "send" => send(child, context, draft),
            _ => raise(child, draft),
        };
        match read {
            Ok(content) => contents.push(content),
            Err(error) => draft.diagnostics.push(error),
        }
    }
    contents
}

fn line(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

fn assign(node: Node<'_, '_>, context: &str, draft: &mut ExtendedDraft) -> Result<Content, Diagnostic> {
    check_attributes(node, &["location", "expr"], &["expr"], &mut draft.diagnostics);
    children(node, &[], &mut draft.diagnostics);
    let location = required(node, "location")?;
    let own = required(node, "expr")?;
    let others = attribute(node, Some(TAMPER), "expr");
    let what = format!("{context}, line {}: {} :=", line(node), location.text);
    Ok(Content::Assign {
        variable: location.text.trim().to_owned(),
        value: read_terms(&own, others.as_ref(), draft, &what)?,
        span: place(node),
    })
}

fn send(node: Node<'_, '_>, context: &str, draft: &mut ExtendedDraft) -> Result<Content, Diagnostic> {
    check_attributes(node, &["event", "target"], &["event"], &mut draft.diagnostics);
    let event = required(node, "event")?;
    let span = place(node);
    let refuse = |message: &str, help: &str| Err(Diagnostic::error(message, span).with_help(help));
    let mut arguments = Vec::new();
    for child in children(node, &["param"], &mut draft.diagnostics) {
        check_attributes(child, &["name", "expr"], &["expr"], &mut draft.diagnostics);
        let name = required(child, "name")?;
        let own = required(child, "expr")?;
        let what = format!("{context}, line {}: {} =", line(child), name.text);
        arguments.push(read_terms(
            &own,
            attribute(child, Some(TAMPER), "expr").as_ref(),
            draft,
            &what,
        )?);
    }
    let others = attribute(node, Some(TAMPER), "event");
    let mut names = vec![one_word(&event)?];
    for part in others.iter().flat_map(|others| others.piece().alternatives('|')) {
        let value = Value {
            text: part.text,
            span: part.span,
            whole: false,
        };
        names.push(one_word(&value)?);
    }
    match attribute(node, None, "target").map(|target| target.text) {
        None => refuse(
            "<send> without a target",
            "it would go to the machine's own queue: target=\"#_parent\" is what a test observes, <raise> an event of the machine's own",
        ),
        Some("#_internal") if others.is_none() && arguments.is_empty() => Ok(Content::Raise {
            event: names.remove(0),
            span,
        }),
        Some("#_internal") => refuse("an internal event with values or alternatives", "raise it without"),
        Some(target) if target.starts_with("#_scxml_") => {
            refuse("a <send> to a session", "only the parent hears what is sent")
        }
        Some(_) => {
            let labels = names
                .iter()
                .map(|name| format!("{context}, line {}: send {name}", line(node)))
                .collect();
            let set = (names.len() > 1).then(|| draft.sets.push(labels));
            Ok(Content::Send {
                set,
                names,
                arguments,
                span,
            })
        }
    }
}

/// A name of an event: one word that cannot be mistaken for an answer.
fn one_word(value: &Value<'_>) -> Result<String, Diagnostic> {
    let name = value.text.trim();
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':');
    if name.is_empty() || !name.chars().all(fits) || name == crate::ERROR {
        let error = Diagnostic::error(format!("`{name}` cannot be sent"), value.span);
        return Err(
            error.with_help("names have letters, digits, `.`, `-`, `_` and `:`, and `error` has a meaning of its own")
        );
    }
    Ok(name.to_owned())
}

fn raise(node: Node<'_, '_>, draft: &mut ExtendedDraft) -> Result<Content, Diagnostic> {
    check_attributes(node, &["event"], &[], &mut draft.diagnostics);
    children(node, &[], &mut draft.diagnostics);
    let event = required(node, "event")?;
    Ok(Content::Raise {
        event: event.text.trim().to_owned(),
        span: place(node),
    })
}
