//! The operators beyond the six once more, from their definitions: on parts of a game, and on expressions by recursion.

use tamper_text::Id;
use tamper_timed::model::{
    Action, ActionId, Automaton, BinaryOp, ClockConstraint, ClockId, Cmp, Edge, Expr, Guard, LocId, Location, Role,
    UnaryOp, Update, Urgency,
};
use tamper_timed::mutation::Operator;

use super::parts::{Parts, Place};

/// What makes a mutant of a game in pieces.
pub type Change = Box<dyn Fn(&mut Parts)>;

/// The changes of `game` by `operator`, in the order in which tamper numbers them.
pub fn changes(game: &Automaton, operator: Operator) -> Vec<Change> {
    let parts = Parts::of(game);
    match operator {
        Operator::Ctg => ends(&parts, |edge| &mut edge.target),
        Operator::Csr => ends(&parts, |edge| &mut edge.source),
        Operator::Cac => actions(&parts),
        Operator::Inv => inversions(&parts),
        Operator::Rrs => dropped(&parts, |update| matches!(update, Update::Reset(..))),
        Operator::Mas => dropped(&parts, |update| matches!(update, Update::Assign(..))),
        Operator::Otm => old_timers(&parts),
        Operator::Ars => resets(&parts),
        Operator::Snk => sinks(&parts),
        Operator::Urg => urgencies(&parts, &[Urgency::Normal], Urgency::Urgent),
        Operator::Uro => urgencies(&parts, &[Urgency::Urgent], Urgency::Normal),
        Operator::Com => urgencies(&parts, &[Urgency::Normal, Urgency::Urgent], Urgency::Committed),
        Operator::Cmo => urgencies(&parts, &[Urgency::Committed], Urgency::Normal),
        Operator::Chu => channels(&parts),
        Operator::Riv => invariants(&parts),
        Operator::Gtr => guards(&parts, &Guard::default()),
        Operator::Gfl => {
            let never = Guard {
                clocks: vec![],
                data: vec![Expr::Const(0)],
            };
            guards(&parts, &never)
        }
        Operator::Ccm => comparisons(&parts),
        Operator::Cck => clocks(&parts),
        Operator::Mcd => {
            let mut all = lone_atoms(&parts);
            all.extend(expressions(&parts, &|whole, is_condition| {
                variants(whole, is_condition, &missing)
            }));
            all
        }
        Operator::Xcd => extras(&parts),
        Operator::Ror => {
            use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
            replaced(&parts, &[Lt, Le, Eq, Ne, Ge, Gt])
        }
        Operator::Aor => {
            use BinaryOp::{Add, Div, Mul, Rem, Sub};
            replaced(&parts, &[Add, Sub, Mul, Div, Rem])
        }
        Operator::Lor => replaced(&parts, &[BinaryOp::And, BinaryOp::Or, BinaryOp::Imply]),
        Operator::Enf => everywhere(&parts, |part, _| match connects(part) {
            true => vec![not(part.clone())],
            false => vec![],
        }),
        Operator::Vnf => everywhere(&parts, |part, is_condition| match part {
            Expr::Unary(UnaryOp::Not, negated) if is_single(part, is_condition) => vec![(**negated).clone()],
            _ if is_single(part, is_condition) => vec![not(part.clone())],
            _ => vec![],
        }),
        Operator::Asf => everywhere(&parts, |part, _| shifted(part)),
        Operator::Vrf => expressions(&parts, &|whole, is_condition| {
            let mut singles = Vec::new();
            collect(whole, is_condition, &mut singles);
            variants(
                whole,
                is_condition,
                &|part, is_condition| match is_single(part, is_condition) {
                    true => singles.clone(),
                    false => vec![],
                },
            )
        }),
        Operator::Stk => everywhere(&parts, |part, _| match part {
            Expr::Var(_) | Expr::Select(_) => vec![Expr::Const(0)],
            _ => vec![],
        }),
        Operator::Obo => everywhere(&parts, |part, _| match part {
            Expr::Const(value) => vec![Expr::Const(value + 1), Expr::Const(value - 1)],
            Expr::Var(_) | Expr::Select(_) => [BinaryOp::Add, BinaryOp::Sub]
                .map(|operator| Expr::Binary(operator, Box::new(part.clone()), Box::new(Expr::Const(1))))
                .to_vec(),
            _ => vec![],
        }),
        Operator::Tmi | Operator::Tad | Operator::Smi | Operator::Cxl | Operator::Cxs | Operator::Ccn => vec![],
        // Tests compare it with its twin in the table.
        Operator::Own(_) => vec![],
        // A game from no chart has none of their mutants; those of charts are judged by xstate itself.
        chart => {
            assert!(Operator::CHART.contains(&chart), "{chart} is no operator of charts");
            vec![]
        }
    }
}

