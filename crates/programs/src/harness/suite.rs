//! Timed tests, written by {{tool}} for cargo test: programs of tokio, in virtual time.
//!
//! This file is one of the folder `tests` of your package. Your adapter is `tests/adapter/mod.rs`, with `start` and `UNIT` as in the one that
//! `tamper new-adapter tokio` prints: the same for `tamper run`. Among the dev-dependencies there must be the kit:
//!
//!     tamper-sut = { git = "https://github.com/tamper-contributors/tamper", features = ["tokio"] }
//!
//! Each test has a runtime of its own, as `#[tokio::test(start_paused = true)]` makes it: no time passes while anything can run.
//! A test that sees nothing wrong and does not come to its purpose passes, too; `cargo test -- --show-output` shows the reason.

use std::fmt;

use tamper_sut::VirtualTokio;

#[allow(dead_code)]
mod adapter;

const MODEL: &str = {{title}};
const TIME_UNIT: &str = {{unit}};

/// Whether a refused input is a fail, or is ignored.
const REFUSALS_FAIL: bool = {{refusals}};

#[rustfmt::skip]
const TESTS: &[Test] = &[
{{tests}}];

/// The tests by name.
mod suite {
    use super::{Wrong, check};

{{names}}}

const PASS: i64 = -1;
const FAIL: i64 = -2;
const INCONCLUSIVE: i64 = -3;
const MOST_STEPS: usize = 100_000;

/// A clock, or what one is more than another, beside a bound.
struct Atom {
    left: usize,
    right: Option<usize>,
    sign: Sign,
    bound: Time,
}

#[allow(dead_code)]
#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Lt,
    Le,
    Eq,
    Ge,
    Gt,
}

struct Reset {
    clock: usize,
    value: i128,
}

/// Where a test goes: a node, or a verdict below 0.
struct Jump {
    when: &'static [Atom],
    resets: &'static [Reset],
    next: i64,
}

struct Rule {
    from: &'static [Atom],
    when: &'static [Atom],
    input: Option<&'static str>,
    then: &'static [Jump],
    stop: i64,
}

struct Output {
    action: &'static str,
    jump: Jump,
}

struct Node {
    rules: &'static [Rule],
    outputs: &'static [Output],
    otherwise: i64,
}

struct Test {
    id: &'static str,
    purpose: &'static str,
    clocks: usize,
    nodes: &'static [Node],
}

/// Why a test fails, shown as it is.
struct Wrong(String);

impl fmt::Debug for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An exact number of time units: `bottom` is above 0.
#[derive(Clone, Copy, PartialEq)]
struct Time {
    top: i128,
    bottom: i128,
}

const ZERO: Time = Time { top: 0, bottom: 1 };

impl Time {
    fn new(top: i128, bottom: i128) -> Self {
        let (mut common, mut rest) = (top.abs(), bottom);
        while rest != 0 {
            (common, rest) = (rest, common % rest);
        }
        let time = Self { top: top / common, bottom: bottom / common };
        let fits = time.top.abs() < 1 << 62 && time.bottom < 1 << 62;
        assert!(fits, "a time is too fine or too long for these tests");
        time
    }

    fn plus(self, other: Self) -> Self {
        Self::new(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Self { top: -other.top, ..other })
    }

    fn half(self) -> Self {
        Self::new(self.top, 2 * self.bottom)
    }
}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (self.top * other.bottom).partial_cmp(&(other.top * self.bottom))
    }
}

/// As a decimal, if twelve digits are enough.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut rest, mut digits) = (self.top % self.bottom, String::new());
        while rest != 0 && digits.len() < 12 {
            digits += &(rest * 10 / self.bottom).to_string();
            rest = rest * 10 % self.bottom;
        }
        match (rest, digits.is_empty()) {
            (0, true) => write!(f, "{}", self.top / self.bottom),
            (0, false) => write!(f, "{}.{digits}", self.top / self.bottom),
            _ => write!(f, "{}/{}", self.top, self.bottom),
        }
    }
}

fn holds_at(atom: &Atom, point: &[Time]) -> bool {
    let value = point[atom.left].minus(atom.right.map_or(ZERO, |right| point[right]));
    match atom.sign {
        Sign::Lt => value < atom.bound,
        Sign::Le => value <= atom.bound,
        Sign::Eq => value == atom.bound,
        Sign::Ge => value >= atom.bound,
        Sign::Gt => value > atom.bound,
    }
}

fn holds(condition: &[Atom], point: &[Time]) -> bool {
    condition.iter().all(|atom| holds_at(atom, point))
}

