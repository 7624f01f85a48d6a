//! Plain code that runs the game of a chart and knows no zones.

use tamper_text::{Diagnostic, Id as _, ReadError, Severity};
use tamper_timed::model::{ActionId, Automaton, ClockConstraint, Edge, Expr, Guard, LocId, Role, Update, Urgency};
use tamper_uppaal::Document;

/// One run of a game in which everything that is due happens: plain code that knows no zones.
pub(super) struct Simulation {
    game: Automaton,
    at: LocId,
    now: i64,
    clocks: Vec<i64>,
    ints: Vec<i64>,
    trace: Vec<String>,
}

impl Simulation {
    pub fn new(game: Automaton) -> Self {
        let mut simulation = Self {
            at: game.initial(),
            now: 0,
            clocks: vec![0; game.clocks().len()],
            ints: game.ints().iter().map(|int| i64::from(int.initial)).collect(),
            trace: Vec::new(),
            game,
        };
        simulation.rush();
        simulation
    }

    fn value(&self, term: &Expr) -> i64 {
        match term {
            Expr::Const(value) => *value,
            Expr::Var(int) => self.ints[int.index()],
            Expr::Binary(tamper_timed::model::BinaryOp::Eq, left, right) => {
                i64::from(self.value(left) == self.value(right))
            }
            other => panic!("charts have no {other:?}"),
        }
    }

    fn holds(&self, guard: &Guard) -> bool {
        let atom = |atom: &ClockConstraint| {
            let (value, bound) = (self.clocks[atom.left.index()], self.value(&atom.bound));
            match atom.cmp.symbol() {
                "<" => value < bound,
                "<=" => value <= bound,
                "==" => value == bound,
                other => panic!("charts have no {other}"),
            }
        };
        guard.clocks.iter().all(atom) && guard.data.iter().all(|term| self.value(term) != 0)
    }

    fn enabled(&self, is_meant: impl Fn(ActionId) -> bool) -> Vec<Edge> {
        let edges = self
            .game
            .edges()
            .iter()
            .filter(|edge| edge.source == self.at && is_meant(edge.action));
        edges
            .filter(|edge| self.holds(&edge.guard))
            .map(|edge| Edge::clone(edge))
            .collect()
    }

    fn take(&mut self, edge: &Edge) {
        let action = &self.game.actions()[edge.action];
        if action.role == Role::Output {
            self.trace.push(format!("{} {}", self.now, action.name));
        }
        for update in &edge.updates {
            match update {
                Update::Reset(clock, value) => self.clocks[clock.index()] = self.value(value),
                Update::Assign(int, value) => self.ints[int.index()] = self.value(value),
            }
        }
        self.at = edge.target;
    }

    /// Lets time pass until `end`; all that is due happens, also at the end.
    fn settle(&mut self, end: i64) {
        let game = self.game.clone();
        for step in 0.. {
            assert!(step < 10_000, "the game does not come to rest: {:?}", self.trace);
            let mut enabled = self.enabled(|action| game.actions()[action].role != Role::Input);
            assert!(enabled.len() < 2, "two timers go at once");
            if let Some(edge) = enabled.pop() {
                self.take(&edge);
                continue;
            }
            let location = &game.locations()[self.at];
            assert!(location.urgency == Urgency::Normal, "stuck in {}", location.name);
            let left = location.invariant.clocks.iter();
            let left = left
                .map(|atom| self.value(&atom.bound) - self.clocks[atom.left.index()])
                .min();
            let pass = left.unwrap_or(i64::MAX).min(end - self.now);
            assert!(pass >= 0, "too late in {}", location.name);
            if pass == 0 {
                return;
            }
            self.now += pass;
            self.clocks.iter_mut().for_each(|clock| *clock += pass);
        }
    }

    /// An input; one that nothing accepts is ignored. Nothing else happens that could wait.
    fn input(&mut self, name: &str) {
        let game = self.game.clone();
        let meant = |action: ActionId| {
            let action = &game.actions()[action];
            action.role == Role::Input && *action.name == *name
        };
        let mut enabled = self.enabled(meant);
        let guard = name.strip_suffix("_true").or(name.strip_suffix("_false"));
        if let Some(guard) = guard.filter(|_| enabled.is_empty()) {
            // Whoever tests the program may set a guard while nothing reads it.
            if let Some((id, _)) = game.ints().iter_enumerated().find(|(_, int)| *int.name == *guard) {
                self.ints[id.index()] = i64::from(name.ends_with("_true"));
            }
            return;
        }
        assert!(enabled.len() < 2, "two ways to take {name}");
        if let Some(edge) = enabled.pop() {
            self.take(&edge);
        }
        self.rush();
    }

