//! Rows of the regressions page about limits and lost inputs. Those about the server of `tamper open` are in `tests/cli/open.rs`.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::Place;

/// What every case has to end in, whatever else the machine does: without its limit each takes far longer, or more.
const SOON: Duration = Duration::from_secs(60);

/// Wherever the time is up, the code is 3 and the table is there, as text and as JSON; with time enough the network is refused for
/// what it is, an inconsistent specification.
#[test]
fn fischer() {
    let place = Place::with(&["faults/fischer.xta"]);
    let mut n_stopped = 0;
    for ms in [1, 10, 50, 100, 200, 400, 800, 1600] {
        for format in ["text", "json"] {
            let seconds = f64::from(ms) / 1000.0;
            let words = format!("classify fischer.xta --total-timeout {seconds} --format {format} --quiet");
            let output = place.tamper(&words);
            let (said, shown) = (
                String::from_utf8_lossy(&output.stderr),
                String::from_utf8_lossy(&output.stdout),
            );
            if output.status.code() == Some(2) {
                assert!(said.contains("is inconsistent") && ms > 100, "{words}: {said}");
                continue;
            }
            assert_eq!(output.status.code(), Some(3), "{words}: {said}");
            assert!(said.contains("--total-timeout"), "{words}: {said}");
            match format {
                "text" => assert!(shown.contains("| total"), "{words}: {shown}"),
                _ => {
                    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
                    assert!(
                        json["total"]["total"] == 0 && json["undecided"].is_null(),
                        "{words}: {json}"
                    );
                }
            }
            n_stopped += 1;
        }
    }
    assert!(n_stopped >= 4, "{n_stopped} of the limits fell");
}

