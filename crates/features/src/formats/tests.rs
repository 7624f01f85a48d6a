//! What is written reads back with the same products; what other tools write is read; what is wrong is located.

use std::collections::BTreeSet;

use super::{
    FeatureModelFormat, UnwritableFeature, read_feature_model, write_feature_model, write_featureide, write_uvl,
};
use crate::arbitrary::{expr, model, products};
use crate::{FeatureExpr, FeatureModel, GroupKind, Random};
use tamper_text::{Diagnostic, Span};

fn read(text: &str, format: FeatureModelFormat) -> FeatureModel {
    match read_feature_model("model", text.as_bytes(), format) {
        Ok((model, _)) => model,
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn error(text: &str, format: FeatureModelFormat) -> Diagnostic {
    let error = read_feature_model("model", text.as_bytes(), format).unwrap_err();
    error.diagnostics.into_iter().next().unwrap()
}

/// The products as sets of names, without hidden features, and how many products there are with them.
fn named_products(model: &FeatureModel) -> (BTreeSet<BTreeSet<String>>, usize) {
    let all = products(model);
    let named = all.iter().map(|product| {
        let features = product.iter().map(|feature| &model.features()[feature]);
        let shown = features.filter(|feature| feature.attribute("hidden") != Some("true"));
        shown.map(|feature| feature.name().to_owned()).collect()
    });
    (named.collect(), all.len())
}

#[test]
fn random_models_read_back_with_the_same_products() {
    for format in FeatureModelFormat::ALL {
        let mut n_models = 0;
        for seed in 0..60 {
            let original = model(&mut Random::new(seed), 8);
            let text = write_feature_model(&original, format).unwrap();
            let back = read(&text, format);
            // Auxiliary features make the naive enumeration long; small models suffice.
            if back.features().len() > 14 {
                continue;
            }
            n_models += 1;
            let expected = named_products(&original);
            assert_eq!(named_products(&back), expected, "{} seed {seed}\n{text}", format.name());
        }
        assert!(n_models > 15, "{n_models} {}", format.name());
    }
}

#[test]
fn large_groups_are_counted_by_hidden_features() {
    let mut original = FeatureModel::new("root").unwrap();
    let group = original.add_group(original.root(), GroupKind::Cardinality { min: 2, max: 3 });
    for number in 0..9 {
        original.add_feature(group, &format!("f{number}")).unwrap();
    }
    let plain = original.without_groups(|_| false).unwrap();
    assert!(plain.features().len() > 10);
    let diagram = crate::Diagram::of(&plain, &tamper_text::Budget::unlimited()).unwrap();
    // 9 over 2 and 9 over 3.
    assert_eq!(diagram.count(), (36_u32 + 84).into());
    let back = read(&write_featureide(&original).unwrap(), FeatureModelFormat::FeatureIde);
    let diagram = crate::Diagram::of(&back, &tamper_text::Budget::unlimited()).unwrap();
    assert_eq!(diagram.count(), (36_u32 + 84).into());
}

/// Two groups below the root, an attribute, a name that needs quotes, a constraint with its reason.
fn example() -> FeatureModel {
    let mut model = FeatureModel::new("mutants").unwrap();
    let group = model.add_group(model.root(), GroupKind::Cardinality { min: 0, max: 2 });
    let [a, b, c] = ["TMI_a", "or", "x <= 3"].map(|name| model.add_feature(group, name).unwrap());
    let group = model.add_group(model.root(), GroupKind::Alternative);
    for name in ["d", "e"] {
        model.add_feature(group, name).unwrap();
    }
    model.feature_mut(a).attributes = vec![("id".to_owned(), "'TMI:a->b#0'".to_owned())];
    model.feature_mut(b).is_abstract = true;
    model.add_constraint(FeatureExpr::from(c).implies(a.into()), "it needs the other");
    model
}

#[test]
fn uvl_is_written_as_it_is_documented() {
    let expected = "features\n\tmutants\n\t\t[0..2]\n\t\t\tTMI_a {id 'TMI:a->b#0'}\n\t\t\t\"or\" {abstract}\n\
                    \t\t\t\"x <= 3\"\n\t\talternative\n\t\t\td\n\t\t\te\n\nconstraints\n\t// it needs the other\n\
                    \t!\"x <= 3\" | TMI_a\n";
    assert_eq!(write_uvl(&example()).unwrap(), expected);
    assert_eq!(read(expected, FeatureModelFormat::Uvl), example());
}

#[test]
fn dimacs_names_and_shows_the_features() {
    let text = write_feature_model(&example(), FeatureModelFormat::Dimacs).unwrap();
    assert!(
        text.starts_with("c 1 mutants\nc 2 TMI_a\nc 3 or\nc 4 x <= 3\n"),
        "{text}"
    );
    assert!(text.contains("\nc p show 1 2 3 4 5 6 0\np cnf "), "{text}");
    assert!(text.contains("\n1 0\n"), "{text}");
}

#[test]
fn uvl_of_other_writers_is_read() {
    let text = "namespace x\n\ninclude\n    Boolean.group-cardinality\nfeatures\n    \"My Root\" // the root\n        \
                mandatory\n            a {abstract true, cost 3, tags [1, 2]}\n                or\n                    \
                b\n                    Boolean c\n        [1..*]\n            d\n            e\n        [1]\n            \
                f\n            g\n/* nothing\n   here */\nconstraints\n    b => !d\n    (c <=> d) | \"e\"\n";
    let model = read(text, FeatureModelFormat::Uvl);
    let a = model.find("a").unwrap();
    assert!(model.features()[a].is_abstract);
    assert_eq!(model.features()[a].attribute("tags"), Some("[1, 2]"));
    // (b, c) and (d, e), each non-empty, f or g: without the constraints 3 * 3 * 2. b => !d leaves b with e alone: bc,
    // b with e; c alone with d, e, de. (c <=> d) | e holds for c with d, and for all with e.
    let (named, n) = named_products(&model);
    assert_eq!((named.len(), n), (2 * 5, 2 * 5));
}

/// Of three optional features a, b, c: how many products the constraint leaves.
fn n_of_three(constraint: &str) -> usize {
    let text = format!("features\n\tr\n\t\toptional\n\t\t\ta\n\t\t\tb\n\t\t\tc\nconstraints\n\t{constraint}\n");
    products(&read(&text, FeatureModelFormat::Uvl)).len()
}

/// The published grammar: `!`, `&`, `|`, `=>`, `<=>` from strong to weak, all of two operands to the left. Numbers by hand.
#[test]
fn connectives_of_uvl_bind_as_in_the_published_grammar() {
    // (a => b) => c: four with c; without c, a => b must fail: a alone. To the right it would be seven.
    assert_eq!(n_of_three("a => b => c"), 5);
    assert_eq!(n_of_three("a => (b => c)"), 7);
    assert_eq!(n_of_three("(a => b) => c"), 5);
    // Equivalence is associative: an odd number of the three, 4.
    assert_eq!(n_of_three("a <=> b <=> c"), 4);
    // (a | b) => c: four with c, one without; a | (b => c) would be seven.
    assert_eq!(n_of_three("a | b => c"), 5);
    // a <=> (b => c): b => c fails for b without c only; a and b => c: 3; neither: 1.
    assert_eq!(n_of_three("a <=> b => c"), 4);
    // a | (b & c): 4 + 1; (a | b) & c would be 3.
    assert_eq!(n_of_three("a | b & c"), 5);
    // (!a) & b: 2; !(a & b) would be 6.
    assert_eq!(n_of_three("!a & b"), 2);
    assert_eq!(n_of_three("!!a"), 4);
}

#[test]
fn names_of_uvl_are_those_of_the_published_grammar() {
    let text = "features\n\tand\n\t\toptional\n\t\t\tx'y#z // a 'comment'\n\t\t\ta.b {k 'it // is'}\n\t\t\t\"12B\"\n\
                constraints\n\tx'y#z => and & a.b // why\n\t\"12B\" | and\n";
    let model = read(text, FeatureModelFormat::Uvl);
    let names: Vec<_> = model.features().iter().map(|feature| feature.name()).collect();
    assert_eq!(names, ["and", "x'y#z", "a.b", "12B"]);
    // a.b or not x'y#z: 3 of 4; 12B is free.
    assert_eq!(products(&model).len(), 6);
    let uvl = |text: &str, marked: &str, message: &str| check(text, FeatureModelFormat::Uvl, marked, message);
    uvl("features\n\tr\n\t\tor\n\t\t\ttrue", "true", "a word of UVL");
    uvl(
        "features\n\tr\n\t\tor\n\t\t\tfeatures {abstract}",
        "features",
        "a word of UVL",
    );
    uvl("features\n\t12B", "12B", "no plain name");
    uvl("features\n\t_a", "_a", "no plain name");
    uvl("features\n\ta-b", "a-b", "no plain name");
    uvl("features\n\té", "é", "no plain name");
    uvl("features\n\t\"a.b\"", "\"a.b\"", "keeps it for paths");
    let with = |constraint: &str| format!("features\n\tr\nconstraints\n\t{constraint}");
    uvl(&with("r => true"), "true", "no place");
    uvl(&with("r && r"), "&", "expected here");
    uvl(&with("r and r"), "and", "no place");
    uvl(&with("12B"), "12B", "no place");
}

#[test]
fn what_is_written_as_uvl_means_the_same_when_it_is_read() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mut original = model(&mut random, 6);
        for _ in 0..3 {
            let n = original.features().len();
            original.add_constraint(expr(&mut random, n, 5), "");
        }
        let text = write_feature_model(&original, FeatureModelFormat::Uvl).unwrap();
        let back = read(&text, FeatureModelFormat::Uvl);
        assert_eq!(named_products(&back), named_products(&original), "seed {seed}\n{text}");
    }
}

