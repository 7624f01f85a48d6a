//! How far the published figures determine the model of CAS, whose completion with a sink [003] does not print.
//!
//! Four things are open: which of four inputs have the time guards of the literature (`open` and `unlock` in l3,
//! `unlock` in l13 and in l15), whether a guarded input also has its complement to the sink, which self loops the
//! sink has, and which edge comes first in the file (TAD clones it). The program goes through all of them, keeps
//! what has 721 first-order mutants, and decides these mutants.
//!
//! `cargo run --release --example cas_choices > results/cas-choices.md` (minutes; a number as argument makes order 2
//! a sample of that size for every choice).

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use tamper::experiment::{
    GuidelineSet, Judge, Limits, Log, Manifest, OutputDir, Plan, Run, Sample, Selection, StaticUse, Summary, Tally,
    Timer, classify, percent,
};
use tamper::game::{Semantics, Specification};
use tamper::guidelines;
use tamper::model::{Automaton, AutomatonBuilder, ClockId, Cmp, Edge, Guard, LocId, Role, SimpleConstraint, Update};
use tamper::mutation::{MutantSpace, MutationOptions, Mutations, Operator, Order};
use tamper::reproduction::Study;
use tamper::text::Budget;

/// The inputs whose guards are open, with the literature's bound: location, action, clock, constant.
const OPEN: [(&str, &str, &str, i64); 4] = [
    ("l3", "open", "c", 20),
    ("l3", "unlock", "c", 20),
    ("l13", "unlock", "e", 30),
    ("l15", "unlock", "e", 300),
];

/// How an input is guarded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guarding {
    Free,
    Guarded,
    WithComplement,
}

/// Which self loops the sink has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loops {
    Neither,
    Inputs,
    Outputs,
    All,
}

#[derive(Clone, Copy)]
struct Structure {
    guarding: [Guarding; 4],
    loops: Loops,
}

impl Structure {
    fn all() -> impl Iterator<Item = Self> {
        let each = [Guarding::Free, Guarding::Guarded, Guarding::WithComplement];
        let loops = [Loops::Neither, Loops::Inputs, Loops::Outputs, Loops::All];
        (0..81_usize).flat_map(move |code| {
            let guarding = [1, 3, 9, 27].map(|power| each[code / power % 3]);
            loops.map(|loops| Self { guarding, loops })
        })
    }

    /// E.g. `l3.open, l3.unlock, l13.unlock guarded with complements; all 10 loops`.
    fn text(&self) -> String {
        let of = |wanted| {
            let names = OPEN
                .iter()
                .zip(self.guarding)
                .filter(move |(_, guarding)| *guarding == wanted);
            names
                .map(|((location, action, ..), _)| format!("{location}.{action}"))
                .collect::<Vec<_>>()
        };
        let mut parts = Vec::new();
        for (guarding, name) in [
            (Guarding::Guarded, "guarded"),
            (Guarding::WithComplement, "guarded with complement"),
        ] {
            let inputs = of(guarding);
            if !inputs.is_empty() {
                parts.push(format!("{} {name}", inputs.join(", ")));
            }
        }
        let loops = match self.loops {
            Loops::Neither => "no sink loops",
            Loops::Inputs => "4 sink loops (inputs)",
            Loops::Outputs => "6 sink loops (outputs)",
            Loops::All => "10 sink loops",
        };
        parts.push(loops.to_owned());
        parts.join("; ")
    }
}

/// The model in `case-studies/cas` taken apart.
struct Cas {
    base: Automaton,
    sink: LocId,
}

impl Cas {
    fn load() -> Result<Self> {
        let base = Study::find("cas").context("no study is called cas")?.game()?;
        let sink = base
            .locations()
            .iter_enumerated()
            .find(|(_, location)| &*location.name == "sink");
        let (sink, _) = sink.context("the model has a sink")?;
        Ok(Self { base, sink })
    }

    /// The edges of a structure, in file order.
    fn edges(&self, structure: Structure) -> Result<Vec<Edge>> {
        let mut edges = Vec::new();
        let mut complements = Vec::new();
        for edge in self.base.edges().iter().map(|edge| &**edge) {
            let role = self.base.actions()[edge.action].role;
            let is_loop = edge.source == self.sink;
            let kept = match structure.loops {
                Loops::Neither => false,
                Loops::Inputs => role == Role::Input,
                Loops::Outputs => role == Role::Output,
                Loops::All => true,
            };
            // The chosen model's own complements are made anew below.
            let is_complement = edge.target == self.sink && !edge.guard.is_trivial();
            if (is_loop && !kept) || is_complement {
                continue;
            }
            let mut edge = edge.clone();
            if let Some(position) = self.open_input(&edge) {
                let guarding = structure.guarding[position];
                edge.guard = match guarding {
                    Guarding::Free => Guard::always(),
                    _ => self.bound(position, Cmp::Lt)?.into(),
                };
                if guarding == Guarding::WithComplement {
                    complements.push(Edge {
                        target: self.sink,
                        guard: self.bound(position, Cmp::Ge)?.into(),
                        updates: Vec::new(),
                        ..edge.clone()
                    });
                }
            }
            edges.push(edge);
        }
        edges.extend(complements);
        Ok(edges)
    }

