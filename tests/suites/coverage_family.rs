//! `tamper coverage` of families that were written down, such as featured mutant models.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::suites::commands::{json, number, study, tamper};
use crate::suites::coverage_command::count;

fn example(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "uppaal-models", name].iter().collect()
}

fn number_of(of_families: &Value, verdict: &str) -> u128 {
    let verdicts = of_families["verdicts"].as_array().expect("verdicts");
    let found = verdicts.iter().find(|found| found["verdict"] == verdict);
    let products = found.unwrap_or_else(|| panic!("{verdict} in {of_families}"))["products"].clone();
    products.as_str().expect("a number as text").parse().expect("a number")
}

#[test]
fn the_products_of_an_exported_featured_mutant_model_are_those_of_its_game() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, kill) in [("hotel", "potential"), ("mutex", "potential"), ("mutex", "definite")] {
        let model = study(name);
        let model = model.display();
        json(at, &format!("testgen {model} --operators TMI --out given.json"), 0);
        assert!(
            tamper(at, &format!("fmm {model} --order any --out fmm"))
                .status
                .success()
        );
        let of_game = format!("coverage {model} given.json --kill {kill} --show count");
        let family = format!("--features fmm/features.uvl --against {model}");
        let of_family = format!("coverage fmm/fmm.xml given.json {family} --kill {kill} --show count");
        let (expected, found) = (json(at, &of_game, 1), json(at, &of_family, 1));
        assert_eq!(found["counts"], expected["counts"], "{name}");
        assert_eq!(found["verdict"], "incomplete");
        // The mutations of the product that escapes, by the names of their features.
        let named = |answer: &Value, what: &str| answer["escape"][what].as_array().map(Vec::len);
        assert_eq!(named(&found, "mutations"), None);
        assert_eq!(named(&found, "features"), named(&expected, "mutations"), "{name}");
        let escaping = found["escape"]["features"].as_array().unwrap();
        let escaping: Vec<&str> = escaping.iter().map(|name| name.as_str().unwrap()).collect();
        let words = format!(
            "project fmm/fmm.xml --features fmm/features.uvl --product {} --out p.xml",
            escaping.join(",")
        );
        assert!(tamper(at, &words).status.success());
        let refined = tamper(
            at,
            &format!("refine p.xml Spec Spec --against {model} --semantics definition"),
        );
        assert_eq!(refined.status.code(), Some(1), "{name}: what escapes does not conform");

        // The suite that one of them completes is complete for the other.
        json(at, &format!("{of_family} --suite complete --out completed.json"), 0);
        let again = json(at, &of_game.replace("given.json", "completed.json"), 0);
        assert_eq!(count(&again, "undetected"), 0);
        let specification: Value = serde_json::from_slice(&fs::read(at.join("completed.json")).unwrap()).unwrap();
        assert!(specification["specification"]["file"].as_str().unwrap().contains(name));
    }
}

/// Deterministic products that no test kills are those that refine the specification without pruning: two procedures,
/// which share an exploration only where there are many classes of such products.
#[test]
fn what_no_test_kills_of_a_family_is_what_refines_the_specification() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let mut families = vec![(
        example("vending-machine-line.xml"),
        example("vending-machine-line.uvl"),
        example("vending-machine-tea.xml"),
    )];
    for name in ["hotel", "mutex", "coffee"] {
        let model = study(name);
        let words = format!("fmm {} --order 2 --guidelines --out {name}", model.display());
        assert!(tamper(at, &words).status.success());
        families.push((at.join(name).join("fmm.xml"), at.join(name).join("features.uvl"), model));
    }
    for (file, features, spec) in families {
        let (file, features, spec) = (file.display(), features.display(), spec.display());
        let words = format!("{file} --features {features} --against {spec}");
        let decided = tamper(at, &format!("families {words} --semantics definition --format json"));
        let decided: Value = serde_json::from_slice(&decided.stdout).expect("JSON");
        let answer = json(
            at,
            &format!("coverage {words} --suite complete --show count --out completed.json"),
            0,
        );
        assert_eq!(count(&answer, "conforming"), number_of(&decided, "subsumed"), "{file}");
        assert_eq!(
            count(&answer, "undetected"),
            number_of(&decided, "non-subsumed"),
            "{file}"
        );
        assert!(number(&answer, "added_tests") > 0);
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let [line, features, tea] =
        ["line.xml", "line.uvl", "tea.xml"].map(|name| example(&format!("vending-machine-{name}")));
    let (line, features, tea) = (line.display(), features.display(), tea.display());
    fs::write(
        at.join("other.uvl"),
        "features\n    Line\n        optional\n            soda\n",
    )
    .unwrap();
    let machine = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/machines/running-example.fsm");
    let machine = machine.display();
    let both = format!("--features {features} --against {tea}");
    for (words, named) in [
        (format!("coverage {line} --features {features}"), "--against"),
        (format!("coverage {line} --against {tea}"), "--features"),
        (format!("coverage {line} {both} --order 2"), "--order"),
        (format!("coverage {line} {both} --operators TMI"), "operators"),
        (format!("coverage {line} {both} --template ,Inn"), "Inn"),
        (
            format!("coverage {line} --features none.uvl --against {tea}"),
            "none.uvl",
        ),
        (
            format!("coverage {line} --features other.uvl --against {tea}"),
            "feature",
        ),
        (
            format!("coverage {machine} {both}"),
            "--features has no meaning for a state machine",
        ),
    ] {
        let output = tamper(at, &words);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {stderr}");
        assert!(stderr.contains(named) && output.stdout.is_empty(), "{words}: {stderr}");
    }
}
