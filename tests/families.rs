//! Families of games through the files and the command: the paper's product line, its mutants, and what is refused.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use snapbox::cmd::Command;
use tamper::features::{FeatureId, FeatureModel, GroupKind, Random};
use tamper::formats::{ReadOptions, read_bytes, read_file};
use tamper::model::Automaton;

fn example(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("uppaal-models").join(name)
}

fn study(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("case-studies").join(name).join("model.xml")
}

fn tamper(words: &str) -> Command {
    Command::new(snapbox::cmd::cargo_bin!("tamper")).args(words.split_whitespace())
}

/// The output of a command that exits with `code`, and its messages.
fn run(command: Command, code: i32) -> (String, String) {
    let output = command.output().expect("tamper runs");
    let [out, messages] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    assert_eq!(output.status.code(), Some(code), "{out}{messages}");
    (out, messages)
}

fn json(command: Command, code: i32) -> Value {
    let (out, _) = run(command.args(["--format", "json"]), code);
    serde_json::from_str(&out).expect("JSON")
}

fn game(path: &Path, name: &str) -> Automaton {
    let (document, _) = read_file(path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let found = document.automata().iter().find(|game| game.name() == name);
    found.expect("the file runs it").clone()
}

/// What [003] draws of a game: all but its name and the actions no edge has.
fn drawn(game: &Automaton) -> String {
    let name = |location| &game.locations()[location].name;
    let mut lines: Vec<String> = game
        .locations()
        .iter()
        .map(|location| format!("{location:?}"))
        .collect();
    for edge in game.edges() {
        let rest = (&edge.guard, &edge.updates, &edge.selects);
        let action = &game.actions()[edge.action];
        lines.push(format!("{} {} {action} {rest:?}", name(edge.source), name(edge.target)));
    }
    lines.push(format!("{} {:?}", name(game.initial()), game.clocks()));
    lines.join("\n")
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a writable folder");
        path
    }
}

/// `tamper project FILE --features MODEL --product NAMES`, read back.
fn projected(folder: &Folder, (file, model): (&Path, &Path), names: &str) -> Automaton {
    let out = folder.path("product.xml");
    let command = tamper("project").arg(file).arg("--features").arg(model);
    run(command.args(["--product", names]).arg("--out").arg(&out), 0);
    game(&out, "Machine")
}

/// [003] Example 3 and Fig. 2: the line's products {s}, {t} and {s,t}.
#[test]
fn the_projections_of_the_line_of_vending_machines_are_those_of_the_paper() {
    let folder = Folder::new();
    let (file, model) = (example("vending-machine-line.xml"), example("vending-machine-line.uvl"));
    for (names, other, name) in [
        ("s", "vending-machine-product.xml", "Soda"),
        ("t", "vending-machine-product.xml", "Tea"),
        ("s,t", "vending-machine-product.xml", "SodaTea"),
        ("s", "vending-machine-soda.xml", "Soda"),
        ("t", "vending-machine-tea.xml", "Tea"),
    ] {
        let found = projected(&folder, (&file, &model), names);
        assert_eq!(drawn(&found), drawn(&game(&example(other), name)), "{names}");
    }
}

