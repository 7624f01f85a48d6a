//! Laws of `||` and `&&` on random games, and the composition against every pair of steps.

use tamper::formats::{InputEnabling, ReadOptions, read_bytes, read_ecdar};
use tamper::game::{Consistency, Scratch, Semantics, Specification, Verdict, analyse, ignoring, pruned, quotient};
use tamper::model::Automaton;
use tamper::network::{AlgebraError, conjunction, parallel};
use tamper::text::Budget;

use super::composition::from_environment;
use super::nets::Random;
use testing::oracle;

const CASES: u64 = 60;

/// A random game with those actions (`a!`, `b?`), as the text of a template and its IO line.
fn game(random: &mut Random, name: &str, actions: &[&str]) -> (String, String) {
    let n_locations = 1 + random.below(3);
    let mut text = format!("<template><name>{name}</name><declaration>clock x; int[0,2] v;</declaration>");
    for at in 0..n_locations {
        let invariant = match random.chance(30) {
            true => format!(
                "<label kind='invariant'>x {} {}</label>",
                ["&lt;=", "&lt;=", "&lt;"][random.below(3)],
                random.number(1, 3)
            ),
            false => String::new(),
        };
        let urgent = if random.chance(8) { "<urgent/>" } else { "" };
        text.push_str(&format!("<location id='{name}{at}'>{invariant}{urgent}</location>"));
    }
    text.push_str(&format!("<init ref='{name}0'/>"));
    for _ in 0..1 + random.below(5) {
        let (source, target) = (random.below(n_locations), random.below(n_locations));
        let action = actions[random.below(actions.len())];
        let guard = match random.below(4) {
            0 => String::new(),
            1 => format!("x >= {}", random.number(0, 3)),
            2 => format!("x &lt;= {}", random.number(0, 3)),
            _ => format!("v == {}", random.number(0, 1)),
        };
        let guard = match guard.is_empty() {
            true => guard,
            false => format!("<label kind='guard'>{}</label>", guard.replace(">=", "&gt;=")),
        };
        let update = ["", "x = 0", "v = 1 - v", "x = 0, v = 0"][random.below(4)];
        // A variable that starts at 0 and is set to 0 or 1 - v stays in its range.
        let update = match update.is_empty() {
            true => String::new(),
            false => format!("<label kind='assignment'>{update}</label>"),
        };
        text.push_str(&format!(
            "<transition><source ref='{name}{source}'/><target ref='{name}{target}'/>{guard}\
             <label kind='synchronisation'>{action}</label>{update}</transition>"
        ));
    }
    (
        text + "</template>",
        format!("IO {name} {{ {} }}\n", actions.join(", ")),
    )
}

fn read(parts: &[(String, String)], names: &str) -> Vec<Automaton> {
    let templates: String = parts.iter().map(|(template, _)| template.as_str()).collect();
    let lines: String = parts.iter().map(|(_, line)| line.as_str()).collect();
    let text = format!(
        "<nta><declaration>chan a, b, c, i;</declaration>{templates}<system>system {names};\n{lines}</system></nta>"
    );
    let options = ReadOptions {
        input_enabling: InputEnabling::Auto,
        ..ReadOptions::default()
    };
    let (document, _) = read_bytes("games.xml", text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}"));
    document.automata().to_vec()
}

