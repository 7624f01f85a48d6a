//! Extended machines by plain code: a structure of its own, executed as docs/book/src/machines.md says, and written as text.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;

use super::direct::{Alt, Direct, E};

#[derive(Clone, Debug)]
pub struct Body {
    pub guard: Alt<E>,
    /// A name, and perhaps a value.
    pub output: Alt<(String, Option<Alt<E>>)>,
    pub updates: Vec<(usize, Alt<E>)>,
    pub target: Alt<usize>,
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub state: usize,
    pub input: usize,
    pub body: Alt<Body>,
}

#[derive(Clone, Debug)]
pub struct Plain {
    /// Lowest, highest and initial value.
    pub vars: Vec<(i128, i128, i128)>,
    /// By input: the values of its parameter, if it has one.
    pub inputs: Vec<Option<(i128, i128)>>,
    pub rules: Vec<Rule>,
    /// The number of alternatives of each choice.
    pub sizes: Vec<usize>,
}

/// A state and values.
pub type At = (usize, Vec<i128>);

impl Plain {
    /// Numbers the choices as they come in the text.
    pub fn numbered(mut self) -> Self {
        let mut sizes = Vec::new();
        for rule in &mut self.rules {
            for number in 0..rule.body.all.len() {
                let body = &mut rule.body.all[number];
                body.guard.number(&mut sizes);
                for (_, value) in &mut body.output.all {
                    value.iter_mut().for_each(|value| value.number(&mut sizes));
                }
                body.output.number(&mut sizes);
                body.updates.iter_mut().for_each(|(_, value)| value.number(&mut sizes));
                body.target.number(&mut sizes);
                if number == 1 {
                    rule.body.number(&mut sizes);
                }
            }
        }
        self.sizes = sizes;
        self
    }
    fn is_within(&self, var: usize, value: i128) -> bool {
        (self.vars[var].0..=self.vars[var].1).contains(&value)
    }

    /// Whether the specification is as it must be; if it may be incomplete, is filled.
    pub fn is_sound(&self, fill: bool) -> bool {
        if self.rules.is_empty() {
            return false;
        }
        let specification = vec![0; self.sizes.len()];
        let mut known = BTreeSet::from([self.start()]);
        let mut agenda = VecDeque::from([self.start()]);
        while let Some(at) = agenda.pop_front() {
            for word in self.words() {
                let enabled = self.rules.iter().filter(|rule| {
                    let guard = &rule.body.of(&specification).guard;
                    (rule.state, rule.input) == (at.0, word.0) && guard.of(&specification).value(&at.1, word.1) == 1
                });
                match enabled.count() {
                    0 if fill => {}
                    1 => {}
                    _ => return false,
                }
                let (answer, to) = self.step(&specification, &at, word);
                if answer == "error" {
                    return false;
                }
                if known.insert(to.clone()) {
                    agenda.push_back(to);
                }
            }
        }
        true
    }

    /// The machine as text.
    pub fn show(&self) -> String {
        let mut text = String::new();
        for (at, (low, high, initial)) in self.vars.iter().enumerate() {
            let _ = writeln!(text, "var v{at} : {low}..{high} = {initial}");
        }
        for (at, values) in self.inputs.iter().enumerate() {
            let _ = match values {
                None => writeln!(text, "input i{at}"),
                Some((low, high)) => writeln!(text, "input i{at}(p : {low}..{high})"),
            };
        }
        text.push_str("initial s0\n");
        for rule in &self.rules {
            for (number, body) in rule.body.all.iter().enumerate() {
                let mark = if number == 0 { "" } else { "mutated " };
                let guard = show(&body.guard, &E::show, " | ");
                let value = |value: &Option<Alt<E>>| match value {
                    None => String::new(),
                    Some(value) => format!("({})", show(value, &E::show, " | ")),
                };
                let output = show(&body.output, &|(name, of)| format!("{name}{}", value(of)), " | ");
                let update = |(var, of): &(usize, Alt<E>)| format!("v{var} := {}", show(of, &E::show, "|"));
                let updates: Vec<String> = body.updates.iter().map(update).collect();
                let updates = match updates.is_empty() {
                    true => String::new(),
                    false => format!("{{{}}} ", updates.join(", ")),
                };
                let target = show(&body.target, &|state| format!("s{state}"), " | ");
                let (state, input) = (rule.state, rule.input);
                let _ = writeln!(
                    text,
                    "{mark}s{state} i{input} [{guard}] / {output} {updates}-> {target}"
                );
            }
        }
        text
    }
}

impl Direct for Plain {
    type At = At;
    fn sizes(&self) -> &[usize] {
        &self.sizes
    }
    fn words(&self) -> Vec<(usize, i128)> {
        let of = |(input, values): (usize, &Option<(i128, i128)>)| {
            let (low, high) = values.unwrap_or((0, 0));
            (low..=high).map(move |value| (input, value))
        };
        self.inputs.iter().enumerate().flat_map(of).collect()
    }
    fn start(&self) -> At {
        (0, self.vars.iter().map(|(_, _, initial)| *initial).collect())
    }

    fn step(&self, choices: &[u32], at: &At, (input, param): (usize, i128)) -> (String, At) {
        for rule in self
            .rules
            .iter()
            .filter(|rule| (rule.state, rule.input) == (at.0, input))
        {
            let body = rule.body.of(choices);
            if body.guard.of(choices).value(&at.1, param) != 1 {
                continue;
            }
            let (name, value) = body.output.of(choices);
            let answer = match value {
                None => name.clone(),
                Some(value) => format!("{name}({})", value.of(choices).value(&at.1, param)),
            };
            let mut values = at.1.clone();
            for (var, update) in &body.updates {
                let value = update.of(choices).value(&values, param);
                if !self.is_within(*var, value) {
                    return ("error".to_owned(), at.clone());
                }
                values[*var] = value;
            }
            return (answer, (*body.target.of(choices), values));
        }
        ("-".to_owned(), at.clone())
    }
}

fn show<T>(alternatives: &Alt<T>, of: &dyn Fn(&T) -> String, between: &str) -> String {
    let shown: Vec<String> = alternatives.all.iter().map(of).collect();
    shown.join(between)
}
