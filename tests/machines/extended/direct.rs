//! Machines that are executed directly, one mutant at a time, and what enumeration says about them.

use std::collections::BTreeSet;

/// An expression.
#[derive(Clone, Debug)]
pub enum E {
    Num(i128),
    Var(usize),
    Param,
    Add(Box<E>, Box<E>),
    Sub(Box<E>, Box<E>),
    Less(Box<E>, Box<E>),
    Most(Box<E>, Box<E>),
    Same(Box<E>, Box<E>),
    And(Box<E>, Box<E>),
    Or(Box<E>, Box<E>),
    Not(Box<E>),
    If(Box<E>, Box<E>, Box<E>),
}

impl E {
    pub fn value(&self, values: &[i128], param: i128) -> i128 {
        let of = |e: &E| e.value(values, param);
        match self {
            Self::Num(n) => *n,
            Self::Var(v) => values[*v],
            Self::Param => param,
            Self::Add(a, b) => of(a) + of(b),
            Self::Sub(a, b) => of(a) - of(b),
            Self::Less(a, b) => i128::from(of(a) < of(b)),
            Self::Most(a, b) => i128::from(of(a) <= of(b)),
            Self::Same(a, b) => i128::from(of(a) == of(b)),
            Self::And(a, b) => i128::from(of(a) == 1 && of(b) == 1),
            Self::Or(a, b) => i128::from(of(a) == 1 || of(b) == 1),
            Self::Not(a) => 1 - of(a),
            Self::If(c, a, b) => match of(c) {
                1 => of(a),
                _ => of(b),
            },
        }
    }
    pub fn show(&self) -> String {
        let two = |a: &E, op: &str, b: &E| format!("({} {op} {})", a.show(), b.show());
        match self {
            Self::Num(n) if *n < 0 => format!("(-{})", -n),
            Self::Num(n) => n.to_string(),
            Self::Var(v) => format!("v{v}"),
            Self::Param => "p".to_owned(),
            Self::Add(a, b) => two(a, "+", b),
            Self::Sub(a, b) => two(a, "-", b),
            Self::Less(a, b) => two(b, ">", a),
            Self::Most(a, b) => two(a, "<=", b),
            Self::Same(a, b) => two(a, "==", b),
            Self::And(a, b) => two(a, "&&", b),
            Self::Or(a, b) => two(a, "||", b),
            Self::Not(a) => format!("!{}", a.show()),
            Self::If(c, a, b) => format!("({} ? {} : {})", c.show(), a.show(), b.show()),
        }
    }
}

/// Alternatives, and the number of the choice between them if there are several.
#[derive(Clone, Debug)]
pub struct Alt<T> {
    pub all: Vec<T>,
    pub choice: usize,
}

impl<T> Alt<T> {
    pub fn of(&self, choices: &[u32]) -> &T {
        match self.all.len() {
            1 => &self.all[0],
            _ => &self.all[choices[self.choice] as usize],
        }
    }
    pub fn number(&mut self, sizes: &mut Vec<usize>) {
        if self.all.len() > 1 {
            self.choice = sizes.len();
            sizes.push(self.all.len());
        }
    }
}

/// A machine with alternatives.
pub trait Direct {
    /// Where a machine is.
    type At: Ord + Clone;
    /// The number of alternatives of each choice.
    fn sizes(&self) -> &[usize];
    /// The inputs with their values, in order.
    fn words(&self) -> Vec<(usize, i128)>;
    fn start(&self) -> Self::At;
    /// What a machine answers, and where it is then.
    fn step(&self, choices: &[u32], at: &Self::At, word: (usize, i128)) -> (String, Self::At);

    fn n_machines(&self) -> usize {
        self.sizes().iter().product()
    }
    /// Every machine, the specification first.
    fn machines(&self) -> Vec<Vec<u32>> {
        let mut all: Vec<Vec<u32>> = vec![Vec::new()];
        for size in self.sizes() {
            let longer = |choices: &Vec<u32>| -> Vec<Vec<u32>> {
                (0..*size as u32)
                    .map(|choice| [&choices[..], &[choice]].concat())
                    .collect()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }
    fn specification(&self) -> Vec<u32> {
        vec![0; self.sizes().len()]
    }

    fn is_killed(&self, choices: &[u32], test: &[(usize, i128)]) -> bool {
        let specification = self.specification();
        let (mut right, mut own) = (self.start(), self.start());
        test.iter().any(|word| {
            let (expected, right_next) = self.step(&specification, &right, *word);
            let (answer, own_next) = self.step(choices, &own, *word);
            (right, own) = (right_next, own_next);
            expected != answer
        })
    }

    /// The length of a shortest test that kills a machine; none if it conforms.
    fn shortest_kill(&self, choices: &[u32]) -> Option<usize> {
        let specification = self.specification();
        let mut known = BTreeSet::from([(self.start(), self.start())]);
        let mut level = vec![(self.start(), self.start())];
        for length in 1.. {
            let mut next = Vec::new();
            for (right, own) in level {
                for word in self.words() {
                    let (expected, right) = self.step(&specification, &right, word);
                    let (answer, own) = self.step(choices, &own, word);
                    if expected != answer {
                        return Some(length);
                    }
                    if known.insert((right.clone(), own.clone())) {
                        next.push((right, own));
                    }
                }
            }
            if next.is_empty() {
                return None;
            }
            level = next;
        }
        None
    }
}
