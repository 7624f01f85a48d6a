//! `tamper open`.

use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Scope;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::OpenArgs;
use super::deciding::Decision;
use super::edited::{DecidedModel, EditedModel};
use super::progress::PartialPage;
use super::server::HttpRequest;
use super::site::{Wish, WorkbenchSite, answer_later, answer_nothing, answer_with};
use super::watched::Stamp;
use crate::cli::arguments::args::{Format, GlobalArgs};
use crate::cli::cause::cause;
use crate::cli::exit::ExitCode;
use crate::cli::interrupt;
use crate::cli::terminal::{Terminal, counted};
use tamper::formats::{ReadError, STDIN, render};

/// The interval at which the model is checked.
const TICK: Duration = Duration::from_millis(20);
/// The interval at which a decision is looked at, which most often is done at once.
const BRIEFLY: Duration = Duration::from_millis(2);
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
    let edit = EditedModel { args, global };
    std::thread::scope(|scope| serve(scope, edit, &stop, terminal))
}

/// Decides the model, and serves its page until `stop` is raised.
fn serve<'scope, 'env: 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    edit: EditedModel<'env>,
    stop: &Arc<AtomicBool>,
    terminal: &Terminal,
) -> Result<ExitCode> {
    let decision = Decision::start(scope, edit, *terminal);
    let (content, stamp, decision) = loop {
        if decision.is_finished() {
            let (stamp, started) = (decision.stamp.clone(), decision.started);
            let edited = decision.result()?;
            say_decided(&edited, edit, started, terminal);
            break (Shown::Whole(Box::new(edited)), stamp, None);
        }
        if let Some(page) = decision.page(0) {
            break (Shown::Part(page), decision.stamp.clone(), Some(decision));
        }
        if stop.load(Ordering::Relaxed) {
            decision.progress.stop.store(true, Ordering::Relaxed);
        }
        std::thread::sleep(BRIEFLY);
    };
    let site = WorkbenchSite::open(edit.args.port)?;
    let mut bench = Workbench {
        scope,
        stamp,
        edit,
        content,
        is_first: true,
        decision,
        version: 1,
        shown: 1,
        news: None,
        problem: None,
        waiting: Vec::new(),
        terminal,
        bar: None,
    };
    end_with_input(stop)?;
    let address = site.address();
    terminal.result(&match terminal.format {
        Format::Json => json!({ "address": address }).to_string(),
        Format::Text => address.clone(),
    })?;
    bench.say_deciding();
    terminal.note("this page follows the model until Ctrl-C");
    if edit.args.browser {
        open::that_detached(&address).context("no browser can be started: open the address by hand")?;
    }
    while !stop.load(Ordering::Relaxed) {
        bench.turn(&site)?;
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

/// The content of the page.
enum Shown {
    /// A model with all of its mutants.
    Whole(Box<DecidedModel>),
    /// The mutants that are decided so far.
    Part(PartialPage),
}

impl Shown {
    fn whole(&self) -> Option<&DecidedModel> {
        match self {
            Self::Whole(edited) => Some(edited),
            Self::Part(_) => None,
        }
    }

    fn whole_mut(&mut self) -> Option<&mut DecidedModel> {
        match self {
            Self::Whole(edited) => Some(edited),
            Self::Part(_) => None,
        }
    }
}

/// The model and its pages in the browser.
struct Workbench<'scope, 'env: 'scope, 't> {
    scope: &'scope Scope<'scope, 'env>,
    edit: EditedModel<'env>,
    /// The stamp of the model when it was read last.
    stamp: Stamp,
    /// The model when it was last without an error.
    content: Shown,
    /// Whether the model was never saved since the command began.
    is_first: bool,
    /// The decision of the model as it was saved last.
    decision: Option<Decision<'scope>>,
    /// Grows with every save.
    version: u64,
    /// The version of the model when it was last without an error.
    shown: u64,
    /// The message for pages of an older version; `None` for the first version.
    news: Option<String>,
    /// The error that the model has had since then.
    problem: Option<String>,
    waiting: Vec<Waiting>,
    terminal: &'t Terminal,
    /// The terminal's bar, while the first version is decided.
    bar: Option<ProgressBar>,
}

/// A browser that waits for news.
struct Waiting {
    since: Instant,
    request: HttpRequest,
}

impl Workbench<'_, '_, '_> {
    /// Answers a request, if there is one, and looks at what goes on beside.
    fn turn(&mut self, site: &WorkbenchSite) -> Result<()> {
        let tick = if self.decision.is_some() { BRIEFLY } else { TICK };
        if let Some((options, request)) = site.next(tick) {
            self.answer(options, request);
        }
        self.dismiss();
        self.look();
        self.look_at_decision()?;
        self.look_at_suite();
        Ok(())
    }

    fn answer(&mut self, options: Wish, request: HttpRequest) {
        const JSON: &str = "application/json";
        let whole = self.content.whole();
        let json = |value: Option<Value>| value.unwrap_or_default().to_string();
        match options {
            Wish::Page => {
                let page = match &self.content {
                    Shown::Whole(edited) => edited.html(self.shown),
                    Shown::Part(page) => page.html.clone(),
                };
                answer_with(request, "text/html; charset=utf-8", page);
            }
            Wish::Next(after) => match self.news.as_ref().filter(|_| after != self.version) {
                Some(news) => answer_with(request, JSON, news.as_str()),
                None => {
                    let since = Instant::now();
                    self.waiting.push(Waiting { since, request });
                }
            },
            Wish::Play(id) => answer_with(request, JSON, json(whole.and_then(|edited| edited.play(&id)))),
            Wish::Keep(condition) => match whole.map(DecidedModel::run) {
                Some(run) => answer_later(request, move || run.kept(&condition)),
                None => answer_with(request, JSON, json!({ "problem": NOT_YET }).to_string()),
            },
            Wish::Run(id) => match whole.and_then(|edited| Some((edited.run(), edited.tested(&id)?))) {
                Some((run, (number, made))) => answer_later(request, move || run.against(number, &made.suite)),
                None => answer_with(request, JSON, "null"),
            },
            Wish::Make(asked) => {
                let making = self.content.whole_mut().map(|edited| {
                    edited.make(asked);
                    edited.making()
                });
                answer_with(request, JSON, json(making));
            }
            Wish::Stop => {
                if let Some(edited) = self.content.whole_mut() {
                    edited.stop();
                }
                answer_with(request, JSON, "null");
            }
            Wish::Making => answer_with(request, JSON, json(whole.map(DecidedModel::making))),
            Wish::Deciding => {
                let decision = self.decision.as_ref();
                answer_with(request, JSON, json(decision.map(|decision| decision.progress.json())));
            }
            Wish::Suite => match whole.and_then(DecidedModel::suite) {
                Some(made) => answer_with(request, JSON, made.file()),
                None => answer_nothing(request),
            },
        }
    }

    /// Shows the suite if it is finished by now.
    fn look_at_suite(&mut self) {
        let Some(edited) = self.content.whole_mut() else { return };
        if edited.take_suite() {
            self.version += 1;
            let mut news = edited.news(self.version);
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
        if stamp != self.stamp {
            self.stamp = stamp;
            self.is_first = false;
            self.bar = None;
            self.decision = Some(Decision::start(self.scope, self.edit, self.terminal.quietly()));
        }
    }

    /// Shows the model if it is decided by now, else the mutants that are.
    ///
    /// # Errors
    /// The model cannot be decided, and was never saved.
    fn look_at_decision(&mut self) -> Result<()> {
        let Some(decision) = self.decision.take_if(|decision| decision.is_finished()) else {
            self.show_part();
            return Ok(());
        };
        self.bar = None;
        let (stamp, started) = (decision.stamp.clone(), decision.started);
        let decided = decision.result();
        if decided.is_err() {
            // A model with an error may still be on its way to the disk.
            std::thread::sleep(SETTLING);
            if Stamp::of(&self.edit.args.file) != stamp {
                return Ok(());
            }
        }
        let news = match decided {
            Ok(edited) => {
                self.version += 1;
                self.shown = self.version;
                self.problem = None;
                say_decided(&edited, self.edit, started, self.terminal);
                let news = edited.news(self.version);
                self.content = Shown::Whole(Box::new(edited));
                news
            }
            Err(error) if self.is_first => return Err(error),
            Err(error) => {
                self.version += 1;
                let problem = problem(&error);
                self.terminal.message(&problem);
                let news = json!({ "version": self.version, "problem": problem });
                self.problem = Some(problem);
                news
            }
        };
        self.tell(&news);
        Ok(())
    }

    /// Shows the mutants that are decided so far.
    fn show_part(&mut self) {
        let Some(decision) = &self.decision else { return };
        if let Some(bar) = &self.bar {
            bar.set_length(decision.progress.all());
            bar.set_position(decision.progress.done());
        }
        if let Some(page) = decision.page(self.version) {
            self.version += 1;
            self.shown = self.version;
            self.problem = None;
            self.tell(&page.news);
            self.content = Shown::Part(page);
        }
    }

    /// Says that the page comes before its mutants.
    fn say_deciding(&mut self) {
        let Some(decision) = &self.decision else { return };
        let n_mutants = match decision.progress.all() {
            0 => "the mutants".to_owned(),
            all => counted(all, "mutant"),
        };
        self.terminal
            .note(&format!("{n_mutants} to be decided: the page shows those that are"));
        self.bar = Some(self.terminal.progress(decision.progress.all()));
    }
}

/// The answer to a request that needs all mutants.
const NOT_YET: &str = "the mutants are not decided yet";

fn say_decided(edited: &DecidedModel, edit: EditedModel<'_>, started: Instant, terminal: &Terminal) {
    terminal.note(&format!(
        "{} mutants of {} decided in {:.0} ms",
        edited.n_mutants(),
        edit.args.file.display(),
        started.elapsed().as_secs_f64() * 1000.0
    ));
}

/// The error, as a terminal would show it.
fn problem(error: &anyhow::Error) -> String {
    match cause::<ReadError>(error) {
        Some(refused) => render(&refused.file, &refused.diagnostics, false),
        None => format!("error: {error:#}"),
    }
}
