//! Games written by hand, one declaration per line (what [`show`](super::show) prints can be read back):
//!
//! ```text
//! clock x y
//! int i 0..2 = 1
//! action urgent o!
//! loc l0 inv x<=2 && x-y<1
//! loc l1 urgent
//! edge l0 -> l1 : a? select s 0..1 when x>=s && i==1 do x:=0, i:=(i+1)%3
//! input-enabled
//! ```
//! The first location is the initial one. `tau` is the internal action.

use tamper_text::Id;
use tamper_timed::model::{
    Automaton, AutomatonBuilder, BinaryOp, ClockConstraint, ClockId, Cmp, Edge, Expr, Guard, IntId, IntVar, LocId,
    Location, Role, Select, Update, Urgency,
};

/// The game that `text` describes.
pub fn game(name: &str, text: &str) -> Automaton {
    let mut reader = Reader {
        builder: AutomatonBuilder::new(name),
        clocks: Vec::new(),
        ints: Vec::new(),
        locations: Vec::new(),
        selects: Vec::new(),
    };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        reader.line(line);
    }
    reader.builder.initial(LocId::from_index(0));
    reader
        .builder
        .build()
        .unwrap_or_else(|errors| panic!("{errors:?} in\n{text}"))
}

struct Reader {
    builder: AutomatonBuilder,
    clocks: Vec<String>,
    ints: Vec<String>,
    locations: Vec<String>,
    selects: Vec<String>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let (keyword, rest) = line.split_once(' ').unwrap_or((line, ""));
        match keyword {
            "clock" => {
                for name in rest.split_whitespace() {
                    self.builder.clock(name);
                    self.clocks.push(name.into());
                }
            }
            "int" => {
                let (declared, initial) = rest.split_once(" = ").expect("an initial value");
                let (name, low, high) = range(declared);
                self.ints.push(name.clone());
                let initial = initial.parse().unwrap();
                self.builder.int(IntVar {
                    name: name.into(),
                    low,
                    high,
                    initial,
                });
            }
            "action" => {
                let (urgent, label) = rest
                    .strip_prefix("urgent ")
                    .map_or((false, rest), |label| (true, label));
                self.action(label, urgent);
            }
            "loc" => self.location(rest),
            "edge" => self.edge(rest),
            "input-enabled" => self.builder.input_enabled(true),
            _ => panic!("`{line}` is no declaration"),
        }
    }

    fn action(&mut self, label: &str, urgent: bool) -> tamper_timed::model::ActionId {
        if let Some(name) = label.strip_suffix('?') {
            self.builder.action(name, Role::Input, urgent)
        } else if let Some(name) = label.strip_suffix('!') {
            self.builder.action(name, Role::Output, urgent)
        } else {
            assert_eq!(label, "tau");
            self.builder.action("tau", Role::Internal, urgent)
        }
    }

    fn location(&mut self, text: &str) {
        let (head, invariant) = text.split_once(" inv ").unwrap_or((text, ""));
        let (name, urgency) = match head.split_once(' ') {
            None => (head, Urgency::Normal),
            Some((name, "urgent")) => (name, Urgency::Urgent),
            Some((name, "committed")) => (name, Urgency::Committed),
            Some(_) => panic!("`{head}`"),
        };
        let invariant = self.guard(invariant);
        self.builder.location(Location {
            name: name.into(),
            invariant,
            urgency,
        });
        self.locations.push(name.into());
    }

    fn edge(&mut self, text: &str) {
        let (ends, label) = text.split_once(" : ").expect("an action");
        let (source, target) = ends.split_once(" -> ").expect("an arrow");
        let (label, updates) = label.split_once(" do ").unwrap_or((label, ""));
        let (label, guard) = label.split_once(" when ").unwrap_or((label, ""));
        let (label, selects) = label.split_once(" select ").unwrap_or((label, ""));
        let find = |name: &str| LocId::from_index(position(&self.locations, name).expect("a location"));
        let (source, target) = (find(source), find(target));
        let ranges: Vec<_> = parts(selects, ",").map(range).collect();
        self.selects = ranges.iter().map(|(name, _, _)| name.clone()).collect();
        let edge = Edge {
            source,
            target,
            action: self.action(label, false),
            guard: self.guard(guard),
            updates: parts(updates, ",").map(|update| self.update(update)).collect(),
            selects: ranges
                .into_iter()
                .map(|(name, low, high)| Select {
                    name: name.into(),
                    low,
                    high,
                })
                .collect(),
        };
        self.builder.edge(edge);
        self.selects.clear();
    }

    fn update(&self, text: &str) -> Update {
        let (name, value) = text.split_once(":=").expect("an assignment");
        match position(&self.clocks, name.trim()) {
            Some(clock) => Update::Reset(ClockId::from_index(clock), self.expr(value)),
            None => Update::Assign(
                IntId::from_index(position(&self.ints, name.trim()).expect("a variable")),
                self.expr(value),
            ),
        }
    }

    fn guard(&self, text: &str) -> Guard {
        let mut guard = Guard::always();
        for atom in parts(text, "&&") {
            let (op, at, symbol) = comparison(atom);
            let (left, right) = (atom[..at].trim(), &atom[at + symbol.len()..]);
            let (minuend, subtrahend) = left
                .split_once('-')
                .map_or((left, None), |(a, b)| (a.trim(), Some(b.trim())));
            let bound = self.expr(right);
            match position(&self.clocks, minuend) {
                Some(clock) => guard.clocks.push(ClockConstraint {
                    left: ClockId::from_index(clock),
                    right: subtrahend.map(|name| ClockId::from_index(position(&self.clocks, name).expect("a clock"))),
                    cmp: clock_cmp(op),
                    bound,
                }),
                None => guard
                    .data
                    .push(Expr::Binary(op, Box::new(self.expr(left)), Box::new(bound))),
            }
        }
        guard
    }

    fn expr(&self, text: &str) -> Expr {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (expr, rest) = self.sum(&compact);
        assert_eq!(rest, "", "in `{text}`");
        expr
    }

    fn sum<'a>(&self, text: &'a str) -> (Expr, &'a str) {
        self.chain(text, &[('+', BinaryOp::Add), ('-', BinaryOp::Sub)], Self::product)
    }

    fn product<'a>(&self, text: &'a str) -> (Expr, &'a str) {
        self.chain(text, &[('*', BinaryOp::Mul), ('%', BinaryOp::Rem)], Self::atom)
    }

    fn chain<'a>(
        &self,
        text: &'a str,
        ops: &[(char, BinaryOp)],
        part: fn(&Self, &'a str) -> (Expr, &'a str),
    ) -> (Expr, &'a str) {
        let (mut left, mut rest) = part(self, text);
        while let Some((symbol, op)) = ops.iter().find(|(symbol, _)| rest.starts_with(*symbol)) {
            let (right, after) = part(self, &rest[symbol.len_utf8()..]);
            (left, rest) = (Expr::Binary(*op, Box::new(left), Box::new(right)), after);
        }
        (left, rest)
    }

    fn atom<'a>(&self, text: &'a str) -> (Expr, &'a str) {
        if let Some(inner) = text.strip_prefix('(') {
            let (expr, rest) = self.sum(inner);
            return (expr, rest.strip_prefix(')').expect("a closing parenthesis"));
        }
        let negative = text.starts_with('-');
        let digits = text.strip_prefix('-').unwrap_or(text);
        let end = digits
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(digits.len());
        let (word, rest) = digits.split_at(end);
        if let Ok(value) = word.parse::<i64>() {
            return (Expr::Const(if negative { -value } else { value }), rest);
        }
        assert!(!negative, "`{text}`");
        let expr = match (position(&self.selects, word), position(&self.ints, word)) {
            (Some(select), _) => Expr::Select(u32::try_from(select).unwrap()),
            (None, Some(int)) => Expr::Var(IntId::from_index(int)),
            (None, None) => panic!("`{word}` is not declared"),
        };
        (expr, rest)
    }
}

