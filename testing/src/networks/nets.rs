//! Small networks as plain data and as UPPAAL files. Knows nothing of `tamper::network`.

use std::fmt::Write as _;

pub use super::draw::{broadcasting, random, with_deadlines, with_signals, with_starts, with_urgent_guards};

/// A generator of numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    pub fn number(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }
}

/// The largest constant a clock is compared with.
pub const MOST: i64 = 3;

#[derive(Clone, Debug)]
pub struct Net {
    /// Least, greatest and initial value.
    pub vars: Vec<(i64, i64, i64)>,
    pub n_clocks: usize,
    /// The values of the clocks at the start; 0 of those that are not listed.
    pub starts: Vec<i64>,
    pub chans: Vec<Chan>,
    pub procs: Vec<Proc>,
    /// Whether what happens inside the system is hidden.
    pub hide: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Chan {
    pub broadcast: bool,
    pub urgent: bool,
    pub priority: i64,
}

#[derive(Clone, Debug)]
pub struct Proc {
    pub locs: Vec<Loc>,
    pub edges: Vec<Edge>,
    pub priority: i64,
    pub environment: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    Normal,
    Urgent,
    Committed,
}

#[derive(Clone, Debug)]
pub struct Loc {
    pub urgency: Urgency,
    pub invariant: Vec<Atom>,
    /// `var <= number`, for an invariant on variables.
    pub data: Option<(usize, i64)>,
}

/// `clock sign number`
#[derive(Clone, Copy, Debug)]
pub struct Atom {
    pub clock: usize,
    pub sign: &'static str,
    pub number: i64,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub source: usize,
    pub target: usize,
    pub clocks: Vec<Atom>,
    /// `var sign number`
    pub data: Option<(usize, &'static str, i64)>,
    pub sync: Option<(usize, bool)>,
    pub updates: Vec<Update>,
}

#[derive(Clone, Copy, Debug)]
pub enum Update {
    Reset(usize, i64),
    Set(usize, i64),
    Add(usize, i64),
    /// Copies the second variable plus a number to the first.
    Copy(usize, usize, i64),
}

impl Net {
    /// The network as a UPPAAL file.
    pub fn xml(&self) -> String {
        let templates: String = (0..self.procs.len()).map(|at| self.template(at)).collect();
        format!(
            "<nta><declaration>{}</declaration>{templates}<system>{}</system></nta>",
            escape(&self.globals()),
            escape(&self.system())
        )
    }

    /// The network in UPPAAL's text format.
    pub fn xta(&self) -> String {
        let processes: String = (0..self.procs.len()).map(|at| self.process(at)).collect();
        format!("{}{processes}{}\n", self.globals(), self.system())
    }

    pub fn globals(&self) -> String {
        let mut globals = String::new();
        for (at, (low, high, initial)) in self.vars.iter().enumerate() {
            let _ = writeln!(globals, "int[{low},{high}] v{at} = {initial};");
        }
        let starts: Vec<String> = self.starts.iter().map(i64::to_string).collect();
        let starts = match starts.is_empty() {
            true => String::new(),
            false => format!(" = {{ {} }}", starts.join(", ")),
        };
        let _ = writeln!(globals, "clock x[{}]{starts};", self.n_clocks);
        for (at, chan) in self.chans.iter().enumerate() {
            let urgent = if chan.urgent { "urgent " } else { "" };
            let broadcast = if chan.broadcast { "broadcast " } else { "" };
            let _ = writeln!(globals, "{urgent}{broadcast}chan c{at};");
        }
        if self.chans.iter().any(|chan| chan.priority != 0) {
            let level = |priority: i64| {
                let chans = self
                    .chans
                    .iter()
                    .enumerate()
                    .filter(|(_, chan)| chan.priority == priority);
                chans.map(|(at, _)| format!("c{at}")).collect::<Vec<_>>()
            };
            let mut levels = vec![level(-1).join(","), "default".to_owned(), level(1).join(",")];
            levels.retain(|level| !level.is_empty());
            let _ = writeln!(globals, "chan priority {};", levels.join(" < "));
        }
        globals
    }

    pub fn system(&self) -> String {
        let mut system = String::new();
        for (at, process) in self.procs.iter().enumerate() {
            let sign = match at {
                0 => "system ",
                _ if process.priority > self.procs[at - 1].priority => " < ",
                _ => ", ",
            };
            let _ = write!(system, "{sign}P{at}");
        }
        system + ";"
    }