/// [003] Example 5, Figs 3 to 5. TMI takes the soda, CXL makes tea later by 2, CXS shortens the invariant by 1.
#[test]
fn the_featured_mutant_model_of_the_line_has_the_transitions_that_the_paper_describes() {
    let folder = Folder::new();
    let line = || {
        let command = tamper("fmm").arg(example("vending-machine-line.xml"));
        command.arg("--features").arg(example("vending-machine-line.uvl"))
    };
    let mutated = example("vending-machine-mutated.xml");
    let out = folder.path("one");
    run(line().arg("--out").arg(&out), 0);
    let (file, model) = (out.join("fmm.xml"), out.join("features.uvl"));
    let text = fs::read_to_string(&file).expect("the file was written");
    let (tmi, cxs) = ("TMI_s1_to_s0_0", "CXS_invariant_s1_x_le_5_becomes_x_le_4");
    // [s and not tmi] x <= 2 soda, beside the alternatives that the other mutations of the edge make.
    let soda = text
        .lines()
        .find(|line| line.contains("soda!") && line.contains("x &lt;= 2<"));
    let soda = soda.expect("the transition of soda");
    assert!(
        soda.contains("feature: s &amp;&amp; ") && soda.contains(&format!("!{tmi}")),
        "{soda}"
    );
    // [not cxs] x <= 5 and [cxs] x <= 4; CXL of the invariant is one more mutation than the paper applies.
    assert!(text.contains(&format!("feature invariant x &lt;= 4: {cxs}")), "{text}");
    let original = text
        .lines()
        .find(|line| line.starts_with("feature invariant x &lt;= 5: "));
    assert!(original.expect("the invariant of s1").contains(&format!("!{cxs}")));
    for (names, name) in [(format!("s,t,{tmi}"), "Tmi"), (format!("s,t,{cxs}"), "Cxs")] {
        let found = projected(&folder, (&file, &model), &names);
        assert_eq!(drawn(&found), drawn(&game(&mutated, name)), "{names}");
    }
    // The first-order mutations exclude each other ...
    let both = format!("s,t,{tmi},{cxs}");
    let why = json(tamper("features").arg(&model).args(["--why", &both]), 1);
    assert_eq!(why["product"], false);
    // ... but sets of mutations do not.
    let out = folder.path("two");
    let command = line().args(["--operators", "CXL", "--mutation", "step=2", "--order", "any", "--out"]);
    run(command.arg(&out), 0);
    let text = fs::read_to_string(out.join("fmm.xml")).expect("the file was written");
    let cxl = "CXL_guard_s1_to_s0_1_x_ge_2_becomes_x_ge_4";
    for (guard, when) in [
        ("x &gt;= 2", format!("t &amp;&amp; !{cxl}")),
        ("x &gt;= 4", format!("t &amp;&amp; {cxl}")),
    ] {
        let of_tea = text.lines().filter(|line| line.contains("tea!"));
        let found: Vec<_> = of_tea.filter(|line| line.contains(guard)).collect();
        assert!(
            found.len() == 1 && found[0].contains(&format!("feature: {when}<")),
            "{found:?}"
        );
    }
    let found = projected(
        &folder,
        (&out.join("fmm.xml"), &out.join("features.uvl")),
        &format!("s,t,{cxl}"),
    );
    assert_eq!(drawn(&found), drawn(&game(&mutated, "Cxl")));
}

/// Three members, each with one original and 20 mutants: 3 TMI, 2 (2 * 2) TAD, 1 SMI, and of three constraints 3 CXL,
/// 3 CXS and 2 CCN (not of the invariant).
#[test]
fn a_family_is_mutated_member_by_member() {
    let folder = Folder::new();
    let command = tamper("fmm").arg(example("vending-machine-line.xml"));
    let command = command.arg("--features").arg(example("vending-machine-line.uvl"));
    let facts = json(command.arg("--out").arg(folder.path("fmm")), 0);
    assert_eq!(facts["products"], (3 * (1 + 3 + 8 + 1 + 3 + 3 + 2)).to_string());
}

fn line(annotation: &str) -> String {
    format!(
        "<nta><declaration>chan a;</declaration><template><name>T</name><declaration>clock x;</declaration>\n\
         <location id=\"l\"><label kind=\"invariant\">x &lt;= 5</label>\n{annotation}</location><init ref=\"l\"/>\n\
         <transition><source ref=\"l\"/><target ref=\"l\"/><label kind=\"synchronisation\">a!</label></transition>\n\
         </template><system>system T;</system></nta>\n"
    )
}

fn soda_and_tea() -> FeatureModel {
    let mut model = FeatureModel::new("machine").unwrap();
    let group = model.add_group(model.root(), GroupKind::Optional);
    let _: [FeatureId; 2] = ["soda", "Tea"].map(|name| model.add_feature(group, name).unwrap());
    model
}

/// The errors about a location with these labels, rendered.
fn errors(annotation: &str) -> String {
    let read = read_bytes("line.xml", line(annotation).as_bytes(), &ReadOptions::default());
    let (document, _) = read.unwrap_or_else(|error| panic!("{error}"));
    assert!(document.has_features(0), "{annotation}");
    document.featured(0, &soda_and_tea()).unwrap_err().to_string()
}

