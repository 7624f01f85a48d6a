//! The workbench: who is answered, and what the page is told when its model is saved. How it behaves in a browser:
//! `scripts/check-report-page.sh`.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{json_of, study, tamper};

/// `tamper open` of a copy of a study; it ends with the test.
struct Open {
    folder: tempfile::TempDir,
    child: Child,
    /// Port and secret of the address.
    port: u16,
    secret: String,
}

/// Status and body of an answer.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Open {
    fn new(name: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.xml");
        fs::copy(study(name), &model).unwrap();
        Self::of(folder, &model, &[])
    }
    fn of(folder: tempfile::TempDir, model: &Path, options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tamper"))
            .arg("open")
            .arg(model)
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut address)
            .unwrap();
        let (port, secret) = address
            .trim()
            .strip_prefix("http://127.0.0.1:")
            .and_then(|rest| rest.strip_suffix('/'))
            .and_then(|rest| rest.split_once('/'))
            .unwrap();
        Self {
            folder,
            port: port.parse().unwrap(),
            secret: secret.to_owned(),
            child,
        }
    }
    fn model(&self) -> PathBuf {
        self.folder.path().join("model.xml")
    }
    /// What is answered to `GET path` of that host, behind `method`.
    fn raw(&self, method: &str, path: &str, host: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let request =
            format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        Answer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }
    fn get(&self, path: &str) -> Answer {
        let own = format!("127.0.0.1:{}", self.port);
        self.raw("GET", &format!("/{}{path}", self.secret), &own)
    }
    /// What is told to a page of this version.
    fn news(&self, after: u64) -> Value {
        let answer = self.get(&format!("/next?after={after}"));
        assert_eq!(answer.status, 200, "{}", answer.head);
        serde_json::from_str(&unchunked(&answer)).unwrap()
    }
    fn edit(&self, change: impl Fn(String) -> String) {
        let text = change(fs::read_to_string(self.model()).unwrap());
        fs::write(self.model(), text).unwrap();
    }
    fn ends(&mut self) -> Option<i32> {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(30) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end");
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // It has ended where the test is about that.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The body, put together where it came in chunks.
fn unchunked(answer: &Answer) -> String {
    if !answer.head.to_lowercase().contains("transfer-encoding: chunked") {
        return answer.body.clone();
    }
    let (mut rest, mut body) = (answer.body.as_str(), String::new());
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        body.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
        if size == 0 {
            break;
        }
    }
    body
}

#[test]
fn the_page_is_for_this_machine_and_for_who_knows_its_address() {
    let open = Open::new("wfas");
    let page = open.get("/");
    assert_eq!(page.status, 200);
    let page = unchunked(&page);
    assert!(page.contains("connect-src 'self'") && page.contains("id=\"data\""));
    let own = format!("127.0.0.1:{}", open.port);
    let secret = &open.secret;
    for (path, host, status) in [
        ("/".to_owned(), own.as_str(), 403),
        ("/next?after=1".to_owned(), &own, 403),
        (format!("/{}/", secret.replace(&secret[..1], "g")), &own, 403),
        (format!("/{secret}/"), "evil.example", 403),
        (format!("/{secret}/"), "127.0.0.1", 403),
        (format!("/{secret}/../../etc/passwd"), &own, 404),
    ] {
        let answer = open.raw("GET", &path, host);
        assert_eq!(answer.status, status, "{path} of {host}");
        assert!(!answer.body.contains("mutant") && !answer.body.contains(secret.as_str()));
    }
    assert_eq!(open.raw("POST", &format!("/{secret}/"), &own).status, 405);
}