fn old_timers(parts: &Parts) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (at, edge) in parts.edges.iter().enumerate() {
        let invariant = &parts.locations[edge.target.index()].invariant;
        for (update, set) in edge.updates.iter().enumerate() {
            let Update::Reset(clock, Expr::Const(0)) = set else {
                continue;
            };
            let others = edge
                .updates
                .iter()
                .filter(|other| matches!(other, Update::Reset(other, _) if other == clock));
            let bounds: Vec<(Cmp, i64)> = invariant
                .clocks
                .iter()
                .filter(|atom| atom.left == *clock && atom.right.is_none() && [Cmp::Lt, Cmp::Le].contains(&atom.cmp))
                .filter_map(|atom| Some((atom.cmp, atom.bound.as_const()?)))
                .collect();
            let (clock, [(cmp, bound)]) = (*clock, &bounds[..]) else {
                continue;
            };
            if others.count() > 1 {
                continue;
            }
            let late = ClockConstraint {
                left: clock,
                right: None,
                cmp: if *cmp == Cmp::Lt { Cmp::Ge } else { Cmp::Gt },
                bound: Expr::Const(*bound),
            };
            all.push(Box::new(move |parts| {
                let mut other = parts.edges[at].clone();
                other.guard.clocks.push(late.clone());
                parts.edges[at].updates.remove(update);
                parts.edges.push(other);
            }));
        }
    }
    all
}

fn ends(parts: &Parts, end: fn(&mut Edge) -> &mut LocId) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (at, edge) in parts.edges.iter().enumerate() {
        let old = end(&mut edge.clone()).index();
        for new in (0..parts.locations.len()).filter(|new| *new != old) {
            all.push(Box::new(move |parts| {
                *end(&mut parts.edges[at]) = LocId::from_index(new)
            }));
        }
    }
    all
}

fn actions(parts: &Parts) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (at, edge) in parts.edges.iter().enumerate() {
        let own = edge.action.index();
        let role = parts.actions[own].role;
        for new in (0..parts.actions.len()).filter(|new| *new != own) {
            if parts.actions[new].role == role && !parts.actions[new].shows_propositions() {
                all.push(Box::new(move |parts| {
                    parts.edges[at].action = ActionId::from_index(new)
                }));
            }
        }
    }
    all
}

fn inversions(parts: &Parts) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (at, edge) in parts.edges.iter().enumerate() {
        let old = &parts.actions[edge.action.index()];
        let role = match old.role {
            Role::Input => Role::Output,
            Role::Output => Role::Input,
            Role::Internal => continue,
        };
        let new = Action { role, ..old.clone() };
        all.push(Box::new(move |parts| {
            let is_it = |known: &Action| known.name == new.name && known.role == new.role;
            let known = parts.actions.iter().position(is_it);
            let id = known.unwrap_or(parts.actions.len());
            if known.is_none() {
                parts.actions.push(new.clone());
            }
            parts.edges[at].action = ActionId::from_index(id);
        }));
    }
    all
}

fn dropped(parts: &Parts, is_meant: fn(&Update) -> bool) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (at, edge) in parts.edges.iter().enumerate() {
        for (update, _) in edge.updates.iter().enumerate().filter(|(_, update)| is_meant(update)) {
            all.push(Box::new(move |parts| {
                parts.edges[at].updates.remove(update);
            }));
        }
    }
    all
}

