//! Trap properties against verdicts.

use tamper_features::Random;
use tamper_systems::formats::smv::write_trap;
use tamper_systems::{OutputId, Pair, decide, mutations};
use tamper_text::Budget;

use super::files::program;
use super::written::{clamped, range, states, truth};

/// A program without choices, of which one variable is hidden.
fn text(random: &mut Random) -> String {
    let range = range(random);
    format!(
        "-- outputs: n, d\nMODULE main\nIVAR i : boolean;\nVAR n : {}..{}; b : boolean;\nDEFINE d := {};\nASSIGN\n  init(n) := {};\n  \
         next(n) := {};\n  init(b) := {};\n  next(b) := {};\n",
        range.0,
        range.1,
        ["b", "!b", "b & n > 0", "TRUE"][random.below(4)],
        range.0,
        clamped(random, range),
        ["TRUE", "FALSE"][random.below(2)],
        truth(random, 2),
    )
}

/// The text is read back, and every state that runs reach is looked at: the property fails somewhere if, and only if, the mutant is
/// killed potentially.
#[test]
fn a_trap_property_fails_if_and_only_if_some_test_can_fail() {
    let (mut n_killed, mut n_not) = (0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let own = program(&text(&mut random));
        let Some(specification) = states(&own).filter(|system| system.is_deterministic()) else {
            continue;
        };
        for mutation in mutations(&own) {
            let mutant = mutation.apply(&own);
            let Some(system) = states(&mutant) else { continue };
            let pair = Pair::new(&system, &specification).unwrap();
            let killed = decide(&pair, &Budget::unlimited()).potential.found().is_some();
            let trap = write_trap(&own, &mutant);
            let same = trap.lines().find_map(|line| line.strip_prefix("INVARSPEC ")).unwrap();
            let asked = trap.replace("MODULE main", &format!("MODULE main\nDEFINE same := {same}"));
            let shown = asked.lines().find(|line| line.starts_with("-- outputs:")).unwrap();
            let asked = asked.replace(shown, "-- outputs: same");
            let both = states(&program(&asked)).unwrap_or_else(|| panic!("no step somewhere:\n{asked}"));
            let differs = |shown: &str| shown.contains("FALSE");
            let starts = both.starts().keys().any(|shown| differs(shown));
            let fails = starts || both.outputs().ids().any(|id: OutputId| differs(&both.outputs()[id]));
            assert_eq!(fails, killed, "seed {seed}\n{asked}");
            n_killed += u32::from(killed);
            n_not += u32::from(!killed);
        }
    }
    assert!(n_killed > 100 && n_not > 30, "{n_killed} {n_not}");
}
