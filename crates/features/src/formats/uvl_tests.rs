//! What UVL says beyond propositions, against counts by hand and plain arithmetic.

use super::{read_uvl, read_uvl_with};
use crate::arbitrary::products;
use crate::{FeatureModel, Random};

fn read(text: &str) -> FeatureModel {
    match read_uvl(text) {
        Ok((model, _)) => model,
        Err(errors) => panic!("{errors:?}\n{text}"),
    }
}

fn refusal(text: &str) -> String {
    let errors = read_uvl(text).expect_err(text);
    assert!(errors[0].span.is_some(), "{text}: {errors:?}");
    errors[0].message.clone()
}

/// A value for the selected features.
type Value = Box<dyn Fn(&[bool]) -> f64>;

/// A number of halves: `f64` is exact for all results here.
fn number(random: &mut Random, values: &[f64; 4], depth: usize) -> (String, Value) {
    if depth == 0 {
        let (at, value) = (random.below(4), random.below(9) as f64 / 2.0 - 2.0);
        let own = values[at];
        return match random.below(5) {
            0 => (value.to_string(), Box::new(move |_| value)),
            1 => {
                let values = *values;
                let selected = move |chosen: &[bool]| (0..4).filter(|at| chosen[*at]).map(|at| values[at]).sum();
                ("sum(Price)".to_owned(), Box::new(selected))
            }
            _ => (
                format!("f{at}.Price"),
                Box::new(move |chosen| if chosen[at] { own } else { 0.0 }),
            ),
        };
    }
    let (left, one) = number(random, values, depth - 1);
    let (right, other) = number(random, values, depth - 1);
    match random.below(4) {
        0 => (
            format!("({left} + {right})"),
            Box::new(move |chosen| one(chosen) + other(chosen)),
        ),
        1 => (
            format!("({left} - {right})"),
            Box::new(move |chosen| one(chosen) - other(chosen)),
        ),
        2 => (
            format!("{left} * {right}"),
            Box::new(move |chosen| one(chosen) * other(chosen)),
        ),
        _ => (format!("{left} / 2"), Box::new(move |chosen| one(chosen) / 2.0)),
    }
}

#[test]
fn random_comparisons_of_constants_are_what_plain_arithmetic_says() {
    let (mut n_products, mut n_some) = (0, 0);
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let values: [f64; 4] = std::array::from_fn(|_| random.below(13) as f64 / 2.0 - 3.0);
        // Products are chains, so that what stands beside `*` and `/` is no sum without parentheses.
        let ((left, one), (right, other)) = (number(&mut random, &values, 2), number(&mut random, &values, 1));
        let sign = ["==", "!=", "<", ">", "<=", ">="][random.below(6)];
        let features: String = (0..4)
            .map(|at| format!("\t\t\tf{at} {{Price {}}}\n", values[at]))
            .collect();
        let text =
            format!("features\n\troot\n\t\toptional\n{features}constraints\n\tf0 => !({left} {sign} {right}) & f1\n");
        let mut expected = 0;
        for chosen in 0..16_u32 {
            let chosen: Vec<bool> = (0..4).map(|at| chosen >> at & 1 == 1).collect();
            let (left, right) = (one(&chosen), other(&chosen));
            let compared = match sign {
                "==" => left == right,
                "!=" => left != right,
                "<" => left < right,
                ">" => left > right,
                "<=" => left <= right,
                _ => left >= right,
            };
            expected += usize::from(!chosen[0] || !compared && chosen[1]);
        }
        assert_eq!(products(&read(&text)).len(), expected, "seed {seed}\n{text}");
        n_products += expected;
        n_some += usize::from(![8, 12].contains(&expected));
    }
    println!("{n_products} products, {n_some} models between the extremes");
    assert!(
        n_products > 4000 && n_some > 100,
        "{n_products} products, {n_some} models between the extremes"
    );
}

