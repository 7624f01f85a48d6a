//! Rows of the regressions page, fourth round: UPPAAL's language.

use super::Place;

/// An index is judged where it is evaluated: never behind what decides without it, nor on an edge that no run takes.
#[test]
fn param_index_lazy_and_const_index_dead_edge() {
    let place = Place::with(&["networks/param-index-lazy.xta", "networks/const-index-dead-edge.xta"]);
    place.text("check param-index-lazy.xta --network", 0);
    place.text("check const-index-dead-edge.xta --network", 0);
    let text = std::fs::read_to_string(place.at("param-index-lazy.xta")).unwrap();
    let guard = "x >= 3 && (me == 0 || v[me-1] == 0)";
    // Where the guard keeps `P(0)` from going on in time, the game is inconsistent; without a bound the others go on at once for ever.
    for (other, code) in [
        ("x >= 3 && me > 0 && v[me-1] == 0", 1),
        ("x >= 3 && (me > 0 imply v[me-1] == 0)", 0),
        ("x >= 3 && (me > 0 ? v[me-1] == 0 : true)", 0),
        ("me > 0 && x >= v[me-1]", 0),
        ("me == 0 || x >= 3 + v[me-1]", 0),
        ("me > 0 && 3 / me > 0 && x >= 3", 1),
    ] {
        std::fs::write(place.at("m.xta"), text.replace(guard, other)).unwrap();
        place.text("check m.xta --network", code);
    }
    for (old, new) in [
        ("sync beep[me]!;", "sync beep[me-1]!;"),
        ("assign x = 0;", "assign x = 0, v[me-1] = 0;"),
    ] {
        let behind = text.replace(guard, "me > 0 && x >= 3").replace(old, new);
        std::fs::write(place.at("m.xta"), behind).unwrap();
        place.text("check m.xta --network", 1);
        // Where a run gets there it is the error of the model, with the run.
        std::fs::write(place.at("m.xta"), text.replace(guard, "x >= 3").replace(old, new)).unwrap();
        let message = place.refusal("check m.xta --network");
        assert!(message.contains("the index -1 is not in [0,2]"), "{new}: {message}");
    }
    // The verdicts are those of the file without the part that nothing evaluates.
    let plain = text.replace("const int[0,2] me", "const int[0,0] me");
    std::fs::write(place.at("lazy.xta"), &plain).unwrap();
    std::fs::write(place.at("out.xta"), plain.replace(guard, "x >= 3")).unwrap();
    for (left, right) in [("lazy.xta", "out.xta"), ("out.xta", "lazy.xta")] {
        place.text(&format!("refine {left} System System --against {right} --network"), 0);
    }
}

/// A parameter without a value has no instance; a quantifier over nothing is true or false, a sum 0; a variable needs a value.
#[test]
fn empty_range_param_and_empty_range_unused() {
    let place = Place::with(&["networks/empty-range-param.xta", "networks/empty-range-unused.xta"]);
    let one = place.json("check empty-range-param.xta --network", 0);
    let other = place.json("check empty-range-unused.xta --network", 0);
    assert_eq!(one[0]["edges"], other[0]["edges"], "{one}");
    assert_eq!(one[0]["edges"], 2, "{one}");
    let text = std::fs::read_to_string(place.at("empty-range-unused.xta")).unwrap();
    for (extra, enabled) in [
        ("forall (i : bad_t) false", true),
        ("exists (i : bad_t) true", false),
        ("(sum (i : bad_t) 7) == 0", true),
    ] {
        let guarded = text.replace("guard x >= 3;", &format!("guard x >= 3 && ({extra});"));
        std::fs::write(place.at("m.xta"), guarded).unwrap();
        let words = "refine empty-range-unused.xta System System --against m.xta --network --semantics definition";
        place.text(words, i32::from(!enabled));
    }
    std::fs::write(
        place.at("m.xta"),
        text.replace("broadcast chan beep[N];", "broadcast chan beep[N]; bad_t n;"),
    )
    .unwrap();
    let message = place.refusal("check m.xta --network");
    assert!(message.contains("the range [2,1] is empty"), "{message}");
}

