//! The page of a run: what it holds is what the run holds. How it behaves in a browser: `scripts/check-report-page.sh`.

use std::fs;
use std::path::Path;

use num_rational::BigRational;
use serde_json::Value;

use super::{Classify, example, message_of, study, tamper};

/// The page of a run, and its data.
fn page(run: &Path, words: &[&str]) -> (String, Value) {
    let out = run.with_extension("html");
    let command = tamper().arg("report").arg(run).arg("--out").arg(&out).args(words);
    command.assert().code(0);
    let page = fs::read_to_string(out).unwrap();
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    let data = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    (page, data)
}

/// The numbers of a column, read by plain code.
pub fn numbers(packed: &Value) -> Vec<usize> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let text = packed["bytes"].as_str().unwrap().trim_end_matches('=');
    let bits: Vec<bool> = text
        .bytes()
        .flat_map(|letter| (0..6).rev().map(move |at| digit(letter) >> at & 1 == 1))
        .collect();
    let bytes: Vec<usize> = bits
        .chunks_exact(8)
        .map(|bits| bits.iter().fold(0, |byte, bit| 2 * byte + usize::from(*bit)))
        .collect();
    let width = usize::try_from(packed["width"].as_u64().unwrap()).unwrap();
    let number = |bytes: &[usize]| bytes.iter().rev().fold(0, |number, byte| 256 * number + byte);
    bytes.chunks_exact(width).map(number).collect()
}

/// Every record of the run, put together again from the columns of the page.
fn check_records(run: &Classify, data: &Value) {
    let column = |name: &str| numbers(&data["columns"][name]);
    let names = [
        "earlier",
        "last",
        "verdict",
        "decided",
        "violates",
        "why",
        "reason",
        "witness",
        "duplicate",
    ];
    let columns = names.map(column);
    let text = run.read("mutants.jsonl");
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(data["mutants"], records.len());
    let mut ids = Vec::new();
    for (row, record) in records.iter().enumerate() {
        let [
            earlier,
            last,
            verdict,
            decided,
            violates,
            why,
            reason,
            witness,
            duplicate,
        ] = columns.each_ref().map(|column| column[row]);
        let (before, after) = (&data["earlier"]["id"][earlier], &data["last"]["id"][last]);
        let (before, after) = (before.as_str().unwrap(), after.as_str().unwrap());
        ids.push(if before.is_empty() {
            after.to_owned()
        } else {
            format!("{before};{after}")
        });
        assert_eq!(record["id"], ids[row]);
        assert_eq!(record["verdict"], data["verdicts"][verdict]);
        assert_eq!(record["decided_by"], data["decided"][decided]);
        assert_eq!(record["violates"], data["violates"][violates]);
        for (name, at) in [("why", why), ("reason", reason), ("witness", witness)] {
            assert_eq!(
                record[name].as_str().unwrap_or_default(),
                data[name][at],
                "{name} of {}",
                ids[row]
            );
        }
        let same = duplicate.checked_sub(1).map(|row| ids[row].as_str());
        assert_eq!(record["duplicate_of"].as_str(), same);
    }
}

