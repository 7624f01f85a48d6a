//! Random networks written with what says how likely or how dear something is, with branchpoints and with meta variables:
//! they mean what the plain networks mean, which is computed by plain code.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::composition::{Counts, End, compare, from_environment};
use super::nets::{Edge, Net, Proc, Random, Update, Urgency, escape, label, random};

const CASES: u64 = 1_500;

#[test]
fn networks_with_branches_weights_prices_and_meta_variables_are_what_the_plain_ones_are() {
    let seed = from_environment("TAMPER_SEED", 32);
    let cases = from_environment("TAMPER_CASES", CASES);
    let mut ends: HashMap<End, u64> = HashMap::new();
    let (mut counts, mut used) = (Counts::new(), HashMap::<&str, u64>::new());
    let mut source = Random(seed);
    for case in 0..cases {
        let mut net = random(&mut source);
        for process in &mut net.procs {
            branch(&mut source, process, net.vars.len());
        }
        let text = by_calls(
            &disguised(&net, &mut source, &mut used),
            net.n_clocks,
            &mut source,
            &mut used,
        );
        match compare(&net, &text, &mut counts) {
            Ok(end) => *ends.entry(end).or_default() += 1,
            Err(message) => panic!("seed {seed}, network {case}: {message}\n{text}"),
        }
    }
    println!("seed {seed}: {cases} networks: {ends:?}, {used:?}");
    assert!(
        ends[&End::Same] * 2 > cases,
        "most networks are small and stay in range: {ends:?}"
    );
    for what in ["branchpoint", "several branches", "meta", "price", "double", "call"] {
        assert!(used.get(what).is_some_and(|n| n * 4 > cases), "{what}: {used:?}");
    }
}

/// Puts edges beside some of `process` that begin as these and end elsewhere.
pub(super) fn branch(random: &mut Random, process: &mut Proc, n_vars: usize) {
    let mut edges = Vec::new();
    for edge in &process.edges {
        edges.push(edge.clone());
        if process.locs.len() > 1 && random.chance(30) {
            let mut other = edge.clone();
            other.target = (edge.target + 1) % process.locs.len();
            if n_vars > 0 && random.chance(50) {
                other.updates.push(Update::Add(random.below(n_vars), 0));
            }
            edges.push(other);
        }
    }
    process.edges = edges;
}

pub(super) fn disguised(net: &Net, random: &mut Random, used: &mut HashMap<&'static str, u64>) -> String {
    let globals = format!(
        "{}double d = 0.5; hybrid clock h = 2.5; meta int m; meta int[-9,9] pair[2];",
        net.globals()
    );
    let mut templates = String::new();
    for at in 0..net.procs.len() {
        templates += &template(net, at, random, used);
    }
    format!(
        "<nta><declaration>{}</declaration>{templates}<system>{}</system></nta>",
        escape(&globals),
        escape(&net.system())
    )
}

fn template(net: &Net, at: usize, random: &mut Random, used: &mut HashMap<&'static str, u64>) -> String {
    let process = &net.procs[at];
    let mut text = format!("<template><name>P{at}</name>");
    for (index, loc) in process.locs.iter().enumerate() {
        let urgency = match loc.urgency {
            Urgency::Normal => "",
            Urgency::Urgent => "<urgent/>",
            Urgency::Committed => "<committed/>",
        };
        let mut invariant = loc.condition();
        if random.chance(40) {
            *used.entry("price").or_default() += 1;
            let sign = if invariant.is_empty() { "" } else { " && " };
            invariant = match random.chance(50) {
                true => format!("cost' == 2{sign}{invariant}"),
                false => format!("{invariant}{sign}(h' == d && reward' == 1)"),
            };
        }
        let _ = write!(
            text,
            "<location id=\"p{at}l{index}\"><name>L{index}</name>{}<label kind=\"exponentialrate\">1:2</label>{urgency}</location>",
            label("invariant", &invariant)
        );
    }
    let (mut points, mut transitions, mut n_points) = (String::new(), String::new(), 0);
    let mut rest = process.edges.as_slice();
    while let Some(first) = rest.first() {
        let n_alike = rest.iter().take_while(|edge| begins(first, edge)).count();
        let n_branches = if random.chance(60) { n_alike } else { 1 };
        let (group, others) = rest.split_at(n_branches);
        rest = others;
        if n_branches == 1 && random.chance(50) {
            transitions += &transition(
                (&place(at, first.source), &place(at, first.target)),
                Some(first),
                &updates(first, 0, random, used),
            );
            continue;
        }
        *used.entry("branchpoint").or_default() += 1;
        *used.entry("several branches").or_default() += u64::from(n_branches > 1);
        let point = format!("p{at}b{n_points}");
        n_points += 1;
        let _ = write!(points, "<branchpoint id=\"{point}\"/>");
        let before = updates(first, 0, random, used);
        transitions += &transition((&place(at, first.source), &point), Some(first), &before);
        for branch in group {
            let more = updates(branch, first.updates.len(), random, used);
            transitions += &transition((&point, &place(at, branch.target)), None, &more);
        }
    }
    text + &points + &format!("<init ref=\"p{at}l0\"/>") + &transitions + "</template>"
}