/// As UPPAAL's type checker has it: in an update of its own a function without a value may be called.
#[test]
fn void_value() {
    let place = Place::with(&["networks/void-value.xta"]);
    let text = std::fs::read_to_string(place.at("void-value.xta")).unwrap();
    for (old, new) in [
        ("", ""),
        ("u = 1 + f(), x = 0", "u = f(), x = 0"),
        ("u = 1 + f(), x = 0", "v[f()] = 0, x = 0"),
        ("guard x >= 1;", "guard x >= f();"),
        ("guard x >= 1;", "guard x >= 1 && f() == 0;"),
    ] {
        std::fs::write(place.at("m.xta"), text.replacen(old, new, 1)).unwrap();
        let message = place.refusal("check m.xta");
        assert!(
            message.contains("`f` gives no value") && message.contains("m.xta:5:"),
            "{new}: {message}"
        );
    }
    std::fs::write(place.at("m.xta"), text.replace("u = 1 + f(), x = 0", "f(), x = 0")).unwrap();
    place.text("check m.xta", 0);
}

#[test]
fn scalar_number() {
    let place = Place::with(&["networks/scalar-number.xta"]);
    let text = std::fs::read_to_string(place.at("scalar-number.xta")).unwrap();
    let with = |guard: &str| {
        std::fs::write(place.at("m.xta"), text.replace("s < t && s == 1", guard)).unwrap();
    };
    for wrong in [
        "s < t && s == 1",
        "s == t",
        "s == 1",
        "s < s",
        "s + 1 > 0",
        "x >= s",
        "-s == 0",
        "(true ? s : t) == s",
    ] {
        with(wrong);
        let message = place.refusal("check m.xta");
        assert!(
            message.contains("scalars of one set") && message.contains("m.xta:3:"),
            "{wrong}: {message}"
        );
    }
    for right in [
        "s == s",
        "t != t || s == s",
        "exists (u : s_t) u == s",
        "(true ? s : s) == s",
    ] {
        with(right);
        place.text("check m.xta", 0);
    }
    // A parameter of the set is a scalar, and so is what is assigned.
    let own = text
        .replace("process P()", "s_t kept; process P(const s_t me)")
        .replace("s < t && s == 1", "s == me")
        .replace("assign x = 0", "assign x = 0, kept = me");
    std::fs::write(place.at("m.xta"), &own).unwrap();
    place.text("check m.xta --network", 0);
    std::fs::write(place.at("m.xta"), own.replace("kept = me", "kept = t")).unwrap();
    assert!(place.refusal("check m.xta --network").contains("scalars of one set"));
}

/// `2 ** 3` is 8: the process refines the same with that number, and with 9 it may wait too long.
#[test]
fn power() {
    let place = Place::with(&["networks/power.xta"]);
    let text = std::fs::read_to_string(place.at("power.xta")).expect("a file");
    let process = text
        .lines()
        .find(|line| line.starts_with("process P"))
        .expect("it has one");
    let with = |name: &str, number: &str| process.replace("process P", name).replace("x <= N", number);
    let three = [process, &with("process Q", "x <= 8"), &with("process R", "x <= 9")].join("\n");
    let text = text.replace(process, &three).replace("system P;", "system P, Q, R;");
    std::fs::write(place.at("three.xta"), text).expect("a file");
    place.text("refine three.xta P Q", 0);
    place.text("refine three.xta Q P", 0);
    place.text("refine three.xta R P", 1);
}

/// The receiver may not enter its target, so the sender cannot go: neither edge is part of a step, and both are named.
#[test]
fn check_says_none_dead() {
    let place = Place::with(&["networks/check-says-none-dead.xta"]);
    let output = place.tamper("check check-says-none-dead.xta --network --format json");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        found[0]["dead_edges"],
        serde_json::json!(["S: A -> B (line 3)", "R: C -> D (line 4)"]),
        "{found}"
    );
    // With a receiver that may, both are taken.
    let text = std::fs::read_to_string(place.at("check-says-none-dead.xta")).unwrap();
    std::fs::write(place.at("m.xta"), text.replace("y <= 1", "y <= 9")).unwrap();
    let output = place.tamper("check m.xta --network --format json");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found[0]["dead_edges"], serde_json::json!([]), "{found}");
}