/// Whether `play` is the counterexample `witness`: clocks run by the delays, edges lead from one location to the next, and where a
/// clock stops running it was set.
pub fn check_play(play: &Value, data: &Value, witness: &str) {
    let steps: Vec<&str> = witness.split("; ").collect();
    let moments = play["moments"].as_array().unwrap();
    assert_eq!(moments.len(), steps.len() + 1, "{witness}");
    let texts = |value: &Value| -> Vec<BigRational> {
        let texts = value.as_array().unwrap().iter();
        texts.map(|text| text.as_str().unwrap().parse().unwrap()).collect()
    };
    let name = |part: &Value| {
        data["parts"][usize::try_from(part.as_u64().unwrap()).unwrap()]["name"]
            .as_str()
            .unwrap()
    };
    for side in ["spec", "mutant"] {
        // The studies have no integers: all names are clocks'.
        let zero = vec![BigRational::default(); play["names"][side].as_array().unwrap().len()];
        assert_eq!(texts(&moments[0][side]["values"]), zero, "{witness}");
        for (at, step) in steps.iter().enumerate() {
            let (now, next) = (&moments[at][side], &moments[at + 1]);
            assert!(
                step.starts_with(next["step"].as_str().unwrap()),
                "{step} is {}",
                next["step"]
            );
            let delay = step.trim_start_matches('+').split([' ', ':']).next().unwrap();
            let delay: BigRational = delay.parse().unwrap();
            let next = &next[side];
            let is_end = at + 1 == steps.len();
            let waits = !(is_end && step.ends_with("the delay is not allowed") && side == "spec");
            let before: Vec<_> = texts(&now["values"]).into_iter().map(|value| value + &delay).collect();
            if waits {
                assert_eq!(texts(&next["before"]), before, "{witness}: {step}");
            }
            for (before, after) in texts(&next["before"]).iter().zip(texts(&next["values"])) {
                assert!(
                    *before == after || (!is_end && after == BigRational::default()),
                    "{witness}: {step}"
                );
            }
            let Value::Number(_) = next["edge"] else { continue };
            // An edge that a mutation added stands for the location where it starts.
            let Some((source, target)) = name(&next["edge"]).split_once("->") else {
                continue;
            };
            let target = target.split('#').next().unwrap();
            assert_eq!(source, name(&now["at"][0]), "{witness}: {step}");
            // The last demand has no answer, so that nothing is behind it.
            if !is_end && side == "spec" {
                assert_eq!(target, name(&next["at"][0]), "{witness}: {step}");
            }
        }
    }
}

#[test]
fn every_counterexample_of_a_run_is_played_by_its_page() {
    let run = Classify::new();
    run.command("wfas", "--witness").assert().code(0);
    let (_, data) = page(&run.out(), &["--model", study("wfas").to_str().unwrap()]);
    let witness = numbers(&data["columns"]["witness"]);
    let plays = data["plays"].as_object().unwrap();
    let told = witness.iter().enumerate().filter(|(_, witness)| **witness > 0);
    let mut n = 0;
    for (row, witness) in told {
        check_play(
            &plays[&row.to_string()],
            &data,
            data["witness"][witness].as_str().unwrap(),
        );
        n += 1;
    }
    assert!(n > 10 && n == plays.len(), "{n} of {}", plays.len());
}

#[test]
fn a_page_holds_every_record_of_its_run_and_asks_for_nothing() {
    for words in [
        "--order 2 --witness",
        "--guidelines extended --semantics tiga",
        "--order 3 --sample 200",
        "--static=only",
    ] {
        let run = Classify::new();
        run.command("mutex", words).assert().code(0);
        let (html, data) = page(&run.out(), &["--model", study("mutex").to_str().unwrap()]);
        check_records(&run, &data);
        let places = html.match_indices("://").map(|(at, _)| &html[at..]);
        let links: Vec<_> = places
            .filter(|rest| !rest.starts_with("://www.w3.org/2000/svg"))
            .collect();
        assert!(links.is_empty(), "{words}: {:.80}", links[0]);
        assert!(!html.contains("src=") && !html.contains("url("));
    }
}