    fn open_input(&self, edge: &Edge) -> Option<usize> {
        let source = &self.base.locations()[edge.source].name;
        let action = &self.base.actions()[edge.action].name;
        let is_it = |(location, name, ..): &(&str, &str, &str, i64)| **source == **location && **action == **name;
        (edge.target != self.sink).then(|| OPEN.iter().position(is_it))?
    }

    fn bound(&self, position: usize, cmp: Cmp) -> Result<SimpleConstraint> {
        let (.., clock, constant) = OPEN[position];
        Ok(SimpleConstraint {
            clock: self.clock(clock)?,
            cmp,
            constant,
        })
    }

    fn clock(&self, name: &str) -> Result<ClockId> {
        let found = self
            .base
            .clocks()
            .iter_enumerated()
            .find(|(_, clock)| &*clock.name == name);
        found.map(|(id, _)| id).context("the clock is there")
    }

    /// The game with these edges, the one at `first` coming first.
    fn build(&self, edges: &[Edge], first: usize) -> Result<Automaton> {
        let mut builder = AutomatonBuilder::new("Spec");
        for clock in self.base.clocks().iter() {
            builder.clock(clock.name.clone());
        }
        for action in self.base.actions().iter() {
            builder.action(&action.name, action.role, action.urgent);
        }
        for location in self.base.locations().iter() {
            builder.location((**location).clone());
        }
        builder.initial(self.base.initial());
        builder.edge(edges[first].clone());
        for (position, edge) in edges.iter().enumerate() {
            if position != first {
                builder.edge(edge.clone());
            }
        }
        builder
            .build()
            .map_err(|errors| anyhow::anyhow!("not well-formed: {errors:?}"))
    }

    /// Guard and resets of an edge: what TAD clones.
    fn kind(&self, edge: &Edge) -> String {
        let clock = |id: ClockId| self.base.clocks()[id].name.to_string();
        let guard = edge.guard.as_simple().map_or_else(
            || "no guard".to_owned(),
            |atom| format!("{}{}{}", clock(atom.clock), atom.cmp.symbol(), atom.constant),
        );
        let resets: Vec<_> = edge
            .updates
            .iter()
            .map(|update| match update {
                Update::Reset(id, _) => format!("{}=0", clock(*id)),
                Update::Assign(..) => "an assignment".to_owned(),
            })
            .collect();
        match resets.is_empty() {
            true => format!("{guard}, no reset"),
            false => format!("{guard}, {}", resets.join(", ")),
        }
    }

    /// One edge of each kind, in file order.
    fn kinds(&self, edges: &[Edge]) -> Vec<(usize, String)> {
        let mut kinds: Vec<(usize, String)> = Vec::new();
        for (position, edge) in edges.iter().enumerate() {
            let kind = self.kind(edge);
            if kinds.iter().all(|(_, known)| *known != kind) {
                kinds.push((position, kind));
            }
        }
        kinds
    }
}

/// The counts of all mutants, or of a sample; none when the game is inconsistent.
fn decide(game: &Automaton, order: Order, sample: Option<Sample>) -> Result<Option<(Summary, u64)>> {
    let timer = Timer::new(Limits::default());
    let Ok(specification) = Specification::prepare(game, Semantics::TIGA, &Budget::unlimited()) else {
        return Ok(None);
    };
    let space = MutantSpace::new(game, &MutationOptions::default(), order)?;
    let selection = Selection::of(&space, sample, 0)?;
    let plan = Plan {
        model: Study::find("cas").context("no study is called cas")?.model_ref(game),
        input_enabled: false,
        sees_propositions: false,
        order,
        mutation: MutationOptions::default(),
        semantics: Semantics::TIGA,
        statics: StaticUse::Off,
        guidelines: GuidelineSet::Published,
        sample,
        seed: None,
        only: None,
        shard: None,
        limits: Limits::default(),
        witness: false,
    };
    let folder = tempfile::tempdir()?;
    let output = OutputDir::create(
        &folder.path().join("run"),
        &Manifest::new(&plan, space.len(), selection.len()),
    )?;
    let run = Run {
        space: &space,
        selection: &selection,
        judge: &Judge::new(specification, StaticUse::Off, false, timer),
        rules: &guidelines::violated,
    };
    let summary = classify(run, &mut Log::create(&output)?, &mut |_| {})?;
    Ok(Some((summary, space.len())))
}