#[test]
fn a_saved_model_is_decided_again_and_an_error_keeps_the_page() {
    let open = Open::new("wfas");
    // A constant that no mutant is about in the same way: what `classify` says of the saved file is what the page is told.
    open.edit(|text| text.replacen("&lt;=2", "&lt;=3", 1));
    let news = open.news(1);
    assert_eq!(news["version"], 2);
    let out = open.folder.path().join("run");
    let classify = tamper().arg("classify").arg(open.model()).arg("--out").arg(&out);
    let summary = json_of(classify.args(["--format", "json"]), 0);
    assert_eq!(news["data"]["mutants"], summary["total"]["total"], "{summary}");
    let ids = |run: &str| fs::read_to_string(out.join(run)).unwrap().lines().count();
    let verdicts = super::report::numbers(&news["data"]["columns"]["verdict"]);
    let names = news["data"]["verdicts"].as_array().unwrap();
    for (at, name) in names.iter().enumerate() {
        let on_page = verdicts.iter().filter(|verdict| **verdict == at).count();
        assert_eq!(on_page, ids(&format!("{}.txt", name.as_str().unwrap())), "{name}");
    }
    // An error: where it is, and the page as it was.
    let right = fs::read_to_string(open.model()).unwrap();
    open.edit(|text| text.replacen("&lt;=3", "&lt;=", 1));
    let news = open.news(2);
    assert_eq!(news["version"], 3);
    let problem = news["problem"].as_str().unwrap();
    assert!(problem.contains("model.xml:") && problem.contains("error"), "{problem}");
    assert!(unchunked(&open.get("/")).contains("\"live\":2"));
    // Whoever opens the page now is told at once.
    assert_eq!(open.news(2)["version"], 3);
    fs::write(open.model(), right).unwrap();
    let news = open.news(3);
    assert_eq!((&news["version"], news.get("problem")), (&4.into(), None));
    assert_eq!(super::report::numbers(&news["data"]["columns"]["verdict"]), verdicts);
}

#[test]
fn a_counterexample_is_asked_for_by_the_id_of_its_mutant() {
    let open = Open::new("wfas");
    let play = |id: &str| -> Value {
        let id: String = id.bytes().map(|byte| format!("%{byte:02x}")).collect();
        serde_json::from_str(&unchunked(&open.get(&format!("/play?id={id}")))).unwrap()
    };
    let page = unchunked(&open.get("/"));
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    let data: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    let last = super::report::numbers(&data["columns"]["last"]);
    let witness = super::report::numbers(&data["columns"]["witness"]);
    let mut n = 0;
    for (last, witness) in last.iter().zip(&witness) {
        let (id, witness) = (data["last"]["id"][last].as_str().unwrap(), &data["witness"][witness]);
        if witness.as_str().is_some_and(|witness| !witness.is_empty()) {
            super::report::check_play(&play(id), &data, witness.as_str().unwrap());
            n += 1;
        }
    }
    assert!(n > 10, "{n} counterexamples");
    assert_eq!(play("no such mutant"), Value::Null);
}

#[test]
fn it_ends_with_its_input_and_with_ctrl_c() {
    let mut open = Open::new("wfas");
    drop(open.child.stdin.take());
    assert_eq!(open.ends(), Some(0));
    let mut open = Open::new("wfas");
    let pid = open.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(open.ends(), Some(0));
}

#[test]
fn what_cannot_be_opened_is_refused_like_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.xml");
    fs::write(&broken, "<nta><declaration>clock ;</declaration></nta>").unwrap();
    tamper().arg("open").arg(broken).assert().code(2);
    tamper().args(["open", "-"]).assert().code(2);
}