/// Whether `left` refines `right` in that sense; none where one of them has no initial state.
fn refines_as(left: &Automaton, right: &Automaton, semantics: Semantics) -> Option<bool> {
    let budget = Budget::unlimited();
    let specification = Specification::prepare(right, semantics, &budget).ok()?;
    let decision = specification.decide(left, &budget, &mut Scratch::default()).unwrap();
    match decision.verdict {
        Verdict::Subsumed => Some(true),
        Verdict::NonSubsumed => Some(false),
        Verdict::Inconsistent => None,
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

/// To the letter.
fn refines(left: &Automaton, right: &Automaton) -> Option<bool> {
    refines_as(left, right, Semantics::DEFINITION)
}

fn strictly(left: &Automaton, right: &Automaton) -> Option<bool> {
    refines_as(left, right, Semantics::STRICT)
}

fn same(left: &Automaton, right: &Automaton) -> bool {
    refines(left, right) != Some(false) && refines(right, left) != Some(false)
}

#[test]
fn parallel_composition_is_commutative_and_associative() {
    let budget = Budget::unlimited();
    let mut random = Random(from_environment("TAMPER_SEED", 5));
    for case in 0..from_environment("TAMPER_CASES", CASES) {
        let parts = [
            game(&mut random, "A", &["a!", "b?", "i?"]),
            game(&mut random, "B", &["b!", "a?", "c?"]),
            game(&mut random, "C", &["c!", "a?", "i?"]),
        ];
        let games = read(&parts, "A, B, C");
        let [a, b, c] = games.as_slice() else {
            panic!("three games")
        };
        let both = |left: &Automaton, right: &Automaton| parallel(left, right, &budget).unwrap();
        let (ab, ba) = (both(a, b), both(b, a));
        assert!(same(&ab, &ba), "case {case}: {parts:?}");
        assert!(same(&both(&ab, c), &both(a, &both(b, c))), "case {case}: {parts:?}");
    }
}

#[test]
fn a_conjunction_is_the_greatest_lower_bound() {
    let budget = Budget::unlimited();
    let mut random = Random(from_environment("TAMPER_SEED", 6));
    let mut refined = 0;
    for case in 0..from_environment("TAMPER_CASES", 4 * CASES) {
        let actions = ["a!", "b!", "i?"];
        let parts = ["A", "B", "X"].map(|name| game(&mut random, name, &actions));
        let games = read(&parts, "A, B, X");
        let [a, b, x] = games.as_slice() else {
            panic!("three games")
        };
        let both = conjunction(a, b, &budget).unwrap();
        assert!(
            same(&both, &conjunction(b, a, &budget).unwrap()),
            "case {case}: {parts:?}"
        );
        for bound in [a, b] {
            assert_ne!(refines(&both, bound), Some(false), "case {case}: {parts:?}");
        }
        let (Some(below_a), Some(below_b), Some(below)) = (refines(x, a), refines(x, b), refines(x, &both)) else {
            continue;
        };
        assert_eq!(below_a && below_b, below, "case {case}: {parts:?}");
        refined += u32::from(below);
    }
    assert!(refined > 0, "some game refines both");
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let budget = Budget::unlimited();
    let mut random = Random(1);
    let parts = [
        game(&mut random, "A", &["a!", "i?"]),
        game(&mut random, "B", &["a!", "b?"]),
    ];
    let games = read(&parts, "A, B");
    assert!(matches!(parallel(&games[0], &games[1], &budget), Err(AlgebraError::SharedOutput(name)) if name == "a"));
    assert!(matches!(
        conjunction(&games[0], &games[1], &budget),
        Err(AlgebraError::Alphabets(_))
    ));
    let refusing = games[0].with_input_enabling(false);
    assert!(matches!(
        parallel(&refusing, &games[1].renamed("C"), &budget),
        Err(AlgebraError::SharedOutput(_))
    ));
    let silent = read(&[game(&mut random, "D", &["b!", "c?"])], "D");
    assert!(matches!(parallel(&refusing, &silent[0], &budget), Err(AlgebraError::RefusesInputs(name)) if name == "A"));
}

#[test]
fn a_universal_location_allows_everything_and_an_inconsistent_one_is_avoided() {
    let component = |name: &str, kind: &str| {
        let text = format!(
            "{{\"name\": \"{name}\", \"declarations\": \"\", \"locations\": [{{\"id\": \"L0\", \"type\": \"INITIAL\"}}, \
             {{\"id\": \"L1\", \"type\": \"{kind}\"}}], \"edges\": [{{\"sourceLocation\": \"L0\", \"targetLocation\": \"L1\", \
             \"status\": \"OUTPUT\", \"sync\": \"a\"}}]}}"
        );
        (format!("{name}.json"), text.into_bytes())
    };
    let io = "IO U { a!, b!, i? }\\nIO N { a!, b!, i? }\\nIO E { a!, b!, i? }";
    let system = format!("{{\"name\": \"System\", \"declarations\": \"system U, N, E;\\n{io}\"}}");
    let files = [
        ("SystemDeclarations.json".to_owned(), system.into_bytes()),
        component("U", "UNIVERSAL"),
        component("N", "NORMAL"),
        component("E", "INCONSISTENT"),
    ];
    let (document, _) = read_ecdar(&files, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let game = |name: &str| &document.automata()[document.find(name).unwrap()];
    let [universal, normal, inconsistent] = ["U", "N", "E"].map(game);
    assert_eq!(refines(normal, universal), Some(true));
    assert_eq!(refines(universal, normal), Some(false));
    // Pruned, the edge into the inconsistent location is none.
    let budget = Budget::unlimited();
    let strict = |left: &Automaton, right: &Automaton| {
        let specification = Specification::prepare(right, Semantics::STRICT, &budget).unwrap();
        specification
            .decide(left, &budget, &mut Scratch::default())
            .unwrap()
            .verdict
    };
    assert_eq!(strict(inconsistent, normal), Verdict::Subsumed);
    assert_eq!(strict(normal, inconsistent), Verdict::NonSubsumed);
}

/// Two deterministic games that are consistent, with these actions, beside others that need not be so.
struct Pool {
    random: Random,
    n_drawn: u32,
}

impl Pool {
    /// Random games with those actions; none of the first `n_exact` is inconsistent or has a choice.
    fn draw(&mut self, wanted: &[(&str, &[&str])], n_exact: usize) -> Option<Vec<Automaton>> {
        let parts: Vec<_> = wanted
            .iter()
            .map(|(name, actions)| game(&mut self.random, name, actions))
            .collect();
        let names: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
        self.n_drawn += 1;
        let games = read(&parts, &names.join(", "));
        let is_exact = |game: &Automaton| {
            let facts = analyse(game, &Budget::unlimited()).unwrap().unwrap();
            facts.overlaps.is_empty() && facts.consistency == Consistency::Consistent
        };
        games[..n_exact].iter().all(is_exact).then_some(games)
    }
}

/// Whether the left game refines the right one, as regions have it: none where one of them is inconsistent.
fn by_regions(left: &Automaton, right: &Automaton, rules: oracle::refinement::Rules) -> Option<bool> {
    match oracle::refinement::decide(left, right, rules) {
        oracle::refinement::Answer::Subsumed => Some(true),
        oracle::refinement::Answer::NonSubsumed => Some(false),
        oracle::refinement::Answer::Inconsistent | oracle::refinement::Answer::SpecInconsistent => None,
    }
}

fn shown(games: &[&Automaton]) -> String {
    games.iter().map(|game| oracle::show::show(game)).collect()
}

/// Whether some move has two answers. Of an input the game lets the left side pick the better one; beside a part that makes it as an
/// output every answer counts, so that only one direction of the law is left.
fn has_choice(game: &Automaton) -> bool {
    !analyse(game, &Budget::unlimited())
        .unwrap()
        .unwrap()
        .overlaps
        .is_empty()
}

/// `a || b` of what is left of both; none where that is no automaton.
fn beside(a: &Automaton, b: &Automaton) -> Option<Automaton> {
    let budget = Budget::unlimited();
    Some(parallel(&pruned(a, &budget).ok()?, &pruned(b, &budget).ok()?, &budget).unwrap())
}

/// A law of quotients: a game refines one exactly if beside the parts it refines the whole.
struct Law {
    seed: u64,
    /// The games that are drawn, with their actions: the whole, the parts, and last the one that refines.
    wanted: &'static [(&'static str, &'static [&'static str])],
    /// How the whole is refined.
    whole: Semantics,
    /// The same on regions, if some of the cases are decided on them, too.
    regions: Option<oracle::refinement::Rules>,
}

