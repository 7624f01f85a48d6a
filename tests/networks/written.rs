//! Mutants of networks written into their files and read back: the same composition.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use tamper::experiment::{Component, Engine, NetworkFiles, NetworkJudge, NetworkMutants, Scope, StaticUse, components};
use tamper::formats::{
    NetworkFile, ReadOptions, WriteError, choose_mutant, read_bytes, read_network, write_automaton,
    write_featured_network, write_mutations,
};
use tamper::game::{Scratch, Semantics, Specification};
use tamper::model::{Automaton, Role};
use tamper::mutation::{MutantSpace, Mutation, MutationOptions, Operator, Order};
use tamper::network::{Network, View, compose, compose_mutant};
use tamper::text::Budget;

use super::composition::from_environment;
use super::disguised::{branch, disguised};
use super::judges::judge;
use super::mutants::{file, view};
use super::nets::{Net, Random, broadcasting, random};
use super::of_one::alone;

const CASES: u64 = 150;

/// What a game is, whatever the order of its actions and edges: its parts in words.
fn parts(game: &Automaton) -> BTreeMap<String, usize> {
    let mut parts = BTreeMap::new();
    let mut add = |part: String| *parts.entry(part).or_default() += 1;
    for action in game.actions().iter() {
        add(action.to_string());
    }
    for location in game.locations().iter() {
        add(format!("{location:?}"));
    }
    for edge in game.edges().iter() {
        let (source, target) = (&game.locations()[edge.source].name, &game.locations()[edge.target].name);
        let action = &game.actions()[edge.action];
        add(format!(
            "{source} -> {target} {action} {:?} {:?}",
            edge.guard, edge.updates
        ));
    }
    parts
}

/// Chooses every mutant of the featured mutant model, and compares with the mutant; -1 chooses the original. How many were compared.
fn compare_featured(
    file: &NetworkFile,
    view: &View,
    (components, options): (&[Component], &MutationOptions),
) -> Result<usize, String> {
    let mutants = NetworkMutants::of(&file.network, view, components, options, Order::FIRST).unwrap();
    let all: Vec<_> = (0..mutants.len())
        .filter_map(|number| Some((number, mutants.get(number)?)))
        .collect();
    let of_component = |at: usize| {
        let own = all.iter().filter(move |(_, mutant)| mutant.steps()[0].component == at);
        own.map(|(number, mutant)| (*number, mutant.steps()[0].mutation))
            .collect::<Vec<_>>()
    };
    let parts = components.iter().enumerate();
    let templates: Vec<_> = parts.map(|(at, one)| one.featured(file, &of_component(at))).collect();
    let text = write_featured_network(file, &templates).map_err(|error| error.to_string())?;
    // Actions of the alphabet that no edge has, and how added channels are called, are no part of what a mutant does.
    let composed = |network: &Network| {
        let composed = compose(network, view, &Budget::unlimited()).map_err(|error| error.to_string())?;
        let mut parts = parts_of_edges(&composed.automaton);
        parts.insert(format!("hidden {}", composed.has_hidden), 1);
        Ok::<_, String>(parts)
    };
    let read = |text: &str| read_network("fmm.xml", text.as_bytes()).map_err(|error| format!("{error}\n{text}"));
    if composed(&read(&text)?.0.network).ok() != composed(&file.network).ok() {
        return Err(format!("another original than\n{text}"));
    }
    for (number, mutant) in &all {
        let chosen = choose_mutant(&text, *number).unwrap();
        let (found, expected) = (
            composed(&read(&chosen)?.0.network).ok(),
            composed(&mutant.network()).ok(),
        );
        if found != expected {
            let (found, expected) = (found.unwrap_or_default(), expected.unwrap_or_default());
            let more: Vec<_> = found
                .iter()
                .filter(|(part, n)| expected.get(*part) != Some(n))
                .collect();
            let less: Vec<_> = expected
                .iter()
                .filter(|(part, n)| found.get(*part) != Some(n))
                .collect();
            return Err(format!("{}: {more:?} in place of {less:?}\n{chosen}", mutant.id()));
        }
    }
    Ok(all.len())
}