impl Open {
    /// What is answered to `POST path`.
    fn post(&self, path: &str) -> Value {
        let own = format!("127.0.0.1:{}", self.port);
        let answer = self.raw("POST", &format!("/{}{path}", self.secret), &own);
        assert_eq!(answer.status, 200, "{path}: {}", answer.head);
        serde_json::from_str(&unchunked(&answer)).unwrap()
    }
    fn json(&self, path: &str) -> Value {
        serde_json::from_str(&unchunked(&self.get(path))).unwrap()
    }
    /// The data of the page, and the id of each of its mutants, which are of order 1.
    fn data(&self) -> (Value, Vec<String>) {
        let page = unchunked(&self.get("/"));
        let (_, rest) = page.split_once("id=\"data\">").unwrap();
        let data: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
        let last = super::report::numbers(&data["columns"]["last"]);
        let ids = last
            .iter()
            .map(|last| data["last"]["id"][last].as_str().unwrap().to_owned());
        let ids = ids.collect();
        (data, ids)
    }
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[test]
fn the_suite_of_a_page_is_the_one_that_testgen_makes_and_score_scores() {
    let open = Open::new("wfas");
    assert_eq!(open.json("/making"), Value::Null);
    assert!(open.get("/suite.json").status == 204 && open.json("/run?id=none") == Value::Null);
    open.post("/make?strategy=minimal");
    // The page is told once it is made.
    let news = open.news(1);
    assert_eq!((&news["version"], &news["made"]), (&2.into(), &true.into()));
    assert_eq!(open.json("/making"), Value::Null);
    let (run, suite) = (open.folder.path().join("run"), open.folder.path().join("suite.json"));
    tamper()
        .arg("classify")
        .arg(open.model())
        .arg("--out")
        .arg(&run)
        .assert()
        .code(0);
    let testgen = tamper().arg("testgen").arg(open.model()).arg("--mutants").arg(&run);
    let testgen = testgen.args(["--strategy", "minimal", "--out"]).arg(&suite);
    testgen.assert().code(0);
    let on_page = unchunked(&open.get("/suite.json"));
    assert_eq!(on_page, fs::read_to_string(&suite).unwrap());
    let score = tamper()
        .arg("score")
        .arg(&suite)
        .arg(open.model())
        .arg("--mutants")
        .arg(&run);
    let score = json_of(score.args(["--format", "json"]), 0);
    assert_eq!(news["data"]["score"]["killed"], score["killed"], "{score}");
    assert_eq!(news["data"]["score"]["killable"], score["killable"]);
    // One mutant by itself fails the tests that kill it among all.
    let (data, ids) = open.data();
    assert_eq!(data["tests"], news["data"]["tests"]);
    let tests = data["tests"].as_array().unwrap();
    let kills: Vec<Vec<usize>> = tests
        .iter()
        .map(|test| super::report::numbers(&test["kills"]))
        .collect();
    assert!(kills.iter().any(|kills| kills.len() > 1), "{tests:?}");
    let mut killed: Vec<usize> = kills.iter().flatten().copied().collect();
    killed.sort_unstable();
    killed.dedup();
    for row in killed.into_iter().take(12) {
        let answer = open.json(&format!("/run?id={}", encoded(&ids[row])));
        let runs = answer["runs"].as_array().unwrap();
        assert_eq!(runs.len(), tests.len());
        for (run, kills) in runs.iter().zip(&kills) {
            assert_eq!(run["verdict"] == "fail", kills.contains(&row), "{}: {run}", ids[row]);
            let fails_surely = run["kill"] == "definite";
            assert!(
                !fails_surely || run["log"].as_array().is_some_and(|log| !log.is_empty()),
                "{run}"
            );
        }
    }
    // The tests are those of the model before.
    open.edit(|text| format!("{text}\n"));
    assert_eq!(open.news(2)["data"].get("tests"), None);
    assert_eq!(open.get("/suite.json").status, 204);
}

#[test]
fn a_suite_that_is_stopped_leaves_nothing_behind() {
    let open = Open::new("cas");
    open.post("/make?strategy=fewest%20programs");
    open.post("/stop");
    assert_eq!(open.json("/making"), Value::Null);
    assert_eq!(open.get("/suite.json").status, 204);
    // It is not told later either: the next news is that of a saved model.
    open.edit(|text| format!("{text}\n"));
    let news = open.news(1);
    assert_eq!((news.get("made"), news["data"].get("tests")), (None, None));
}

#[test]
fn a_condition_keeps_what_export_keeps_and_says_what_is_wrong_with_it() {
    let open = Open::new("wfas");
    // All mutants are looked at: the number of each is its row.
    let (_, ids) = open.data();
    let conditions = [
        "non-subsumed && !violates",
        "operator in (CXL, CXS)",
        "id ~ 'TMI*' || subsumed",
        "all",
    ];
    for (at, condition) in conditions.into_iter().enumerate() {
        let answer = open.json(&format!("/keep?condition={}", encoded(condition)));
        let id = |number: &Value| ids[usize::try_from(number.as_u64().unwrap()).unwrap()].clone();
        let kept: Vec<String> = answer["numbers"].as_array().unwrap().iter().map(id).collect();
        let out = open.folder.path().join(format!("table-{at}"));
        let export = tamper()
            .arg("export")
            .arg(open.model())
            .args(["--keep", condition, "--as", "jsonl", "--out"]);
        export.arg(&out).assert().code(0);
        let table = fs::read_to_string(out.join("kept.jsonl")).unwrap();
        let exported = table.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let exported: Vec<String> = exported.map(|line| line["id"].as_str().unwrap().to_owned()).collect();
        assert!(!kept.is_empty());
        assert_eq!(kept, exported, "{condition}");
    }
    // What export refuses is refused in its words.
    for wrong in [
        "verdict = subsumed",
        "colour == red",
        "(",
        "location has nowhere",
        "identified",
    ] {
        let answer = open.json(&format!("/keep?condition={}", encoded(wrong)));
        let problem = answer["problem"].as_str().unwrap().replace("keep:", "--keep:");
        let out = open.folder.path().join("none");
        let export = tamper()
            .arg("export")
            .arg(open.model())
            .args(["--keep", wrong, "--as", "jsonl", "--out"]);
        let message = super::message_of(export.arg(&out), 2);
        assert_eq!(message.trim(), problem.trim(), "{wrong}");
    }
}

/// What is answered to bytes that a stranger sends; nothing where the connection is ended.
fn answered(port: u16, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    // Whoever is refused while talking cannot go on.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer)
        .lines()
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// The row `open-content-length` and its kind: no body is read, no head beyond its bound, and the page lives.
#[test]
fn open_content_length() {
    let open = Open::new("wfas");
    let head = |line: &str, more: &str| format!("{line} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{more}\r\n", open.port);
    let (known, stranger) = (format!("POST /{}/stop", open.secret), "POST /stop".to_owned());
    let many: String = (0..100).map(|at| format!("X-{at}: y\r\n")).collect();
    for body in [
        "Content-Length: 99999999999999\r\n",
        "Content-Length: 5\r\n",
        "Content-Length: -1\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip\r\nContent-Length: 0\r\n",
    ] {
        assert!(
            answered(open.port, head(&known, body).as_bytes()).contains(" 413 "),
            "{body}"
        );
        assert!(
            answered(open.port, head(&stranger, body).as_bytes()).contains(" 403 "),
            "{body}"
        );
    }
    for (bytes, status) in [
        (head(&known, &many), " 431 "),
        (head(&known, &format!("X: {}\r\n", "y".repeat(20_000))), " 431 "),
        (head(&format!("GET /{}", "a".repeat(20_000)), ""), " 431 "),
        ("\0\u{1}\r\n\r\n".to_owned(), " 400 "),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), " 403 "),
    ] {
        assert!(answered(open.port, bytes.as_bytes()).contains(status), "{status}");
    }
    // A request line of 100 MB is not taken.
    let started = Instant::now();
    let answer = answered(
        open.port,
        head(&format!("GET /{}", "a".repeat(100 << 20)), "").as_bytes(),
    );
    assert!(answer.is_empty() || answer.contains(" 431 "), "{answer}");
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(open.get("/").status, 200);
}