/// The numbers of a summary, counted again from the columns of the page by plain code.
#[test]
fn the_page_of_a_network_says_which_mutants_of_each_process_are_masked() {
    let run = Classify::new();
    let command = tamper().arg("classify").arg(example("networks/crossing.xml"));
    let command = command
        .args(["--mutate", "all", "--operators", "TMI,CXL,SMI", "--out"])
        .arg(run.out());
    command.assert().code(0);
    let (html, data) = page(&run.out(), &[]);
    let summary: Value = serde_json::from_str(&run.read("summary.json")).unwrap();
    let column = |name: &str| numbers(&data["columns"][name]);
    let (last, verdict, alone) = (column("last"), column("verdict"), column("alone"));
    let name = |number: usize| data["verdicts"][number].as_str().unwrap();
    let processes = summary["processes"].as_array().unwrap();
    assert!(processes.len() > 1 && html.matches("<figcaption>").count() == processes.len());
    let mut n_masked = 0;
    for (at, process) in processes.iter().enumerate() {
        assert_eq!(data["processes"][at], process["name"]);
        let rows = (0..last.len()).filter(|row| data["last"]["process"][last[*row]] == at);
        let rows: Vec<usize> = rows.collect();
        let is_alone = |row: &&usize| alone[**row] > 0 && name(alone[**row] - 1) == "non-subsumed";
        let masked = rows.iter().filter(is_alone);
        let masked = masked.filter(|row| ["subsumed", "inconsistent"].contains(&name(verdict[**row])));
        let masked = masked.count();
        assert_eq!(process["mutants"], rows.len());
        assert_eq!(process["killable_alone"], rows.iter().filter(is_alone).count());
        assert_eq!(process["masked"], masked);
        n_masked += masked;
        for row in rows {
            let part = usize::try_from(data["last"]["part"][last[row]].as_u64().unwrap()).unwrap();
            let part = data["parts"][part]["name"].as_str().unwrap();
            assert!(
                part.starts_with(&format!("{}/", process["name"].as_str().unwrap())),
                "{part}"
            );
        }
    }
    assert!(n_masked > 0, "the crossing masks mutants");
    let text = run.read("mutants.jsonl");
    for (row, line) in text.lines().enumerate() {
        let record: Value = serde_json::from_str(line).unwrap();
        assert_eq!(data["last"]["id"][last[row]], record["id"]);
    }
    let other = tamper()
        .arg("report")
        .arg(run.out())
        .args(["--environment", "Train", "--out", "x.html"]);
    let message = message_of(other.current_dir(run.folder.path()), 2);
    assert!(message.contains("other options of networks"), "{message}");
}

#[test]
fn what_run_score_and_coverage_print_becomes_a_page() {
    let run = Classify::new();
    let at = |name: &str| run.folder.path().join(name);
    let lamp = example("lamp.xml");
    let lamp = lamp.to_str().unwrap();
    tamper()
        .args(["testgen", lamp, "--operators", "CCN", "--out"])
        .arg(at("suite.json"))
        .assert()
        .code(0);
    let machines = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/machines");
    let machine = |name: &str| machines.join(name).display().to_string();
    let (suite, fsm, words) = (
        at("suite.json"),
        machine("running-example.fsm"),
        machine("running-example.suite"),
    );
    let suite = suite.to_str().unwrap();
    for (words, tables, said) in [
        (&["run", suite, "--against", lamp][..], 2, "Tests run against models"),
        (&["score", suite, lamp], 3, "The score of a suite"),
        (
            &["coverage", &fsm, &words, "--count"],
            3,
            "Coverage of every combination",
        ),
        (
            &["coverage", lamp, suite, "--count"],
            2,
            "Coverage of every combination",
        ),
    ] {
        let printed = tamper().args(words).args(["--format", "json"]).output().unwrap().stdout;
        fs::write(at("printed.json"), &printed).unwrap();
        let (html, data) = page(&at("printed.json"), &[]);
        assert!(html.contains(said), "{said}");
        assert_eq!(data["tables"].as_array().unwrap().len(), tables, "{said}");
        let printed: Value = serde_json::from_slice(&printed).unwrap();
        let rows = |table: usize| data["tables"][table]["rows"].as_array().unwrap().len();
        match words[0] {
            "run" => assert_eq!(rows(1), printed["tests"]),
            "score" => assert_eq!(
                rows(1),
                ["survivors", "unknown", "killed_though_subsumed"]
                    .map(|name| printed[name].as_array().unwrap().len())
                    .iter()
                    .sum::<usize>()
            ),
            _ => assert_eq!(data["totals"][0][0], printed["verdict"]),
        }
    }
    let message = message_of(tamper().args(["report", suite, "--out"]).arg(at("x.html")), 2);
    assert!(message.contains("is a suite of timed tests"), "{message}");
    let message = message_of(
        tamper()
            .arg("report")
            .arg(at("printed.json"))
            .args(["--suite", suite, "--out"])
            .arg(at("x.html")),
        2,
    );
    assert!(message.contains("--suite has no meaning"), "{message}");
}