/// Locations and edges in words: channels of added edges by their direction, and locations of one name, which are numbered as they
/// are found, by that name.
fn parts_of_edges(game: &Automaton) -> BTreeMap<String, usize> {
    let named = |word: &str| match word.rsplit_once('_') {
        Some((name, number)) if number.parse::<u32>().is_ok() => name.to_owned(),
        _ => word.replace("dummy_2?", "dummy_1?"),
    };
    let mut all = BTreeMap::new();
    for (part, n) in parts(game) {
        if part.contains(" -> ") {
            let words: Vec<String> = part.split(' ').map(named).collect();
            *all.entry(words.join(" ")).or_default() += n;
        }
    }
    let mut add = |part: String| *all.entry(part).or_default() += 1;
    for location in game.locations().iter() {
        add(format!(
            "{} {:?} {:?}",
            named(&location.name),
            location.invariant,
            location.urgency
        ));
    }
    all
}

/// Who decides the mutants of a network, and the composition that their files are compared with.
struct Judges<'a> {
    network: NetworkJudge<'a>,
    specification: Specification,
}

impl<'a> Judges<'a> {
    /// None where the composition is inconsistent or has no meaning.
    fn of((file, view): (&'a NetworkFile, &'a View), components: &'a [Component]) -> Option<Self> {
        let how = (Semantics::STRICT, StaticUse::Use, Engine::Family);
        let composed = compose(&file.network, view, &Budget::unlimited()).ok()?;
        Some(Self {
            network: judge((file, view), components, how).ok()?,
            specification: Specification::prepare(&composed.automaton, Semantics::STRICT, &Budget::unlimited()).ok()?,
        })
    }
}

/// Writes every mutant of the components, and compares what is read back. How many were compared, by operator.
fn compare(
    file: &NetworkFile,
    view: &View,
    (components, options): (&[Component], &MutationOptions),
    (order, most): (Order, u64),
    (skip, judges): (impl Fn(&Mutation) -> bool, Option<&Judges<'_>>),
) -> Result<BTreeMap<String, usize>, String> {
    let mut counts = BTreeMap::new();
    let mutants = NetworkMutants::of(&file.network, view, components, options, order).unwrap();
    let files = NetworkFiles::new(file, components);
    let stride = usize::try_from(mutants.len() / most + 1).unwrap();
    for mutant in (0..mutants.len())
        .step_by(stride)
        .filter_map(|number| mutants.get(number))
    {
        if mutant.steps().iter().any(|step| skip(&step.mutation)) {
            continue;
        }
        let expected = compose_mutant(&mutant.network(), &file.network, view, &Budget::unlimited());
        let id = mutant.id();
        let steps: Vec<(usize, Mutation)> = mutant
            .steps()
            .iter()
            .map(|step| (step.component, step.mutation))
            .collect();
        let text = files.written(&steps).map_err(|error| format!("{id}: {error}"))?;
        let (written, _) =
            read_network("mutant.xml", text.as_bytes()).map_err(|error| format!("{id}: {error}\n{text}"))?;
        let found = compose(&written.network, view, &Budget::unlimited());
        match (&expected, &found) {
            (Ok(expected), Ok(found)) => {
                if parts(&expected.automaton) != parts(&found.automaton) || expected.has_hidden != found.has_hidden {
                    return Err(format!("{id}: another game than\n{text}"));
                }
                if let Some(judges) = judges.filter(|_| !found.has_hidden) {
                    let by_run = judges.network.decide(&mutant, &mut Scratch::default()).0.verdict;
                    let by_file = alone(&judges.specification, &found.automaton);
                    if by_run != by_file {
                        return Err(format!("{id}: {by_run:?}, but its file is {by_file:?}\n{text}"));
                    }
                    *counts.entry(format!("verdict {}", by_file.name())).or_default() += 1;
                }
            }
            (Err(_), Err(_)) => {}
            _ => {
                return Err(format!(
                    "{id}: {:?}, but read back {:?}\n{text}",
                    expected.err(),
                    found.err()
                ));
            }
        }
        let operators: Vec<&str> = mutant.operators().iter().map(|operator| operator.name()).collect();
        *counts.entry(operators.join(";")).or_default() += 1;
    }
    Ok(counts)
}

fn run(nets: impl Fn(&mut Random) -> Net, seed: u64) {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", seed),
        from_environment("TAMPER_CASES", CASES),
    );
    let mut source = Random(seed);
    let (mut total, mut n_chosen) = (BTreeMap::<String, usize>::new(), 0);
    for case in 0..cases {
        let net = nets(&mut source);
        let (file, scope) = (file(&net), [Scope::Template, Scope::Instance][source.below(2)]);
        let view = view(&net, &file);
        let components = components(&file.network, &view, &file.templates, &[], scope).unwrap();
        let options = MutationOptions {
            conjuncts: true,
            ..MutationOptions::default()
        };
        // Nobody outside offers an input where there are priorities.
        let prioritised = net.chans.iter().any(|chan| chan.priority != 0) || net.procs.iter().any(|p| p.priority != 0);
        let skip = |mutation: &Mutation| prioritised && matches!(mutation, Mutation::AddEdge { role: Role::Input, .. });
        for order in [(Order::FIRST, u64::MAX - 1), (Order::SECOND, 150)] {
            let found = compare(&file, &view, (&components, &options), order, (skip, None));
            let found = found.unwrap_or_else(|message| panic!("seed {seed}, network {case}: {message}\n{}", net.xml()));
            for (operator, n) in found {
                *total.entry(operator).or_default() += n;
            }
        }
        if scope == Scope::Template && !prioritised && case % 5 == 0 {
            let found = compare_featured(&file, &view, (&components, &options));
            n_chosen += found.unwrap_or_else(|message| panic!("seed {seed}, network {case}: {message}\n{}", net.xml()));
        }
    }
    println!("seed {seed}, {cases} networks: {total:?}, {n_chosen} chosen");
    assert!(n_chosen > 100, "{n_chosen}");
    let firsts: Vec<usize> = total
        .iter()
        .filter(|(name, _)| !name.contains(';'))
        .map(|(_, n)| *n)
        .collect();
    assert!(firsts.len() == 6 && firsts.iter().all(|n| *n > 20), "{total:?}");
    assert!(total.len() >= 6 + 25, "{total:?}");
}

