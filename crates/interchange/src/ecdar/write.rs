//! A game as a component.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::dialect::Dialect;
use tamper_text::Id;
use tamper_timed::model::{Action, Automaton, Edge, EdgeId, IntVar, LocId, Role, Urgency};
use tamper_timed::mutation::edge_name;
use tamper_uppaal::{Inexpressible, Part};
use tamper_uppaal::{Placement, alphabet_directive, int_declaration, lost_actions, selects_text};

const DIALECT: Dialect = Dialect {
    name: "Ecdar",
    disjunctions: true,
    rich: false,
    separator: ", ",
};

/// The file of a component, its keys in the order in which Ecdar writes them.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Component {
    name: String,
    declarations: String,
    locations: Vec<LocationJson>,
    edges: Vec<EdgeJson>,
    description: String,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    color: String,
    include_in_periodic_check: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LocationJson {
    id: String,
    nickname: String,
    invariant: String,
    r#type: &'static str,
    urgency: &'static str,
    x: f64,
    y: f64,
    color: String,
    nickname_x: f64,
    nickname_y: f64,
    invariant_x: f64,
    invariant_y: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EdgeJson {
    id: String,
    group: String,
    source_location: String,
    target_location: String,
    status: &'static str,
    select: String,
    guard: String,
    update: String,
    sync: String,
    is_locked: bool,
    nails: Vec<NailJson>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct NailJson {
    x: f64,
    y: f64,
    property_type: &'static str,
    property_x: f64,
    property_y: f64,
}

/// `automaton` as the component `name`, its locations at the positions that `placement` has for their names.
///
/// # Errors
/// A part that Ecdar cannot express.
pub fn write_component(automaton: &Automaton, name: &str, placement: &Placement) -> Result<Component, Inexpressible> {
    if let Some(urgent) = automaton.actions().iter().find(|action| action.urgent) {
        return Err(DIALECT.error(Part::UrgentChannel(urgent.name.to_string())));
    }
    if !automaton.propositions().is_empty() {
        return Err(DIALECT.error(Part::Propositions));
    }
    let places = CanvasPositions::of(automaton, placement);
    let locations = automaton.locations().ids().map(|id| location(automaton, id, &places));
    let edges = automaton.edges().ids().map(|id| edge(automaton, id, &places));
    Ok(Component {
        name: name.to_owned(),
        declarations: declarations(automaton),
        locations: locations.collect::<Result<_, _>>()?,
        edges: edges.collect::<Result<_, _>>()?,
        description: String::new(),
        x: 5.0,
        y: 5.0,
        width: places.size.0,
        height: places.size.1,
        color: "6".to_owned(),
        include_in_periodic_check: false,
    })
}

/// The global declarations of a project with these channels.
pub fn write_global_declarations(channels: &BTreeSet<String>) -> String {
    let names: Vec<&str> = channels.iter().map(String::as_str).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("broadcast chan {};", names.join(", ")),
    }
}

fn declarations(automaton: &Automaton) -> String {
    let clocks: Vec<&str> = automaton.clocks().iter().map(|clock| &*clock.name).collect();
    let mut lines = Vec::new();
    if !clocks.is_empty() {
        lines.push(format!("clock {};", clocks.join(", ")));
    }
    lines.extend(automaton.ints().iter().map(int_declared));
    let used: BTreeSet<(&str, Role)> = automaton
        .edges()
        .iter()
        .map(|edge| &automaton.actions()[edge.action])
        .map(|action| (&*action.name, action.role))
        .collect();
    let alphabet: Vec<Action> = automaton.actions().iter().cloned().collect();
    // An IO line lists all actions except `tau`; a component with neither a line nor a directive ignores inputs.
    let lost: Vec<_> = lost_actions(&alphabet, &used)
        .into_iter()
        .filter(|action| !automaton.is_input_enabled() || action.role == Role::Internal)
        .collect();
    if !lost.is_empty() || !automaton.is_input_enabled() {
        lines.push(alphabet_directive(lost.into_iter()));
    }
    lines.join("\n")
}

/// Declares an integer: as plain `int`, which all Ecdar engines know, if it has UPPAAL's default range.
fn int_declared(int: &IntVar) -> String {
    match (int.low, int.high, int.initial) {
        (-32768, 32767, 0) => format!("int {};", int.name),
        (-32768, 32767, initial) if initial > 0 => format!("int {} = {initial};", int.name),
        _ => int_declaration(int),
    }
}

fn location(automaton: &Automaton, id: LocId, places: &CanvasPositions) -> Result<LocationJson, Inexpressible> {
    let location = &automaton.locations()[id];
    let (x, y) = places.at(id);
    Ok(LocationJson {
        id: location.name.to_string(),
        nickname: String::new(),
        invariant: DIALECT.guard(automaton, &location.invariant)?,
        r#type: if id == automaton.initial() { "INITIAL" } else { "NORMAL" },
        urgency: match location.urgency {
            Urgency::Normal => "NORMAL",
            Urgency::Urgent => "URGENT",
            Urgency::Committed => "COMMITTED",
        },
        x,
        y,
        color: "6".to_owned(),
        nickname_x: 30.0,
        nickname_y: -10.0,
        invariant_x: 30.0,
        invariant_y: 10.0,
    })
}

fn edge(automaton: &Automaton, id: EdgeId, places: &CanvasPositions) -> Result<EdgeJson, Inexpressible> {
    let edge = &automaton.edges()[id];
    let action = &automaton.actions()[edge.action];
    if action.role == Role::Internal {
        return Err(DIALECT.error(Part::InternalEdge(edge_name(automaton, id))));
    }
    // Bounds of guards and values of assignments may be select variables, which the dialect does not print.
    if !edge.selects.is_empty() {
        return Err(DIALECT.error(Part::Select(edge_name(automaton, id))));
    }
    let name = |location: LocId| automaton.locations()[location].name.to_string();
    let guard = DIALECT.guard(automaton, &edge.guard)?;
    let update = DIALECT.updates(automaton, &edge.updates)?;
    let mut labels = vec!["SYNCHRONIZATION"];
    if !guard.is_empty() {
        labels.insert(0, "GUARD");
    }
    if !update.is_empty() {
        labels.push("UPDATE");
    }
    Ok(EdgeJson {
        id: format!("E{}", id.index()),
        group: String::new(),
        source_location: name(edge.source),
        target_location: name(edge.target),
        status: if action.role == Role::Input { "INPUT" } else { "OUTPUT" },
        select: selects_text(&edge.selects),
        guard,
        update,
        sync: action.name.to_string(),
        is_locked: false,
        nails: places.nails(edge, &labels),
    })
}

/// The positions of locations on the canvas of a component.
struct CanvasPositions {
    at: Vec<(f64, f64)>,
    size: (f64, f64),
}

/// The space between the border and the drawing.
const MARGIN: f64 = 100.0;

impl CanvasPositions {
    fn of(automaton: &Automaton, placement: &Placement) -> Self {
        let grid = |index: usize| {
            let (column, row) = (u32::try_from(index % 6), u32::try_from(index / 6));
            (
                f64::from(column.unwrap_or(0)) * 200.0,
                f64::from(row.unwrap_or(0)) * 150.0,
            )
        };
        let known = |id: LocId| placement.location(&automaton.locations()[id].name);
        let mut at: Vec<(f64, f64)> = match automaton.locations().ids().map(known).collect::<Option<Vec<_>>>() {
            Some(known) => known,
            None => automaton.locations().ids().map(|id| grid(id.index())).collect(),
        };
        let least = at.iter().fold((f64::MAX, f64::MAX), |least, point| {
            (least.0.min(point.0), least.1.min(point.1))
        });
        for point in &mut at {
            *point = (point.0 - least.0 + MARGIN, point.1 - least.1 + MARGIN);
        }
        let most = at.iter().fold((0.0, 0.0), |most: (f64, f64), point| {
            (most.0.max(point.0), most.1.max(point.1))
        });
        Self {
            at,
            size: ((most.0 + MARGIN).max(450.0), (most.1 + MARGIN).max(600.0)),
        }
    }

    fn at(&self, id: LocId) -> (f64, f64) {
        self.at.get(id.index()).copied().unwrap_or_default()
    }

    /// A nail for each label, on the way from the source to the target; a loop goes round below its location.
    fn nails(&self, edge: &Edge, labels: &[&'static str]) -> Vec<NailJson> {
        let (from, to) = (self.at(edge.source), self.at(edge.target));
        let n = u32::try_from(labels.len()).unwrap_or(1);
        let on_the_way = |k: u32| {
            let part = f64::from(k + 1) / f64::from(n + 1);
            match edge.source == edge.target {
                true => (from.0 - 40.0 + 80.0 * part, from.1 + 50.0),
                false => (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part),
            }
        };
        let nail = |(k, property_type): (u32, &&'static str)| {
            let (x, y) = on_the_way(k);
            NailJson {
                x,
                y,
                property_type,
                property_x: 10.0,
                property_y: -10.0,
            }
        };
        (0..).zip(labels).map(nail).collect()
    }
}