/// The delays after which a condition holds: from `low` on, or only `after` it; up to `high`, or only `before` it.
struct Window {
    low: Time,
    after: bool,
    high: Option<Time>,
    before: bool,
}

impl Window {
    fn of(condition: &[Atom], point: &[Time]) -> Option<Self> {
        let mut window = Self { low: ZERO, after: false, high: None, before: false };
        for atom in condition {
            if atom.right.is_none() {
                window.narrow(atom.sign, atom.bound.minus(point[atom.left]));
            } else if !holds_at(atom, point) {
                return None;
            }
        }
        let is_moment = !window.after && !window.before;
        let possible = |high: Time| high >= ZERO && (window.low < high || (window.low == high && is_moment));
        window.high.is_none_or(possible).then_some(window)
    }

    fn narrow(&mut self, sign: Sign, at: Time) {
        let (above, below) = (sign == Sign::Gt, sign == Sign::Lt);
        if !matches!(sign, Sign::Lt | Sign::Le) && (at > self.low || (at == self.low && above)) {
            (self.low, self.after) = (at, above);
        }
        if !matches!(sign, Sign::Gt | Sign::Ge) && self.high.is_none_or(|high| at < high || (at == high && below)) {
            (self.high, self.before) = (Some(at), below);
        }
    }

    /// The first delay, or one soon after where there is no first.
    fn earliest(&self) -> Time {
        if !self.after {
            return self.low;
        }
        let next = self.low.plus(Time { top: 1, bottom: 1 });
        let end = self.high.filter(|high| *high < next).unwrap_or(next);
        self.low.plus(end).half()
    }

    fn has_low(&self) -> bool {
        self.after || self.low != ZERO
    }

    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let begins = |window: &Self| (window.has_low(), window.low, window.after);
        begins(self).partial_cmp(&begins(other)).expect("times are in order")
    }

    /// Whether no moment lies between it and one that begins no earlier.
    fn meets(&self, next: &Self) -> bool {
        let touches = |high: Time| next.low < high || (next.low == high && !(next.after && self.before));
        !next.has_low() || self.high.is_none_or(touches)
    }

    fn join(&mut self, next: &Self) {
        let Some(high) = self.high else { return };
        if next.high.is_none_or(|more| more > high || (more == high && self.before)) {
            (self.high, self.before) = (next.high, next.before);
        }
    }

    /// The window in words, for one that waits from `now` on.
    fn words(&self, now: Time) -> String {
        let mut words = String::new();
        if self.has_low() && self.high == Some(self.low) && !self.after && !self.before {
            return format!(" at {}{TIME_UNIT}", now.plus(self.low));
        }
        if self.has_low() {
            words += &format!(" {} {}{TIME_UNIT}", if self.after { "after" } else { "from" }, now.plus(self.low));
        }
        if let Some(high) = self.high {
            words += &format!(" {} {}{TIME_UNIT}", if self.before { "before" } else { "by" }, now.plus(high));
        }
        words
    }
}

/// What a node allows, in words, if it allows anything; windows of an output that meet are one.
fn allowed(node: &Node, point: &[Time], now: Time) -> Option<String> {
    let mut joined: Vec<(&str, Window)> = Vec::new();
    let outputs = node.outputs.iter().filter(|output| output.jump.next != FAIL);
    let mut known: Vec<_> = outputs
        .filter_map(|output| Some((output.action, Window::of(output.jump.when, point)?)))
        .collect();
    known.sort_by(|one, other| one.0.cmp(other.0).then_with(|| one.1.order(&other.1)));
    for (action, window) in known {
        match joined.last_mut() {
            Some((last, before)) if *last == action && before.meets(&window) => before.join(&window),
            _ => joined.push((action, window)),
        }
    }
    joined.sort_by(|one, other| one.1.order(&other.1).then_with(|| one.0.cmp(other.0)));
    let words = joined.iter().map(|(action, window)| format!("{action}!{}", window.words(now)));
    (!joined.is_empty()).then(|| words.collect::<Vec<_>>().join(" or "))
}

/// Whether a test that ends in the node has seen all that it looks for: no output and no input leads on.
fn is_last(node: &Node, rule: &Rule) -> bool {
    let leads_on = |next: i64| next >= 0 || next == PASS;
    let outputs = node.outputs.iter().map(|output| output.jump.next);
    rule.input.is_none() && !outputs.chain([rule.stop, node.otherwise]).any(leads_on)
}

/// A run of a test.
struct Run {
    test: &'static Test,
    system: VirtualTokio,
    at: usize,
    now: Time,
    clocks: Vec<Time>,
    watched: bool,
    log: Vec<String>,
}

