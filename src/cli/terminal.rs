//! Output to the terminal: results, messages and progress.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde::Serialize;

use crate::cli::arguments::args::{Color, Format, GlobalArgs};
use tamper::formats::render;
use tamper::text::{Diagnostic, SourceFile, brief, visible_json, visible_text};

/// `1 process`, `2 processes`.
pub fn counted<N: Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    let plural = match noun.ends_with('s') {
        _ if n == N::from(1) => "",
        true => "es",
        false => "s",
    };
    format!("{n} {noun}{plural}")
}

/// Standard output for results, standard error for the rest.
#[derive(Clone, Copy, Debug)]
pub struct Terminal {
    /// The format of results.
    pub format: Format,
    /// Whether messages are coloured.
    pub color: bool,
    quiet: bool,
    verbose: bool,
}

impl Terminal {
    /// A terminal under the options and the state of standard error.
    pub fn new(global: &GlobalArgs) -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        Self {
            format: global.format,
            color: match global.color {
                Color::Auto => wanted && io::stderr().is_terminal(),
                Color::Always => true,
                Color::Never => false,
            },
            quiet: global.quiet,
            verbose: global.verbose > 0,
        }
    }

    /// The same terminal without notes and progress.
    pub fn silent(self) -> Self {
        Self { quiet: true, ..self }
    }

    /// Prints a result.
    ///
    /// # Errors
    /// If standard output is closed or full.
    pub fn result(&self, text: &str) -> io::Result<()> {
        let text = &self.shown(text);
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            out.write_all(b"\n")?;
        }
        out.flush()
    }
    /// Prints a result in the requested format.
    ///
    /// # Errors
    /// If standard output is closed or full.
    pub fn answer<J: Serialize>(&self, json: impl FnOnce() -> J, text: impl FnOnce() -> String) -> io::Result<()> {
        self.result(&self.worded(json, text)?)
    }
    /// An answer as it is printed.
    ///
    /// # Errors
    /// If it has no JSON.
    pub fn worded<J: Serialize>(
        &self,
        json: impl FnOnce() -> J,
        text: impl FnOnce() -> String,
    ) -> serde_json::Result<String> {
        match self.format {
            Format::Json => serde_json::to_string_pretty(&json()),
            Format::Text => Ok(text()),
        }
    }
    /// Prints a part of a result, which ends its lines itself.
    ///
    /// # Errors
    /// If standard output is closed or full.
    pub fn part(&self, text: &str) -> io::Result<()> {
        io::stdout().lock().write_all(self.shown(text).as_bytes())
    }
    /// A result without the control characters that a terminal would obey. In JSON strings they are escaped, which means the same.
    fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.format {
            Format::Text => visible_text(text),
            Format::Json => visible_json(text),
        }
    }
    /// Prints a message. If standard error is closed there is nobody to tell.
    pub fn message(&self, text: &str) {
        let mut err = io::stderr().lock();
        let _ = writeln!(err, "{}", visible_text(&brief(text.trim_end())));
    }
    /// Prints the errors in a file, at their places.
    pub fn refusal(&self, file: &SourceFile, diagnostics: &[Diagnostic]) {
        let mut err = io::stderr().lock();
        let _ = writeln!(err, "{}", render(file, diagnostics, self.color).trim_end());
    }
    /// Prints warnings about a file, at their places, unless `--quiet`.
    pub fn warnings(&self, file: &SourceFile, diagnostics: &[Diagnostic]) {
        if !self.quiet && !diagnostics.is_empty() {
            self.refusal(file, diagnostics);
        }
    }
    /// The same terminal without warnings and notes: for the many files of one model, whose warnings were shown when it was read.
    #[must_use]
    pub fn quietly(self) -> Self {
        Self { quiet: true, ..self }
    }
    /// Prints a message unless `--quiet`.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.message(text);
        }
    }
    /// Prints the command that may follow, if a person looks at the terminal.
    pub fn next(&self, command: Option<String>) {
        let is_seen = io::stdout().is_terminal() && io::stderr().is_terminal();
        if let (true, false, Format::Text, Some(command)) = (is_seen, self.quiet, self.format, command) {
            self.message(&format!("next: {command}"));
        }
    }
    /// Asks a person who looks at the terminal; without one the answer is no.
    pub fn agrees(&self, question: &str) -> bool {
        if self.quiet || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return false;
        }
        self.message(&format!("{question} [y/N]"));
        let mut answer = String::new();
        io::stdin().read_line(&mut answer).is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
    }
    /// Prints a message with `--verbose`.
    pub fn detail(&self, text: &str) {
        if self.verbose {
            self.message(text);
        }
    }
    #[cfg(feature = "reproduction")]
    /// A bar for consecutive runs, each with a name.
    pub fn named_progress(&self) -> NamedProgress {
        let bar = self.progress(0);
        let line = "{prefix:28} {wide_bar} {human_pos}/{human_len}  {rate}  ETA {eta}";
        if let Ok(style) = ProgressStyle::with_template(line) {
            bar.set_style(with_rate(style));
        }
        NamedProgress { bar }
    }
    /// A line that changes, for work of unknown length; `None` if standard error is no terminal, or with `--quiet`.
    pub fn status(&self) -> Option<ProgressBar> {
        if self.quiet || !io::stderr().is_terminal() {
            return None;
        }
        let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
        line.enable_steady_tick(Duration::from_millis(500));
        Some(line)
    }
    /// A line with the number of explored states, in all and per second, which is shown until it is dropped.
    pub fn counting(&self, what: &'static str) -> StateCounter {
        let states = Arc::new(AtomicU64::new(0));
        let line = self.status();
        if let Some(line) = &line {
            let counted = |states: &Arc<AtomicU64>| states.load(Ordering::Relaxed);
            let (shown, timed) = (Arc::clone(&states), Arc::clone(&states));
            let style = ProgressStyle::with_template("{msg}: {states} states, {rate}/s");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
            let style = style.with_key("states", move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{}", HumanCount(counted(&shown)));
            });
            line.set_style(
                style.with_key("rate", move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let rate = counted(&timed) as f64 / state.elapsed().as_secs_f64().max(0.001);
                    let _ = write!(out, "{}", HumanCount(rate.round() as u64));
                }),
            );
            line.set_message(what);
        }
        StateCounter { line, states }
    }
    /// A bar for `total` steps; invisible if standard error is no terminal, or with `--quiet`.
    pub fn progress(&self, total: u64) -> ProgressBar {
        if self.quiet || !io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
        let line = "{wide_bar} {human_pos}/{human_len}  {rate}  ETA {eta}";
        let style = ProgressStyle::with_template(line).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(with_rate(style));
        bar.enable_steady_tick(Duration::from_millis(500));
        bar
    }
}

/// A line with a number of states, removed at the end.
#[derive(Debug)]
pub struct StateCounter {
    line: Option<ProgressBar>,
    /// The number of explored states.
    pub states: Arc<AtomicU64>,
}

impl Drop for StateCounter {
    fn drop(&mut self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}

/// The style, in which `{rate}` is a whole number of steps per second.
fn with_rate(style: ProgressStyle) -> ProgressStyle {
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // If the terminal does not take it, there is no line to spoil.
        let _ = write!(out, "{}/s", HumanCount(state.per_sec().round() as u64));
    };
    style.with_key("rate", rate)
}

#[cfg(feature = "reproduction")]
/// A bar for consecutive runs.
#[derive(Debug)]
pub struct NamedProgress {
    bar: ProgressBar,
}

#[cfg(feature = "reproduction")]
impl NamedProgress {
    /// Shows that `done` of `total` steps of the run `name` are done.
    pub fn show(&self, name: &str, done: u64, total: u64) {
        if self.bar.prefix() != name {
            self.bar.set_prefix(name.to_owned());
            self.bar.set_length(total);
            self.bar.reset_eta();
        }
        self.bar.set_position(done);
    }
    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
