//! Random extended machines, drawn from a tape that proptest shortens and lowers.

use super::direct::{Alt, E};
use super::plain::{Body, Plain, Rule};

/// Numbers one after the other; zeros at the end.
pub struct Tape<'a> {
    numbers: std::slice::Iter<'a, u16>,
}

impl<'a> Tape<'a> {
    pub fn new(numbers: &'a [u16]) -> Self {
        Self {
            numbers: numbers.iter(),
        }
    }
    pub fn below(&mut self, most: usize) -> usize {
        usize::from(self.numbers.next().copied().unwrap_or(0)) % most
    }
}

/// What is drawn for a machine.
pub struct Drawing<'t, 'n> {
    pub tape: &'t mut Tape<'n>,
    pub vars: Vec<(i128, i128, i128)>,
    pub n_states: usize,
    /// How many machines there are so far.
    pub n_machines: usize,
}

/// Not more machines than this.
pub const MOST: usize = 300;

/// Lowest, highest and initial values of some variables.
pub fn variables(tape: &mut Tape<'_>) -> Vec<(i128, i128, i128)> {
    let mut variable = |_| {
        let low = tape.below(2) as i128 - 1;
        let high = low + tape.below(4) as i128;
        (low, high, low + tape.below((high - low + 1) as usize) as i128)
    };
    (0..2).map(&mut variable).collect::<Vec<_>>()[..tape.below(3)].to_vec()
}

/// A machine of which not all states must have rules if `fill`.
pub fn machine(tape: &mut Tape<'_>, fill: bool) -> Plain {
    let n_states = 1 + tape.below(3);
    let vars = variables(tape);
    let inputs: Vec<_> = (0..1 + tape.below(3))
        .map(|_| match tape.below(3) {
            0 => Some((0, tape.below(3) as i128)),
            _ => None,
        })
        .collect();
    let mut drawing = Drawing {
        tape,
        vars,
        n_states,
        n_machines: 1,
    };
    let mut rules = Vec::new();
    for state in 0..n_states {
        for (input, values) in inputs.iter().enumerate() {
            let has_param = values.is_some();
            let guard = drawing.truth(has_param, 2);
            // Two rules that exclude each other, one for all, or what comes.
            let guards = match drawing.tape.below(8) {
                0..=2 => vec![guard.clone(), E::Not(Box::new(guard))],
                3..=5 => vec![E::Same(Box::new(E::Num(1)), Box::new(E::Num(1)))],
                6 if fill => Vec::new(),
                _ => vec![guard],
            };
            for guard in guards {
                let body = drawing.rule(guard, has_param);
                rules.push(Rule { state, input, body });
            }
        }
    }
    let vars = drawing.vars;
    Plain {
        vars,
        inputs,
        rules,
        sizes: Vec::new(),
    }
    .numbered()
}

impl Drawing<'_, '_> {
    /// Whether there is room for another choice.
    pub fn several(&mut self) -> usize {
        let n = match self.tape.below(7) {
            5 => 2,
            6 => 3,
            _ => 1,
        };
        if self.n_machines * n > MOST {
            return 1;
        }
        self.n_machines *= n;
        n
    }

    pub fn number(&mut self, has_param: bool, depth: usize) -> E {
        let n_vars = self.vars.len();
        match self.tape.below(if depth == 0 { 3 } else { 5 }) {
            1 if n_vars > 0 => E::Var(self.tape.below(n_vars)),
            2 if has_param => E::Param,
            3 => E::Add(
                Box::new(self.number(has_param, depth - 1)),
                Box::new(self.number(has_param, depth - 1)),
            ),
            4 => E::Sub(
                Box::new(self.number(has_param, depth - 1)),
                Box::new(self.number(has_param, depth - 1)),
            ),
            _ => E::Num(self.tape.below(4) as i128 - 1),
        }
    }
    pub fn truth(&mut self, has_param: bool, depth: usize) -> E {
        let of: fn(Box<E>, Box<E>) -> E = match self.tape.below(if depth == 0 { 3 } else { 5 }) {
            0 => E::Less,
            1 => E::Most,
            2 => E::Same,
            3 => {
                return E::And(
                    Box::new(self.truth(has_param, depth - 1)),
                    Box::new(self.truth(has_param, depth - 1)),
                );
            }
            _ => {
                return E::Or(
                    Box::new(self.truth(has_param, depth - 1)),
                    Box::new(self.truth(has_param, depth - 1)),
                );
            }
        };
        of(Box::new(self.number(has_param, 1)), Box::new(self.number(has_param, 1)))
    }
    /// A value that is within the variable's range, whatever the others are.
    pub fn within(&mut self, var: usize) -> E {
        let (low, high, _) = self.vars[var];
        let own = || Box::new(E::Var(var));
        match self.tape.below(3) {
            0 => E::Num(low + self.tape.below((high - low + 1) as usize) as i128),
            1 => E::If(
                Box::new(E::Less(own(), Box::new(E::Num(high)))),
                Box::new(E::Add(own(), Box::new(E::Num(1)))),
                Box::new(E::Num(low)),
            ),
            _ => E::If(
                Box::new(E::Less(Box::new(E::Num(low)), own())),
                Box::new(E::Sub(own(), Box::new(E::Num(1)))),
                own(),
            ),
        }
    }

    fn rule(&mut self, guard: E, has_param: bool) -> Alt<Body> {
        let n = self.several();
        let mut all = vec![self.body(guard, has_param)];
        for _ in 1..n {
            let guard = match self.tape.below(3) {
                0 => E::Same(Box::new(E::Num(0)), Box::new(E::Num(0))),
                _ => self.truth(has_param, 1),
            };
            all.push(self.body(guard, has_param));
        }
        Alt { all, choice: 0 }
    }
    fn body(&mut self, guard: E, has_param: bool) -> Body {
        let n = self.several();
        let others: Vec<E> = (1..n)
            .map(|_| match self.tape.below(5) {
                0 => guard.clone(),
                _ => self.truth(has_param, 1),
            })
            .collect();
        let guard = Alt {
            all: [vec![guard], others].concat(),
            choice: 0,
        };
        let n = self.several();
        let output = (0..n).map(|_| self.output(has_param)).collect();
        let mut updates = Vec::new();
        for var in 0..self.vars.len() {
            if self.tape.below(2) == 0 {
                let first = match self.tape.below(12) {
                    0 => self.number(has_param, 1),
                    _ => self.within(var),
                };
                let mut all = vec![first];
                for _ in 1..self.several() {
                    all.push(self.number(has_param, 1));
                }
                updates.push((var, Alt { all, choice: 0 }));
            }
        }
        let n = self.several();
        let target = (0..n).map(|_| self.tape.below(self.n_states)).collect();
        Body {
            guard,
            output: Alt { all: output, choice: 0 },
            updates,
            target: Alt { all: target, choice: 0 },
        }
    }
    fn output(&mut self, has_param: bool) -> (String, Option<Alt<E>>) {
        match self.tape.below(6) {
            0 => {
                let n = self.several();
                let all = (0..n).map(|_| self.number(has_param, 1)).collect();
                ("x".to_owned(), Some(Alt { all, choice: 0 }))
            }
            1 => ("y".to_owned(), None),
            2 => ("-".to_owned(), None),
            _ => ("x".to_owned(), None),
        }
    }
}
