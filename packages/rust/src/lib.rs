#![doc = include_str!("../README.md")]

mod clock;
#[cfg(feature = "tokio")]
mod in_tokio;
mod session;
mod sut;

use std::fmt;
use std::io::{BufRead, Write};
use std::process::exit;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

#[cfg(feature = "tokio")]
pub use in_tokio::{Output, TokioSut, VirtualTokio, serve_tokio, serve_tokio_unit};
use session::Session;
pub use sut::{Sut, Timer};

/// How long a time unit lasts in virtual time, in nanoseconds: it can be halved 18 times, and has whole thousandths.
pub const UNIT: u64 = 4_096_000_000;

/// What the inputs of one generation do: the name and the values of an action, and whether the program takes it.
pub type Inputs = Box<dyn FnMut(&str, &[u32]) -> bool>;

/// Why the conversation cannot go on.
#[derive(Debug)]
pub(crate) struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Speaks with tamper until it says `quit`, and ends the process then. `start` makes the program anew at each reset.
pub fn serve(start: impl FnMut(&Sut) -> Inputs) -> ! {
    serve_unit(UNIT, start)
}

/// The same; in virtual time a time unit lasts `unit` nanoseconds.
pub fn serve_unit(unit: u64, mut start: impl FnMut(&Sut) -> Inputs) -> ! {
    let lines = read_lines();
    let mut session = Session::new(unit, &mut start);
    loop {
        let line = match next_line(&lines, &mut session) {
            Some(line) if line != "quit" => line,
            _ => break,
        };
        match session.answer(&line) {
            Ok(answers) => print(&answers),
            Err(wrong) => {
                eprintln!("tamper-sut: {wrong}");
                exit(70);
            }
        }
    }
    session.end();
    exit(0)
}

fn read_lines() -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// The next line; in real time timers fire while it is awaited.
fn next_line(lines: &Receiver<String>, session: &mut Session<'_>) -> Option<String> {
    loop {
        let Some(wait) = session.rest() else {
            return lines.recv().ok();
        };
        match lines.recv_timeout(wait) {
            Ok(line) => return Some(line),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => print(&session.fire_due()),
        }
    }
}

fn print(lines: &[String]) {
    let mut out = std::io::stdout().lock();
    let written = lines.iter().try_for_each(|line| writeln!(out, "{line}"));
    if written.and_then(|()| out.flush()).is_err() {
        exit(0); // Nobody listens any more.
    }
}
