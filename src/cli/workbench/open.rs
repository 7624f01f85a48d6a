//! `tamper open`.

use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::OpenArgs;
use super::edited::{DecidedModel, EditedModel};
use super::server::HttpRequest;
use super::site::{Wish, WorkbenchSite, answer_later, answer_nothing, answer_with};
use super::watched::Stamp;
use crate::cli::arguments::args::{Format, GlobalArgs};
use crate::cli::cause::cause;
use crate::cli::exit::ExitCode;
use crate::cli::interrupt;
use crate::cli::terminal::Terminal;
use tamper::formats::{ReadError, STDIN, render};

/// The interval at which the model is checked.
const TICK: Duration = Duration::from_millis(20);
/// The time for which a model with an error may still be on its way to the disk.
const SETTLING: Duration = Duration::from_millis(60);
/// The time that a browser waits for news before it has to ask again.
const PATIENCE: Duration = Duration::from_secs(20);
/// The largest number of browsers that wait at once; if more come, the first has to ask again.
const MOST_WAITING: usize = 32;

/// Shows a model and its mutants on a page that follows it.
pub fn open(args: &OpenArgs, global: &GlobalArgs, terminal: &Terminal) -> Result<ExitCode> {
    if args.file == Path::new(STDIN) {
        bail!("`-` cannot be edited: name a file");
    }
    let stop = interrupt::watch();
    let edit = EditedModel {
        args,
        global,
        stop: &stop,
    };
    let stamp = Stamp::of(&args.file);
    let started = Instant::now();
    let edited = edit.decided(terminal)?;
    let site = WorkbenchSite::open(args.port)?;
    let mut bench = Workbench {
        stamp,
        edit,
        edited,
        version: 1,
        shown: 1,
        news: None,
        problem: None,
        waiting: Vec::new(),
        terminal,
    };
    bench.say_decided(started);
    end_with_input(&stop)?;
    let address = site.address();
    terminal.result(&match terminal.format {
        Format::Json => json!({ "address": address }).to_string(),
        Format::Text => address.clone(),
    })?;
    terminal.note("this page follows the model until Ctrl-C");
    if args.browser {
        open::that_detached(&address).context("no browser can be started: open the address by hand")?;
    }
    while !stop.load(Ordering::Relaxed) {
        if let Some((options, request)) = site.next(TICK) {
            bench.answer(options, request);
        }
        bench.dismiss();
        bench.look();
        bench.look_at_suite();
    }
    Ok(ExitCode::Yes)
}

/// Raises `stop` when the terminal is closed or, if the input is no terminal, when the input ends.
fn end_with_input(stop: &Arc<AtomicBool>) -> Result<()> {
    #[cfg(unix)]
    signal_hook::flag::register(signal_hook::consts::SIGHUP, Arc::clone(stop))
        .context("cannot listen to the terminal's end")?;
    if io::stdin().is_terminal() {
        return Ok(());
    }
    let stop = Arc::clone(stop);
    std::thread::spawn(move || {
        let mut unread = [0; 256];
        while io::stdin().read(&mut unread).is_ok_and(|n| n > 0) {}
        stop.store(true, Ordering::Relaxed);
    });
    Ok(())
}

/// The model and its pages in the browser.
struct Workbench<'e> {
    edit: EditedModel<'e>,
    /// The stamp of the model when it was read last.
    stamp: Stamp,
    /// The model when it was last without an error.
    edited: DecidedModel,
    /// Grows with every save.
    version: u64,
    /// The version of the model when it was last without an error.
    shown: u64,
    /// The message for pages of an older version; `None` for the first version.
    news: Option<String>,
    /// The error that the model has had since then.
    problem: Option<String>,
    waiting: Vec<Waiting>,
    terminal: &'e Terminal,
}

/// A browser that waits for news.
struct Waiting {
    since: Instant,
    request: HttpRequest,
}