#[test]
fn mutants_of_random_networks_are_the_same_when_they_are_read_back() {
    run(random, 51);
}

#[test]
fn mutants_of_random_broadcast_networks_are_the_same_when_they_are_read_back() {
    run(broadcasting, 52);
}

/// The file of `net` with branchpoints, prices, doubles, a clock that starts elsewhere and one that stands still.
fn dressed(net: &mut Net, source: &mut Random) -> String {
    let n_vars = net.vars.len();
    net.procs.iter_mut().for_each(|process| branch(source, process, n_vars));
    disguised(net, source, &mut HashMap::new())
        .replacen("double d = 0.5;", "double d = 0.5; clock odd = 3, still;", 1)
        .replace("cost' == 2", "cost' == 2 &amp;&amp; still' == 0")
        .replace("cost += 2", "cost += 2, odd = 0, still = 1")
}

/// What says how likely or how dear a run is, and clocks that nothing compares: each mutant is a file with the same composition and
/// the verdict of `classify`. Of the composition, which is a game by itself, the mutants of all operators have the verdicts of
/// their files, too.
#[test]
fn mutants_of_networks_with_prices_and_odd_clocks_have_the_verdicts_of_their_files() {
    let (seed, cases) = (
        from_environment("TAMPER_SEED", 53),
        from_environment("TAMPER_CASES", 25),
    );
    let mut source = Random(seed);
    let (mut total, mut of_games) = (BTreeMap::<String, usize>::new(), BTreeMap::<String, usize>::new());
    for case in 0..cases {
        let mut net = random(&mut source);
        let text = dressed(&mut net, &mut source);
        let (file, _) = read_network("net.xml", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let view = view(&net, &file);
        let components = components(&file.network, &view, &file.templates, &[], Scope::Template).unwrap();
        let Some(judges) = Judges::of((&file, &view), &components) else {
            continue;
        };
        let options = MutationOptions::default();
        let prioritised = net.chans.iter().any(|chan| chan.priority != 0) || net.procs.iter().any(|p| p.priority != 0);
        let skip = |mutation: &Mutation| prioritised && matches!(mutation, Mutation::AddEdge { role: Role::Input, .. });
        for (order, most) in [(Order::FIRST, 100), (Order::SECOND, 100)] {
            let found = compare(
                &file,
                &view,
                (&components, &options),
                (order, most),
                (skip, Some(&judges)),
            );
            let found = found.unwrap_or_else(|message| panic!("seed {seed}, network {case}: {message}\n{text}"));
            found
                .into_iter()
                .for_each(|(what, n)| *total.entry(what).or_default() += n);
        }
        let composed = compose(&file.network, &view, &Budget::unlimited()).unwrap();
        if composed.automaton.edges().len() < 60 {
            let found = compare_composed(&composed.automaton, &mut source, &mut of_games);
            found.unwrap_or_else(|message| panic!("seed {seed}, network {case}: {message}\n{text}"));
        }
    }
    println!("seed {seed}, {cases} networks: {total:?}; compositions: {of_games:?}");
    assert!(total.values().sum::<usize>() > 200, "{total:?}");
    assert!(of_games.len() > 15, "{of_games:?}");
}

/// Writes mutants of a composition into its file, and compares the verdicts on what is read.
fn compare_composed(game: &Automaton, source: &mut Random, counts: &mut BTreeMap<String, usize>) -> Result<(), String> {
    let read = |text: &str| {
        let read = read_bytes("game.xml", text.as_bytes(), &ReadOptions::default());
        read.map(|(document, _)| document)
            .map_err(|error| format!("{error}\n{text}"))
    };
    let document = read(&write_automaton(game))?;
    let own = &document.automata()[0];
    if parts(own) != parts(game) || own.clocks() != game.clocks() {
        return Err(format!("another game than\n{}", document.source().text()));
    }
    let specification = |game: &Automaton| Specification::prepare(game, Semantics::STRICT, &Budget::unlimited());
    let Ok(by_game) = specification(game) else {
        return Ok(());
    };
    let operators = Operator::of_games().to_vec();
    let options = MutationOptions {
        operators,
        ..MutationOptions::default()
    };
    for order in [Order::FIRST, Order::SECOND] {
        let Ok(space) = MutantSpace::new(own, &options, order) else {
            continue;
        };
        for _ in 0..40.min(space.len()) {
            let number = source.below(usize::try_from(space.len()).unwrap()) as u64;
            let (family, position) = space.locate(number).unwrap();
            let siblings = space.siblings(family).unwrap();
            let last = siblings.last().get(position).unwrap();
            let text = match write_mutations(&document, 0, &siblings.mutations(last)) {
                Err(WriteError::SharedChannel(_) | WriteError::NoTruthValue(_)) => continue,
                written => written.map_err(|error| error.to_string())?,
            };
            let file = read(&text)?;
            let mutant = siblings.mutant(last).with_atomic_steps(true);
            let expected = alone(&by_game, &mutant);
            let by_file = specification(&file.automata()[0]).map_err(|error| error.to_string())?;
            // Of a game whose committed locations were all removed it makes no difference.
            let found = alone(&by_file, file.automata().last().unwrap());
            if found != expected {
                return Err(format!(
                    "{}: {expected:?}, but its file is {found:?}\n{text}",
                    siblings.id(last)
                ));
            }
            *counts.entry(last.operator().name().to_owned()).or_default() += 1;
        }
    }
    Ok(())
}

/// Mutants of the network in `text`, of templates and of single processes.
fn both_scopes(name: &str, text: &str) -> BTreeMap<String, usize> {
    let (file, _) = read_network(name, text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let view = View::closed("System", &file.network);
    let mut total = BTreeMap::new();
    for scope in [Scope::Template, Scope::Instance] {
        let components = components(&file.network, &view, &file.templates, &[], scope).unwrap();
        let options = MutationOptions {
            conjuncts: true,
            ..MutationOptions::default()
        };
        let all = (Order::FIRST, u64::MAX - 1);
        let found = compare(&file, &view, (&components, &options), all, (|_: &Mutation| false, None));
        for (operator, n) in found.unwrap_or_else(|message| panic!("{name}: {message}")) {
            *total.entry(operator).or_default() += n;
        }
        if scope == Scope::Template {
            let n_chosen = compare_featured(&file, &view, (&components, &options));
            assert!(n_chosen.unwrap_or_else(|message| panic!("{name}: {message}")) > 20);
        }
    }
    total
}

#[test]
fn mutants_of_the_examples_are_the_same_when_they_are_read_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("uppaal-models/networks");
    for name in [
        "fischer.xml",
        "crossing.xml",
        "lamp-and-user.xml",
        "collision-avoidance.xml",
    ] {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        assert!(both_scopes(name, &text).len() >= 5, "{name}");
    }
}

/// Comparisons in every spelling, labels that are lists, comments, locations without names, instances by name.
const SPELLINGS: &str = "<?xml version='1.0' encoding='utf-8'?>
<nta><declaration>const int N = 4; clock g; chan a; // the last one
// no more</declaration><template><name> T </name><parameter>const int k, chan &amp;out</parameter>
<declaration>clock x; int[0,3] i;</declaration><location id='l0' x='1' y='2'/>
<location id='l1'><name>Next</name><label kind='invariant'>N + k &gt;= x &amp;&amp; true &amp;&amp; (i &lt;= 3 and -x &gt;= -9), x' == 1</label></location>
<init ref='l0'/>
<transition><source ref='l0'/><target ref='l1'/><label kind='guard'>x &lt;= N - 1, 2 &lt; x, i &lt;= 2</label><label kind='assignment'>x = 0</label></transition>
<transition><source ref='l1'/><target ref='l0'/><label kind='guard'>k - x &lt;= 0 // or later
&amp;&amp; (x - 1) &lt; (N * k) + 1</label><label kind='synchronisation'>out!</label><label kind='assignment'>x = 0</label></transition>
<transition><source ref='l1'/><target ref='l1'/><label kind='select'>j : int[0,1]</label><label kind='guard'>x == 3 &amp;&amp; j == i % 2</label><label kind='assignment'>x = 0</label></transition>
</template><template><name>U</name><location id='u'><name>Only</name></location><init ref='u'/>
<transition><source ref='u'/><target ref='u'/><label kind='synchronisation'>a?</label><nail x='5' y='5'/></transition></template>
<system>P = T(1, a); Q = T(2, a);
system P, Q, U;</system><queries><query><formula>A[] not deadlock</formula></query></queries></nta>";

#[test]
fn every_spelling_of_a_comparison_is_changed_in_place() {
    let total = both_scopes("spellings.xml", SPELLINGS);
    // Of the two guards and the invariant, each of T, P and Q.
    assert!(total["CXL"] >= 18, "{total:?}");
    assert_eq!(total["TMI"], 2 * (3 + 1) + 3, "{total:?}");
}

#[test]
fn only_what_is_mutated_changes_in_the_file() {
    let (file, _) = read_network("spellings.xml", SPELLINGS.as_bytes()).unwrap();
    let view = View::closed("System", &file.network);
    let text = |scope, id: &str| {
        let components = components(&file.network, &view, &file.templates, &[], scope).unwrap();
        let mutants = NetworkMutants::of(
            &file.network,
            &view,
            &components,
            &MutationOptions::default(),
            Order::FIRST,
        )
        .unwrap();
        let mut all = (0..mutants.len()).filter_map(|number| mutants.get(number));
        let mutant = all
            .find(|mutant| mutant.id().starts_with(id))
            .unwrap_or_else(|| panic!("no {id}"));
        components[mutant.last.component]
            .text(&file, &mutant.last.mutation)
            .unwrap()
    };
    let removed = text(Scope::Template, "U/TMI");
    assert_eq!(
        removed.replace("<label kind=\"guard\">false</label>", ""),
        SPELLINGS,
        "an edge that is removed has a guard that never holds"
    );
    let added = text(Scope::Template, "U/TAD:output:Only->Only");
    assert!(added.contains("// no more\nchan dummy_1;\n</declaration>"), "{added}");
    let one = text(Scope::Instance, "Q/TMI");
    assert!(one.contains("P = T(1, a); Q = T_mutant(2, a);"), "{one}");
    assert!(
        one.contains("<name>T_mutant</name>") && one.contains("<name> T </name>"),
        "{one}"
    );
}
