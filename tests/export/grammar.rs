//! Recognisers of what the documentation of TChecker and the grammars of the Ecdar engines allow. They share no code
//! with the readers.

use std::collections::BTreeSet;

use serde_json::Value;

/// A recogniser of expressions, at a place in a list of tokens.
struct Expressions<'a> {
    tokens: Vec<&'a str>,
    at: usize,
    /// Whether the language is TChecker's.
    tchecker: bool,
}

const SIGNS: [&str; 19] = [
    "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "*", "/", "%", "(", ")", "=", ";", ",",
];

fn tokens(text: &str) -> Option<Vec<&str>> {
    let mut list = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match first {
            _ if word(first) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            _ => SIGNS.iter().find(|sign| rest.starts_with(**sign))?.len(),
        };
        list.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Some(list)
}

impl<'a> Expressions<'a> {
    fn new(text: &'a str, tchecker: bool) -> Option<Self> {
        Some(Self {
            tokens: tokens(text)?,
            at: 0,
            tchecker,
        })
    }
    fn eat(&mut self, wanted: &str) -> bool {
        let found = self.tokens.get(self.at) == Some(&wanted);
        self.at += usize::from(found);
        found
    }
    /// Tries `parse`; what it read is given back if it fails.
    fn attempt(&mut self, parse: impl FnOnce(&mut Self) -> bool) -> bool {
        let start = self.at;
        let found = parse(self);
        if !found {
            self.at = start;
        }
        found
    }

    /// `expr ::= atomic_expr | atomic_expr && expr` (TChecker); conjunctions of disjunctions of comparisons (Ecdar).
    fn condition(&mut self) -> bool {
        let mut good = self.part();
        while good && self.eat("&&") {
            good = self.part();
        }
        good
    }
    fn part(&mut self) -> bool {
        let mut good = self.atom();
        while good && !self.tchecker && self.eat("||") {
            good = self.atom();
        }
        good
    }
    fn atom(&mut self) -> bool {
        if self.tchecker && self.eat("!") {
            return self.atom();
        }
        self.attempt(Self::comparison)
            || self.attempt(|this| {
                // A bracket holds one predicate in TChecker, any condition in Ecdar.
                let inside = if this.tchecker { Self::atom } else { Self::condition };
                this.eat("(") && inside(this) && this.eat(")")
            })
            || self.term()
    }
    fn comparison(&mut self) -> bool {
        let operators: &[&str] = match self.tchecker {
            true => &["==", "!=", "<=", ">=", "<", ">"],
            false => &["==", "<=", ">=", "<", ">"],
        };
        self.term() && operators.iter().any(|operator| self.eat(operator)) && self.term()
    }
    fn term(&mut self) -> bool {
        let mut good = self.factor();
        while good && ["+", "-", "*", "/", "%"].iter().any(|operator| self.eat(operator)) {
            good = self.factor();
        }
        good
    }
    fn factor(&mut self) -> bool {
        if self.tchecker && self.eat("-") {
            return self.factor();
        }
        if self.eat("(") {
            if self.tchecker && self.eat("if") {
                return self.condition()
                    && self.eat("then")
                    && self.term()
                    && self.eat("else")
                    && self.term()
                    && self.eat(")");
            }
            return self.term() && self.eat(")");
        }
        let word = self.tokens.get(self.at).is_some_and(|token| !SIGNS.contains(token));
        self.at += usize::from(word);
        word
    }
    /// `v = term`, separated.
    fn assignments(&mut self, separator: &str) -> bool {
        loop {
            if !(self.factor() && self.eat("=") && self.term()) {
                return false;
            }
            if !self.eat(separator) {
                return true;
            }
        }
    }
    fn is_at_end(&self) -> bool {
        self.at == self.tokens.len()
    }
}

fn is_condition(text: &str, tchecker: bool) -> bool {
    Expressions::new(text, tchecker).is_some_and(|mut found| found.condition() && found.is_at_end())
}

fn is_update(text: &str, tchecker: bool) -> bool {
    let separator = if tchecker { ";" } else { "," };
    Expressions::new(text, tchecker).is_some_and(|mut found| found.assignments(separator) && found.is_at_end())
}

fn is_name(text: &str) -> bool {
    const WORDS: [&str; 8] = ["clock", "edge", "event", "int", "location", "process", "sync", "system"];
    let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(letters)
        && !WORDS.contains(&text)
}

/// What is wrong with `text` as a TChecker file by its documentation (`doc/file-format.md`).
pub fn tchecker_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut declared = BTreeSet::<(&str, String)>::new();
    let mut n_lines = 0;
    for line in text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
    {
        n_lines += 1;
        let (head, attributes) = line.split_once('{').unwrap_or((line, "}"));
        let mut fields = head.split(':');
        let kind = fields.next().unwrap_or_default();
        let fields: Vec<&str> = fields.collect();
        let mut fault = |what: &str| faults.push(format!("{what}: {line}"));
        if (n_lines == 1) != (kind == "system") {
            fault("the system is the first declaration, and only that");
        }
        let name = fields.last().copied().unwrap_or_default();
        let number = |text: &str| text.parse::<i32>().is_ok();
        let new = match (kind, &fields[..]) {
            ("system" | "process" | "event", [name]) => Some(((*name).to_owned(), is_name(name))),
            ("clock", ["1", name]) => Some(((*name).to_owned(), is_name(name))),
            ("int", ["1", low, high, initial, name]) => {
                let numbers = number(low) && number(high) && number(initial);
                Some(((*name).to_owned(), numbers && is_name(name)))
            }
            ("location", [process, name]) => {
                let known = declared.contains(&("process", (*process).to_owned()));
                Some((format!("{process}:{name}"), known && is_name(name)))
            }
            ("edge", [process, source, target, event]) => {
                let ends = [source, target]
                    .iter()
                    .all(|end| declared.contains(&("location", format!("{process}:{end}"))));
                if !ends || !declared.contains(&("event", (*event).to_owned())) {
                    fault("something undeclared");
                }
                None
            }
            _ => {
                fault("no declaration");
                None
            }
        };
        if let Some((new, good)) = new {
            if !good {
                fault("a malformed declaration");
            }
            if !declared.insert((kind, new)) {
                fault(&format!("{name} is declared twice"));
            }
        }
        faults.extend(
            attribute_faults(kind, attributes)
                .into_iter()
                .map(|what| format!("{what}: {line}")),
        );
    }
    let initial = text.lines().filter(|line| line.contains("initial:")).count();
    if initial != 1 {
        faults.push(format!("{initial} initial locations"));
    }
    faults
}

