//! Branchpoints: the branch is chosen by weight, and each branch is possible. So an edge that leads to a branchpoint
//! stands for one edge per branch, with the update of the edge followed by the update of the branch. UPPAAL's symbolic
//! semantics agrees: weights are not evaluated, and a branch of weight 0 is possible.

use super::raw::{RawBranchpoint, RawEdge, RawTemplate, RawText};
use tamper_text::{Diagnostic, Span};

/// Replaces the edges of `template` that lead to branchpoints by one edge per branch. Returns whether there were
/// branchpoints.
pub fn one_edge_per_branch(template: &mut RawTemplate, diagnostics: &mut Vec<Diagnostic>) -> bool {
    if template.branchpoints.is_empty() {
        return false;
    }
    let points = &template.branchpoints;
    let point_of = |end: &Option<(String, Span)>| {
        let (id, _) = end.as_ref()?;
        points.iter().position(|point| point.id == *id)
    };
    let mut branches: Vec<Vec<&RawEdge>> = vec![Vec::new(); points.len()];
    for edge in &template.edges {
        if let Some(at) = point_of(&edge.source) {
            branch_alone(edge, point_of(&edge.target), diagnostics);
            branches[at].push(edge);
        }
    }
    let mut edges = Vec::new();
    for edge in template.edges.iter().filter(|edge| point_of(&edge.source).is_none()) {
        match point_of(&edge.target) {
            None => edges.push(edge.clone()),
            Some(at) if branches[at].is_empty() => diagnostics.push(without_branches(&points[at], edge)),
            Some(at) => {
                for branch in &branches[at] {
                    one_synchronisation(edge, branch, diagnostics);
                    edges.push(through(edge, branch));
                }
            }
        }
    }
    template.edges = edges;
    true
}

/// Refuses a select and a guard of a branch, since the choice is made by weight alone; and a branch to a branchpoint.
fn branch_alone(branch: &RawEdge, next: Option<usize>, diagnostics: &mut Vec<Diagnostic>) {
    for (label, what) in [(&branch.select, "select"), (&branch.guard, "guard")] {
        if let Some(label) = label.as_ref().filter(|label| !label.text.is_blank()) {
            let error = Diagnostic::error(format!("a {what} on a branch"), label.element);
            diagnostics.push(error.with_help("move it to the edge that leads to the branchpoint"));
        }
    }
    if next.is_some() {
        let error = Diagnostic::error("a branch that leads to a branchpoint", branch.tag);
        diagnostics.push(error.with_help("let it lead to a location"));
    }
}

/// Refuses a synchronisation of a branch if the edge has one, too: both are one step, which has one.
fn one_synchronisation(edge: &RawEdge, branch: &RawEdge, diagnostics: &mut Vec<Diagnostic>) {
    if let (Some(first), Some(second)) = (written(edge.sync.as_ref()), written(branch.sync.as_ref())) {
        let error = Diagnostic::error(
            "a second synchronisation on the way through a branchpoint",
            second.element,
        );
        let error = error.with_secondary(first.element, "the edge that leads there has one");
        diagnostics
            .push(error.with_help("keep one of the two, or put a committed location in the place of the branchpoint"));
    }
}

/// The label, if it is not blank.
fn written(label: Option<&RawText>) -> Option<&RawText> {
    label.filter(|raw| !raw.text.is_blank())
}

fn without_branches(point: &RawBranchpoint, edge: &RawEdge) -> Diagnostic {
    Diagnostic::error("this branchpoint has no branch", point.place)
        .with_secondary(edge.tag, "an edge leads to it")
        .with_help("add a branch, or remove the edge")
}

/// The edge through `branch`.
fn through(edge: &RawEdge, branch: &RawEdge) -> RawEdge {
    RawEdge {
        element: branch.element,
        tag: branch.tag,
        target: branch.target.clone(),
        sync: written(edge.sync.as_ref()).or(written(branch.sync.as_ref())).cloned(),
        update: joined(edge.update.as_ref(), branch.update.as_ref()),
        notes: edge.notes.iter().chain(&branch.notes).cloned().collect(),
        ..edge.clone()
    }
}

/// Concatenates two updates.
fn joined(first: Option<&RawText>, second: Option<&RawText>) -> Option<RawText> {
    match (written(first), written(second)) {
        (Some(first), Some(second)) => {
            let mut text = first.text.clone();
            text.whole(", ", second.element);
            text.append(&second.text);
            Some(RawText {
                element: second.element,
                text,
            })
        }
        (one, other) => one.or(other).cloned(),
    }
}