#[test]
fn wrong_feature_expressions_are_shown_where_they_stand() {
    let comment = |text: &str| format!("<label kind=\"comments\">{text}</label>");
    assert_eq!(
        errors(&comment(
            "for people\nfeature invariant x &lt;= 5: soda &amp;&amp; coffee"
        )),
        "error: the feature model has no feature `coffee`\n \
         --> line.xml:4:46\n  |\n4 | feature invariant x &lt;= 5: soda &amp;&amp; coffee</label></location><init ref=\"l\"/>\n  |                                              \
         ^^^^^^\n  |\n  = help: its features are machine, soda, Tea"
    );
    for (text, message, marked) in [
        ("feature: soda &amp;&amp;", "a feature, `!` or `(` is expected here", ""),
        ("feature: (soda", "this parenthesis is not closed", "^"),
        ("feature: tea", "did you mean `Tea`?", "^^^"),
        ("feature:", "a feature, `!` or `(` is expected here", ""),
        (
            "feature soda",
            "this line has no `:` before its feature expression",
            "^^^^^^^^^^^^",
        ),
        (
            "Feature: soda",
            "begins with `feature` in small letters",
            "^^^^^^^^^^^^^",
        ),
        (
            "feature begin: soda",
            "`feature begin` is not known here",
            "^^^^^^^^^^^^^^^^^^^",
        ),
        ("feature invariant x &lt;= 4: soda", "has no such conjunct", "^^^^^^^^^"),
        ("feature invariant y &lt;= 5: soda", "has no such conjunct", "^^^^^^^^^"),
        ("feature invariant x &lt;: soda", "expected", "^"),
        (
            "feature: soda\nfeature: soda",
            "a second feature expression for the same part",
            "^^^^^^^",
        ),
        (
            "feature invariant x &lt;= 5: soda\nfeature invariant 5 &gt;= x: Tea",
            "has no such conjunct",
            "^^^^^^^^^",
        ),
    ] {
        let found = errors(&comment(text));
        assert!(found.contains(message) && found.contains(marked), "{text}:\n{found}");
        assert!(
            found.contains("line.xml:3:") || found.contains("line.xml:4:"),
            "{found}"
        );
    }
    // All errors of a file at once, in its order.
    let both = errors(&comment("feature: coffee\nfeature urgent: milk"));
    assert!(
        both.find("coffee") < both.find("milk") && both.contains("milk"),
        "{both}"
    );
    // A label of kind `feature` is one expression.
    let label = errors("<label kind=\"feature\">soda soda</label>");
    assert!(label.contains("line.xml:3:28"), "{label}");
}

#[test]
fn comments_for_people_are_no_feature_expressions() {
    for text in ["features: many", "this feature: none", "featured", ""] {
        let text = line(&format!("<label kind=\"comments\">{text}</label>"));
        let (document, warnings) = read_bytes("line.xml", text.as_bytes(), &ReadOptions::default()).unwrap();
        assert!(warnings.is_empty() && !document.has_features(0), "{text}");
        assert_eq!(document.features_ignored(), None);
    }
}

#[test]
fn labels_of_kind_feature_and_comments_mean_the_same() {
    let family = |annotation: &str| {
        let text = line(annotation);
        let (document, _) = read_bytes("line.xml", text.as_bytes(), &ReadOptions::default()).unwrap();
        document.featured(0, &soda_and_tea()).unwrap()
    };
    let label = family("<label kind=\"feature\"> soda\n or Tea </label>");
    let comment = family("<label kind=\"comments\">a drink\n  feature: soda || Tea\n</label>");
    assert_eq!(label, comment);
    let model = soda_and_tea();
    assert_eq!(model.show(&label.conditions().locations.as_slice()[0]), "soda || Tea");
}

