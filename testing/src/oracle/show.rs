//! Games as text that [`game`](super::games::game) reads back.

use std::fmt::Write;

use tamper_timed::model::{Automaton, Edge, Expr, Guard, Select, Update, Urgency};

/// The text of `game`.
pub fn show(game: &Automaton) -> String {
    let mut text = String::new();
    let clocks: Vec<_> = game.clocks().iter().map(|clock| &*clock.name).collect();
    if !clocks.is_empty() {
        writeln!(text, "clock {}", clocks.join(" ")).unwrap();
    }
    for var in game.ints() {
        writeln!(text, "int {} {}..{} = {}", var.name, var.low, var.high, var.initial).unwrap();
    }
    for action in game.actions() {
        writeln!(text, "action {}{action}", if action.urgent { "urgent " } else { "" }).unwrap();
    }
    let first = &game.locations()[game.initial()];
    let others = game
        .locations()
        .iter_enumerated()
        .filter(|(id, _)| *id != game.initial())
        .map(|(_, location)| location);
    for location in std::iter::once(first).chain(others) {
        let urgency = match location.urgency {
            Urgency::Normal => "",
            Urgency::Urgent => " urgent",
            Urgency::Committed => " committed",
        };
        let invariant = show_guard(game, &location.invariant, &[]);
        writeln!(text, "loc {}{urgency}{}", location.name, part(" inv ", &invariant)).unwrap();
    }
    for edge in game.edges() {
        writeln!(text, "{}", show_edge(game, edge)).unwrap();
    }
    if game.is_input_enabled() {
        text.push_str("input-enabled\n");
    }
    text
}

fn part(keyword: &str, text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("{keyword}{text}")
    }
}

fn show_edge(game: &Automaton, edge: &Edge) -> String {
    let name = |id| &game.locations()[id].name;
    let selects: Vec<_> = edge
        .selects
        .iter()
        .map(|select| format!("{} {}..{}", select.name, select.low, select.high))
        .collect();
    let updates: Vec<_> = edge
        .updates
        .iter()
        .map(|update| match update {
            Update::Reset(clock, value) => format!(
                "{}:={}",
                game.clocks()[*clock].name,
                show_expr(game, value, &edge.selects)
            ),
            Update::Assign(int, value) => {
                format!("{}:={}", game.ints()[*int].name, show_expr(game, value, &edge.selects))
            }
        })
        .collect();
    format!(
        "edge {} -> {} : {}{}{}{}",
        name(edge.source),
        name(edge.target),
        game.actions()[edge.action],
        part(" select ", &selects.join(", ")),
        part(" when ", &show_guard(game, &edge.guard, &edge.selects)),
        part(" do ", &updates.join(", ")),
    )
}

fn show_guard(game: &Automaton, guard: &Guard, selects: &[Select]) -> String {
    let clock = |id| &game.clocks()[id].name;
    let atoms = guard.clocks.iter().map(|atom| {
        let minus = atom.right.map(|right| format!("-{}", clock(right))).unwrap_or_default();
        format!(
            "{}{minus}{}{}",
            clock(atom.left),
            atom.cmp.symbol(),
            show_expr(game, &atom.bound, selects)
        )
    });
    let data = guard.data.iter().map(|condition| match condition {
        Expr::Binary(op, left, right) => {
            format!(
                "{}{}{}",
                show_expr(game, left, selects),
                op.symbol(),
                show_expr(game, right, selects)
            )
        }
        other => format!("{other:?}"),
    });
    atoms.chain(data).collect::<Vec<_>>().join(" && ")
}

fn show_expr(game: &Automaton, expr: &Expr, selects: &[Select]) -> String {
    match expr {
        Expr::Const(value) => value.to_string(),
        Expr::Var(int) => game.ints()[*int].name.to_string(),
        Expr::Select(position) => selects[*position as usize].name.to_string(),
        Expr::Binary(op, left, right) => {
            format!(
                "({}{}{})",
                show_expr(game, left, selects),
                op.symbol(),
                show_expr(game, right, selects)
            )
        }
        other => format!("{other:?}"),
    }
}
