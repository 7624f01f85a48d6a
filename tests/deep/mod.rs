//! Valid, deep and wide inputs of every format, made by grammars: most are read, none ends a reader but by an answer or an error.
//!
//! Each format has a generator, whose depths go beyond the readers' bounds now and then. What is read is also written, copied and
//! dropped again. `TAMPER_CASES` says how many there are of each, `TAMPER_SEED` which; the counts are printed.

mod expressions;
mod features;
mod games;
mod machines;
mod suites;
mod systems;

use std::panic::{AssertUnwindSafe, catch_unwind};

use tamper::features::Random;
use tamper::text::STACK;

/// What a reader says about a text.
type Read = fn(&str) -> Result<(), String>;

fn from_environment(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

/// Reads as many texts of `format` as are asked for; at least half must be read, and no reader may panic.
fn all_end_well(format: &str, generate: fn(&mut Random) -> String, read: Read) {
    let (cases, seed) = (
        from_environment("TAMPER_CASES", 200),
        from_environment("TAMPER_SEED", 1),
    );
    let run = move || {
        let (mut accepted, mut bytes, mut panics, mut refusals) = (0_u64, 0, Vec::new(), Vec::new());
        for case in 0..cases {
            let text = generate(&mut Random::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(case)));
            bytes += text.len();
            match catch_unwind(AssertUnwindSafe(|| read(&text))) {
                Ok(Ok(())) => accepted += 1,
                Ok(Err(error)) => {
                    assert!(!error.trim().is_empty(), "case {case} is refused without a word");
                    refusals.push(error);
                }
                Err(_) => panics.push(case),
            }
        }
        (accepted, bytes, panics, refusals)
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap();
    let (accepted, bytes, panics, refusals) = thread.join().unwrap();
    println!(
        "{format:<24} {cases:>7} runs {accepted:>7} accepted {:>5.1} % {:>6} bytes each {:>3} panics",
        100.0 * accepted as f64 / cases as f64,
        bytes as u64 / cases.max(1),
        panics.len(),
    );
    assert_eq!(panics, [0; 0], "{format}, seed {seed}: these cases panic");
    let shown: Vec<&String> = refusals.iter().take(2).collect();
    assert!(2 * accepted >= cases, "{format}: most are refused: {shown:#?}");
}

macro_rules! formats {
    ($($name:ident: $module:ident :: $generate:ident, $read:ident;)*) => {
        $(#[test]
        fn $name() {
            all_end_well(stringify!($name), $module::$generate, $module::$read);
        })*
    };
}

formats! {
    uppaal_xml: games::xml, read_xml;
    uppaal_text: games::xta, read_xta_file;
    network_xml: games::network_xml, read_network_xml;
    network_text: games::network_xta, read_network_xta;
    tchecker: games::tchecker, read_tck;
    ecdar: games::ecdar, read_component;
    smv: systems::smv, read_smv_file;
    btor2: systems::btor2, read_btor2_file;
    action_system: systems::actions, read_actions_file;
    machine_text: machines::text, read_text;
    kiss2: machines::kiss, read_kiss;
    dot: machines::dot, read_dot;
    extended_machine: machines::extended, read_extended;
    scxml: machines::scxml, read_scxml;
    machine_suite: machines::suite, read_tests;
    uvl: features::uvl, read_uvl_file;
    featureide: features::featureide, read_featureide_file;
    dimacs: features::dimacs, read_dimacs_file;
    feature_condition: features::condition, read_condition;
    timed_suite: suites::timed, read_timed;
    system_suite: suites::untimed, read_untimed;
}