/// A family whose initial location is there for soda only, and that is urgent twice with both.
#[test]
fn products_that_are_no_games_are_found_before_anything_is_written() {
    let folder = Folder::new();
    let model = folder.write("line.uvl", "features\n\tmachine\n\t\toptional\n\t\t\tsoda\n\t\t\tTea\n");
    for (comment, fault) in [
        ("feature: soda", "the product has not exactly one initial location"),
        (
            "feature urgent: soda\nfeature normal: Tea",
            "location 0 has not exactly one urgency",
        ),
    ] {
        let file = folder.write(
            "line.xml",
            &line(&format!("<label kind=\"comments\">{comment}</label>")),
        );
        let facts = json(tamper("check").arg(&file).arg("--features").arg(&model), 1);
        assert_eq!(facts[0]["faults"][0]["what"], fault);
        let out = folder.path("fmm");
        let command = tamper("fmm").arg(&file).arg("--features").arg(&model);
        let (_, message) = run(command.arg("--out").arg(&out), 2);
        assert!(message.contains(fault), "{message}");
        assert!(!out.exists());
    }
    // Without the feature model the file is read as one system, with a warning.
    let (_, message) = run(tamper("check").arg(folder.path("line.xml")), 0);
    assert!(message.contains("feature expressions are ignored here"), "{message}");
}

/// [003] Lemma 1: an output is removed. Lemma 4 (iii): the lower bound of an output is raised.
#[test]
fn excluded_products_are_explained_by_their_lemma() {
    let folder = Folder::new();
    let out = folder.path("fmm");
    let command = tamper("fmm --guidelines").arg(study("wfas"));
    let facts = json(command.arg("--out").arg(&out), 0);
    // 121 mutants, 49 of them violating (README), and the original.
    assert_eq!(facts["products"], "73");
    assert_eq!(facts["in_no_product"].as_array().unwrap().len(), 49);
    let model = out.join("features.uvl");
    for (mutation, lemma) in [
        ("TMI:cont_1->timeout#0", "[003] Lemma 1"),
        ("CXL:guard:cont_1->timeout#0:x>=2=>x>=3", "[003] Lemma 4 (iii)"),
    ] {
        let why = json(tamper("features").arg(&model).args(["--why", mutation]), 1);
        let because = why["because"].as_array().unwrap();
        assert!(
            because.iter().any(|reason| reason.as_str().unwrap().contains(lemma)),
            "{why}"
        );
        assert_eq!(why["with_more"], Value::Null);
        let file = folder.path("excluded.xml");
        let command = tamper("project").arg(out.join("fmm.xml")).arg("--features").arg(&model);
        let (text, _) = run(command.args(["--product", mutation]).arg("--out").arg(&file), 1);
        assert!(text.contains(lemma) && !file.exists(), "{text}");
    }
    let why = json(
        tamper("features").arg(&model).args(["--why", "TMI:cont_4->cont_1#1"]),
        0,
    );
    assert_eq!(why["features"], serde_json::json!(["TMI_cont_4_to_cont_1_1"]));
    let (_, message) = run(
        tamper("features").arg(&model).args(["--why", "TMI_cont_4_to_cont_1"]),
        2,
    );
    assert!(message.contains("TMI_cont_4_to_cont_1_0"), "{message}");
}

#[test]
fn samples_repeat_with_the_seed_and_are_products() {
    let folder = Folder::new();
    let out = folder.path("fmm");
    run(tamper("fmm --order any").arg(study("hotel")).arg("--out").arg(&out), 0);
    let model = out.join("features.uvl");
    let sample = |words: &str| run(tamper("features").arg(&model).args(words.split_whitespace()), 0).0;
    assert_eq!(sample("--sample 5 --seed 1"), sample("--sample 5 --seed 1"));
    assert_ne!(sample("--sample 5 --seed 1"), sample("--sample 5 --seed 2"));
    for product in sample("--sample 3").lines().chain(sample("--sample 2-wise").lines()) {
        // The original has no mutation at all.
        run(tamper("features").arg(&model).args(["--why", product]), 0);
    }
    let (_, message) = run(tamper("features").arg(&model).args(["--sample", "2-wise"]), 0);
    assert!(message.contains("possible combinations of 2 features"), "{message}");
}

