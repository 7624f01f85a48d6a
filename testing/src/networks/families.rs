//! Templates as plain data: instances that only their parameters tell apart, on channels that a parameter, a variable or a select
//! variable chooses. As a UPPAAL file, and as the plain network that they come to. Knows nothing of tamper.

use super::nets::{Atom, Chan, Edge, Loc, MOST, Net, Proc, Random, Update, Urgency, escape, label};

/// `number + by * me`.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    pub number: i64,
    pub by: i64,
}

impl Constant {
    pub fn at(self, me: usize) -> i64 {
        self.number + self.by * me as i64
    }

    fn text(self) -> String {
        match self.by {
            0 => self.number.to_string(),
            1 => format!("{} + me", self.number),
            -1 => format!("{} - me", self.number),
            by => format!("{} + {by} * me", self.number),
        }
    }

    /// One whose values for both parameters lie in 0 to [`MOST`].
    fn random(random: &mut Random) -> Self {
        Self::at_least(random, 0)
    }

    /// One whose values for both parameters lie in `least` to [`MOST`].
    fn at_least(random: &mut Random, least: i64) -> Self {
        loop {
            let one = Self {
                number: random.number(0, MOST),
                by: if random.chance(50) { random.number(-2, 2) } else { 0 },
            };
            if (0..2).all(|me| (least..=MOST).contains(&one.at(me))) {
                return one;
            }
        }
    }
}

/// `x sign constant`
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    pub sign: &'static str,
    pub constant: Constant,
}

impl Bound {
    fn text(self) -> String {
        format!("x {} {}", self.sign, self.constant.text())
    }

    fn at(self, clock: usize, me: usize) -> Atom {
        Atom {
            clock,
            sign: self.sign,
            number: self.constant.at(me),
        }
    }
}

/// The channel of an edge. Arrays have two elements: channels `2 * array` and the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum On {
    Nothing,
    Element(usize, usize),
    /// The element that the parameter `me` chooses.
    Parameter(usize),
    /// That the global variable `v` chooses.
    Variable(usize),
    Select(usize),
    /// The channel that is handed over.
    Argument,
    /// The new channel of an edge that was added, by its number.
    Added(usize),
}

#[derive(Clone, Debug)]
pub struct TemplateEdge {
    pub source: usize,
    pub target: usize,
    pub guard: Option<Bound>,
    pub on: On,
    pub sends: bool,
    pub resets: bool,
    /// What `v` is set to.
    pub sets: Option<i64>,
}

#[derive(Clone, Debug)]
pub struct Instance {
    pub me: usize,
    /// The array and the element of the channel that is handed over.
    pub channel: (usize, usize),
}

#[derive(Clone, Debug)]
pub struct Template {
    pub name: String,
    /// With their invariants.
    pub locations: Vec<(Urgency, Option<Bound>)>,
    pub edges: Vec<TemplateEdge>,
    pub instances: Vec<Instance>,
    pub environment: bool,
}

/// Templates with their instances.
#[derive(Clone, Debug)]
pub struct Families {
    /// Per array, whether it is of broadcast channels.
    pub arrays: Vec<bool>,
    /// The first value of `v`.
    pub v: i64,
    pub templates: Vec<Template>,
    /// How many edges were added.
    pub n_added: usize,
}

/// What a network is drawn for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Anything,
    /// What one process promises, broadcasts keep.
    Congruence,
    /// Only inputs, or no inputs, enter a location with a lower bound in its invariant, and mostly without a reset: by chance alone
    /// one in thousands of networks is of the first kind.
    LowerBound {
        by_input: bool,
    },
}

/// A network with mixed roles: a template with two instances, and one or two processes that use some of its channels.
pub fn families(random: &mut Random) -> Families {
    let purpose = match random.below(20) {
        0..4 => Purpose::Congruence,
        4..7 => Purpose::LowerBound { by_input: true },
        7 => Purpose::LowerBound { by_input: false },
        _ => Purpose::Anything,
    };
    let for_congruence = purpose == Purpose::Congruence;
    let arrays = (0..2).map(|_| for_congruence || random.chance(30)).collect();
    let mut families = Families {
        arrays,
        v: random.number(0, 1),
        templates: Vec::new(),
        n_added: 0,
    };
    let mut template = template(random, purpose, 2);
    let first = random.below(2);
    template.instances = [first, 1 - first].map(|me| instance(random, me)).to_vec();
    families.templates.push(template);
    for at in 0..1 + usize::from(random.chance(30)) {
        let most = 1 + random.below(2);
        let wants_inputs = purpose == Purpose::LowerBound { by_input: true };
        let of_other = match purpose {
            Purpose::Congruence => Purpose::Congruence,
            Purpose::Anything | Purpose::LowerBound { .. } => Purpose::Anything,
        };
        let mut other = self::template(random, of_other, most);
        other.name = format!("S{at}");
        other.environment = random.chance(if wants_inputs { 70 } else { 30 });
        for edge in &mut other.edges {
            edge.sends &= match purpose {
                Purpose::Anything | Purpose::LowerBound { by_input: false } => true,
                // Nobody else sends what the congruence is to keep.
                Purpose::Congruence => false,
                Purpose::LowerBound { by_input: true } => other.environment,
            };
        }
        let me = random.below(2);
        other.instances = vec![instance(random, me)];
        families.templates.push(other);
    }
    // The instance of another template may come first.
    if random.chance(30) {
        families.templates.reverse();
    }
    families
}