/// The published facts of [003] section 5.4.1 beside the total: ratio 77 %, all bad TMI mutants violate, CXL has the
/// worst ratio.
fn meets(summary: &Summary) -> [bool; 3] {
    let of = |operator: Operator| {
        let row = summary.rows().iter().find(|(row, _)| row[..] == [operator.into()]);
        row.map_or_else(Tally::default, |(_, tally)| *tally)
    };
    let total = summary.total();
    let tmi = of(Operator::Tmi);
    let worst = of(Operator::Cxl).ratio().unwrap_or(1.0);
    let others = [Operator::Tmi, Operator::Tad, Operator::Smi, Operator::Cxs];
    [
        percent(total.violating, total.bad(), 0).as_deref() == Some("77"),
        tmi.violating == tmi.bad(),
        others.iter().all(|other| of(*other).ratio().unwrap_or(1.0) > worst),
    ]
}

fn ratio(tally: &Tally) -> String {
    percent(tally.violating, tally.bad(), 1).unwrap_or_else(|| "-".to_owned())
}

fn print_choices(cas: &Cas, sample: Option<Sample>) -> Result<()> {
    let mut totals = BTreeMap::<u64, u64>::new();
    let mut chosen = Vec::new();
    for structure in Structure::all() {
        let edges = cas.edges(structure)?;
        let total = Mutations::of(&cas.build(&edges, 0)?, &MutationOptions::default()).len();
        *totals.entry(total).or_default() += 1;
        if total == 721 {
            chosen.push((structure, edges));
        }
    }
    let (least, most) = (totals.keys().next(), totals.keys().last());
    println!(
        "Of {} structures, {} have 721 first-order mutants (the totals go from {} to {}); which edge is first does not \
         change the total.\n",
        totals.values().sum::<u64>(),
        chosen.len(),
        least.copied().unwrap_or(0),
        most.copied().unwrap_or(0)
    );
    println!(
        "| structure | first edge | ratio, order 1 | 77 % | TMI all | CXL worst | ratio, order 2 | sequences decided |"
    );
    println!("|---|---|---:|---|---|---|---:|---:|");
    let (mut n_choices, mut n_meeting) = (0_u64, 0_u64);
    let yes = |holds: bool| if holds { "yes" } else { "no" };
    for (structure, edges) in &chosen {
        for (first, kind) in cas.kinds(edges) {
            let game = cas.build(edges, first)?;
            let Some((summary, _)) = decide(&game, Order::FIRST, None)? else {
                println!("| {} | {kind} | inconsistent | | | | | |", structure.text());
                continue;
            };
            let facts = meets(&summary);
            n_choices += 1;
            // All sequences where the published ratio comes out, else enough to tell to about a point.
            let sample = sample.or((!facts[0]).then_some(Sample::Count(10_000)));
            let second = decide(&game, Order::SECOND, sample)?;
            let (second, n_sequences) = second.context("the game is consistent")?;
            let is_more_than_half = 2 * second.total().violating > second.total().bad();
            n_meeting += u64::from(facts == [true; 3] && is_more_than_half);
            eprintln!("{}; {kind}", structure.text());
            println!(
                "| {} | {kind} | {} | {} | {} of {} |",
                structure.text(),
                ratio(summary.total()),
                facts.map(yes).join(" | "),
                format_args!("{} | {}", ratio(second.total()), second.total().total),
                n_sequences
            );
        }
    }
    println!(
        "\n{n_meeting} of these {n_choices} choices meet every published fact: the figures do not tell them apart."
    );
    Ok(())
}

const HEAD: &str = "\
# How far the published figures determine the CAS model

How far do the published figures determine the CAS model?

To four of 324 structures, each with few of the edges that can be first in the file.

Made by `examples/cas_choices.rs` (called by `scripts/reproduce.sh`). [003] does not print the sink of its CAS model. The program
varies what is open: which of l3.open (`c<20`), l3.unlock (`c<20`), l13.unlock (`e<30`), l15.unlock (`e<300`) are guarded,
and for each whether its complement leads to the sink; whether the sink has self loops for no action, for the 4
inputs, the 6 outputs, or all; and which kind of edge (guard and resets, which TAD clones) is first in the
file. The 25 edges of the literature and the 50 unexpected inputs to the sink stay. All verdicts in the published
semantics. Published beside the total of 721: the ratio of order 1 is 77 %, all bad TMI mutants violate,
CXL has the worst ratio, and the ratio of order 2 is more than half.
";

fn try_main() -> Result<()> {
    let sample = std::env::args().nth(1).map(|text| text.parse()).transpose()?;
    println!("{HEAD}");
    print_choices(&Cas::load()?, sample)
}

fn main() -> ExitCode {
    match try_main() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