fn resets(parts: &Parts) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (at, edge) in parts.edges.iter().enumerate() {
        for clock in (0..parts.clocks.len()).map(ClockId::from_index) {
            let sets = |update: &Update| matches!(update, Update::Reset(set, _) if *set == clock);
            if !edge.updates.iter().any(sets) {
                all.push(Box::new(move |parts| {
                    parts.edges[at].updates.push(Update::Reset(clock, Expr::Const(0)));
                }));
            }
        }
    }
    all
}

fn sinks(parts: &Parts) -> Vec<Change> {
    let sink = |at: usize| -> Change {
        Box::new(move |parts| {
            let id = LocId::from_index(parts.locations.len());
            parts.locations.push(Location {
                name: fresh(parts).into(),
                invariant: Guard::default(),
                urgency: Urgency::Normal,
            });
            parts.edges[at].target = id;
            for (action, _) in parts
                .actions
                .iter()
                .enumerate()
                .filter(|(_, action)| action.role == Role::Input && !action.shows_propositions())
            {
                parts.edges.push(Edge {
                    source: id,
                    target: id,
                    action: ActionId::from_index(action),
                    guard: Guard::default(),
                    updates: vec![],
                    selects: vec![],
                });
            }
        })
    };
    (0..parts.edges.len()).map(sink).collect()
}

/// `sink`, or with as many underscores behind it as no location has.
fn fresh(parts: &Parts) -> String {
    let mut name = "sink".to_owned();
    while parts.locations.iter().any(|location| *location.name == *name) {
        name += "_";
    }
    name
}

fn urgencies(parts: &Parts, from: &[Urgency], to: Urgency) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (at, location) in parts.locations.iter().enumerate() {
        if from.contains(&location.urgency) {
            all.push(Box::new(move |parts| parts.locations[at].urgency = to));
        }
    }
    all
}

fn channels(parts: &Parts) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    let mut seen = vec!["tau".into()];
    for action in &parts.actions {
        let name = action.name.clone();
        let is_used = parts
            .edges
            .iter()
            .any(|edge| parts.actions[edge.action.index()].name == name);
        let timed = parts
            .edges
            .iter()
            .any(|edge| parts.actions[edge.action.index()].name == name && !edge.guard.clocks.is_empty());
        if seen.contains(&name) || !is_used || (timed && !action.urgent) {
            continue;
        }
        seen.push(name.clone());
        let urgent = !action.urgent;
        all.push(Box::new(move |parts| {
            for action in parts.actions.iter_mut().filter(|action| action.name == name) {
                action.urgent = urgent;
            }
        }));
    }
    all
}

fn invariants(parts: &Parts) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (at, location) in parts.locations.iter().enumerate() {
        if location.invariant != Guard::default() {
            all.push(Box::new(move |parts| parts.locations[at].invariant = Guard::default()));
        }
    }
    all
}

fn guards(parts: &Parts, new: &Guard) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (at, _) in parts.edges.iter().enumerate().filter(|(_, edge)| edge.guard != *new) {
        let new = new.clone();
        all.push(Box::new(move |parts| parts.edges[at].guard = new.clone()));
    }
    all
}

/// All places of constraints: invariants, then guards.
fn places(parts: &Parts) -> Vec<(Place, Guard)> {
    let invariants = parts.locations.iter().enumerate();
    let guards = parts.edges.iter().enumerate();
    invariants
        .map(|(at, location)| (Place::Invariant(at), location.invariant.clone()))
        .chain(guards.map(|(at, edge)| (Place::Guard(at), edge.guard.clone())))
        .collect()
}

fn comparisons(parts: &Parts) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (place, guard) in places(parts) {
        for (atom, constraint) in guard.clocks.iter().enumerate() {
            for cmp in [Cmp::Lt, Cmp::Le, Cmp::Eq, Cmp::Ge, Cmp::Gt] {
                if cmp != constraint.cmp {
                    all.push(Box::new(move |parts| parts.guard(place).clocks[atom].cmp = cmp));
                }
            }
        }
    }
    all
}

fn clocks(parts: &Parts) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (place, guard) in places(parts) {
        for (atom, constraint) in guard
            .clocks
            .iter()
            .enumerate()
            .filter(|(_, constraint)| constraint.right.is_none())
        {
            for clock in (0..parts.clocks.len()).filter(|clock| *clock != constraint.left.index()) {
                all.push(Box::new(move |parts| {
                    parts.guard(place).clocks[atom].left = ClockId::from_index(clock);
                }));
            }
        }
    }
    all
}