fn instance(random: &mut Random, me: usize) -> Instance {
    Instance {
        me,
        channel: (random.below(2), random.below(2)),
    }
}

fn template(random: &mut Random, purpose: Purpose, most_locations: usize) -> Template {
    let for_congruence = purpose == Purpose::Congruence;
    let by_input = match purpose {
        Purpose::LowerBound { by_input } => Some(by_input),
        Purpose::Anything | Purpose::Congruence => None,
    };
    let for_bound = by_input.is_some();
    let n_locations = match for_bound {
        true => 2,
        false => 1 + random.below(most_locations),
    };
    let signs = ["<", "<=", "==", ">=", ">"];
    let bound = |random: &mut Random, signs: &[&'static str]| Bound {
        sign: signs[random.below(signs.len())],
        constant: Constant::random(random),
    };
    let locations = (0..n_locations).map(|at| {
        let urgency = match random.below(20) {
            0 => Urgency::Urgent,
            1 if !for_congruence => Urgency::Committed,
            _ => Urgency::Normal,
        };
        let most = if for_bound && at == 0 { 20 } else { 50 };
        let invariant = match at {
            // The clock is compared with 1 at least afterwards, too.
            1 if for_bound => Some(Bound {
                sign: [">=", ">"][random.below(2)],
                constant: Constant::at_least(random, 2),
            }),
            0 => random.chance(most).then(|| bound(random, &["<", "<="])),
            _ => random.chance(most).then(|| bound(random, &signs)),
        };
        (urgency, invariant)
    });
    let locations: Vec<(Urgency, Option<Bound>)> = locations.collect();
    let edges = (0..1 + random.below(4)).map(|at| {
        let array = random.below(2);
        let (source, target) = match for_bound && at == 0 {
            true => (0, 1),
            false => (random.below(n_locations), random.below(n_locations)),
        };
        let by_input = by_input.filter(|_| target == 1);
        TemplateEdge {
            source,
            target,
            guard: match locations[source].1 {
                // At the last moment, as the rule L4.ii has it.
                Some(most) if most.sign == "<=" && random.chance(15) => Some(Bound { sign: "==", ..most }),
                _ => random.chance(60).then(|| bound(random, &signs)),
            },
            on: match random.below(10) {
                0 if !for_congruence && by_input != Some(true) => On::Nothing,
                0 | 1 => On::Element(array, random.below(2)),
                2 => On::Variable(array),
                3 => On::Select(array),
                4 | 5 => On::Argument,
                _ => On::Parameter(array),
            },
            sends: by_input.map_or_else(|| for_congruence || random.chance(50), |by_input| !by_input),
            resets: random.chance(if by_input.is_some() { 15 } else { 60 }),
            sets: random.chance(15).then(|| random.number(0, 1)),
        }
    });
    Template {
        name: "T".to_owned(),
        edges: edges.collect(),
        locations,
        instances: Vec::new(),
        environment: false,
    }
}

impl Families {
    /// The same with a template of its own for each instance.
    pub fn split(&self) -> Self {
        let templates = self.templates.iter().flat_map(|template| {
            let one = |instance: &Instance| Template {
                instances: vec![instance.clone()],
                ..template.clone()
            };
            template.instances.iter().map(one).collect::<Vec<_>>()
        });
        Self {
            templates: templates.collect(),
            ..self.clone()
        }
    }

    pub fn xml(&self) -> String {
        let arrays = self.arrays.iter().enumerate();
        let arrays = arrays.map(|(at, broadcast)| {
            let word = if *broadcast { "broadcast " } else { "" };
            format!("{word}chan c{at}[2];")
        });
        let globals = format!("int[0,1] v = {}; {}", self.v, arrays.collect::<String>());
        let templates: String = self.templates.iter().map(Template::xml).collect();
        let (mut made, mut names) = (String::new(), Vec::new());
        for template in &self.templates {
            for (at, instance) in template.instances.iter().enumerate() {
                let name = format!("{}{at}", template.name.to_lowercase());
                let (array, element) = instance.channel;
                made += &format!("{name} = {}({}, c{array}[{element}]); ", template.name, instance.me);
                names.push(name);
            }
        }
        format!(
            "<nta><declaration>{}</declaration>{templates}<system>{made}system {};</system></nta>",
            escape(&globals),
            names.join(", ")
        )
    }

