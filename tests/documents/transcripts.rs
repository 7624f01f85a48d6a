//! The transcripts and pictures of the README and the book are what tamper prints and draws. CONTRIBUTING.md says how they are written.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::page::{BOOK, Block, Part, parts};
use super::{pages_of_book, root, text, writes_docs};

/// What a page's commands may read, in the fresh folder of each page.
const SHOWN: [&str; 4] = ["case-studies", "examples", "uppaal-models", "packages"];

/// The folder in which the commands of a page run one after the other.
struct Session {
    folder: TempDir,
    /// The folder of the page in the repository.
    home: PathBuf,
    n_commands: usize,
    /// What differs.
    differences: Vec<String>,
    /// The page as it should be, where that is known.
    mended: String,
}

impl Session {
    fn new(home: PathBuf) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in SHOWN {
            symlink(root(name), at(name)).expect("a link");
        }
        let test = std::env::current_exe().expect("the test has a path");
        let built = test.parent().and_then(Path::parent).expect("it is in target/*/deps");
        fs::create_dir_all(at("target/release")).expect("a folder");
        symlink(built.join("lamp"), at("target/release/lamp")).expect("a link");
        fs::create_dir(at(".bin")).expect("a folder");
        symlink(env!("CARGO_BIN_EXE_tamper"), at(".bin/tamper")).expect("a link");
        symlink(built.join("tamper-check"), at(".bin/tamper-check")).expect("a link");
        Self {
            folder,
            home,
            n_commands: 0,
            differences: Vec::new(),
            mended: String::new(),
        }
    }

    /// What a command of the shell prints; what it says on standard error if it was refused.
    fn sh(&self, command: &str) -> String {
        let mut path = self.folder.path().join(".bin").into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.folder.path())
            .env("PATH", path)
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let shown = match output.status.code() {
            Some(2) => output.stderr,
            _ => output.stdout,
        };
        String::from_utf8(shown).expect("UTF-8")
    }

    /// Runs the commands of a block, and writes the block with what they print.
    fn commands(&mut self, block: &Block<'_>) {
        let mut lines = block.lines.iter().peekable();
        let mut number = block.line;
        while let Some(line) = lines.next() {
            let at = number;
            let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("no command: {line}"));
            let mut shown = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                shown.push(*line);
            }
            number += 1 + shown.len();
            self.mended += &format!("{line}\n");
            let typed = command.replace("cargo run --release -- ", "tamper ");
            if typed.starts_with("cargo ") {
                continue;
            }
            self.n_commands += 1;
            let printed = self.sh(&typed);
            let printed: Vec<&str> = printed.lines().collect();
            if matches(&shown, &printed) {
                self.keep(&shown);
            } else {
                self.differences
                    .push(format!("line {at}: {command}\n{}\n", printed.join("\n")));
                self.keep(&printed);
            }
        }
    }

    fn keep(&mut self, lines: &[&str]) {
        for line in lines {
            self.mended += line;
            self.mended += "\n";
        }
    }

    /// Writes a file that the page shows; one that the repository has must be as shown.
    fn file(&mut self, name: &str, block: &Block<'_>) {
        let path = self.folder.path().join(name);
        let shown = block.lines.join("\n") + "\n";
        if name.contains('/') {
            if fs::read_to_string(&path).unwrap_or_default() != shown {
                self.differences.push(format!("line {}: {name} is not so", block.line));
            }
        } else {
            fs::write(path, shown).expect("written");
        }
    }

    /// Draws what stands in a comment, and compares it with the picture that is kept.
    fn picture(&mut self, command: &str) {
        let (_, name) = command.rsplit_once("--out ").expect("a picture has --out");
        let (made, kept) = (self.folder.path().join(name), self.home.join(name));
        fs::create_dir_all(made.parent().expect("a parent")).expect("a folder");
        self.sh(command);
        self.n_commands += 1;
        let Ok(made) = fs::read(&made) else {
            self.differences.push(format!("nothing is drawn by {command}"));
            return;
        };
        if writes_docs() {
            fs::write(&kept, &made).expect("written");
        }
        if fs::read(&kept).unwrap_or_default() != made {
            self.differences
                .push(format!("{} is not what is drawn by {command}", kept.display()));
        }
    }

    fn part(&mut self, part: &Part<'_>) {
        let block = match part {
            Part::Line(line) => {
                let drawn = line
                    .strip_prefix("<!-- tamper draw ")
                    .and_then(|rest| rest.strip_suffix(" -->"));
                if let Some(words) = drawn {
                    self.picture(&format!("tamper draw {words}"));
                }
                return self.keep(&[line]);
            }
            Part::Block(block) => block,
        };
        self.keep(&[&format!("```{}", block.info)]);
        let (info, needed) = block.info.split_once(',').unwrap_or((block.info, ""));
        if info == "console" && (needed.is_empty() || is_there(needed)) {
            self.commands(block);
        } else {
            if let Some(name) = block.file {
                self.file(name, block);
            }
            self.keep(&block.lines);
        }
        self.keep(&["```"]);
    }
}

/// Whether a program is on this machine.
fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether lines are those that were printed; `…` stands for any.
fn matches(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"…", rest)) => (0..=printed.len()).any(|n| matches(rest, &printed[n..])),
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, others)| line == first && matches(rest, others)),
    }
}

/// Runs a page; the number of its commands, or what differs.
fn run(path: &str) -> Result<usize, String> {
    let page = text(path);
    let mut session = Session::new(root(path).parent().expect("a folder").to_path_buf());
    for part in parts(&page) {
        session.part(&part);
    }
    if writes_docs() && session.mended != page {
        fs::write(root(path), &session.mended).expect("written");
        return Err(format!("{path} is written anew"));
    }
    match session.differences.is_empty() {
        true => Ok(session.n_commands),
        false => Err(format!("{path}:\n{}", session.differences.join("\n"))),
    }
}

#[test]
fn every_transcript_and_picture_is_what_tamper_prints_and_draws() {
    let mut pages = pages_of_book();
    pages.push("README.md".to_owned());
    let results: Vec<_> = std::thread::scope(|scope| {
        let runs: Vec<_> = pages.iter().map(|page| scope.spawn(move || run(page))).collect();
        runs.into_iter().map(|run| run.join().expect("no panic")).collect()
    });
    let differences: Vec<_> = results
        .iter()
        .filter_map(|result| result.as_ref().err())
        .map(String::as_str)
        .collect();
    assert!(
        differences.is_empty(),
        "{}\nTAMPER_WRITE_DOCS=1 writes what is printed",
        differences.join("\n")
    );
    let n_commands: usize = results.iter().flatten().sum();
    assert!(n_commands > 40, "{n_commands}");
}

#[test]
fn every_picture_of_the_book_is_drawn_by_a_page() {
    let pages: String = pages_of_book().iter().map(|page| text(page)).collect::<String>() + &text("README.md");
    for entry in fs::read_dir(root(BOOK).join("images")).expect("the pictures") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        assert!(
            pages.contains(&format!("--out images/{name} -->")) || pages.contains(&format!("{BOOK}/images/{name} -->")),
            "{name}"
        );
    }
}