/// At most one of 250: what clauses and FeatureIDE count with stands beside what is counted.
#[test]
fn models_of_mutants_are_small_diagrams_in_every_format() {
    let mut original = FeatureModel::new("root").unwrap();
    let group = original.add_group(original.root(), GroupKind::Cardinality { min: 0, max: 1 });
    for number in 0..250 {
        original.add_feature(group, &format!("f{number}")).unwrap();
    }
    for format in FeatureModelFormat::ALL {
        let back = read(&write_feature_model(&original, format).unwrap(), format);
        let budget = tamper_text::Budget {
            max_states: Some(100_000),
            ..tamper_text::Budget::unlimited()
        };
        let diagram = crate::Diagram::of(&back, &budget).unwrap();
        assert_eq!(diagram.count(), 251_u32.into(), "{}", format.name());
    }
}

#[test]
fn featureide_of_other_writers_is_read() {
    let text = "<?xml version='1.0'?><!DOCTYPE featureModel><featureModel><properties><graphics key='x'/></properties>\
                <struct><and abstract='true' mandatory='true' name='r'><graphics key='y'/><description>d</description>\
                <feature name='a'><attribute name='cost' type='long' value='3'/></feature>\
                <alt mandatory='false' name='b'><feature name='b1'/><feature name='b2'/></alt></and></struct>\
                <constraints><rule><description>why\n not</description><imp><var>a</var><var>b</var></imp></rule>\
                <rule><atmost1><var>a</var><var>b1</var></atmost1></rule></constraints></featureModel>";
    let model = read(text, FeatureModelFormat::FeatureIde);
    // {}, b1, b2, a b2.
    assert_eq!(products(&model).len(), 4);
    let reasons: Vec<_> = model
        .constraints()
        .iter()
        .map(|constraint| constraint.reason.as_str())
        .collect();
    assert_eq!(reasons, ["why not", ""]);
    assert_eq!(model.features()[model.find("a").unwrap()].attribute("cost"), Some("3"));
}