/// Clock constraints that are not alone.
fn lone_atoms(parts: &Parts) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (place, guard) in places(parts) {
        if guard.clocks.len() + guard.data.len() < 2 {
            continue;
        }
        for atom in 0..guard.clocks.len() {
            all.push(Box::new(move |parts| {
                parts.guard(place).clocks.remove(atom);
            }));
        }
    }
    all
}

/// What guards of the same location ask and this one does not, each once.
fn extras(parts: &Parts) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (at, edge) in parts.edges.iter().enumerate() {
        let mut atoms = edge.guard.clocks.clone();
        let mut conditions = edge.guard.data.clone();
        let siblings = parts.edges.iter().filter(|other| other.source == edge.source);
        for guard in siblings.map(|other| other.guard.clone()) {
            for atom in guard.clocks {
                if !selects(&atom.bound) && !atoms.contains(&atom) {
                    atoms.push(atom.clone());
                    all.push(Box::new(move |parts| parts.edges[at].guard.clocks.push(atom.clone())));
                }
            }
            for condition in guard.data {
                if !selects(&condition) && !conditions.contains(&condition) {
                    conditions.push(condition.clone());
                    all.push(Box::new(move |parts| {
                        parts.edges[at].guard.data.push(condition.clone())
                    }));
                }
            }
        }
    }
    all
}

fn selects(expr: &Expr) -> bool {
    format!("{expr:?}").contains("Select(")
}

fn replaced(parts: &Parts, operators: &'static [BinaryOp]) -> Vec<Change> {
    everywhere(parts, |part, _| match part {
        Expr::Binary(operator, left, right) if operators.contains(operator) => {
            let others = operators.iter().filter(|other| *other != operator);
            others
                .map(|other| Expr::Binary(*other, left.clone(), right.clone()))
                .collect()
        }
        _ => vec![],
    })
}

fn everywhere(parts: &Parts, at: impl Fn(&Expr, bool) -> Vec<Expr>) -> Vec<Change> {
    expressions(parts, &|whole, is_condition| variants(whole, is_condition, &at))
}

/// What `found` makes of each expression of the game (told whether it is a condition), each result once.
fn expressions(parts: &Parts, found: &dyn Fn(&Expr, bool) -> Vec<Expr>) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    let distinct = |old: &Expr, is_condition: bool| {
        let mut results = vec![old.clone()];
        for new in found(old, is_condition) {
            if !results.contains(&new) {
                results.push(new);
            }
        }
        results.split_off(1)
    };
    for (place, guard) in places(parts) {
        let whole = guard
            .data
            .iter()
            .cloned()
            .reduce(|all, next| Expr::Binary(BinaryOp::And, Box::new(all), Box::new(next)));
        for new in whole.iter().flat_map(|whole| distinct(whole, true)) {
            all.push(Box::new(move |parts| parts.guard(place).data = split(&new)));
        }
        for (atom, constraint) in guard
            .clocks
            .iter()
            .enumerate()
            .filter(|(_, constraint)| has_variables(&constraint.bound))
        {
            for new in distinct(&constraint.bound, false) {
                all.push(Box::new(move |parts| {
                    parts.guard(place).clocks[atom].bound = new.clone()
                }));
            }
        }
        let Place::Guard(edge) = place else { continue };
        for (update, old) in parts.edges[edge].updates.iter().enumerate() {
            let Update::Assign(int, value) = old else { continue };
            if says_nothing(value) {
                continue;
            }
            let int = *int;
            for new in distinct(value, false) {
                all.push(Box::new(move |parts| {
                    parts.edges[edge].updates[update] = Update::Assign(int, new.clone())
                }));
            }
        }
    }
    all
}

/// Whether it is `n++` or `n--`, or what a boolean makes of that.
fn says_nothing(value: &Expr) -> bool {
    let shown = format!("{value:?}");
    shown.starts_with("Unary(Plus(") || shown.starts_with("Unary(Truth, Unary(Plus(")
}

/// What a conjunction is the conjunction of.
fn split(whole: &Expr) -> Vec<Expr> {
    match whole {
        Expr::Binary(BinaryOp::And, left, right) => [split(left), split(right)].concat(),
        _ => vec![whole.clone()],
    }
}