impl Workbench<'_> {
    fn answer(&mut self, options: Wish, request: HttpRequest) {
        const JSON: &str = "application/json";
        match options {
            Wish::Page => answer_with(request, "text/html; charset=utf-8", self.edited.html(self.shown)),
            Wish::Next(after) => match self.news.as_ref().filter(|_| after != self.version) {
                Some(news) => answer_with(request, JSON, news.as_str()),
                None => {
                    let since = Instant::now();
                    self.waiting.push(Waiting { since, request });
                }
            },
            Wish::Play(id) => {
                let play = self.edited.play(&id).unwrap_or_default();
                answer_with(request, JSON, play.to_string());
            }
            Wish::Keep(condition) => {
                let run = self.edited.run();
                answer_later(request, move || run.kept(&condition));
            }
            Wish::Run(id) => match self.edited.tested(&id) {
                Some((number, made)) => {
                    let run = self.edited.run();
                    answer_later(request, move || run.against(number, &made.suite));
                }
                None => answer_with(request, JSON, "null"),
            },
            Wish::Make(asked) => {
                self.edited.make(asked);
                answer_with(request, JSON, self.edited.making().to_string());
            }
            Wish::Stop => {
                self.edited.stop();
                answer_with(request, JSON, "null");
            }
            Wish::Making => answer_with(request, JSON, self.edited.making().to_string()),
            Wish::Suite => match self.edited.suite() {
                Some(made) => answer_with(request, JSON, made.file()),
                None => answer_nothing(request),
            },
        }
    }

    /// Shows the suite if it is finished by now.
    fn look_at_suite(&mut self) {
        if self.edited.take_suite() {
            self.version += 1;
            let mut news = self.edited.news(self.version);
            news["made"] = json!(true);
            match &self.problem {
                None => self.shown = self.version,
                // The error stays, and is shown to everybody who opens the page.
                Some(problem) => news["problem"] = json!(problem),
            }
            self.tell(&news);
        }
    }

    /// Sends `news` to all browsers that wait.
    fn tell(&mut self, news: &Value) {
        let news = self.news.insert(news.to_string());
        for waiting in self.waiting.drain(..) {
            answer_with(waiting.request, "application/json", news.as_str());
        }
    }

    /// Answers browsers that wait for too long, or are too many, so that they ask again.
    fn dismiss(&mut self) {
        let n_more = self.waiting.len().saturating_sub(MOST_WAITING);
        let is_over = |waiting: &Waiting| waiting.since.elapsed() >= PATIENCE;
        let n_over = self.waiting.iter().take_while(|waiting| is_over(waiting)).count();
        self.waiting
            .drain(..n_more.max(n_over))
            .for_each(|waiting| answer_nothing(waiting.request));
    }

    /// Decides the model again if it was saved.
    fn look(&mut self) {
        let stamp = Stamp::of(&self.edit.args.file);
        if stamp == self.stamp {
            return;
        }
        let started = Instant::now();
        let decided = self.edit.decided(&self.terminal.quietly());
        if decided.is_err() {
            std::thread::sleep(SETTLING);
            if Stamp::of(&self.edit.args.file) != stamp {
                return;
            }
        }
        if self.edit.stop.load(Ordering::Relaxed) {
            return;
        }
        self.stamp = stamp;
        self.version += 1;
        let news = match decided {
            Ok(edited) => {
                self.edited = edited;
                self.shown = self.version;
                self.problem = None;
                self.say_decided(started);
                self.edited.news(self.version)
            }
            Err(error) => {
                let problem = problem(&error);
                self.terminal.message(&problem);
                let news = json!({ "version": self.version, "problem": problem });
                self.problem = Some(problem);
                news
            }
        };
        self.tell(&news);
    }

    fn say_decided(&self, started: Instant) {
        self.terminal.note(&format!(
            "{} mutants of {} decided in {:.0} ms",
            self.edited.n_mutants(),
            self.edit.args.file.display(),
            started.elapsed().as_secs_f64() * 1000.0
        ));
    }
}

/// The error, as a terminal would show it.
fn problem(error: &anyhow::Error) -> String {
    match cause::<ReadError>(error) {
        Some(refused) => render(&refused.file, &refused.diagnostics, false),
        None => format!("error: {error:#}"),
    }
}