/// By hand: WFAS at order 2. What removes an edge changes that edge, also where an edge before it is gone, which gives it another
/// number; what adds one belongs to the location where it starts.
#[test]
fn a_mutation_is_shown_at_the_part_of_the_model_that_it_changes() {
    let run = Classify::new();
    run.command("wfas", "--order 2 --operators TMI,TAD,SMI")
        .assert()
        .code(0);
    let (html, data) = page(&run.out(), &[]);
    let part = |at: &Value| {
        data["parts"][usize::try_from(at.as_u64().unwrap()).unwrap()]["name"]
            .as_str()
            .unwrap()
    };
    let last = &data["last"];
    let mut n_renumbered = 0;
    for (at, id) in last["id"].as_array().unwrap().iter().enumerate() {
        let (operator, place) = id.as_str().unwrap().split_once(':').unwrap();
        let part = part(&last["part"][at]);
        match operator {
            "SMI" => assert_eq!(part, place),
            "TAD" => assert_eq!(part, place.split_once(':').unwrap().1.split_once("->").unwrap().0),
            // The edge was added by the first mutation, or is one of the model with those ends.
            _ if part.contains("->") => {
                assert_eq!(part.split_once('#').unwrap().0, place.split_once('#').unwrap().0);
                n_renumbered += usize::from(part != place);
            }
            _ => assert_eq!(part, place.split_once("->").unwrap().0),
        }
    }
    assert!(n_renumbered > 0, "WFAS has edges with the same ends");
    let n_parts = data["parts"].as_array().unwrap().len();
    assert!(
        (0..n_parts).all(|part| html.contains(&format!("data-parts=\"{part}\"")) || html.contains(&format!("{part} ")))
    );
}

