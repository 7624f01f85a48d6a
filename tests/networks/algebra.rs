//! Laws of `||` and `&&` on random games, and the composition against every pair of steps.

use tamper::formats::{InputEnabling, ReadOptions, read_bytes, read_ecdar};
use tamper::game::{Scratch, Semantics, Specification, Verdict};
use tamper::model::Automaton;
use tamper::network::{AlgebraError, conjunction, parallel};
use tamper::text::Budget;

use super::composition::from_environment;
use super::nets::Random;

const CASES: u64 = 60;

/// A random game with those actions (`a!`, `b?`), as the text of a template and its IO line.
fn game(random: &mut Random, name: &str, actions: &[&str]) -> (String, String) {
    let n_locations = 1 + random.below(3);
    let mut text = format!("<template><name>{name}</name><declaration>clock x; int[0,2] v;</declaration>");
    for at in 0..n_locations {
        let invariant = match random.chance(30) {
            true => format!("<label kind='invariant'>x &lt;= {}</label>", random.number(1, 3)),
            false => String::new(),
        };
        text.push_str(&format!("<location id='{name}{at}'>{invariant}</location>"));
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

/// Whether `left` refines `right` to the letter; none where one of them has no initial state.
fn refines(left: &Automaton, right: &Automaton) -> Option<bool> {
    let budget = Budget::unlimited();
    let specification = Specification::prepare(right, Semantics::DEFINITION, &budget).ok()?;
    let decision = specification.decide(left, &budget, &mut Scratch::default()).unwrap();
    match decision.verdict {
        Verdict::Subsumed => Some(true),
        Verdict::NonSubsumed => Some(false),
        Verdict::Inconsistent => None,
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
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
