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

/// Length of a time unit in virtual time, in nanoseconds: it can be halved 18 times, and its thousandths are whole numbers.
pub const UNIT: u64 = 4_096_000_000;

/// The input handler of one generation: takes the name and the values of an action, and returns whether the program takes the input.
pub type Inputs = Box<dyn FnMut(&str, &[u32]) -> bool>;

/// A reason why the conversation with the tester cannot continue.
#[derive(Debug)]
pub(crate) struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Talks with tamper until it sends `quit`, then ends the process. At each reset `start` starts the program again.
pub fn serve(start: impl FnMut(&Sut) -> Inputs) -> ! {
    serve_unit(UNIT, start)
}

/// The same as `serve`; in virtual time a time unit lasts `unit` nanoseconds.
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

/// The next line of the tester; in real time, timers fire meanwhile.
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
