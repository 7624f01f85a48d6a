//! A counterexample, step by step.

use std::fmt::Write as _;

use serde_json::{Value, json};

use tamper_game::{Counterexample, Demand, Doing, End, GamePoint, PairPoint, Play, Side};
use tamper_timed::model::Automaton;
use tamper_timed::mutation::edge_name;

/// The two games of a counterexample.
#[derive(Clone, Copy)]
struct Games<'a> {
    mutant: &'a Automaton,
    spec: &'a Automaton,
}

impl<'a> Games<'a> {
    fn of(self, side: Side) -> &'a Automaton {
        match side {
            Side::Mutant => self.mutant,
            Side::Specification => self.spec,
        }
    }
}

fn other(side: Side) -> Side {
    match side {
        Side::Mutant => Side::Specification,
        Side::Specification => Side::Mutant,
    }
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Mutant => "left",
        Side::Specification => "right",
    }
}

/// The counterexample as numbered lines; `mutant` is the left side of the refinement, `spec` the right one.
pub fn counterexample_text(counterexample: &Counterexample, mutant: &Automaton, spec: &Automaton) -> String {
    let mut text = String::new();
    push_play(&mut text, Games { mutant, spec }, &counterexample.play, 1, "");
    text
}

fn push_play(text: &mut String, games: Games<'_>, play: &Play, first: usize, indent: &str) {
    let mut number = first;
    for step in &play.steps {
        let answer = doing_text(games.of(other(step.demand.mover)), step.answer);
        let _ = writeln!(
            text,
            "{indent}{number}. {}; answered by {answer}",
            demand_text(games, &step.demand)
        );
        number += 1;
    }
    match &play.end {
        End::NoAnswer(demand) => {
            let who = side_name(other(demand.mover));
            let _ = writeln!(
                text,
                "{indent}{number}. {}; the {who} side has no answer",
                demand_text(games, demand)
            );
        }
        End::NoDelay { from, delay, .. } => {
            let point = point_text(games, from);
            let _ = writeln!(
                text,
                "{indent}{number}. at {point} the left side waits {delay}; the right side cannot"
            );
        }
        End::Branch(demand, answers) => {
            let _ = writeln!(
                text,
                "{indent}{number}. {}; every answer loses:",
                demand_text(games, demand)
            );
            for (answer, play) in answers {
                let answer = doing_text(games.of(other(demand.mover)), *answer);
                let _ = writeln!(text, "{indent}  if by {answer}:");
                push_play(text, games, play, number + 1, &format!("{indent}    "));
            }
        }
    }
}

fn demand_text(games: Games<'_>, demand: &Demand) -> String {
    let point = point_text(games, &demand.from);
    let doing = doing_text(games.of(demand.mover), demand.doing);
    let who = side_name(demand.mover);
    if demand.action.shows_propositions() {
        let (delay, held) = (&demand.delay, &demand.action.name);
        return format!("at {point} after {delay} the {who} side is where {held} holds");
    }
    format!(
        "at {point} after {} the {who} side does {} by {doing}",
        demand.delay, demand.action
    )
}

fn doing_text(automaton: &Automaton, doing: Doing) -> String {
    match doing {
        Doing::Edge(edge) => edge_name(automaton, edge),
        Doing::Ignores => "ignoring it".to_owned(),
        Doing::Stays => "staying where it is".to_owned(),
    }
}

fn point_text(games: Games<'_>, point: &PairPoint) -> String {
    let left = game_point_text(games.mutant, &point.mutant);
    let right = game_point_text(games.spec, &point.spec);
    format!("({left} | {right})")
}

fn game_point_text(automaton: &Automaton, point: &GamePoint) -> String {
    let mut text = automaton.locations()[point.location].name.to_string();
    for (clock, value) in automaton.clocks().iter().zip(&point.clocks) {
        let _ = write!(text, " {}={value}", clock.name);
    }
    for (int, value) in automaton.ints().iter().zip(&point.ints) {
        let _ = write!(text, " {}={value}", int.name);
    }
    text
}

/// The counterexample as JSON; numbers of time are exact fractions in text form, such as `"5/2"`.
pub fn counterexample_json(counterexample: &Counterexample, mutant: &Automaton, spec: &Automaton) -> Value {
    play_json(Games { mutant, spec }, &counterexample.play)
}

fn play_json(games: Games<'_>, play: &Play) -> Value {
    let step = |demand: &Demand, answer: Doing| {
        let mut value = demand_json(games, demand);
        value["answer"] = json!(doing_text(games.of(other(demand.mover)), answer));
        value
    };
    let steps: Vec<_> = play.steps.iter().map(|one| step(&one.demand, one.answer)).collect();
    let end = match &play.end {
        End::NoAnswer(demand) => json!({ "kind": "no-answer", "demand": demand_json(games, demand) }),
        End::NoDelay { from, zone, delay } => json!({
            "kind": "no-delay",
            "from": point_json(games, from),
            "zone": zone,
            "delay": delay.to_string(),
        }),
        End::Branch(demand, answers) => {
            let branches: Vec<_> = answers
                .iter()
                .map(|(answer, play)| {
                    let answer = doing_text(games.of(other(demand.mover)), *answer);
                    json!({ "answer": answer, "play": play_json(games, play) })
                })
                .collect();
            json!({ "kind": "branch", "demand": demand_json(games, demand), "answers": branches })
        }
    };
    json!({ "steps": steps, "end": end })
}

fn demand_json(games: Games<'_>, demand: &Demand) -> Value {
    json!({
        "from": point_json(games, &demand.from),
        "zone": demand.zone,
        "delay": demand.delay.to_string(),
        "side": side_name(demand.mover),
        "action": demand.action.to_string(),
        "by": doing_text(games.of(demand.mover), demand.doing),
    })
}

fn point_json(games: Games<'_>, point: &PairPoint) -> Value {
    json!({
        "left": game_point_json(games.mutant, &point.mutant),
        "right": game_point_json(games.spec, &point.spec),
    })
}

fn game_point_json(automaton: &Automaton, point: &GamePoint) -> Value {
    let clocks = automaton.clocks().iter().zip(&point.clocks);
    let ints = automaton.ints().iter().zip(&point.ints);
    let clocks: serde_json::Map<_, _> = clocks
        .map(|(clock, value)| (clock.name.to_string(), json!(value.to_string())))
        .collect();
    let ints: serde_json::Map<_, _> = ints.map(|(int, value)| (int.name.to_string(), json!(value))).collect();
    json!({
        "location": &*automaton.locations()[point.location].name,
        "clocks": clocks,
        "integers": ints,
    })
}
