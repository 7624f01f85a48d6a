//! The surest way to kill a mutant of a transition system, and the run or strategy that kills it.

use serde_json::{Map, Value, json};

use tamper_systems::{Decision, InputId, KillStrength, Pair, Run, Strategy, Verdicts};

/// `{"verdict", "kill", "word"}`; with `witness` also the run and the plan. The verdict is `unknown` if any question about the mutant is
/// open; `kill` is then the strongest one that is proved.
pub fn verdicts_json(verdicts: &Verdicts, pair: Option<&Pair>, witness: bool) -> Value {
    let verdict = match verdicts.kill() {
        Err(_) => "unknown",
        Ok(KillStrength::None) => "subsumed",
        Ok(_) => "non-subsumed",
    };
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("verdict", json!(verdict));
    put("kill", json!(verdicts.proved().name()));
    put(
        "word",
        json!(pair.map_or_else(Vec::new, |pair| names(pair, verdicts.word()))),
    );
    if let (Some(pair), true) = (pair, witness) {
        if let Some(run) = verdicts.potential.found() {
            let mut shown = json!({ "inputs": names(pair, &run.inputs), "outputs": seen(pair, run) });
            if let Some(first) = &run.first {
                shown["first"] = json!(first);
            }
            put("run", shown);
        }
        if let Some(plan) = verdicts.definite.found() {
            put("strategy", plan_json(pair, plan));
        }
    }
    Value::Object(object)
}

fn plan_json(pair: &Pair, plan: &Strategy) -> Value {
    let moves = plan.moves.iter().map(|step| {
        let answers = step.answers.iter().map(|(output, next)| {
            let next = next.map_or_else(|| json!("fail"), |next| json!(next));
            (pair.outputs()[*output].clone(), next)
        });
        json!({ "input": pair.inputs()[step.input], "answers": answers.collect::<Map<_, _>>() })
    });
    let mut shown = json!({ "depth": plan.depth, "moves": moves.collect::<Vec<_>>() });
    if looks(plan) {
        let start = |(seen, first): &(String, Option<usize>)| {
            let first = first.map_or_else(|| json!("fail"), |first| json!(first));
            (seen.clone(), first)
        };
        shown["starts"] = json!(plan.starts.iter().map(start).collect::<Map<_, _>>());
    }
    shown
}

/// Whether the plan needs the output that is seen before the first input.
fn looks(plan: &Strategy) -> bool {
    !matches!(&plan.starts[..], [(_, Some(0))])
}

fn names(pair: &Pair, word: &[InputId]) -> Vec<String> {
    word.iter().map(|input| pair.inputs()[*input].clone()).collect()
}

fn seen(pair: &Pair, run: &Run) -> Vec<String> {
    let outputs = run.outputs.iter();
    outputs.map(|output| pair.outputs()[*output].clone()).collect()
}

/// The verdicts for a terminal.
pub fn verdicts_text(verdicts: &Verdicts, pair: Option<&Pair>, witness: bool) -> String {
    let mut text = match verdicts.kill() {
        Err(reason) => format!("unknown\n{reason}; proved so far: kill {}.\n", verdicts.proved().name()),
        Ok(KillStrength::None) => {
            "subsumed\nThe specification can do whatever the mutant does: no test tells them apart.\n".to_owned()
        }
        Ok(kill) => format!("non-subsumed, kill: {}\n", kill.name()),
    };
    let Some(pair) = pair else { return text };
    if let Some(run) = verdicts.potential.found() {
        text.push_str(&format!(
            "potential: some run of the mutant is none of the specification, after {}\n",
            word_text(pair, &run.inputs)
        ));
        if let Some(first) = &run.first {
            text.push_str(&format!("  it starts with {first}\n"));
        }
        if witness && !run.outputs.is_empty() {
            text.push_str(&format!("  the mutant answers {}\n", seen(pair, run).join(", ")));
        }
    }
    match &verdicts.definite {
        Decision::Yes(plan) => {
            text.push_str(&format!(
                "definite: a tester who sees the outputs fails every run of the mutant in at most {} inputs\n",
                plan.depth
            ));
            if witness {
                text.push_str(&plan_text(pair, plan));
            }
        }
        Decision::No if verdicts.potential.found().is_some() => {
            text.push_str("definite: no, the mutant can always answer like the specification\n");
        }
        _ => {}
    }
    match &verdicts.blind {
        Decision::Yes(word) => text.push_str(&format!(
            "blind: every run of the mutant fails after {}\n",
            word_text(pair, word)
        )),
        Decision::No if verdicts.definite.found().is_some() => {
            text.push_str("blind: no, no single sequence of inputs does\n");
        }
        _ => {}
    }
    text
}

fn word_text(pair: &Pair, word: &[InputId]) -> String {
    match word.len() {
        0 => "no input: what is seen first tells them apart".to_owned(),
        1 => format!("1 input: {}", names(pair, word).join(", ")),
        n => format!("{n} inputs: {}", names(pair, word).join(", ")),
    }
}

fn plan_text(pair: &Pair, plan: &Strategy) -> String {
    let mut text = String::new();
    for (seen, first) in plan.starts.iter().filter(|_| looks(plan)) {
        let first = first.map_or_else(|| "fail".to_owned(), |first| format!("go to {first}"));
        text.push_str(&format!("  it starts with {seen}: {first}\n"));
    }
    for (number, step) in plan.moves.iter().enumerate() {
        let answer = |(output, next): &(_, Option<usize>)| {
            let next = next.map_or_else(|| "fail".to_owned(), |next| format!("go to {next}"));
            format!("{}: {next}", pair.outputs()[*output])
        };
        let answers: Vec<String> = step.answers.iter().map(answer).collect();
        text.push_str(&format!(
            "  {number}: give {}; {}\n",
            pair.inputs()[step.input],
            answers.join("; ")
        ));
    }
    text
}