#[test]
fn the_tests_of_a_suite_kill_on_the_page_what_score_says() {
    let run = Classify::new();
    let lamp = example("lamp.xml");
    let suite = run.folder.path().join("suite.json");
    let command = tamper().arg("classify").arg(&lamp).arg("--out").arg(run.out());
    command.args(["--semantics", "definition"]).assert().code(0);
    let testgen = tamper().arg("testgen").arg(&lamp).arg("--out").arg(&suite);
    testgen.args(["--operators", "CCN"]).assert().code(0);
    let (_, data) = page(&run.out(), &["--suite", suite.to_str().unwrap()]);
    let score = tamper()
        .arg("score")
        .arg(&suite)
        .arg(&lamp)
        .arg("--mutants")
        .arg(run.out());
    // Whether something survives or not.
    let output = score.args(["--format", "json"]).output().unwrap();
    let score: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(data["score"]["killed"], score["killed"]);
    assert_eq!(data["score"]["killable"], score["killable"]);
    let tests = data["tests"].as_array().unwrap();
    assert!(!tests.is_empty());
    for test in tests {
        let kills = numbers(&test["kills"]);
        assert_eq!(score["kills"][test["id"].as_str().unwrap()], kills.len());
    }
    let survivors = data["survivors"].as_array().unwrap();
    let ids: Vec<&Value> = score["survivors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(survivors.len(), ids.len());
    let last = numbers(&data["columns"]["last"]);
    for (survivor, id) in survivors.iter().zip(ids) {
        let row = usize::try_from(survivor[0].as_u64().unwrap()).unwrap();
        assert_eq!(data["last"]["id"][last[row]], *id);
    }
}

#[test]
fn a_page_is_made_of_a_finished_run_only() {
    let run = Classify::new();
    run.json("wfas", "");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("page.html");
    let report = || tamper().arg("report").arg(run.out()).arg("--out").arg(&out);
    let message = message_of(report().arg("--model").arg(study("mutex")), 2);
    assert!(message.contains("is about another model"), "{message}");
    let records = run.read("mutants.jsonl");
    fs::write(run.out().join("mutants.jsonl"), &records[..records.len() / 2]).unwrap();
    let message = message_of(report(), 2);
    assert!(message.contains("is not finished"), "{message}");
    let message = message_of(tamper().arg("report").arg(run.folder.path()).arg("--out").arg(&out), 2);
    assert!(message.contains("is a folder that holds no run"), "{message}");
    assert!(!out.exists());
}

/// The file that `tamper report … --as …` writes.
fn figure(run: &Path, words: &[&str]) -> String {
    let out = run.with_extension("figure");
    let command = tamper().arg("report").arg(run).arg("--out").arg(&out).args(words);
    command.assert().code(0);
    fs::read_to_string(out).unwrap()
}

/// The table of a run is its summary, and what a suite kills is what `score` says.
#[test]
fn tables_and_figures_are_those_of_the_run() {
    let run = Classify::new();
    run.command("wfas", "").assert().code(0);
    let folder = run.out();
    // [003] Table 2 of the six operators of WFAS: 121 mutants, 65 + 42 + 14 with outputs rejected.
    let csv = figure(&folder, &["--as", "csv"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(
        lines[0],
        "operator,total,non_subsumed,subsumed,inconsistent,violating,ratio_percent"
    );
    assert_eq!(lines.last(), Some(&"total,121,65,42,14,49,87.5"), "{csv}");
    assert_eq!(lines.len(), 8);
    let latex = figure(&folder, &["--as", "latex"]);
    assert!(
        latex.contains("total & 121 & 65 & 42 & 14 & 49 & 87.5\\,\\% \\\\"),
        "{latex}"
    );
    assert!(
        latex.contains("\\caption{Verdicts by operator: Spec, mutants of order 1}\\label{tab:verdicts}"),
        "{latex}"
    );
    let titled = figure(&folder, &["--as", "latex", "--title", "WFAS, 100 %"]);
    assert!(
        titled.contains("\\caption{WFAS, 100\\,\\%}\\label{tab:verdicts}"),
        "{titled}"
    );
    for show in ["verdicts", "ratios"] {
        let svg = figure(&folder, &["--as", "svg", "--show", show]);
        assert!(
            svg.starts_with("<svg") && svg.contains(": Spec, mutants of order 1"),
            "{svg}"
        );
    }
    // A share says nothing of the whole.
    let share = folder.with_extension("share");
    let command = tamper().arg("classify").arg(study("wfas")).arg("--out").arg(&share);
    command.args(["--shard", "1/2"]).assert().code(0);
    let out = folder.with_extension("of-share");
    let command = tamper().arg("report").arg(&share).arg("--out").arg(&out);
    assert!(message_of(command.args(["--as", "csv"]), 2).contains("tamper merge"));
    let refused = [
        (vec!["--as", "csv", "--show", "kills"], "--suite SUITE"),
        (vec!["--as", "pdf"], "latex, svg, csv"),
    ];
    for (words, help) in refused {
        let out = folder.with_extension("refused");
        let command = tamper().arg("report").arg(&folder).arg("--out").arg(&out).args(&words);
        let error = message_of(command, 2);
        assert!(error.contains(help) && !out.exists(), "{error}");
    }
}

/// The kill matrix of `score`: as many kills as it counts, and a curve that ends at the score.
#[test]
fn what_a_suite_kills_is_a_matrix_and_grows() {
    let folder = tempfile::tempdir().unwrap();
    let (suite, printed) = (folder.path().join("suite.json"), folder.path().join("score.json"));
    let model = example("lamp.xml");
    tamper()
        .arg("testgen")
        .arg(&model)
        .arg("--out")
        .arg(&suite)
        .assert()
        .code(0);
    let command = tamper().arg("score").arg(&suite).arg(&model).args(["--format", "json"]);
    let output = command.assert().code(0).get_output().stdout.clone();
    fs::write(&printed, &output).unwrap();
    let score: Value = serde_json::from_slice(&output).unwrap();
    let csv = figure(&printed, &["--as", "csv", "--show", "kills"]);
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.rsplit(',').collect()).collect();
    let killable = score["killable"].as_u64().unwrap();
    assert_eq!(rows.len() as u64, 1 + killable);
    for (test, kills) in score["kills"].as_object().unwrap() {
        let column = rows[0].iter().position(|name| name == test).unwrap();
        let counted = rows[1..].iter().filter(|row| row[column] == "1").count() as u64;
        assert_eq!(Some(counted), kills.as_u64(), "{test}");
    }
    let growth = figure(&printed, &["--as", "csv", "--show", "growth"]);
    let last = growth.lines().last().unwrap();
    assert!(last.ends_with(&format!(",{},100.0", score["killed"])), "{last}");
    assert!(figure(&printed, &["--as", "svg", "--show", "kills"]).contains("t01"));
    assert!(figure(&printed, &["--as", "latex"]).contains("score \\\\"));
}