impl Run {
    fn pass(&mut self, delay: Time) {
        self.now = self.now.plus(delay);
        for clock in &mut self.clocks {
            *clock = clock.plus(delay);
        }
    }

    fn note(&mut self, event: String) {
        self.log.push(format!("{event} at {}{TIME_UNIT}", self.now));
    }

    fn jump(&mut self, jump: Option<&Jump>, otherwise: i64) -> i64 {
        let Some(jump) = jump else { return otherwise };
        for reset in jump.resets {
            self.clocks[reset.clock] = Time { top: reset.value, bottom: 1 };
        }
        jump.next
    }

    /// Waits as long as that, or until an output: its name.
    fn wait(&mut self, delay: Time) -> Result<Option<String>, Wrong> {
        let number = |number: i128| u64::try_from(number).expect("delays are not negative");
        let heard = self.system.wait(number(delay.top), number(delay.bottom));
        let heard = heard.map_err(|why| Wrong(format!("the program cannot be tested: {why}")))?;
        self.pass(heard.as_ref().map_or(delay, |output| Time::new(output.top.into(), output.bottom.into())));
        Ok(heard.map(|output| output.action))
    }

    /// Waits and acts in a node; where the test goes, and what was wrong if it fails.
    fn step(&mut self) -> Result<(i64, String), Wrong> {
        let (node, entered, before) = (&self.test.nodes[self.at], self.now, self.clocks.clone());
        let rule = node.rules.iter().find(|rule| holds(rule.from, &before));
        let found = rule.and_then(|rule| Some((rule, Window::of(rule.when, &before)?)));
        self.watched = found.as_ref().is_some_and(|(rule, _)| is_last(node, rule));
        let Some((rule, window)) = found else {
            return Ok((INCONCLUSIVE, String::new()));
        };
        let heard = self.wait(window.earliest())?;
        let expected = |none: &str| allowed(node, &before, entered).unwrap_or_else(|| none.to_owned());
        let now = self.now;
        if let Some(action) = heard {
            self.note(format!("{action}!"));
            let named = node.outputs.iter().filter(|output| output.action == action);
            let jump = named.map(|output| &output.jump).find(|jump| holds(jump.when, &self.clocks));
            let expected = expected("no output");
            let is_it = expected.starts_with(&format!("{action}! ")) && !expected.contains(" or ");
            let it = if is_it { "it".to_owned() } else { format!("{action}!") };
            let wrong = format!("expected {expected}; {it} came at {now}{TIME_UNIT}");
            return Ok((self.jump(jump, node.otherwise), wrong));
        }
        let Some(action) = rule.input else {
            return Ok((rule.stop, format!("expected {}; nothing came by {now}{TIME_UNIT}", expected("an output"))));
        };
        self.note(format!("{action}?"));
        if !self.system.give(action) && REFUSALS_FAIL {
            return Ok((FAIL, format!("expected {action}? to be accepted; it was refused at {now}{TIME_UNIT}")));
        }
        let jump = rule.then.iter().find(|jump| holds(jump.when, &self.clocks));
        let wrong = format!("expected {action}? to be refused; it was accepted at {now}{TIME_UNIT}");
        Ok((self.jump(jump, PASS), wrong))
    }

    fn verdict(&mut self) -> Result<(i64, String), Wrong> {
        for _ in 0..MOST_STEPS {
            let (next, wrong) = self.step()?;
            match usize::try_from(next) {
                Ok(node) => self.at = node,
                Err(_) => return Ok((next, wrong)),
            }
        }
        self.watched = false;
        Ok((INCONCLUSIVE, String::new()))
    }
}

fn check(at: usize) -> Result<(), Wrong> {
    let test = &TESTS[at];
    let (system, clocks) = (VirtualTokio::new(adapter::UNIT, adapter::start), vec![ZERO; test.clocks]);
    let mut run = Run { test, system, at: 0, now: ZERO, clocks, watched: false, log: Vec::new() };
    let (verdict, wrong) = run.verdict()?;
    let (id, purpose) = (test.id, test.purpose);
    if verdict == FAIL {
        let log = if run.log.is_empty() { "nothing".to_owned() } else { run.log.join(", ") };
        return Err(Wrong(format!("{wrong} ({purpose})\nlog: {log}")));
    }
    if verdict == INCONCLUSIVE && !run.watched {
        println!("{id} of {MODEL} is inconclusive: all was allowed, and the test did not come to its purpose ({purpose})");
    }
    Ok(())
}