impl Law {
    /// Draws games until the law was held against as many as are asked for. `make` gives the quotient and the game beside the parts,
    /// or nothing where they have no meaning; `then` is asked about each case that was counted, too.
    fn hold(
        &self,
        make: impl Fn(&[Automaton]) -> Option<(Automaton, Automaton)>,
        mut then: impl FnMut(&[Automaton], &str),
    ) {
        let mut pool = Pool {
            random: Random(from_environment("TAMPER_SEED", self.seed)),
            n_drawn: 0,
        };
        let (mut refined, mut not, mut by_region, mut chose) = (0, 0, 0, 0);
        let cases = from_environment("TAMPER_CASES", CASES);
        while refined + not < cases {
            let Some(games) = pool.draw(self.wanted, self.wanted.len() - 1) else {
                continue;
            };
            let (Some(whole), Some(x)) = (games.first(), games.last()) else {
                panic!("several games")
            };
            let Some((quotient, beside)) = make(&games) else {
                continue;
            };
            let by_law = refines_as(&beside, whole, self.whole);
            let (Some(direct), Some(by_law)) = (strictly(x, &quotient), by_law) else {
                continue;
            };
            let all = shown(&games.iter().chain([&quotient]).collect::<Vec<_>>());
            if has_choice(x) {
                chose += 1;
                assert!(direct || !by_law, "{all}");
                continue;
            }
            assert_eq!(direct, by_law, "{all}");
            refined += u64::from(direct);
            not += u64::from(!direct);
            // Some of them by region graphs as well: those of quotients are large.
            if let Some(rules) = self.regions
                && by_region < cases / 4
                && quotient.locations().len() < 12
            {
                by_region += 1;
                assert_eq!(
                    by_regions(x, &quotient, oracle::refinement::STRICT),
                    Some(direct),
                    "{all}"
                );
                assert_eq!(by_regions(&beside, whole, rules), Some(direct), "{all}");
            }
            then(&games, &all);
        }
        println!(
            "{refined} refine the quotient, {not} do not; {by_region} by regions as well; {chose} with choices; {} drawn",
            pool.n_drawn
        );
        assert!(refined > cases / 50 && not > cases / 50, "{refined} and {not}");
    }
}