#[test]
fn features_that_occur_several_times_have_the_choices_of_each_occurrence() {
    let with = |cardinality: &str, children: usize| {
        let children: String = (0..children).map(|at| format!("\t\t\t\t\t\tc{at}\n")).collect();
        let group = if children.is_empty() {
            ""
        } else {
            "\t\t\t\t\toptional\n"
        };
        format!(
            "features\n\troot\n\t\tmandatory\n\t\t\t\ta cardinality {cardinality} {{x 1}}\n{group}{children}\t\toptional\n\t\t\t\tb\n"
        )
    };
    for (min, max, children) in [(1, 1, 2), (1, 3, 0), (1, 3, 1), (2, 3, 1), (2, 2, 2), (3, 3, 1)] {
        let of_each = 2_usize.pow(children);
        let expected: usize = (min..=max).map(|times| of_each.pow(times)).sum();
        let text = with(&format!("[{min}..{max}]"), children as usize);
        // `b` is there or not.
        assert_eq!(products(&read(&text)).len(), 2 * expected, "{text}");
    }
    // Two of `a`, each with one or two of `c`: (1 + 1)² choices; of one `a`: 2.
    let nested = "features\n\troot\n\t\tmandatory\n\t\t\ta cardinality [1..2]\n\t\t\t\tmandatory\n\t\t\t\t\tc cardinality [1..2]\n";
    assert_eq!(products(&read(nested)).len(), 2 + 4);
    let root = "features\n\troot cardinality [1..3]\n\t\talternative\n\t\t\ta\n\t\t\tb\n";
    assert_eq!(products(&read(root)).len(), 2 + 4 + 8);
    // The feature itself may be named in constraints: it occurs.
    let text = with("[1..2]", 0).replace("mandatory", "optional") + "constraints\n\tb => a\n";
    assert_eq!(products(&read(&text)).len(), 3 + 2);
    for (text, message) in [
        (
            with("[1..2]", 1) + "constraints\n\tb => c0\n",
            "constraints on one of several occurrences",
        ),
        (
            with("[1..2]", 1) + "constraints\n\ta.x > 0\n",
            "attributes of features that occur several times",
        ),
        (with("[1..*]", 1), "features that occur any number of times"),
        (with("[0..2]", 1), "a selected feature that occurs 0 times"),
        (with("[2..1]", 1), "how often the feature occurs"),
        (with("[1..999999999]", 1), "these are too many features"),
    ] {
        assert!(refusal(&text).contains(message), "{text}: {}", refusal(&text));
    }
}

#[test]
fn constraints_in_attributes_are_constraints() {
    let with = |attributes: &str, constraints: &str| {
        let text = format!("features\n\tr\n\t\toptional\n\t\t\ta {attributes}\n\t\t\tb\n\t\t\tc\n{constraints}");
        products(&read(&text))
    };
    let expected = with("", "constraints\n\ta => b\n\tb => c\n");
    assert_eq!(expected.len(), 4);
    assert_eq!(with("{constraints [a => b, b => c]}", ""), expected);
    assert_eq!(with("{x 1, constraint a => b}", "constraints\n\tb => c\n"), expected);
    let text = "features\n\tr\n\t\toptional\n\t\t\ta {constraint a => q}\n";
    let errors = read_uvl(text).expect_err("q is no feature");
    assert_eq!(&text[errors[0].span.expect("a place").range()], "q");
}

