//! The networks of `uppaal-models/networks`: what is known about them from their descriptions.

use std::collections::BTreeSet;
use std::path::Path;

use tamper::formats::read_network;
use tamper::model::Role;
use tamper::network::{Composed, Network, Observed, Process, Side, View, compose};
use tamper::text::Budget;

/// A file of the folder, with `from` replaced by `to`; the processes whose names start with `environment` are around.
fn example(name: &str, (from, to): (&str, &str), environment: Option<&str>) -> (Composed, Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("uppaal-models/networks")
        .join(name);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(from));
    let (file, warnings) =
        read_network(name, text.replace(from, to).as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    assert!(warnings.is_empty());
    let mut view = View::closed("System", &file.network);
    for (side, process) in view.sides.iter_mut().zip(&file.network.processes) {
        if environment.is_some_and(|environment| process.name.starts_with(environment)) {
            *side = Side::Environment;
        }
    }
    let composed = compose(&file.network, &view, &Budget::unlimited()).unwrap_or_else(|error| panic!("{error}"));
    let states = super::composition::states_in_words(&composed, &file.network);
    (composed, states)
}

/// The most processes that are in `location` at once.
fn most(states: &[String], location: &str) -> usize {
    let count = |state: &String| state.split(' ').filter(|part| part.ends_with(location)).count();
    states.iter().map(count).max().unwrap()
}

#[test]
fn fischers_contenders_exclude_each_other_exactly_while_waiting_is_longer_than_writing() {
    let (_, known) = example("fischer.xml", ("WAIT = 2", "WAIT = 2"), None);
    assert_eq!(most(&known, ".Inside"), 1);
    let (_, hasty) = example("fischer.xml", ("WAIT = 2", "WAIT = 1"), None);
    assert_eq!(most(&hasty, ".Inside"), 3);
}

#[test]
fn one_train_at_a_time_is_over_the_bridge_and_two_wait() {
    let (known, states) = example("crossing.xml", ("const int N = 3", "const int N = 3"), None);
    assert_eq!(most(&states, ".Over"), 1);
    assert_eq!(most(&states, ".Halted"), 2);
    let outputs: BTreeSet<String> = known.automaton.actions().iter().map(ToString::to_string).collect();
    assert_eq!(
        outputs.iter().filter(|action| action.ends_with('!')).count(),
        12,
        "four channels of three trains"
    );
    assert!(known.has_committed);
}

#[test]
fn a_lamp_beside_its_user_has_one_input_and_never_gets_bright_in_their_hands() {
    let (composed, states) = example("lamp-and-user.xml", ("system Lamp", "system Lamp"), Some("User"));
    let inputs: Vec<String> = composed
        .automaton
        .actions()
        .iter()
        .filter(|action| action.role == Role::Input)
        .map(ToString::to_string)
        .collect();
    assert_eq!(inputs, ["press?"]);
    // The user waits five time units between two presses, the lamp wants the second within three.
    assert_eq!(most(&states, ".Bright"), 0);
    let (_, quick) = example("lamp-and-user.xml", ("y &gt;= 5", "y &gt;= 2"), Some("User"));
    assert_eq!(most(&quick, ".Bright"), 1);
    assert!(composed.has_hidden, "the user's step back to Idle is nobody's to see");
}

#[test]
fn frames_never_meet_exactly_while_a_slot_is_longer_than_a_frame() {
    let (_, known) = example("collision-avoidance.xml", ("SLOT = 5", "SLOT = 5"), None);
    assert_eq!(most(&known, "Medium.Busy"), 1);
    assert_eq!(most(&known, "Medium.Collision"), 0);
    let (_, hasty) = example("collision-avoidance.xml", ("SLOT = 5", "SLOT = 4"), None);
    assert_eq!(most(&hasty, "Medium.Collision"), 1);
}

#[test]
fn a_gear_is_engaged_only_without_torque_or_with_an_open_clutch() {
    let (_, states) = example("gear-controller.xml", ("NEUTRAL = 0", "NEUTRAL = 0"), None);
    let meshing = states.iter().filter(|state| state.contains("Box.Meshing"));
    let meshing: Vec<&String> = meshing.collect();
    assert!(!meshing.is_empty());
    for state in meshing {
        assert!(
            state.contains("Engine.Zero") || state.contains("Clutch.Open"),
            "{state}"
        );
    }
}

#[test]
fn an_armed_alarm_is_loud_before_time_passes_after_the_door_opened() {
    let (_, states) = example("car-alarm.xml", ("shut = false", "shut = false"), Some("no process"));
    let is_open = |state: &&String| state.contains("Alarm.Loud") || state.contains("Alarm.Armed ");
    for state in states.iter().filter(is_open) {
        let loud = state.contains("Alarm.Loud");
        assert_eq!(state.contains("Siren.On"), loud, "{state}");
        assert_eq!(state.contains("Light.On"), !loud, "{state}");
    }
}

/// Every location of every process, to be seen.
pub fn everywhere(network: &Network) -> Vec<Observed> {
    let of = |(at, process): (usize, &Process)| (0..process.locations.len()).map(move |to| Observed::Location(at, to));
    network.processes.iter().enumerate().flat_map(of).collect()
}
