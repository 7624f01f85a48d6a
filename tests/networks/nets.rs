//! Small networks as plain data, at random, and as UPPAAL files. Knows nothing of `tamper::network`.

use std::fmt::Write as _;

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

/// A random network; `open` ones have an environment. What happens inside the system may be hidden, and a process may stand
/// beside the others that has to do with none of them.
pub fn random(random: &mut Random) -> Net {
    let open = random.chance(40);
    let priorities = random.chance(35);
    let hide = random.chance(15);
    let n_clocks = 1 + random.below(2);
    let vars = (0..random.below(3)).map(|_| {
        let high = random.number(1, 2);
        (0, high, random.number(0, high))
    });
    let vars: Vec<_> = vars.collect();
    let chans: Vec<Chan> = (0..1 + random.below(3))
        .map(|_| Chan {
            broadcast: random.chance(40),
            urgent: random.chance(20),
            priority: if priorities { random.number(-1, 1) } else { 0 },
        })
        .collect();
    let n_procs = 2 + random.below(2);
    let with_process_priorities = priorities && random.chance(50);
    let mut net = Net {
        vars,
        n_clocks,
        chans,
        procs: Vec::new(),
        hide,
    };
    for at in 0..n_procs {
        let n_locs = 1 + random.below(3);
        let locs = (0..n_locs).map(|_| loc(&net, random)).collect();
        let edges = (0..1 + random.below(4)).map(|_| edge(&net, n_locs, random)).collect();
        net.procs.push(Proc {
            locs,
            edges,
            priority: if with_process_priorities { at as i64 } else { 0 },
            environment: open && at + 1 == n_procs,
        });
    }
    if random.chance(20) {
        let priority = net.procs.last().map_or(0, |last| last.priority);
        net.procs.push(stranger(random, priority));
    }
    net
}

/// A process that has to do with no other: it makes steps without a label.
fn stranger(random: &mut Random, priority: i64) -> Proc {
    let loc = Loc {
        urgency: Urgency::Normal,
        invariant: Vec::new(),
        data: None,
    };
    let n_locs = 1 + random.below(2);
    let edge = Edge {
        source: 0,
        target: n_locs - 1,
        clocks: Vec::new(),
        data: None,
        sync: None,
        updates: Vec::new(),
    };
    Proc {
        locs: vec![loc; n_locs],
        edges: vec![edge],
        priority,
        environment: random.chance(70),
    }
}

fn loc(net: &Net, random: &mut Random) -> Loc {
    let urgency = match random.below(10) {
        0 => Urgency::Urgent,
        1 => Urgency::Committed,
        _ => Urgency::Normal,
    };
    let mut invariant = Vec::new();
    if random.chance(35) {
        let sign = if random.chance(70) { "<=" } else { "<" };
        invariant.push(Atom {
            clock: random.below(net.n_clocks),
            sign,
            number: random.number(1, MOST),
        });
    }
    let data = (!net.vars.is_empty() && random.chance(10)).then(|| (random.below(net.vars.len()), random.number(0, 2)));
    Loc {
        urgency,
        invariant,
        data,
    }
}