#[test]
fn feature_models_are_refused_with_their_place_and_contradictions_are_explained() {
    let folder = Folder::new();
    let broken = folder.write(
        "broken.uvl",
        "features\n\tmachine\n\t\toptional\n\t\t\tsoda\nconstraints\n\tsoda => tea\n",
    );
    let (_, message) = run(tamper("features").arg(&broken), 2);
    assert!(
        message.contains("broken.uvl:6:") && message.contains("^^^"),
        "{message}"
    );
    let (_, message) = run(tamper("features").arg(folder.path("none.uvl")), 2);
    assert!(message.contains("none.uvl: cannot be read"), "{message}");
    let game = folder.write("model.txt", "<nta/>");
    let (_, message) = run(tamper("features").arg(&game), 2);
    assert!(
        message.contains("model.txt: is a UPPAAL file, which `tamper features` does not take"),
        "{message}"
    );
    let void = folder.write(
        "void.uvl",
        "features\n\tmachine\n\t\tmandatory\n\t\t\tsoda\nconstraints\n\t!soda\n",
    );
    let (text, message) = run(tamper("features").arg(&void), 1);
    assert!(
        text.contains("products                0") && message.contains("!soda"),
        "{text}{message}"
    );
    // Another format, and back.
    let dimacs = folder.path("line.dimacs");
    run(
        tamper("features")
            .arg(example("vending-machine-line.uvl"))
            .arg("--out")
            .arg(&dimacs),
        0,
    );
    assert_eq!(json(tamper("features").arg(&dimacs), 0)["products"], "3");
}

/// What `tamper families --format json` says: products and condition by verdict.
fn verdicts(answer: &Value) -> Vec<(&str, &str, Option<&str>)> {
    let classes = answer["verdicts"].as_array().expect("a list");
    let class = |class| {
        let text = |name: &str| -> Option<&str> { Value::get(class, name)?.as_str() };
        (text("verdict").unwrap(), text("products").unwrap(), text("condition"))
    };
    classes.iter().map(class).collect()
}

fn families(against: &Path, name: &str) -> Command {
    let command = tamper("families")
        .arg(example("vending-machine-line.xml"))
        .arg("--features")
        .arg(example("vending-machine-line.uvl"));
    command
        .arg("--against")
        .arg(against)
        .args(["--template", &format!(",{name}")])
}

/// Each product of the line does less than the machine with soda and tea: {s} stops at x = 2 where {s,t} goes on, but what it
/// does before is allowed.
#[test]
fn all_products_of_the_line_refine_the_machine_with_both_drinks() {
    let spec = example("vending-machine-product.xml");
    let (out, _) = run(families(&spec, "SodaTea"), 0);
    assert!(out.contains("subsumed      3  true"), "{out}");
    let answer = json(families(&spec, "SodaTea"), 0);
    let none = |verdict| (verdict, "0", Some("false"));
    let expected = [
        ("subsumed", "3", Some("true")),
        none("non-subsumed"),
        none("inconsistent"),
    ];
    assert_eq!(verdicts(&answer), expected);
}

/// A machine that only has tea knows no soda: the products with soda do not refine it, and one play shows it for both.
#[test]
fn products_with_soda_share_a_witness_against_the_machine_without() {
    let spec = example("vending-machine-product.xml");
    let answer = json(families(&spec, "Tea").args(["--witness", "5"]), 1);
    let expected = [
        ("subsumed", "1", Some("!s")),
        ("non-subsumed", "2", Some("s")),
        ("inconsistent", "0", Some("false")),
    ];
    assert_eq!(verdicts(&answer), expected);
    let witnesses = answer["witnesses"].as_array().expect("a list");
    assert_eq!(witnesses.len(), 1);
    assert_eq!(witnesses[0]["products"], "2");
    assert_eq!(witnesses[0]["condition"], "s");
    let (out, _) = run(families(&spec, "Tea").args(["--witness", "5"]), 1);
    assert!(out.contains("witness 1 refutes 2 products: s"), "{out}");
    assert!(out.contains("soda!"), "{out}");
}

#[test]
fn a_limit_leaves_products_undecided() {
    let spec = example("vending-machine-product.xml");
    let (out, messages) = run(families(&spec, "Tea").args(["--max-states", "1"]), 3);
    assert!(
        out.contains("--max-states") || messages.contains("--max-states"),
        "{out}{messages}"
    );
}

/// Random clauses of three literals, 3.5 per variable, hard to count and not easy to satisfy.
fn hard_clauses(n_vars: usize) -> String {
    let mut random = Random::new(1);
    let mut text: String = (1..=n_vars).map(|number| format!("c {number} f{number}\n")).collect();
    text.push_str(&format!("p cnf {n_vars} {}\n", 7 * n_vars / 2));
    for _ in 0..7 * n_vars / 2 {
        for _ in 0..3 {
            let sign = if random.below(2) == 0 { "-" } else { "" };
            text.push_str(&format!("{sign}{} ", 1 + random.below(n_vars)));
        }
        text.push_str("0\n");
    }
    text
}