/// The row `open-many-connections`: idle strangers make room for whoever comes, and the page answers while they are there.
#[test]
fn open_many_connections() {
    let open = Open::new("wfas");
    let news = std::thread::scope(|scope| {
        // Whoever has the secret stays.
        let waiting = scope.spawn(|| open.news(1));
        std::thread::sleep(Duration::from_millis(300));
        let connect = |_| TcpStream::connect(("127.0.0.1", open.port)).ok();
        let strangers: Vec<_> = (0..400).map(connect).collect();
        for _ in 0..5 {
            assert_eq!(open.get("/").status, 200);
        }
        // A slow client sends a byte now and then.
        let mut slow = TcpStream::connect(("127.0.0.1", open.port)).unwrap();
        for byte in b"GET / HT" {
            slow.write_all(&[*byte]).unwrap();
            assert_eq!(open.get("/making").status, 200);
        }
        drop(strangers);
        open.edit(|text| format!("{text}\n"));
        waiting.join().unwrap()
    });
    assert_eq!(news["version"], 2);
}

/// The row `open-symlink-loops`: links that lead round in circles are followed no further than a project's files are.
#[cfg(unix)]
#[test]
fn open_symlink_loops() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    let export = tamper()
        .arg("export")
        .arg(study("wfas"))
        .args(["--as", "ecdar-json", "--out"]);
    export.arg(&project).args(["--keep", "id ~ 'TMI*'"]).assert().code(0);
    let project = fs::read_dir(&project)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.join("Components").is_dir())
        .unwrap_or(project);
    for name in ["loop1", "loop2"] {
        std::os::unix::fs::symlink(".", project.join(name)).unwrap();
    }
    let component = fs::read_dir(project.join("Components"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let name = component.file_stem().unwrap().to_str().unwrap().to_owned();
    let open = Open::of(folder, &project, &["--template", &name]);
    assert_eq!(open.get("/").status, 200);
}