fn edge(net: &Net, n_locs: usize, random: &mut Random) -> Edge {
    let sync = random
        .chance(75)
        .then(|| (random.below(net.chans.len()), random.chance(50)));
    let urgent = sync.is_some_and(|(chan, _)| net.chans[chan].urgent);
    let mut clocks = Vec::new();
    while !urgent && random.chance(40) && clocks.len() < 2 {
        let sign = ["<", "<=", "==", ">=", ">"][random.below(5)];
        clocks.push(Atom {
            clock: random.below(net.n_clocks),
            sign,
            number: random.number(0, MOST),
        });
    }
    let n_vars = net.vars.len();
    let data = (n_vars > 0 && random.chance(40)).then(|| {
        let sign = ["<", "<=", "==", "!=", ">=", ">"][random.below(6)];
        (random.below(n_vars), sign, random.number(0, 2))
    });
    let mut updates = Vec::new();
    while random.chance(45) && updates.len() < 3 {
        updates.push(match random.below(if n_vars > 0 { 5 } else { 1 }) {
            0 | 4 => Update::Reset(
                random.below(net.n_clocks),
                if random.chance(80) { 0 } else { random.number(1, MOST) },
            ),
            1 => {
                let var = random.below(n_vars);
                Update::Set(var, random.number(0, net.vars[var].1))
            }
            2 => Update::Add(random.below(n_vars), if random.chance(50) { 1 } else { -1 }),
            _ => Update::Copy(random.below(n_vars), random.below(n_vars), random.number(0, 1)),
        });
    }
    Edge {
        source: random.below(n_locs),
        target: random.below(n_locs),
        clocks,
        data,
        sync,
        updates,
    }
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

    fn globals(&self) -> String {
        let mut globals = String::new();
        for (at, (low, high, initial)) in self.vars.iter().enumerate() {
            let _ = writeln!(globals, "int[{low},{high}] v{at} = {initial};");
        }
        let _ = writeln!(globals, "clock x[{}];", self.n_clocks);
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

    fn system(&self) -> String {
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
    fn condition(&self) -> String {
        let mut parts: Vec<String> = self.invariant.iter().map(shown).collect();
        parts.extend(self.data.map(|(var, number)| format!("v{var} <= {number}")));
        parts.join(" && ")
    }
}

impl Edge {
    fn condition(&self) -> String {
        let mut parts: Vec<String> = self.clocks.iter().map(shown).collect();
        parts.extend(self.data.map(|(var, sign, number)| format!("v{var} {sign} {number}")));
        parts.join(" && ")
    }

    fn sync(&self) -> String {
        let sync = self
            .sync
            .map(|(chan, sends)| format!("c{chan}{}", if sends { "!" } else { "?" }));
        sync.unwrap_or_default()
    }

    fn assignment(&self) -> String {
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

fn label(kind: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<label kind=\"{kind}\">{}</label>", escape(text))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A random network of the class in which refinement of a process alone is one of the network: broadcasts that one process
/// sends, a clock for each process, nothing shared, nothing committed.
pub fn broadcasting(random: &mut Random) -> Net {
    let n_procs = 2;
    let n_chans = 2 + random.below(2);
    let chans = vec![
        Chan {
            broadcast: true,
            urgent: false,
            priority: 0,
        };
        n_chans
    ];
    let mut net = Net {
        vars: Vec::new(),
        n_clocks: n_procs,
        chans,
        procs: Vec::new(),
        hide: false,
    };
    for at in 0..n_procs {
        let n_locs = 1 + random.below(3);
        let locs = (0..n_locs).map(|_| {
            let has_invariant = random.chance(25);
            let invariant = has_invariant.then(|| Atom {
                clock: at,
                sign: "<=",
                number: random.number(1, MOST),
            });
            Loc {
                urgency: Urgency::Normal,
                invariant: invariant.into_iter().collect(),
                data: None,
            }
        });
        let locs = locs.collect();
        let edges = (0..1 + random.below(4)).map(|_| {
            let chan = random.below(n_chans);
            // The first channel comes from outside.
            let sends = chan > 0 && (chan - 1) % n_procs == at;
            let guard = random.chance(50).then(|| Atom {
                clock: at,
                sign: ["<", "<=", ">=", ">"][random.below(4)],
                number: random.number(0, MOST),
            });
            Edge {
                source: random.below(n_locs),
                target: random.below(n_locs),
                clocks: guard.into_iter().collect(),
                data: None,
                sync: Some((chan, sends)),
                updates: if random.chance(60) || !sends {
                    vec![Update::Reset(at, 0)]
                } else {
                    Vec::new()
                },
            }
        });
        let edges = edges.collect();
        net.procs.push(Proc {
            locs,
            edges,
            priority: 0,
            environment: false,
        });
    }
    net
}