/// `whole` with one part replaced by each of what `at` makes of it; wholes before their parts, left before right.
fn variants(whole: &Expr, is_condition: bool, at: &dyn Fn(&Expr, bool) -> Vec<Expr>) -> Vec<Expr> {
    let mut all = at(whole, is_condition);
    let inside = connects(whole);
    match whole {
        Expr::Const(_) | Expr::Var(_) | Expr::Select(_) => {}
        Expr::Unary(operator, part) => {
            let is_condition = *operator == UnaryOp::Not && connects(part);
            let new = variants(part, is_condition, at).into_iter();
            all.extend(new.map(|new| Expr::Unary(*operator, Box::new(new))));
        }
        Expr::Binary(operator, left, right) => {
            let new = variants(left, inside, at).into_iter();
            all.extend(new.map(|new| Expr::Binary(*operator, Box::new(new), right.clone())));
            let new = variants(right, inside, at).into_iter();
            all.extend(new.map(|new| Expr::Binary(*operator, left.clone(), Box::new(new))));
        }
        Expr::Cond(test, then, other) => {
            let new = variants(test, true, at).into_iter();
            all.extend(new.map(|new| Expr::Cond(Box::new(new), then.clone(), other.clone())));
            let new = variants(then, is_condition, at).into_iter();
            all.extend(new.map(|new| Expr::Cond(test.clone(), Box::new(new), other.clone())));
            let new = variants(other, is_condition, at).into_iter();
            all.extend(new.map(|new| Expr::Cond(test.clone(), then.clone(), Box::new(new))));
        }
    }
    all
}

/// The single conditions, in the same order.
fn collect(part: &Expr, is_condition: bool, found: &mut Vec<Expr>) {
    if is_single(part, is_condition) {
        found.push(part.clone());
    }
    match part {
        Expr::Const(_) | Expr::Var(_) | Expr::Select(_) => {}
        Expr::Unary(operator, inner) => collect(inner, *operator == UnaryOp::Not && connects(inner), found),
        Expr::Binary(_, left, right) => {
            collect(left, connects(part), found);
            collect(right, connects(part), found);
        }
        Expr::Cond(test, then, other) => {
            collect(test, true, found);
            collect(then, is_condition, found);
            collect(other, is_condition, found);
        }
    }
}

fn connects(part: &Expr) -> bool {
    matches!(part, Expr::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Imply, _, _))
}

fn is_single(part: &Expr, is_condition: bool) -> bool {
    match part {
        Expr::Unary(UnaryOp::Not, inner) => !connects(inner),
        Expr::Cond(..) => false,
        _ => is_condition && !connects(part),
    }
}

fn has_variables(expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(part, Expr::Var(_) | Expr::Select(_)));
    found
}

fn not(part: Expr) -> Expr {
    Expr::Unary(UnaryOp::Not, Box::new(part))
}

/// `a && b` and `a || b` without `a` if that is a single condition, and without `b`.
fn missing(part: &Expr, _: bool) -> Vec<Expr> {
    let Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) = part else {
        return vec![];
    };
    let mut all = Vec::new();
    if is_single(left, true) {
        all.push((**right).clone());
    }
    if is_single(right, true) {
        all.push((**left).clone());
    }
    all
}

/// `(a || b) && c` as `a || (b && c)`, and `a && (b || c)` as `(a && b) || c`.
fn shifted(part: &Expr) -> Vec<Expr> {
    let Expr::Binary(BinaryOp::And, left, right) = part else {
        return vec![];
    };
    let mut all = Vec::new();
    if let Expr::Binary(BinaryOp::Or, a, b) = &**left {
        let inner = Expr::Binary(BinaryOp::And, b.clone(), right.clone());
        all.push(Expr::Binary(BinaryOp::Or, a.clone(), Box::new(inner)));
    }
    if let Expr::Binary(BinaryOp::Or, b, c) = &**right {
        let inner = Expr::Binary(BinaryOp::And, left.clone(), b.clone());
        all.push(Expr::Binary(BinaryOp::Or, Box::new(inner), c.clone()));
    }
    all
}