#[test]
fn dimacs_of_other_writers_is_read() {
    let model = read(
        "c hello\nc 2 Base\nc 1 a b\np cnf 3 3\n2 0\n-1\n3 0 1 -3\n0\n",
        FeatureModelFormat::Dimacs,
    );
    assert_eq!(model.features()[model.root()].name(), "Base");
    let (named, n) = named_products(&model);
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(named, BTreeSet::from([names(&["Base"]), names(&["Base", "a b"])]));
    assert_eq!(n, 2);
    // Without a feature that is always there, a root is made.
    let free = read("p cnf 2 1\n1 2 0\n", FeatureModelFormat::Dimacs);
    assert_eq!(free.features()[free.root()].name(), "root");
    assert_eq!(products(&free).len(), 3);
}

#[test]
fn names_that_a_format_cannot_hold_are_refused() {
    let model = FeatureModel::new("a.b").unwrap();
    assert_eq!(write_uvl(&model), Err(UnwritableFeature("a.b".to_owned())));
    assert!(write_featureide(&model).is_ok());
}

fn check(text: &str, format: FeatureModelFormat, marked: &str, message: &str) {
    let found = error(text, format);
    let span = found.span.map(Span::range).map(|range| &text[range]);
    assert_eq!(span, Some(marked), "{found:?}");
    assert!(found.message.contains(message), "{found:?}");
}