/// The file `text` with clocks set by functions to which they are handed over, among others that nothing reads.
fn by_calls(text: &str, n_clocks: usize, random: &mut Random, used: &mut HashMap<&'static str, u64>) -> String {
    let functions = format!(
        "clock o[{n_clocks}]; typedef struct {{ int k; clock c[2]; }} t_t; t_t t[2];
        bool yes(int k) {{ return k == k; }}
        void set(clock &amp;c, int to) {{ c = to; }}
        void one(clock &amp;c[{n_clocks}], t_t &amp;v, int i, int to) {{ v.c[0] = 7; v.c[1] = to; v.k = to; set(c[i], v.k); v.k = 0; }}"
    );
    let (mut made, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("x[") {
        let (before, from) = rest.split_at(at);
        let (clock, behind) = from[2..].split_once(']').expect("a bracket");
        let value = behind.strip_prefix(" = ").unwrap_or_default();
        let n_digits = value.bytes().take_while(u8::is_ascii_digit).count();
        made += before;
        if n_digits == 0 || random.chance(30) {
            made += "x[";
            rest = &from[2..];
            continue;
        }
        *used.entry("call").or_default() += 1;
        let (value, behind) = value.split_at(n_digits);
        made += &match random.below(4) {
            0 => format!("set(x[{clock}], {value})"),
            1 => format!("set(yes({value}) ? x[{clock}] : o[{clock}], {value})"),
            2 => format!("set((yes({value}) ? x : o)[{clock}], {value})"),
            _ => format!("one(yes({clock}) ? x : o, t[yes({clock})], {clock}, {value})"),
        };
        rest = behind;
    }
    (made + rest).replace("meta int m;", &format!("meta int m; {functions}"))
}

fn place(at: usize, location: usize) -> String {
    format!("p{at}l{location}")
}

/// Whether `edge` begins as `first` does: the same labels, and updates that go on after those of `first`.
fn begins(first: &Edge, edge: &Edge) -> bool {
    let labels = |edge: &Edge| (edge.source, edge.condition(), edge.sync());
    let starts = edge.assignment().starts_with(&first.assignment());
    labels(first) == labels(edge) && starts && edge.updates.len() >= first.updates.len()
}

fn transition((source, target): (&str, &str), edge: Option<&Edge>, updates: &str) -> String {
    let labels = match edge {
        Some(edge) => label("guard", &edge.condition()) + &label("synchronisation", &edge.sync()),
        None => label("probability", "3"),
    };
    format!(
        "<transition><source ref=\"{source}\"/><target ref=\"{target}\"/>{labels}{}</transition>",
        label("assignment", updates)
    )
}

/// The updates of `edge` from that position on, some with a meta variable on the way, others beside them.
fn updates(edge: &Edge, from: usize, random: &mut Random, used: &mut HashMap<&'static str, u64>) -> String {
    let mut list = Vec::new();
    for update in &edge.updates[from..] {
        let by_meta = random.chance(50);
        *used.entry("meta").or_default() += u64::from(by_meta);
        list.push(match *update {
            Update::Reset(clock, value) => format!("x[{clock}] = {value}"),
            Update::Set(var, value) if by_meta => format!("m = {value}, v{var} = m"),
            Update::Copy(to, other, plus) if by_meta => {
                format!("pair[0] = v{other}, pair[1] = pair[0], v{to} = pair[1] + {plus}")
            }
            Update::Add(var, by) if by_meta => format!("m = v{var}, m += {by}, v{var} = m"),
            Update::Set(var, value) => format!("v{var} = {value}"),
            Update::Copy(to, other, plus) => format!("v{to} = v{other} + {plus}"),
            Update::Add(var, by) => format!("v{var} += {by}"),
        });
        if random.chance(40) {
            *used.entry("double").or_default() += 1;
            list.push("d = d * 2 + random(1), cost += 2, h = 0".to_owned());
        }
    }
    list.join(", ")
}
