//! Random networks.

use super::nets::{Atom, Chan, Edge, Loc, MOST, Net, Proc, Random, Update, Urgency};

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
        starts: Vec::new(),
        chans,
        procs: Vec::new(),
        hide,
    };
    let mut priority = 0;
    for at in 0..n_procs {
        priority += i64::from(at > 0 && with_process_priorities && random.chance(70));
        let n_locs = 1 + random.below(3);
        let locs = (0..n_locs).map(|_| loc(&net, random)).collect();
        let edges = (0..1 + random.below(4)).map(|_| edge(&net, n_locs, random)).collect();
        net.procs.push(Proc {
            locs,
            edges,
            priority,
            environment: open && at + 1 == n_procs,
        });
    }
    if random.chance(20) {
        let priority = net.procs.last().map_or(0, |last| last.priority);
        net.procs.push(stranger(random, priority));
    }
    net
}

/// `net` with conditions on clocks at edges on urgent channels, most of them on one clock.
pub fn with_urgent_guards(mut net: Net, random: &mut Random) -> Net {
    for chan in &mut net.chans {
        chan.urgent |= random.chance(60);
    }
    let clock = random.below(net.n_clocks);
    for process in &mut net.procs {
        for loc in &mut process.locs {
            if random.chance(80) {
                loc.urgency = Urgency::Normal;
            }
        }
        for edge in &mut process.edges {
            if edge.sync.is_some_and(|(chan, _)| net.chans[chan].urgent) {
                edge.clocks.clear();
                while edge.clocks.len() < 2 && random.chance(if edge.clocks.is_empty() { 85 } else { 30 }) {
                    edge.clocks.push(Atom {
                        clock: if random.chance(80) {
                            clock
                        } else {
                            random.below(net.n_clocks)
                        },
                        sign: ["<", "<=", "==", ">=", ">"][random.below(5)],
                        number: random.number(0, MOST),
                    });
                }
            }
        }
    }
    net
}

/// `net` with clocks that start anywhere.
pub fn with_starts(mut net: Net, random: &mut Random) -> Net {
    net.starts = (0..net.n_clocks).map(|_| random.number(0, MOST)).collect();
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

/// A closed network whose first process has locations with deadlines that nothing leads to, and whose others go round: of what it
/// takes for all runs from there to get stuck something is missing now and then.
pub fn with_deadlines(random: &mut Random) -> Net {
    let chan = |broadcast| Chan {
        broadcast,
        urgent: false,
        priority: 0,
    };
    let n_others = 1 + usize::from(random.chance(20));
    let mut net = Net {
        vars: vec![(0, 1, 0)],
        n_clocks: 1 + n_others,
        starts: Vec::new(),
        chans: vec![chan(false), chan(true), chan(true)],
        procs: Vec::new(),
        hide: false,
    };
    net.procs.push(leaving(random));
    for clock in 1..=n_others {
        net.procs.push(going_round(clock, random));
    }
    // An edge of a random process.
    if random.chance(15) {
        let at = random.below(net.procs.len());
        let other = edge(&net, net.procs[at].locs.len(), random);
        net.procs[at].edges.push(other);
    }
    net
}

/// The same, and on the way out of places with deadlines the first process waits for a variable that another sets.
pub fn with_signals(random: &mut Random) -> Net {
    let mut net = with_deadlines(random);
    for edge in net.procs[0].edges.iter_mut().filter(|edge| edge.source >= 2) {
        if random.chance(70) {
            edge.data = Some((0, "==", 1));
        }
    }
    let at = 1 + random.below(net.procs.len() - 1);
    let edges = &mut net.procs[at].edges;
    let edge = random.below(edges.len());
    edges[edge].updates.push(Update::Set(0, 1));
    net
}

fn until(clock: usize, number: i64) -> Vec<Atom> {
    let sign = "<=";
    vec![Atom { clock, sign, number }]
}

fn plain(invariant: Vec<Atom>) -> Loc {
    Loc {
        urgency: Urgency::Normal,
        invariant,
        data: None,
    }
}

/// Two locations on a circle, and some with deadlines.
fn leaving(random: &mut Random) -> Proc {
    let n_locs = 3 + random.below(2);
    let locs = (0..n_locs).map(|at| {
        let has_deadline = random.chance(if at < 2 { 20 } else { 90 });
        let mut loc = plain(if has_deadline {
            until(0, random.number(1, MOST))
        } else {
            Vec::new()
        });
        if at >= 2 && random.chance(10) {
            loc.urgency = Urgency::Urgent;
        }
        loc
    });
    let locs = locs.collect();
    let mut edges = vec![step((0, 1), random), step((1, 0), random)];
    edges[1].updates.push(Update::Reset(0, 0));
    for _ in 0..random.below(3) {
        let source = 2 + random.below(n_locs - 2);
        let target = if random.chance(70) {
            n_locs - 1
        } else {
            random.below(n_locs)
        };
        if source != target || random.chance(20) {
            edges.push(step((source, target), random));
        }
    }
    Proc {
        locs,
        edges,
        priority: 0,
        environment: false,
    }
}

/// A circle that takes some time.
fn going_round(clock: usize, random: &mut Random) -> Proc {
    let n_locs = 1 + random.below(2);
    let locs = (0..n_locs).map(|_| {
        let has_deadline = random.chance(25);
        plain(if has_deadline {
            until(clock, random.number(1, MOST))
        } else {
            Vec::new()
        })
    });
    let locs = locs.collect();
    let mut edges: Vec<Edge> = (0..n_locs).map(|at| step((at, (at + 1) % n_locs), random)).collect();
    let (waits, sets) = (random.below(n_locs), random.below(n_locs));
    if random.chance(80) {
        let number = i64::from(random.chance(85));
        let sign = if random.chance(80) { ">=" } else { ">" };
        edges[waits].clocks = vec![Atom { clock, sign, number }];
    }
    if random.chance(85) {
        let clock = if random.chance(90) { clock } else { 0 };
        let value = i64::from(random.chance(10));
        edges[sets].updates.push(Update::Reset(clock, value));
    }
    if random.chance(10) {
        edges[sets].updates.push(Update::Set(0, random.number(0, 1)));
    }
    Proc {
        locs,
        edges,
        priority: 0,
        environment: false,
    }
}

fn step((source, target): (usize, usize), random: &mut Random) -> Edge {
    let data = random.chance(8).then(|| (0, "==", random.number(0, 1)));
    let sync = random.chance(60).then(|| (random.below(3), random.chance(50)));
    Edge {
        source,
        target,
        clocks: Vec::new(),
        data,
        sync,
        updates: Vec::new(),
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
        starts: Vec::new(),
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