    /// The plain network: a process per instance, in order, each with a clock.
    pub fn net(&self) -> Net {
        let mut chans: Vec<Chan> = Vec::new();
        let plain = |broadcast| Chan {
            broadcast,
            urgent: false,
            priority: 0,
        };
        for broadcast in &self.arrays {
            chans.extend([plain(*broadcast); 2]);
        }
        chans.extend((0..self.n_added).map(|_| plain(false)));
        let added = 2 * self.arrays.len();
        let instances = self.templates.iter();
        let instances = instances.flat_map(|template| template.instances.iter().map(move |one| (template, one)));
        let procs = instances
            .enumerate()
            .map(|(clock, (template, instance))| template.process(instance, clock, added));
        let procs: Vec<Proc> = procs.collect();
        Net {
            vars: vec![(0, 1, self.v)],
            n_clocks: procs.len(),
            starts: Vec::new(),
            chans,
            procs,
            hide: false,
        }
    }
}

impl Template {
    fn xml(&self) -> String {
        let name = &self.name;
        let chan = if self.environment { "e" } else { "c" };
        let mut text = format!(
            "<template><name>{name}</name><parameter>const int[0,1] me, chan &amp;{chan}</parameter>\
             <declaration>clock x;</declaration>"
        );
        for (at, (urgency, invariant)) in self.locations.iter().enumerate() {
            let urgency = match urgency {
                Urgency::Normal => "",
                Urgency::Urgent => "<urgent/>",
                Urgency::Committed => "<committed/>",
            };
            let invariant = label("invariant", &invariant.map(Bound::text).unwrap_or_default());
            text += &format!("<location id=\"{name}{at}\"><name>L{at}</name>{invariant}{urgency}</location>");
        }
        text += &format!("<init ref=\"{name}0\"/>");
        for edge in &self.edges {
            let mark = if edge.sends { "!" } else { "?" };
            let (select, channel) = match edge.on {
                On::Nothing | On::Added(_) => ("", String::new()),
                On::Element(array, element) => ("", format!("c{array}[{element}]{mark}")),
                On::Parameter(array) => ("", format!("c{array}[me]{mark}")),
                On::Variable(array) => ("", format!("c{array}[v]{mark}")),
                On::Select(array) => ("s : int[0,1]", format!("c{array}[s]{mark}")),
                On::Argument => ("", format!("{chan}{mark}")),
            };
            let mut updates = Vec::new();
            updates.extend(edge.resets.then(|| "x = 0".to_owned()));
            updates.extend(edge.sets.map(|value| format!("v = {value}")));
            text += &format!(
                "<transition><source ref=\"{name}{}\"/><target ref=\"{name}{}\"/>{}{}{}{}</transition>",
                edge.source,
                edge.target,
                label("select", select),
                label("guard", &edge.guard.map(Bound::text).unwrap_or_default()),
                label("synchronisation", &channel),
                label("assignment", &updates.join(", "))
            );
        }
        text + "</template>"
    }

    fn process(&self, instance: &Instance, clock: usize, added: usize) -> Proc {
        let locs = self.locations.iter().map(|(urgency, invariant)| Loc {
            urgency: *urgency,
            invariant: invariant.iter().map(|bound| bound.at(clock, instance.me)).collect(),
            data: None,
        });
        let mut edges = Vec::new();
        for edge in &self.edges {
            let (array, element) = instance.channel;
            // The channels, and the value of `v` that each is for.
            let on: Vec<(Option<usize>, Option<i64>)> = match edge.on {
                On::Nothing => vec![(None, None)],
                On::Element(array, element) => vec![(Some(2 * array + element), None)],
                On::Parameter(array) => vec![(Some(2 * array + instance.me), None)],
                On::Variable(array) => [0, 1].map(|v| (Some(2 * array + v), Some(v as i64))).to_vec(),
                On::Select(array) => [0, 1].map(|s| (Some(2 * array + s), None)).to_vec(),
                On::Argument => vec![(Some(2 * array + element), None)],
                On::Added(number) => vec![(Some(added + number), None)],
            };
            for (channel, v) in on {
                let mut updates = Vec::new();
                updates.extend(edge.resets.then_some(Update::Reset(clock, 0)));
                updates.extend(edge.sets.map(|value| Update::Set(0, value)));
                edges.push(Edge {
                    source: edge.source,
                    target: edge.target,
                    clocks: edge.guard.iter().map(|bound| bound.at(clock, instance.me)).collect(),
                    data: v.map(|v| (0, "==", v)),
                    sync: channel.map(|channel| (channel, edge.sends)),
                    updates,
                });
            }
        }
        Proc {
            locs: locs.collect(),
            edges,
            priority: 0,
            environment: self.environment,
        }
    }
}