    fn process(&self, at: usize) -> String {
        let process = &self.procs[at];
        let in_state = |urgency| {
            let locs = process.locs.iter().enumerate();
            let names = locs.filter(move |(_, loc)| loc.urgency == urgency);
            names
                .map(|(index, _)| format!("L{index}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let states = process
            .locs
            .iter()
            .enumerate()
            .map(|(index, loc)| match loc.condition() {
                text if text.is_empty() => format!("L{index}"),
                text => format!("L{index} {{ {text} }}"),
            });
        let states: Vec<String> = states.collect();
        let mut text = format!("process P{at}() {{\n/* a comment; */ state {};\n", states.join(", "));
        for (word, urgency) in [("commit", Urgency::Committed), ("urgent", Urgency::Urgent)] {
            let names = in_state(urgency);
            if !names.is_empty() {
                let _ = writeln!(text, "{word} {names};");
            }
        }
        text.push_str("init L0;\n");
        let mut before = None;
        let mut list = Vec::new();
        for edge in &process.edges {
            let source = match before == Some(edge.source) {
                true => String::new(),
                false => format!("L{} ", edge.source),
            };
            before = Some(edge.source);
            let mut labels = String::new();
            for (word, label) in [
                ("guard", edge.condition()),
                ("sync", edge.sync()),
                ("assign", edge.assignment()),
            ] {
                if !label.is_empty() {
                    let _ = write!(labels, "{word} {label}; ");
                }
            }
            list.push(format!("  {source}-> L{} {{ {labels}}}", edge.target));
        }
        if !list.is_empty() {
            let _ = writeln!(text, "trans // {{ and ;\n{};", list.join(",\n"));
        }
        text + "}\n"
    }

    fn template(&self, at: usize) -> String {
        let process = &self.procs[at];
        let mut text = format!("<template><name>P{at}</name>");
        for (index, loc) in process.locs.iter().enumerate() {
            let urgency = match loc.urgency {
                Urgency::Normal => "",
                Urgency::Urgent => "<urgent/>",
                Urgency::Committed => "<committed/>",
            };
            let invariant = label("invariant", &loc.condition());
            let _ = write!(
                text,
                "<location id=\"p{at}l{index}\"><name>L{index}</name>{invariant}{urgency}</location>"
            );
        }
        let _ = write!(text, "<init ref=\"p{at}l0\"/>");
        for edge in &process.edges {
            let _ = write!(
                text,
                "<transition><source ref=\"p{at}l{}\"/><target ref=\"p{at}l{}\"/>{}{}{}</transition>",
                edge.source,
                edge.target,
                label("guard", &edge.condition()),
                label("synchronisation", &edge.sync()),
                label("assignment", &edge.assignment()),
            );
        }
        text + "</template>"
    }
}

impl Loc {
    pub fn condition(&self) -> String {
        let mut parts: Vec<String> = self.invariant.iter().map(shown).collect();
        parts.extend(self.data.map(|(var, number)| format!("v{var} <= {number}")));
        parts.join(" && ")
    }
}

impl Edge {
    pub fn condition(&self) -> String {
        let mut parts: Vec<String> = self.clocks.iter().map(shown).collect();
        parts.extend(self.data.map(|(var, sign, number)| format!("v{var} {sign} {number}")));
        parts.join(" && ")
    }

    pub fn sync(&self) -> String {
        let sync = self
            .sync
            .map(|(chan, sends)| format!("c{chan}{}", if sends { "!" } else { "?" }));
        sync.unwrap_or_default()
    }

    pub fn assignment(&self) -> String {
        let updates = self.updates.iter().map(|update| match update {
            Update::Reset(clock, value) => format!("x[{clock}] = {value}"),
            Update::Set(var, value) => format!("v{var} = {value}"),
            Update::Add(var, by) => format!("v{var} += {by}"),
            Update::Copy(to, from, plus) => format!("v{to} = v{from} + {plus}"),
        });
        updates.collect::<Vec<_>>().join(", ")
    }
}

fn shown(atom: &Atom) -> String {
    format!("x[{}] {} {}", atom.clock, atom.sign, atom.number)
}

pub fn label(kind: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<label kind=\"{kind}\">{}</label>", escape(text))
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