    /// What cannot wait happens.
    fn rush(&mut self) {
        let game = self.game.clone();
        while game.locations()[self.at].urgency != Urgency::Normal {
            let mut next = self.enabled(|action| game.actions()[action].role != Role::Input);
            assert!(next.len() == 1, "stuck in {}", game.locations()[self.at].name);
            next.pop().iter().for_each(|edge| self.take(edge));
        }
    }

    /// `E` is an input, `600` a delay.
    pub fn script(mut self, script: &str) -> String {
        for word in script.split_whitespace() {
            match word.parse::<i64>() {
                Ok(delay) => self.settle(self.now + delay),
                Err(_) => self.input(word),
            }
        }
        self.trace.join("; ")
    }
}

/// Why a chart is refused.
fn reason(error: &ReadError) -> String {
    let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
    let first = error.diagnostics.iter().find(is_error).unwrap();
    first.message.split('`').next().unwrap_or_default().to_owned()
}

/// Reads the charts of a file with one case per line as games, and compares what these do with what the line says.
pub(super) fn compare(path: &str, read: impl Fn(&[u8]) -> Result<(Document, Vec<Diagnostic>), ReadError>) {
    let text = std::fs::read_to_string(path).unwrap();
    let (mut same, mut differ, mut refused) = (0, 0, 0);
    // Charts whose variables are inputs of the game, which the line does not set; and those whose variables are followed.
    let (mut free, mut followed) = (0, 0);
    // Of charts with a mistake: by operator, how many differ and how many are the same.
    let mut mistakes: std::collections::BTreeMap<&str, [usize; 2]> = std::collections::BTreeMap::new();
    let mut reasons = std::collections::BTreeMap::new();
    let mut absent = std::collections::BTreeMap::new();
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let chart = case["text"].as_str().unwrap();
        let (document, warnings) = match read(chart.as_bytes()) {
            Ok(read) => read,
            Err(error) => {
                refused += 1;
                *reasons.entry(reason(&error)).or_insert(0) += 1;
                continue;
            }
        };
        let is_input = |said: &Diagnostic| said.message.contains("is an input") && !said.message.starts_with("`G.");
        let is_free = |warnings: &[Diagnostic]| chart.contains("<data") && warnings.iter().any(is_input);
        if is_free(&warnings) {
            free += 1;
            continue;
        }
        followed += usize::from(chart.contains("<data") && chart.contains("<assign"));
        let script = case["script"].as_str().unwrap();
        let trace = Simulation::new(document.automata()[0].clone()).script(script);
        let is_too_large = warnings
            .iter()
            .any(|said| said.message.contains("too large for mistakes"));
        for mistake in case["mistakes"].as_array().into_iter().flatten() {
            let variants = document.automata()[0].variants().all();
            let names: std::collections::BTreeSet<_> = variants.iter().map(|it| (it.operator, &it.name)).collect();
            assert_eq!(names.len(), variants.len(), "two mistakes have one name: {chart}");
            let (operator, name, expected) = (&mistake["operator"], &mistake["name"], &mistake["trace"]);
            let it = variants
                .iter()
                .find(|it| *operator == *it.operator && *name == *it.name);
            let Some(variant) = it else {
                // Games that are the same are left out, and charts without an exact meaning.
                let is_same = *expected == case["trace"];
                let reason = match read(mistake["text"].as_str().unwrap().as_bytes()) {
                    _ if is_too_large => "the chart is too large for mistakes".to_owned(),
                    Err(error) => reason(&error),
                    Ok((other, _)) if other.automata()[0] == document.automata()[0] => "the same game".to_owned(),
                    Ok(_) if is_same => "the same trace".to_owned(),
                    Ok((_, warnings)) if is_free(&warnings) => "variables are not followed".to_owned(),
                    Ok(_) => {
                        differ += 1;
                        println!("{chart}\n{operator} {name} is missing\n");
                        "missing".to_owned()
                    }
                };
                *absent.entry(reason).or_insert(0) += 1;
                continue;
            };
            let trace = Simulation::new(variant.game.clone()).script(script);
            let is_same = *expected == trace;
            mistakes.entry(variant.operator).or_insert([0; 2])[usize::from(is_same)] += 1;
            if !is_same {
                differ += 1;
                println!(
                    "{chart}\n{operator} {name}\nscript   {script}\ngame     {trace:.500}\nexpected {expected:.500}\n"
                );
            }
        }
        let expected = case["trace"].as_str().unwrap();
        match trace == expected {
            true => same += 1,
            false => {
                differ += 1;
                if differ < 6 {
                    println!(
                        "{chart}\nscript   {}\ngame     {trace:.500}\nexpected {expected:.500}\n",
                        case["script"]
                    );
                }
            }
        }
    }
    println!(
        "{same} same, {differ} differ, {refused} refused: {reasons:?}; variables: {followed} followed, {free} inputs"
    );
    println!("with a mistake, by operator: differ and same: {mistakes:?}; absent: {absent:?}");
    assert_eq!(differ, 0);
    assert!(same > 0);
}
