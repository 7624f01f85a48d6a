//! Every command with every kind of file: the table in `docs/book/src/commands.md` is what the program does.
//!
//! With `TAMPER_WRITE_DOCS=1` the page is written anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A kind of file: what the page calls it, and a small file of that kind.
struct Kind {
    name: &'static str,
    path: String,
    /// Which words go with such a file.
    world: World,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum World {
    Game,
    Family,
    Machine,
    Untimed,
    Other,
}

/// What a command does with a file.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Cell {
    Taken,
    /// It takes such files, but not this one: why.
    Reason(String),
    /// It takes no such file: the commands that do.
    Refused(Vec<String>),
}

const COMMANDS: [&str; 22] = [
    "check", "refine", "compose", "classify", "export", "fmm", "features", "project", "families", "coverage", "oracle",
    "draw", "open", "report", "testgen", "score", "accept", "minimise", "run", "diagnose", "view", "harness",
];

const KISS: &str = ".i 1\n.o 1\n.s 2\n.p 4\n.r a\n0 a a 0\n1 a b 1\n0 b b 0\n1 b a 1\n.e\n";
const BTOR2: &str =
    "1 sort bitvec 1\n2 input 1 c\n3 state 1 q\n4 zero 1\n5 init 1 3 4\n6 xor 1 3 2\n7 next 1 3 6\n8 output 3 seen\n";
const CHART: &str = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"a\"><state id=\"a\"><transition event=\"go\" target=\"b\"/></state>\
    <state id=\"b\"><transition event=\"go\" target=\"a\"/></state></scxml>";

const DELAYED_CHART: &str = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"off\">\
    <state id=\"off\"><transition event=\"press\" target=\"on\"/></state>\
    <state id=\"on\"><onentry><send event=\"late\" delay=\"3s\" id=\"t\"/></onentry><onexit><cancel sendid=\"t\"/></onexit>\
    <transition event=\"late\" target=\"off\"/></state></scxml>";

const MACHINE_CONFIGURATION: &str = r#"{"id": "lamp", "initial": "off", "states": {"off": {"on": {"PRESS": "on"}},
    "on": {"after": {"3000": "off"}}}}"#;

fn root(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name).display().to_string()
}