#[test]
fn errors_in_uvl_are_located() {
    let uvl = |text: &str, marked: &str, message: &str| check(text, FeatureModelFormat::Uvl, marked, message);
    uvl("imports\n\tx", "x", "the import cannot be read");
    uvl("feature\n\ta", "feature", "no section");
    uvl("features\n\ta\n\t\tb", "b", "kind of a group");
    uvl("features\n\ta\n\t\t[x..2]\n\t\t\tb", "[x..2]", "kind of a group");
    uvl("features\n\ta\n\tb", "b", "one root");
    uvl("features\n\ta\n\t\tor\n\t\t\ta", "a", "same name");
    uvl("features\n\tInteger a", "Integer a", "values");
    uvl(
        "features\n\ta cardinality [1..*]",
        "a cardinality [1..*]",
        "any number of times",
    );
    uvl("features\n\ta b", "a b", "in braces");
    uvl("features\n\t\"a", "\"a", "closing quote");
    uvl("features\n\ta\nconstraints\n\ta & bee // no", "bee", "no feature");
    uvl("features\n\ta\nconstraints\n\ta.cost > 3", "a.cost > 3", "attributes");
    uvl("features\n\ta\n/* no", "/*", "does not end");
    assert!(
        error("// nothing", FeatureModelFormat::Uvl)
            .message
            .contains("no section `features`")
    );
    uvl("features\nconstraints\n", "features", "empty");
}

#[test]
fn errors_in_featureide_are_located() {
    let xml = |text: &str, marked: &str, message: &str| check(text, FeatureModelFormat::FeatureIde, marked, message);
    let with = |constraints: &str| {
        format!(
            "<featureModel><struct><feature name='a'/></struct><constraints>{constraints}</constraints></featureModel>"
        )
    };
    xml("<featureModel/>", "<featureModel", "no <struct>");
    xml("<m><struct/></m>", "<struct", "no feature");
    xml("<m><struct><and/></struct></m>", "<and", "no name");
    xml("<m><struct><xor name='a'/></struct></m>", "<xor", "is no feature");
    xml(
        "<m><struct><and name='a'><or name='a'/></and></struct></m>",
        "<or",
        "same name",
    );
    xml(&with("<rule/>"), "<rule", "no formula");
    xml(&with("<rule><var>b</var></rule>"), "<var", "no feature `b`");
    xml(
        &with("<rule><imp><var>a</var></imp></rule>"),
        "<imp",
        "1 operands, not 2",
    );
    xml(&with("<rule><xor><var>a</var></xor></rule>"), "<xor", "no formula");
    assert!(
        error("<a", FeatureModelFormat::FeatureIde)
            .message
            .contains("well-formed")
    );
}

#[test]
fn errors_in_dimacs_are_located() {
    let dimacs = |text: &str, marked: &str, message: &str| check(text, FeatureModelFormat::Dimacs, marked, message);
    dimacs("1 0\n", "1 0", "before the header");
    dimacs("p cnf x 1\n", "p cnf x 1", "not the header");
    dimacs("p cnf 99999999999 1\n", "p cnf 99999999999 1", "not the header");
    dimacs("p cnf 2 1\n1 -3 0\n", "-3", "no literal");
    dimacs("p cnf 2 1\n1 2\n", "2", "no 0 at its end");
    dimacs("c 1 a\nc 2 a\np cnf 2 0\n", "a", "same name");
    assert!(
        error("c nothing\n", FeatureModelFormat::Dimacs)
            .message
            .contains("no line")
    );
    let (_, warnings) = read_feature_model("m", b"p cnf 1 2\n1 0\n", FeatureModelFormat::Dimacs).unwrap();
    assert_eq!(warnings.len(), 1);
}

#[test]
fn formats_are_known_by_name_and_ending() {
    for format in FeatureModelFormat::ALL {
        assert_eq!(format.name().parse(), Ok(format));
        assert_eq!(
            FeatureModelFormat::of(std::path::Path::new(&format!("a.{}", format.extension()))),
            Some(format)
        );
    }
    assert!(
        "sxfm"
            .parse::<FeatureModelFormat>()
            .unwrap_err()
            .to_string()
            .contains("uvl")
    );
}