/// The most that a command held, in bytes; its exit code is `code`.
#[cfg(target_os = "linux")]
fn peak(place: &Place, words: &str, code: i32) -> u64 {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tamper"))
        .current_dir(place.folder.path())
        .args(words.split_whitespace())
        .args(["--quiet", "--threads", "1"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("tamper runs");
    let (started, mut peak) = (Instant::now(), 0);
    let file = format!("/proc/{}/status", child.id());
    loop {
        let status = std::fs::read_to_string(&file).unwrap_or_default();
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = most.and_then(|most| most.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak = kilobytes.map_or(peak, |kilobytes| peak.max(kilobytes << 10));
        if let Some(status) = child.try_wait().unwrap() {
            assert_eq!(status.code(), Some(code), "{words}");
            return peak;
        }
        assert!(started.elapsed() < SOON, "{words}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Ten million states of integers, which are no zones: less than twice the figure is taken, by every command.
#[cfg(target_os = "linux")]
#[test]
fn max_memory_ints() {
    let place = Place::with(&["faults/max-memory-ints.xml"]);
    for words in [
        "check F",
        "refine F G G",
        "classify F --out run",
        "testgen F --out suite.json",
    ] {
        let words = words.replace('F', "max-memory-ints.xml");
        let peak = peak(&place, &format!("{words} --max-memory 50M --total-timeout 50"), 3);
        assert!(peak < 100 << 20, "{words}: {} MB", peak >> 20);
    }
}

fn quadratic(n: usize) -> String {
    let mut text =
        "<nta><declaration>chan a;</declaration><template><name>T</name><declaration>clock x;</declaration>".to_owned();
    for at in 0..n {
        let _ = write!(text, "<location id=\"l{at}\"/>");
    }
    text.push_str("<init ref=\"l0\"/>");
    for at in 0..n {
        let (to, sign) = ((at * 7 + 1) % n, if at % 2 == 0 { '?' } else { '!' });
        let _ = write!(
            text,
            "<transition><source ref=\"l{at}\"/><target ref=\"l{to}\"/><label kind=\"synchronisation\">a{sign}</label></transition>"
        );
    }
    text + "</template><system>system T;</system></nta>"
}

/// A pipe at `path` that nobody writes to.
#[cfg(unix)]
fn pipe(path: &std::path::Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success(), "{}: {made}", path.display());
}

/// Reading takes four times as long for four times as many edges in one line, not sixteen times; and a limit of time is one of
/// reading, too.
#[test]
fn check_quadratic() {
    let place = Place::new();
    let mut least = [Duration::MAX; 2];
    for _ in 0..3 {
        for (least, n) in least.iter_mut().zip([6000, 24_000]) {
            std::fs::write(place.at("q.xml"), quadratic(n)).unwrap();
            let started = Instant::now();
            place.text("check q.xml", 0);
            *least = started.elapsed().min(*least);
        }
    }
    assert!(least[1] < least[0] * 10, "{least:?}");
    // Hours by the rules of types, of which none says where it begins: a pipe that nobody writes to.
    #[cfg(unix)]
    {
        pipe(&place.at("fifo.xml"));
        for words in [
            "check fifo.xml",
            "classify fifo.xml",
            "testgen fifo.xml --out s.json",
            "refine fifo.xml A B",
        ] {
            let started = Instant::now();
            let output = place.tamper(&format!("{words} --timeout 0.2"));
            assert_eq!(output.status.code(), Some(3), "{words}");
            assert!(String::from_utf8_lossy(&output.stderr).contains("(--timeout)") && started.elapsed() < SOON);
        }
    }
}

/// A project of four times as many components takes about four times as long: their IO lines are looked for once.
#[test]
fn project_quadratic() {
    let place = Place::new();
    let mut least = [Duration::MAX; 2];
    for (folder, n) in [("few", 250), ("many", 1000)] {
        std::fs::create_dir_all(place.at(folder).join("Components")).unwrap();
        for at in 0..n {
            let component = format!(
                "{{\"name\": \"C{at}\", \"declarations\": \"\", \"locations\": [{{\"id\": \"L\", \"type\": \"INITIAL\"}}], \
                 \"edges\": [{{\"sourceLocation\": \"L\", \"targetLocation\": \"L\", \"status\": \"OUTPUT\", \"sync\": \"a{at}\"}}]}}"
            );
            std::fs::write(place.at(folder).join(format!("Components/C{at}.json")), component).unwrap();
        }
        let names: Vec<String> = (0..n).map(|at| format!("C{at}")).collect();
        let lines: String = (0..n)
            .step_by(2)
            .map(|at| format!("\\nIO C{at} {{ }} // {at}"))
            .collect();
        let system = format!(
            "{{\"name\": \"System\", \"declarations\": \"system {};{lines}\"}}",
            names.join(", ")
        );
        std::fs::write(place.at(folder).join("SystemDeclarations.json"), system).unwrap();
    }
    for _ in 0..3 {
        for (least, folder) in least.iter_mut().zip(["few", "many"]) {
            let started = Instant::now();
            place.text(&format!("check {folder}"), 0);
            *least = started.elapsed().min(*least);
        }
    }
    assert!(least[1] < least[0] * 10, "{least:?}");
}

/// A pipe among the parts of a project is refused by its name, and not waited for.
#[cfg(unix)]
#[test]
fn a_pipe_in_a_folder() {
    let place = Place::new();
    std::fs::create_dir_all(place.at("p/Components")).unwrap();
    pipe(&place.at("p/Components/A.json"));
    for words in ["check p", "classify p --out o", "testgen p --out s.json", "open p"] {
        let said = place.refusal(&format!("{words} --total-timeout 30"));
        assert!(said.contains("A.json") && said.contains("pipe"), "{words}: {said}");
    }
    let said = place.refusal("open p/Components/A.json --total-timeout 30");
    assert!(said.contains("A.json") && said.contains("pipe"), "{said}");
}

/// As many errors in one line as on lines of their own cost about the same.
#[test]
fn errors_in_one_line() {
    let place = Place::new();
    let edges = |between: &str| {
        let edges = vec!["A -> A { guard y < 1; }"; 40_000].join(&format!(",{between}"));
        format!("process P() {{ clock x; state A; init A; trans {edges}; }}\nsystem P;\n")
    };
    let mut least = [Duration::MAX; 2];
    for _ in 0..2 {
        for (least, between) in least.iter_mut().zip(["\n", " "]) {
            std::fs::write(place.at("e.xta"), edges(between)).unwrap();
            let started = Instant::now();
            let said = place.refusal("check e.xta");
            assert!(said.contains("e.xta:1:") && said.contains("more"), "{said}");
            *least = started.elapsed().min(*least);
        }
    }
    assert!(least[1] < least[0] * 3 + Duration::from_millis(500), "{least:?}");
}

/// The model that a suite or a run names is an input of the command that reads the suite or run.
#[test]
fn junit_over_model() {
    let place = Place::new();
    let lamp = concat!(env!("CARGO_MANIFEST_DIR"), "/uppaal-models/lamp.xml");
    std::fs::copy(lamp, place.at("m.xml")).unwrap();
    place.text("testgen m.xml --strategy minimal --out s.json", 0);
    place.text("classify m.xml --out run", 0);
    // So is the file of options, which nobody names.
    std::fs::write(place.at("tamper.toml"), "threads = 1\n").unwrap();
    let said = place.refusal("testgen m.xml --out tamper.toml");
    assert!(said.contains("is the input tamper.toml"), "{said}");
    for words in [
        "run s.json --sut true --accelerated --junit m.xml",
        "run s.json --sut true --accelerated --results m.xml",
        "report run --out m.xml",
        "harness s.json --as c --out m.xml",
    ] {
        let said = place.refusal(words);
        assert!(said.contains("is the input m.xml"), "{words}: {said}");
        assert_eq!(
            std::fs::read(place.at("m.xml")).unwrap(),
            std::fs::read(lamp).unwrap(),
            "{words}"
        );
    }
}

/// Names and numbers of megabytes are not shown whole, whatever the language.
#[test]
fn long_labels() {
    let place = Place::new();
    let (name, number) = ("a".repeat(300_000), "9".repeat(300_000));
    for (file, text, words) in [
        (
            "a.fsm",
            format!("initial 0\n0 {name} / x -> 1\n"),
            "coverage F --complete",
        ),
        (
            "a.smv",
            format!("-- inputs: i\nMODULE main\nVAR i : boolean; o : 0..{number};\nASSIGN next(o) := {name};\n"),
            "check F",
        ),
        ("a.btor2", format!("1 sort bitvec {number}\n"), "check F"),
        (
            "a.xta",
            format!(
                "process P() {{ clock x; state A; init A; trans A -> A {{ guard {name}<{number}; }}; }}\nsystem P;\n"
            ),
            "check F",
        ),
        (
            "a.pl",
            format!("% inputs: put\ntype(value, X) :- X in 0..{number}.\n"),
            "check F",
        ),
        (
            "a.scxml",
            format!(
                "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" initial=\"{name}\"><state id=\"b\"/></scxml>"
            ),
            "coverage F --complete",
        ),
    ] {
        std::fs::write(place.at(file), text).unwrap();
        let started = Instant::now();
        let said = place.refusal(&words.replace('F', file));
        assert!(
            said.contains(file) && said.len() < 20_000,
            "{file}: {} bytes",
            said.len()
        );
        assert!(started.elapsed() < SOON / 4, "{file}");
    }
    // In a suite, a number that takes the square of its length to understand.
    let lamp = concat!(env!("CARGO_MANIFEST_DIR"), "/uppaal-models/lamp.xml");
    place.text(&format!("testgen {lamp} --out s.json"), 0);
    let suite = std::fs::read_to_string(place.at("s.json")).unwrap();
    let (before, after) = suite.split_once(" <= ").expect("a bound");
    let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap();
    std::fs::write(place.at("s.json"), format!("{before} <= {number}{}", &after[digits..])).unwrap();
    let said = place.refusal(&format!("score s.json {lamp}"));
    assert!(said.contains("s.json") && said.contains("is no number") && said.len() < 20_000);
}
