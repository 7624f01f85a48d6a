//! Queries without a solver: on points of a grid each is decided exactly.
//!
//! Clocks are multiples of a third. The boundaries of delays are such multiples as well, so that multiples of a sixth meet each interval
//! between them, and multiples of a twelfth each between those and a delay `d!`. Above all constants nothing changes any more.

/// Units of time per unit, and those of clocks and of `d!`; `e!` has the smallest.
const ONE: i64 = 12;
pub const CLOCK_STEP: i64 = 4;
const DELAY_STEP: i64 = 2;

#[derive(Debug)]
enum Term {
    Word(String),
    List(Vec<Term>),
}

/// A query: the clocks and the condition.
pub struct Query {
    pub clocks: Vec<String>,
    condition: Term,
}

impl Query {
    pub fn read(line: &str) -> Self {
        let spaced = line.replace('(', " ( ").replace(')', " ) ");
        let mut lists = vec![Vec::new()];
        for word in spaced.split_whitespace() {
            match word {
                "(" => lists.push(Vec::new()),
                ")" => {
                    let list = lists.pop().unwrap();
                    lists.last_mut().unwrap().push(Term::List(list));
                }
                word => lists.last_mut().unwrap().push(Term::Word(word.to_owned())),
            }
        }
        let (mut clocks, mut conditions) = (Vec::new(), Vec::new());
        for command in lists.pop().unwrap() {
            let Term::List(mut command) = command else {
                panic!("{line}")
            };
            match (&command[0], command.len()) {
                (Term::Word(word), 3) if word == "declare-const" => clocks.push(name(&command[1]).to_owned()),
                (Term::Word(word), 2) if word == "assert" => conditions.push(command.pop().unwrap()),
                (Term::Word(word), 1) => assert!(["push", "check-sat", "pop"].contains(&word.as_str()), "{line}"),
                _ => panic!("{line}"),
            }
        }
        // Before the condition each clock is said to be at least 0.
        let condition = conditions.pop().unwrap();
        assert!(lists.is_empty() && conditions.len() == clocks.len(), "{line}");
        Self { clocks, condition }
    }

    /// Whether the point satisfies the condition; constants are at most `largest`.
    pub fn is_satisfied(&self, point: &[i64], largest: i64) -> bool {
        let values = self.clocks.iter().map(String::as_str).zip(point.iter().copied());
        // A delay may have to reach a constant above the value that another clock was set to.
        let end = (2 * largest + 1) * ONE;
        Evaluation {
            values: values.collect(),
            end,
        }
        .holds(&self.condition)
    }
}

fn name(term: &Term) -> &str {
    match term {
        Term::Word(word) => word,
        Term::List(_) => panic!("{term:?} is no word"),
    }
}

struct Evaluation<'q> {
    values: Vec<(&'q str, i64)>,
    end: i64,
}

impl<'q> Evaluation<'q> {
    fn value(&self, term: &Term) -> i64 {
        let list = match term {
            Term::Word(word) => {
                let known = self.values.iter().find(|(name, _)| name == word);
                return known.map_or_else(|| ONE * word.parse::<i64>().unwrap(), |(_, value)| *value);
            }
            Term::List(list) => list,
        };
        match (name(&list[0]), &list[1..]) {
            ("+", [a, b]) => self.value(a) + self.value(b),
            ("-", [a, b]) => self.value(a) - self.value(b),
            ("-", [a]) => -self.value(a),
            _ => panic!("{term:?}"),
        }
    }

    fn holds(&mut self, term: &'q Term) -> bool {
        let list = match term {
            Term::Word(word) => return word.parse().unwrap(),
            Term::List(list) => list,
        };
        match (name(&list[0]), &list[1..]) {
            ("and", parts) => parts.iter().all(|part| self.holds(part)),
            ("or", parts) => parts.iter().any(|part| self.holds(part)),
            ("not", [part]) => !self.holds(part),
            ("=>", [from, to]) => !self.holds(from) || self.holds(to),
            ("exists", [Term::List(bound), part]) => self.some(bound, part, true),
            ("forall", [Term::List(bound), part]) => !self.some(bound, part, false),
            ("<", [a, b]) => self.value(a) < self.value(b),
            ("<=", [a, b]) => self.value(a) <= self.value(b),
            (">", [a, b]) => self.value(a) > self.value(b),
            (">=", [a, b]) => self.value(a) >= self.value(b),
            ("=", [a, b]) => self.value(a) == self.value(b),
            _ => panic!("{term:?}"),
        }
    }

    /// Whether for some delay `part` is as said.
    fn some(&mut self, bound: &'q [Term], part: &'q Term, wanted: bool) -> bool {
        let [Term::List(delay)] = bound else {
            panic!("{bound:?}")
        };
        let delay = name(&delay[0]);
        let step = if delay == "d!" { DELAY_STEP } else { 1 };
        (0..=self.end).step_by(step as usize).any(|value| {
            self.values.push((delay, value));
            let is_so = self.holds(part) == wanted;
            self.values.pop();
            is_so
        })
    }
}