fn run(folder: &Path, words: &[String]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tamper"))
        .args(words)
        .args(["--total-timeout", "20"])
        .stdin(Stdio::null())
        .current_dir(folder)
        .output()
        .expect("tamper runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

fn done(folder: &Path, words: &str) -> String {
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let (code, out, err) = run(folder, &words);
    assert!([0, 1].contains(&code), "{words:?}: {err}");
    out
}

/// A file of each kind, in `folder`.
fn kinds(folder: &Path) -> Vec<Kind> {
    let (game, line) = (
        root("case-studies/wfas/model.xml"),
        root("uppaal-models/vending-machine-line.uvl"),
    );
    let smv = root("case-studies/untimed/arbiter.smv");
    let machine = folder.join("machine.fsm");
    fs::write(&machine, "s a / 0 -> t\ns b / 1 -> s\nt a / 1 -> s\nt b / 0 -> t\n").expect("written");
    for (name, text) in [
        ("machine.kiss", KISS),
        ("model.btor2", BTOR2),
        ("chart.scxml", CHART),
        ("delayed.scxml", DELAYED_CHART),
        ("chart.json", MACHINE_CONFIGURATION),
    ] {
        fs::write(folder.join(name), text).expect("written");
    }
    fs::create_dir(folder.join("other")).expect("a folder");
    done(folder, &format!("export {game} --as tchecker --out tck"));
    done(
        folder,
        &format!("export {game} --as ecdar-json --keep number<0 --out ecdar"),
    );
    done(folder, "draw machine.fsm --as dot --out machine.dot");
    done(folder, &format!("features {line} --out features.xml"));
    done(folder, &format!("features {line} --out features.dimacs"));
    done(folder, &format!("testgen {game} --out suite.json"));
    done(folder, &format!("testgen {smv} --out system-suite.json"));
    done(folder, &format!("classify {game} --out run"));
    done(folder, &format!("classify {smv} --out run-untimed"));
    let printed = done(folder, &format!("score suite.json {game} --format json"));
    fs::write(folder.join("printed.json"), printed).expect("written");
    // Results of a run of another model: what is seen of it may mean anything.
    let cat = [
        "run",
        "suite.json",
        "--sut",
        "true",
        "--accelerated",
        "--results",
        "results.jsonl",
    ]
    .map(str::to_owned);
    let (code, _, err) = run(folder, &cat);
    assert_eq!(code, 2, "{err}");
    let component = fs::read_dir(folder.join("ecdar/Components"))
        .expect("components")
        .next();
    let component = component.expect("a component").expect("readable").path();
    let kind = |name, path: String, world| Kind { name, path, world };
    vec![
        kind("UPPAAL XML: a game", game, World::Game),
        kind(
            "UPPAAL XML: a network",
            root("uppaal-models/networks/lamp-and-user.xml"),
            World::Game,
        ),
        kind(
            "UPPAAL XML: a family of games",
            root("uppaal-models/vending-machine-line.xml"),
            World::Family,
        ),
        kind(
            "UPPAAL text",
            root("uppaal-models/networks/lamp-and-user.xta"),
            World::Game,
        ),
        kind("TChecker", "tck/original.tck".to_owned(), World::Game),
        kind("Ecdar project", "ecdar".to_owned(), World::Game),
        kind("Ecdar component", component.display().to_string(), World::Game),
        kind("XState", "chart.json".to_owned(), World::Game),
        kind("SCXML with delays", "delayed.scxml".to_owned(), World::Game),
        kind("state machine: text", "machine.fsm".to_owned(), World::Machine),
        kind("state machine: KISS2", "machine.kiss".to_owned(), World::Machine),
        kind("state machine: DOT", "machine.dot".to_owned(), World::Machine),
        kind(
            "machine with variables",
            root("examples/machines/purse.efsm"),
            World::Machine,
        ),
        kind("state chart (SCXML)", "chart.scxml".to_owned(), World::Machine),
        kind("SMV", smv, World::Untimed),
        kind("BTOR2", "model.btor2".to_owned(), World::Untimed),
        kind("action system", root("case-studies/lift/model.pl"), World::Untimed),
        kind("feature model: UVL", line, World::Other),
        kind("feature model: FeatureIDE", "features.xml".to_owned(), World::Other),
        kind("feature model: DIMACS", "features.dimacs".to_owned(), World::Other),
        kind("suite of timed tests", "suite.json".to_owned(), World::Other),
        kind(
            "suite for untimed systems",
            "system-suite.json".to_owned(),
            World::Other,
        ),
        kind("run on timed games", "run".to_owned(), World::Other),
        kind("run on an untimed system", "run-untimed".to_owned(), World::Other),
        kind(
            "what a command printed as JSON",
            "printed.json".to_owned(),
            World::Other,
        ),
        kind("any other folder", "other".to_owned(), World::Other),
    ]
}

/// The name of a game in the file.
fn template(kind: &Kind, folder: &Path) -> String {
    let words = ["check", &kind.path, "--format", "json"].map(str::to_owned);
    let (_, out, _) = run(folder, &words);
    let facts: serde_json::Value = serde_json::from_str(&out).unwrap_or_default();
    facts[0]["template"].as_str().unwrap_or("A").to_owned()
}

/// A suite for the file, or for another one where none can be made.
fn suite(kind: &Kind, folder: &Path) -> String {
    let own = format!("suite-{}.json", kind.name.replace([' ', ':'], "-"));
    let words = ["testgen", &kind.path, "--out", &own].map(str::to_owned);
    match (kind.world, folder.join(&own).is_file() || run(folder, &words).0 != 2) {
        (World::Game | World::Family | World::Untimed, true) => own,
        (World::Untimed, false) => "system-suite.json".to_owned(),
        _ => "suite.json".to_owned(),
    }
}

/// What is typed.
fn words(command: &str, kind: &Kind, folder: &Path) -> Vec<String> {
    let file = kind.path.as_str();
    let template = template(kind, folder);
    let game = root("case-studies/wfas/model.xml");
    let smv = root("case-studies/untimed/arbiter.smv");
    let suite = match command {
        "score" | "minimise" | "view" => suite(kind, folder),
        _ => String::new(),
    };
    let model = match kind.name {
        "suite for untimed systems" => smv.as_str(),
        _ => game.as_str(),
    };
    let is_suite = kind.name.starts_with("suite");
    let out = format!("{}.out", folder.join("made").display());
    let features = root("uppaal-models/vending-machine-line.uvl");
    let tea = root("uppaal-models/vending-machine-tea.xml");
    let (file, out) = (file.to_owned(), out);
    let typed: Vec<&str> = match (command, kind.world) {
        ("open" | "check" | "oracle", _) => vec![command, &file],
        ("refine", World::Game | World::Family) => vec![command, &file, &template, &template],
        ("refine", _) => vec![command, &file, &file],
        ("features", _) => vec![command, &file],
        ("project", _) => vec![command, &file, "--features", &features, "--product", "s", "--out", &out],
        ("families", World::Family | World::Game) => {
            vec![command, &file, "--features", &features, "--against", &tea]
        }
        ("families", _) => vec![command, &file, "--against", &file],
        ("coverage", _) => vec![command, &file],
        ("draw", World::Machine) => vec![command, &file, "--as", "dot"],
        ("draw", World::Game) => vec![command, &file, "--template", &template],
        ("draw", _) => vec![command, &file],
        ("score", _) if is_suite => vec![command, &file, model],
        ("score", _) => vec![command, &suite, &file],
        ("minimise", _) if is_suite => vec![command, &file, model, "--out", &out],
        ("minimise", _) => vec![command, &suite, &file, "--out", &out],
        ("accept", _) => vec![command, &file],
        ("run", _) => vec![command, &file, "--against", model],
        ("view", _) if is_suite => vec![command, &file, model, "--out", &out],
        ("view", World::Untimed) => vec![command, "suite.json", &file, "--out", &out],
        ("view", _) => vec![command, &suite, &file, "--out", &out],
        ("diagnose", _) => vec![command, "results.jsonl", &file],
        ("testgen", World::Machine) => vec![command, &file, "--strategy", "w-method", "--out", &out],
        ("harness", _) => vec![command, &file, "--as", "pytest", "--out", &out],
        _ => vec![command, &file, "--out", &out],
    };
    typed.into_iter().map(str::to_owned).collect()
}

fn cell(command: &str, kind: &Kind, folder: &Path) -> Cell {
    for made in ["made.out", "made.out.old"] {
        let path = folder.join(made);
        let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
    }
    let words = words(command, kind, folder);
    let (code, _, err) = run(folder, &words);
    assert!([0, 1, 2, 3].contains(&code), "{words:?}: {code}: {err}");
    if code != 2 {
        return Cell::Taken;
    }
    let is_refused = [
        "does not take",
        ", not a suite of timed tests",
        ", not a suite for untimed systems",
    ];
    if !is_refused.iter().any(|said| err.contains(said)) {
        let why = err.lines().find(|line| line.contains("error")).unwrap_or(&err);
        let why = why.rsplit_once(&format!("{}: ", kind.path)).map_or(why, |(_, why)| why);
        return Cell::Reason(
            why.trim_start_matches("error: ")
                .replace(&kind.path, "FILE")
                .replace(env!("CARGO_MANIFEST_DIR"), ""),
        );
    }
    let help = err.split_once("help: ").map_or("", |(_, help)| help);
    let named = help.split('`').skip(1).step_by(2);
    // A whole command is an example of one of them.
    let (examples, takers): (Vec<&str>, Vec<&str>) = named.partition(|word| word.contains(' '));
    for example in examples {
        let command = example.split(' ').nth(1).expect("a command");
        assert!(takers.contains(&command), "{example}: {help}");
    }
    Cell::Refused(takers.into_iter().map(str::to_owned).collect())
}

fn page(kinds: &[Kind], cells: &BTreeMap<(usize, usize), Cell>) -> String {
    let mut page = "# Commands and kinds of files\n\nMade by `tests/cli/matrix.rs`, which runs every command with a small file of every kind \
        (`TAMPER_WRITE_DOCS=1 cargo test --test all cli::matrix` writes this page anew). The kind of a file is decided by its ending, and where that says \
        nothing by its first bytes.\n\n\
        - `+`: the command takes such files.\n- a number: it takes such files, but not this one, for the reason below.\n- empty: it takes no such file, says what the file \
        is and which commands take it, and ends with exit code 2.\n\nOf `score`, `minimise` and `view` the file is the model, of suites the suite; of `diagnose` it is the model; of `run` and `harness` it is the suite. \
        `merge` takes folders of shares, `verify` certificates; `reproduce`, `new-adapter`, `completions` and `man` take no model.\n\n"
        .to_owned();
    let _ = writeln!(page, "| kind of file | {} |", COMMANDS.join(" | "));
    let _ = writeln!(page, "|---|{}", "---|".repeat(COMMANDS.len()));
    let mut reasons: Vec<String> = Vec::new();
    for (row, kind) in kinds.iter().enumerate() {
        let _ = write!(page, "| {} |", kind.name);
        for (column, command) in COMMANDS.iter().enumerate() {
            let shown = match &cells[&(row, column)] {
                Cell::Taken => "+".to_owned(),
                Cell::Refused(_) => String::new(),
                Cell::Reason(why) => {
                    let why = format!("`{command}`, {}: {why}", kind.name);
                    reasons.push(why);
                    reasons.len().to_string()
                }
            };
            let _ = write!(page, " {shown} |");
        }
        page.push('\n');
    }
    page.push_str("\nReasons:\n\n");
    for (at, why) in reasons.iter().enumerate() {
        let _ = writeln!(page, "{}. {why}", at + 1);
    }
    page
}

#[test]
fn every_command_takes_or_refuses_every_kind_of_file_as_the_page_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let kinds = kinds(folder);
    let mut cells = BTreeMap::new();
    for (row, kind) in kinds.iter().enumerate() {
        for (column, command) in COMMANDS.iter().enumerate() {
            cells.insert((row, column), cell(command, kind, folder));
        }
    }
    // Who is said to take a file takes it, and nobody else does.
    for ((row, column), found) in &cells {
        let Cell::Refused(takers) = found else { continue };
        let takes = |column: &usize| !matches!(cells[&(*row, *column)], Cell::Refused(_));
        let really: Vec<&str> = (0..COMMANDS.len())
            .filter(takes)
            .map(|column| COMMANDS[column])
            .collect();
        assert_eq!(*takers, really, "{} refuses {}", COMMANDS[*column], kinds[*row].name);
    }
    let path = PathBuf::from(root("docs/book/src/commands.md"));
    let made = page(&kinds, &cells);
    if std::env::var_os("TAMPER_WRITE_DOCS").is_some() {
        fs::write(&path, &made).expect("written");
    }
    let kept = fs::read_to_string(&path).expect("the page");
    assert!(
        kept == made,
        "docs/book/src/commands.md is not what the program does: TAMPER_WRITE_DOCS=1 writes it anew\n{made}"
    );
}
