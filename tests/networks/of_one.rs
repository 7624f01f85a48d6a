//! A game is a network of one process: the same mutants by the same names, with the same verdicts, of every operator that both
//! have.

use std::collections::BTreeMap;
use std::sync::Mutex;

use tamper::experiment::{Engine, NetworkMutants, Scope, StaticUse, Verdict, components};
use tamper::formats::{ReadOptions, read_bytes};
use tamper::game::{self, GameError, Scratch, Specification};
use tamper::model::{Automaton, EdgeId};
use tamper::mutation::{Alteration, MutantSpace, MutationOptions, Mutations, Operator, Order};
use tamper::text::Budget;

use super::composition::from_environment;
use super::judges::judge;
use super::mutants::{ALL, file, view};
use super::nets::{Chan, Net, Random, Urgency, random};

const CASES: u64 = 60;
/// What is about an alphabet, which a process of a network does not have, or about steps on the way, which a game by itself does
/// not have.
const NOT_BOTH: [&str; 6] = ["CAC", "INV", "CHU", "SNK", "CMO", "COM"];

fn operators() -> Vec<Operator> {
    let all = Operator::of_games().iter().copied();
    let both = all.filter(|operator| !NOT_BOTH.contains(&operator.name()));
    both.chain([of_edges("BACK", back)]).collect()
}

/// An operator of this program's own, by a change of each edge.
fn of_edges(name: &str, change: fn(&Automaton, EdgeId) -> Alteration) -> Operator {
    static DEFINED: Mutex<BTreeMap<String, Operator>> = Mutex::new(BTreeMap::new());
    let mut defined = DEFINED.lock().unwrap();
    *defined.entry(name.to_owned()).or_insert_with(|| {
        let changes = move |game: &Automaton| game.edges().ids().map(|edge| change(game, edge)).collect();
        Operator::own(name, "change an edge", "each edge is changed", changes).unwrap()
    })
}

fn back(game: &Automaton, edge: EdgeId) -> Alteration {
    let target = game.edges()[edge].source;
    Alteration::Target { edge, target }
}

/// A network of one process whose channels lead outside.
fn net_of_one(source: &mut Random) -> Net {
    let mut net = random(source);
    net.procs.truncate(1);
    net.hide = false;
    net.procs[0].environment = false;
    net.procs[0].priority = 0;
    net.chans.fill(Chan {
        broadcast: false,
        urgent: false,
        priority: 0,
    });
    // Who sends on a channel in a network does not hear it from outside.
    let sends: Vec<bool> = net.chans.iter().map(|_| source.chance(50)).collect();
    for edge in &mut net.procs[0].edges {
        if let Some((chan, end)) = &mut edge.sync {
            *end = sends[*chan];
        }
    }
    for loc in &mut net.procs[0].locs {
        if loc.urgency == Urgency::Committed {
            loc.urgency = Urgency::Urgent;
        }
    }
    net
}

/// The text of `net` with a clock of its own name for each element of the array of clocks.
fn text(net: &Net) -> String {
    let clocks: Vec<String> = (0..net.n_clocks).map(|at| format!("x{at}")).collect();
    let declared = net.xml().replace(
        &format!("clock x[{}];", net.n_clocks),
        &format!("clock {};", clocks.join(", ")),
    );
    (0..net.n_clocks).fold(declared, |text, at| {
        text.replace(&format!("x[{at}]"), &format!("x{at}"))
    })
}

pub(super) fn alone(specification: &Specification, mutant: &Automaton) -> Verdict {
    match specification.decide(mutant, &Budget::unlimited(), &mut Scratch::default()) {
        Ok(decision) => match decision.verdict {
            game::Verdict::Unknown(_) => Verdict::Unknown,
            verdict => verdict.into(),
        },
        Err(error) if error.is_invalid() => Verdict::Invalid,
        Err(_) => Verdict::Unknown,
    }
}