fn position(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|known| known == name)
}

fn parts<'a>(text: &'a str, separator: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(separator).map(str::trim).filter(|part| !part.is_empty())
}

fn range(text: &str) -> (String, i32, i32) {
    let (name, bounds) = text.trim().split_once(' ').expect("a range");
    let (low, high) = bounds.split_once("..").expect("a range");
    (name.into(), low.trim().parse().unwrap(), high.trim().parse().unwrap())
}

fn comparison(atom: &str) -> (BinaryOp, usize, &'static str) {
    const SYMBOLS: [(&str, BinaryOp); 6] = [
        ("<=", BinaryOp::Le),
        (">=", BinaryOp::Ge),
        ("==", BinaryOp::Eq),
        ("!=", BinaryOp::Ne),
        ("<", BinaryOp::Lt),
        (">", BinaryOp::Gt),
    ];
    let found = SYMBOLS
        .iter()
        .find_map(|(symbol, op)| atom.find(symbol).map(|at| (*op, at, *symbol)));
    found.unwrap_or_else(|| panic!("`{atom}` compares nothing"))
}

fn clock_cmp(op: BinaryOp) -> Cmp {
    match op {
        BinaryOp::Lt => Cmp::Lt,
        BinaryOp::Le => Cmp::Le,
        BinaryOp::Eq => Cmp::Eq,
        BinaryOp::Ge => Cmp::Ge,
        BinaryOp::Gt => Cmp::Gt,
        _ => panic!("clocks are not compared with {op:?}"),
    }
}