fn attribute_faults(kind: &str, attributes: &str) -> Vec<&'static str> {
    let Some(inside) = attributes.strip_suffix('}') else {
        return vec!["attributes that do not end with the line"];
    };
    if inside.is_empty() {
        return Vec::new();
    }
    let items: Vec<&str> = inside.split(':').collect();
    if !items.len().is_multiple_of(2) || inside.contains(['{', '}', '@', '#']) {
        return vec!["attributes that are no pairs"];
    }
    let good = |pair: &[&str]| match (kind, pair[0], pair[1]) {
        ("location", "initial" | "urgent" | "committed", "") => true,
        ("location", "invariant", text) | ("edge", "provided", text) => is_condition(text, true),
        ("edge", "do", text) => is_update(text, true),
        _ => false,
    };
    match items.chunks(2).all(good) {
        true => Vec::new(),
        false => vec!["an attribute that the documentation does not have"],
    }
}

/// What is wrong with `value` as a component by the engines' readers.
pub fn component_faults(value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
    let mut demand = |good: bool, what: String| {
        if !good {
            faults.push(what);
        }
    };
    demand(
        text(value, "name").is_some_and(|name| is_name(&name)),
        "no name".to_owned(),
    );
    demand(text(value, "declarations").is_some(), "no declarations".to_owned());
    let empty = Vec::new();
    let locations = value["locations"].as_array().unwrap_or(&empty);
    let ids: BTreeSet<_> = locations.iter().filter_map(|location| text(location, "id")).collect();
    demand(ids.len() == locations.len(), "ids that are not unique".to_owned());
    let initial = locations
        .iter()
        .filter(|location| location["type"] == "INITIAL")
        .count();
    demand(initial == 1, format!("{initial} initial locations"));
    for location in locations {
        let invariant = text(location, "invariant");
        let good = invariant.is_some_and(|text| text.is_empty() || is_condition(&text, false))
            && ["NORMAL", "INITIAL"].iter().any(|kind| location["type"] == *kind)
            && ["NORMAL", "URGENT", "COMMITTED"]
                .iter()
                .any(|kind| location["urgency"] == *kind)
            && ["x", "y", "nicknameX", "nicknameY", "invariantX", "invariantY"]
                .iter()
                .all(|key| location[*key].is_number())
            && text(location, "nickname").is_some();
        demand(good, format!("a malformed location {location}"));
    }
    for edge in value["edges"].as_array().unwrap_or(&empty) {
        let known = |key: &str| text(edge, key).is_some_and(|end| ids.contains(&end));
        let optional = |key: &str, good: fn(&str, bool) -> bool| {
            text(edge, key).is_some_and(|text| text.is_empty() || good(&text, false))
        };
        let good = known("sourceLocation")
            && known("targetLocation")
            && ["INPUT", "OUTPUT"].iter().any(|status| edge["status"] == *status)
            && optional("guard", is_condition)
            && optional("update", is_update)
            && text(edge, "sync").is_some_and(|sync| is_name(&sync))
            && text(edge, "select").is_some()
            && edge["nails"]
                .as_array()
                .is_some_and(|nails| nails.iter().all(|nail| nail["x"].is_number()));
        demand(good, format!("a malformed edge {edge}"));
    }
    faults
}

#[test]
fn the_recognisers_tell_good_from_bad() {
    for good in [
        "x<=5",
        "x-y<3&&(i==1)",
        "!(i==1)&&x>(i+1)",
        "(if (i==0) then 1 else 2)<x",
        "i",
        "x>(-3)",
    ] {
        assert!(is_condition(good, true), "{good}");
    }
    for bad in ["x<=", "x<5||y<5", "(x<5&&y<5)&&z<5", "x=5", "if i then 1 else 2", ""] {
        assert!(!is_condition(bad, true), "{bad}");
    }
    assert!(is_condition("x<5&&((i==1)||(j==2))", false) && !is_condition("i!=1", false));
    assert!(is_update("x=0;i=(i+1)", true) && is_update("x=0, i=1", false) && !is_update("x=0;", true));
    let file = "system:S\nprocess:P\nevent:a\nlocation:P:l{initial::invariant:x<=2}\nedge:P:l:l:a{do:x=0}\n";
    assert_eq!(tchecker_faults(file), [""; 0]);
    assert_eq!(tchecker_faults(&file.replace("P:l:l:a", "P:l:m:a")).len(), 1);
    assert_eq!(tchecker_faults(&file.replace("x<=2", "x<=2||x>3")).len(), 1);
}