#[test]
fn imports_are_trees_of_other_files() {
    let files = [
        (
            "parts/wheel.uvl",
            "imports\n\ttyre as t\nfeatures\n\tWheel\n\t\toptional\n\t\t\tx\n\t\t\tt.Tyre\nconstraints\n\tx => t.wide & t.Tyre.w > 1\n",
        ),
        (
            "parts/tyre.uvl",
            "features\n\tTyre {w 2}\n\t\talternative\n\t\t\twide\n\t\t\tslim\n",
        ),
        (
            "loop.uvl",
            "imports\n\tloop\nfeatures\n\tL\n\t\toptional\n\t\t\tloop.L\n",
        ),
        (
            "wrong.uvl",
            "features\n\tW\n\t\toptional\n\t\t\ta\nconstraints\n\ta => nowhere\n",
        ),
    ];
    let read = |text: &str| {
        let mut import = |path: &str| {
            let found = files.iter().find(|(name, _)| *name == path);
            found.map(|(_, text)| (*text).to_owned()).ok_or(format!("no {path}"))
        };
        let model = read_uvl_with(text, &mut import).map_err(|errors| errors[0].message.clone());
        model.map(|(model, _)| model)
    };
    let model = "imports\n\tparts.wheel as front\n\tparts.\"wheel\" as back\nfeatures\n\tBike\n\t\tmandatory\n\
        \t\t\tfront.Wheel\n\t\t\tback.Wheel\nconstraints\n\tfront.t.wide => back.t.wide\n";
    let model = read(model).expect("it is read");
    let names: Vec<&str> = model.features().iter().map(crate::Feature::name).collect();
    assert!(
        names.contains(&"front.t.Tyre") && names.contains(&"back.x"),
        "{names:?}"
    );
    // A wheel: no tyre, slim, wide, or wide with x: 4. A wide front (2) needs a wide back (2), any other (2) takes all 4.
    assert_eq!(products(&model).len(), 2 * 2 + 2 * 4);
    let error = |name: &str, root: &str| {
        let text = format!("imports\n\t{name} as i\nfeatures\n\tr\n\t\toptional\n\t\t\ti.{root}\n");
        read(&text).expect_err(name)
    };
    assert!(error("loop", "L").contains("this import contains itself"));
    assert!(error("missing", "L").contains("no missing.uvl"));
    assert!(error("parts.tyre", "wide").contains("`wide` is not the root of that file"));
    assert!(error("wrong", "W").contains("in wrong.uvl at `a => nowhere`: no feature has this name"));
}

#[test]
fn what_is_no_constant_is_refused_by_name() {
    let features = "features\n\tr\n\t\toptional\n\t\t\ta {p 1, s 'x'}\n\t\t\tb\nconstraints\n\t";
    for (constraint, message) in [
        ("a.p / b.p > 1", "attributes that a feature does not have"),
        ("1 / a.p > 1", "divisions by what is 0 for some choice of features"),
        ("avg(p) > 1", "averages"),
        ("len(a.s) > 1", "lengths of texts"),
        ("floor(a.p) > 1", "rounded numbers"),
        ("sum(a, p) > 1", "sums over the children of a feature"),
        ("sum(s) > 1", "sums of attributes that are no numbers"),
        ("a.p > b", "comparisons with something other than constants"),
        ("b > 1", "these comparisons"),
        (
            "a.s == 'x'",
            "attributes that a feature does not have, or that are no numbers",
        ),
    ] {
        let text = format!("{features}{constraint}\n");
        assert!(refusal(&text).starts_with(message), "{constraint}: {}", refusal(&text));
    }
    assert!(refusal("features\n\tr\n\t\toptional\n\t\t\tInteger a\n").contains("features with values (Integer)"));
}

#[test]
fn occurrences_that_must_be_there_are_no_false_optional_features() {
    for (cardinality, n_products) in [("[2..2]", 1), ("[2..4]", 3), ("[1..3]", 3), ("[3..4]", 2)] {
        let text = format!("features\n\tr\n\t\tmandatory\n\t\t\ta cardinality {cardinality}\n");
        let model = read_uvl(&text).expect("it is read").0;
        assert_eq!(products(&model).len(), n_products, "{cardinality}");
        let found = crate::Anomalies::of(&model, &tamper_text::Budget::unlimited()).expect("an answer");
        assert_eq!(found, Some(crate::Anomalies::default()), "{cardinality}");
    }
}