#[test]
fn no_question_about_a_feature_model_takes_longer_than_the_time_limit() {
    let folder = Folder::new();
    let hard = folder.write("hard.dimacs", &hard_clauses(500));
    let ask = |words: &str| {
        let command = tamper("features").arg(&hard).args(words.split_whitespace());
        run(command.args(["--timeout", "0.2"]), 3)
    };
    let started = std::time::Instant::now();
    assert!(ask("").0.contains("time budget (--timeout or --total-timeout) hit"));
    assert!(
        ask("--sample 3")
            .1
            .contains("time budget (--timeout or --total-timeout) hit")
    );
    assert!(
        ask("--sample 2-wise")
            .1
            .contains("time budget (--timeout or --total-timeout) hit")
    );
    assert!(started.elapsed() < std::time::Duration::from_secs(60));
    // More products than anyone waits for: those that were drawn are printed.
    let flat = folder.write("flat.uvl", "features\n\troot\n\t\toptional\n\t\t\ta\n\t\t\tb\n");
    let command = tamper("features").arg(&flat);
    let (drawn, message) = run(command.args(["--sample", "4000000000", "--timeout", "0.2"]), 3);
    assert!(
        drawn.lines().count() > 100 && message.contains("of 4000000000 products were drawn"),
        "{message}"
    );
}

/// By hand: 1 or 2, and 2 or not 3; of the 12 pairs (not 1, not 2) and (not 2, 3) are impossible.
#[test]
fn variables_without_names_are_features_by_their_numbers() {
    let folder = Folder::new();
    let file = folder.write("clauses.dimacs", "p cnf 3 2\n1 2 0\n2 -3 0\n");
    let facts = json(tamper("features").arg(&file), 0);
    assert_eq!(facts["products"], "5");
    let (products, message) = run(tamper("features").arg(&file).args(["--sample", "2-wise"]), 0);
    assert!(message.contains("all 10 possible combinations"), "{message}");
    assert!(message.contains("2 are impossible"), "{message}");
    let has = |wanted: &[&str]| {
        let mut products = products
            .lines()
            .map(|line| line.split(',').map(str::trim).collect::<Vec<_>>());
        products.any(|product| wanted.iter().all(|name| product.contains(name)))
    };
    assert!(has(&["1", "2"]) && has(&["1", "3"]) && has(&["2", "3"]), "{products}");
}

#[test]
fn groups_of_impossible_or_very_many_numbers_are_counted_from_the_tree() {
    let folder = Folder::new();
    let group = |bounds: &str, n: usize| {
        let members: String = (0..n).map(|number| format!("\t\t\tf{number}\n")).collect();
        folder.write("group.uvl", &format!("features\n\troot\n\t\t{bounds}\n{members}"))
    };
    assert_eq!(
        json(tamper("features").arg(group("[4294967295..2]", 3)), 1)["products"],
        "0"
    );
    assert_eq!(json(tamper("features").arg(group("[3..2]", 3)), 1)["products"], "0");
    // 2000 over 1000 has 601 digits.
    let facts = json(tamper("features").arg(group("[1000..1000]", 2000)), 0);
    assert_eq!(facts["products"].as_str().map(str::len), Some(601));
    let facts = json(tamper("features").arg(group("optional", 5000)), 0);
    assert_eq!(facts["in_every_product"], serde_json::json!(["root"]));
}

/// The figures of the README's first table; the original is a product, too.
#[test]
fn the_mutants_of_wfas_as_a_family_have_the_verdicts_of_classify() {
    let folder = Folder::new();
    let out = folder.path("fmm");
    run(tamper("fmm").arg(study("wfas")).arg("--out").arg(&out), 0);
    let command = tamper("families").arg(out.join("fmm.xml")).arg("--features");
    let command = command.arg(out.join("features.uvl")).arg("--against");
    let answer = json(command.arg(study("wfas")), 1);
    let counts: Vec<_> = verdicts(&answer).iter().map(|(verdict, n, _)| (*verdict, *n)).collect();
    assert_eq!(
        counts,
        [("subsumed", "43"), ("non-subsumed", "65"), ("inconsistent", "14")]
    );
}