#[test]
fn a_game_refines_a_quotient_if_beside_the_part_it_refines_the_whole() {
    let law = Law {
        seed: 21,
        wanted: &[
            ("S", &["a!", "b!", "i?"]),
            ("T", &["a!", "b?", "i?"]),
            ("X", &["b!", "a?", "i?"]),
        ],
        whole: Semantics::STRICT,
        regions: Some(oracle::refinement::STRICT),
    };
    let make = |games: &[Automaton]| {
        let [s, t, x] = games else { panic!("three games") };
        Some((quotient(s, t, &Budget::unlimited()).ok()?, beside(t, x)?))
    };
    law.hold(make, |_, _| ());
}

/// S knows neither `a` nor `c`: read as a game that ignores what it does not know it has the quotient that Ecdar's engines make, of
/// which the game X has all actions.
#[test]
fn a_game_refines_the_quotient_of_a_whole_that_ignores_actions_if_beside_the_part_it_refines_the_whole() {
    let law = Law {
        seed: 23,
        wanted: &[
            ("S", &["b!", "i?"]),
            ("T", &["a!", "b?", "c?", "i?"]),
            ("X", &["b!", "c!", "a?", "i?"]),
        ],
        whole: Semantics::TIGA,
        regions: Some(oracle::refinement::TIGA),
    };
    let make = |games: &[Automaton]| {
        let [s, t, x] = games else { panic!("three games") };
        let budget = Budget::unlimited();
        let whole = ignoring(s, t, &budget).ok()?;
        Some((quotient(&whole, t, &budget).ok()?, beside(t, x)?))
    };
    law.hold(make, |_, _| ());
}

#[test]
fn quotients_of_quotients_are_quotients_by_both_parts() {
    let law = Law {
        seed: 22,
        wanted: &[
            ("S", &["a!", "b!", "c!", "i?"]),
            ("T", &["a!", "b?", "i?"]),
            ("U", &["c!", "a?", "i?"]),
            ("X", &["b!", "a?", "c?", "i?"]),
        ],
        whole: Semantics::STRICT,
        regions: None,
    };
    let budget = Budget::unlimited();
    let make = |games: &[Automaton]| {
        let [s, t, u, x] = games else { panic!("four games") };
        let by_t = quotient(s, t, &budget).ok()?;
        let both = beside(t, u)?;
        let (nested, at_once) = (quotient(&by_t, u, &budget).ok()?, quotient(s, &both, &budget).ok()?);
        let all = shown(&[s, t, u, x]);
        assert_ne!(strictly(&nested, &at_once), Some(false), "{all}");
        assert_ne!(strictly(&at_once, &nested), Some(false), "{all}");
        let beside_x = beside(t, &beside(u, x)?)?;
        Some((nested, beside_x))
    };
    // The quotient itself is a game that beside the part refines the whole.
    let mut within = 0;
    law.hold(make, |games, all| {
        let (s, t) = (&games[0], &games[1]);
        let by_t = quotient(s, t, &budget).expect("it was made before");
        if let Some(whole) = beside(&by_t, t) {
            assert_ne!(strictly(&whole, s), Some(false), "{all}");
            within += 1;
        }
    });
    println!("{within} quotients beside their part");
}