#[test]
fn a_game_is_a_network_of_one_process() {
    let mut source = Random(from_environment("TAMPER_SEED", 29));
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let options = MutationOptions {
        operators: operators(),
        ..MutationOptions::default()
    };
    for case in 0..from_environment("TAMPER_CASES", CASES) {
        let net = net_of_one(&mut source);
        let (semantics, _) = ALL[source.below(3)];
        let xml = text(&net);
        let (document, _) = read_bytes("net.xml", xml.as_bytes(), &ReadOptions::default())
            .unwrap_or_else(|error| panic!("{error}\n{xml}"));
        let game = &document.automata()[0];
        let file = tamper::formats::read_network("net.xml", xml.as_bytes()).unwrap().0;
        let view = view(&net, &file);
        let components = components(&file.network, &view, &file.templates, &[], Scope::Template).unwrap();
        let component = &components[0];
        for operator in operators() {
            assert_eq!(component.takes(operator), Ok(()), "case {case}\n{xml}");
        }
        let own = Mutations::of(game, &options);
        let of_game: Vec<String> = own.iter().map(|m| format!("{}/{}", game.name(), m.id(game))).collect();
        let of_network: Vec<String> = component.mutations(&options).iter().map(|m| component.id(&m)).collect();
        assert_eq!(of_network, of_game, "case {case}\n{xml}");
        let judge = judge((&file, &view), &components, (semantics, StaticUse::Use, Engine::Family));
        let specification = Specification::prepare(game, semantics, &Budget::unlimited());
        let (judge, specification) = match (judge, specification) {
            (Ok(judge), Ok(specification)) => (judge, specification),
            (Err(_), Err(GameError::SpecInconsistent { .. })) => continue,
            (Err(_), Err(error)) if error.is_invalid() => continue,
            // An integer that leaves its range only where no run gets is an error of the game, not of the composition.
            (judge, specification) => {
                assert!(
                    judge.is_ok() && specification.is_err_and(|error| error.is_invalid()),
                    "case {case}\n{xml}"
                );
                continue;
            }
        };
        for order in [Order::FIRST, Order::SECOND] {
            let of_network = NetworkMutants::of(&file.network, &view, &components, &options, order).unwrap();
            let of_game = MutantSpace::new(game, &options, order).unwrap();
            assert_eq!(of_network.len(), of_game.len(), "case {case}\n{xml}");
            let mut locator = of_game.locator();
            for _ in 0..40.min(of_game.len()) {
                let number = source.below(usize::try_from(of_game.len()).unwrap()) as u64;
                let (family, position) = locator.locate(number).unwrap();
                let siblings = locator.siblings(family).unwrap();
                let last = siblings.last().get(position).unwrap();
                let mutant = of_network.get(number).unwrap();
                let ids: Vec<String> = siblings
                    .id(last)
                    .split(';')
                    .map(|id| format!("{}/{id}", game.name()))
                    .collect();
                assert_eq!(mutant.id(), ids.join(";"), "case {case}\n{xml}");
                let (found, _) = judge.decide(&mutant, &mut Scratch::default());
                let expected = alone(&specification, &siblings.mutant(last));
                assert_eq!(
                    found.verdict,
                    expected,
                    "case {case}, {} under {semantics}\n{xml}",
                    mutant.id()
                );
                if order == Order::SECOND {
                    *counts.entry(format!("order 2: {}", expected.name())).or_default() += 1;
                }
                *counts.entry(last.operator().name().to_owned()).or_default() += 1;
                *counts.entry(expected.name().to_owned()).or_default() += 1;
            }
        }
    }
    println!("{counts:?}");
    assert!(counts.len() >= 20, "{counts:?}");
    for verdict in ["subsumed", "non-subsumed", "order 2: subsumed", "order 2: non-subsumed"] {
        assert!(counts[verdict] > 200, "{counts:?}");
    }
}

/// A process beside others has the same mutants: only whether a test sees them is for the network to say.
#[test]
fn operators_of_alphabets_are_refused_by_name() {
    let net = net_of_one(&mut Random(1));
    let file = file(&net);
    let view = view(&net, &file);
    let components = components(&file.network, &view, &file.templates, &[], Scope::Template).unwrap();
    of_edges("TURN", |_, edge| Alteration::Direction { edge });
    for name in ["CAC", "INV", "CHU", "SNK", "TURN"] {
        let operator: Operator = name.parse().unwrap();
        let error = components[0].takes(operator).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("{name} changes who takes part in steps")),
            "{error}"
        );
    }
}
