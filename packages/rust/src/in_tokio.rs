//! Programs under test that run on tokio (feature `tokio`): in virtual time tokio's clock is paused, and the tester advances it.
//!
//! Each generation has its own single-threaded runtime; tasks that are still running are dropped with it. Virtual time passes only while
//! all tasks wait, and then jumps from one timer to the next.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::future::poll_fn;
use std::io::Write as _;
use std::pin::pin;
use std::process::exit;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep_until};

use crate::session::parts;
use crate::sut::divisor;
use crate::{Inputs, UNIT, Wrong};

/// tokio's timers count whole milliseconds.
const GRAIN: u64 = 1_000_000;

/// The program under test from one reset to the next. Its later outputs are ignored.
#[derive(Clone)]
pub struct TokioSut {
    /// Nanoseconds in a time unit of the model.
    unit: u64,
    real: bool,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    outputs: VecDeque<(String, Instant)>,
    ended: bool,
    /// Waker of the task that waits for an output.
    hearer: Option<Waker>,
    /// Waker of the task that waits until all other tasks wait.
    settler: Option<Waker>,
}

impl TokioSut {
    fn new(unit: u64, real: bool) -> Self {
        Self {
            unit,
            real,
            shared: Arc::default(),
        }
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes an output of the program now. The values follow its name: `say("is", &[2])` is `is_2`, which tamper calls the model's `is[2]`.
    pub fn say(&self, output: &str, values: &[u32]) {
        let mut text = output.to_owned();
        for value in values {
            let _ = write!(text, "_{value}"); // A string takes everything.
        }
        let mut shared = self.shared();
        if shared.ended {
            return;
        }
        if self.real {
            print(&format!("output {text}"));
        } else {
            shared.outputs.push_back((text, Instant::now()));
            shared.hearer.take().into_iter().for_each(Waker::wake);
        }
    }

    /// Returns the duration of `top / bottom` time units of the model. Write the program's timeouts with it.
    ///
    /// # Panics
    /// In virtual time, if the duration is not a whole number of milliseconds.
    pub fn units(&self, top: u64, bottom: u64) -> Duration {
        self.time(top, bottom).unwrap_or_else(|wrong| panic!("{wrong}"))
    }

    fn time(&self, top: u64, bottom: u64) -> Result<Duration, Wrong> {
        let (nanos, below) = (u128::from(top) * u128::from(self.unit), u128::from(bottom));
        if below == 0 {
            return Err(Wrong(format!("{top}/0 is no time")));
        }
        if !self.real && nanos % (below * u128::from(GRAIN)) != 0 {
            let what = format!("{top}/{bottom} time units are no whole number of milliseconds");
            return Err(Wrong(format!("{what}; another unit or --grid helps")));
        }
        let nanos = u64::try_from(nanos / below);
        let nanos = nanos.map_err(|_| Wrong(format!("{top}/{bottom} time units are too long for this clock")))?;
        Ok(Duration::from_nanos(nanos))
    }

    /// Runs all tasks until they wait.
    async fn settle(&self) {
        let mut asked = false;
        poll_fn(|context| {
            let mut shared = self.shared();
            if asked && shared.settler.is_none() {
                return Poll::Ready(());
            }
            asked = true;
            shared.settler = Some(context.waker().clone());
            Poll::Pending
        })
        .await;
    }

    /// Lets time pass until the first output, and returns it with the nanoseconds that have passed by then.
    async fn delay(&self, time: Duration) -> Option<(String, u64)> {
        self.settle().await;
        let begun = Instant::now();
        let mut end = pin!(sleep_until(begun + time));
        poll_fn(|context| {
            let mut shared = self.shared();
            if !shared.outputs.is_empty() {
                return Poll::Ready(());
            }
            shared.hearer = Some(context.waker().clone());
            drop(shared); // The timer may wake other tasks, which lock it.
            end.as_mut().poll(context)
        })
        .await;
        self.settle_if_silent().await;
        let (output, at) = self.shared().outputs.pop_front()?;
        let passed = u64::try_from((at.saturating_duration_since(begun)).as_nanos()).unwrap_or(u64::MAX);
        Some((output, passed))
    }

    /// Settles if no output has come: a timer that is due exactly at the end of a delay belongs to the delay.
    async fn settle_if_silent(&self) {
        let is_silent = self.shared().outputs.is_empty();
        if is_silent {
            self.settle().await;
        }
    }
}

/// An output of the program, and the time of a delay after which it came: `top / bottom` time units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// The name of the output, with its values.
    pub action: String,
    /// The numerator.
    pub top: u64,
    /// The denominator.
    pub bottom: u64,
}

/// A generation of the program in virtual time, for tests that run the program in their own process, without tamper.
pub struct VirtualTokio {
    runtime: Runtime,
    sut: TokioSut,
    inputs: Inputs,
}

impl VirtualTokio {
    /// Starts the program; a time unit lasts `unit` nanoseconds.
    ///
    /// # Panics
    /// If no runtime of tokio can be built.
    pub fn new(unit: u64, mut start: impl FnMut(&TokioSut) -> Inputs) -> Self {
        let sut = TokioSut::new(unit, false);
        let idle = sut.clone();
        let runtime = Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            // Waking the task in `settle` keeps the paused clock from advancing.
            .on_thread_park(move || {
                idle.shared().settler.take().into_iter().for_each(Waker::wake);
            })
            .build()
            .expect("a runtime of tokio");
        let inputs = runtime.block_on(async {
            let inputs = start(&sut);
            sut.settle().await;
            inputs
        });
        Self { runtime, sut, inputs }
    }

    /// Gives an input now, and returns whether the program takes it.
    pub fn give(&mut self, action: &str) -> bool {
        let (name, values) = parts(action);
        self.runtime.block_on(async {
            let taken = (self.inputs)(name, &values);
            self.sut.settle().await;
            taken
        })
    }

    /// Lets `top / bottom` time units pass, or fewer, until the first output.
    ///
    /// # Errors
    /// If the clock does not have that time.
    pub fn wait(&mut self, top: u64, bottom: u64) -> Result<Option<Output>, String> {
        let time = self.sut.time(top, bottom).map_err(|wrong| wrong.to_string())?;
        let heard = self.runtime.block_on(self.sut.delay(time));
        Ok(heard.map(|(action, passed)| {
            let common = divisor(self.sut.unit, passed);
            let (top, bottom) = (passed / common, self.sut.unit / common);
            Output { action, top, bottom }
        }))
    }
}

impl Drop for VirtualTokio {
    fn drop(&mut self) {
        self.sut.shared().ended = true;
    }
}

/// Talks with tamper until it sends `quit`, then ends the process. At each reset `start` starts the program again, inside a runtime of
/// tokio: it may spawn tasks, and so may the inputs.
pub fn serve_tokio(start: impl FnMut(&TokioSut) -> Inputs) -> ! {
    serve_tokio_unit(UNIT, start)
}

/// The same as `serve_tokio`; in virtual time a time unit lasts `unit` nanoseconds.
pub fn serve_tokio_unit(unit: u64, mut start: impl FnMut(&TokioSut) -> Inputs) -> ! {
    let mut lines = std::io::stdin().lines().map_while(Result::ok);
    let greeting = lines.next().unwrap_or_default();
    if let Some(micros) = greeting.strip_prefix("tamper 1 real ") {
        let nanos = micros.parse().ok().and_then(|micros: u64| micros.checked_mul(1000));
        let nanos = nanos.unwrap_or_else(|| fail(&Wrong(format!("{micros} is no number of microseconds"))));
        drop(lines); // It locks the standard input, which another thread reads next.
        serve_real(nanos, &mut start)
    }
    if greeting != "tamper 1 accelerated" {
        fail(&Wrong(format!("not a tester that this kit knows: {greeting}")))
    }
    print("ready");
    let mut generation = None;
    for line in lines.take_while(|line| line != "quit") {
        match answer(&mut generation, &line, unit, &mut start) {
            Ok(said) => print(&said),
            Err(wrong) => fail(&wrong),
        }
    }
    exit(0)
}

/// The answer to a line of the tester in virtual time.
fn answer(
    generation: &mut Option<VirtualTokio>,
    line: &str,
    unit: u64,
    start: &mut dyn FnMut(&TokioSut) -> Inputs,
) -> Result<String, Wrong> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match (word, &mut *generation) {
        ("reset", _) => {
            *generation = None; // The old generation is dropped first.
            *generation = Some(VirtualTokio::new(unit, start));
            Ok("ready".to_owned())
        }
        ("input", Some(generation)) => Ok(if generation.give(rest) { "ok" } else { "refused" }.to_owned()),
        ("delay", Some(generation)) => {
            let (top, bottom) = rest.split_once('/').unwrap_or((rest, "1"));
            let number = |text: &str| text.parse().map_err(|_| Wrong(format!("{rest} is no time")));
            let heard = generation.wait(number(top)?, number(bottom)?).map_err(Wrong)?;
            Ok(heard.map_or_else(
                || "done".to_owned(),
                |Output { action, top, bottom }| format!("output {action} after {top}/{bottom}"),
            ))
        }
        _ => Err(Wrong(format!("not a line for now: {line}"))),
    }
}

fn serve_real(unit: u64, start: &mut dyn FnMut(&TokioSut) -> Inputs) -> ! {
    let (sender, mut lines) = unbounded_channel();
    std::thread::spawn(move || {
        let lines = std::io::stdin().lines().map_while(Result::ok);
        for line in lines.take_while(|line| line != "quit") {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    print("ready");
    let mut is_reset = false;
    loop {
        let sut = TokioSut::new(unit, true);
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime of tokio");
        if !runtime.block_on(follow(&sut, &mut lines, is_reset, start)) {
            exit(0);
        }
        sut.shared().ended = true;
        is_reset = true;
    }
}

/// Runs a generation in real time, from its reset to the next one. Returns whether there is a next one.
async fn follow(
    sut: &TokioSut,
    lines: &mut UnboundedReceiver<String>,
    is_reset: bool,
    start: &mut dyn FnMut(&TokioSut) -> Inputs,
) -> bool {
    let mut inputs: Option<Inputs> = is_reset.then(|| {
        print("ready");
        start(sut)
    });
    while let Some(line) = lines.recv().await {
        match (line.split_once(' ').unwrap_or((&line, "")), &mut inputs) {
            (("reset", _), _) => return true,
            (("input", action), Some(inputs)) => {
                let (name, values) = parts(action);
                if !inputs(name, &values) {
                    print(&format!("refused {action}"));
                }
            }
            _ => fail(&Wrong(format!("not a line for now: {line}"))),
        }
    }
    false
}

fn print(line: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0); // Nobody listens any more.
    }
}

fn fail(wrong: &Wrong) -> ! {
    eprintln!("tamper-sut: {wrong}");
    exit(70)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lamp that is on for two time units; `both` makes two outputs at once, `twice` one each unit.
    fn start(sut: &TokioSut) -> Inputs {
        let sut = sut.clone();
        Box::new(move |name, values| {
            let program = sut.clone();
            match (name, values) {
                ("press", []) => drop(tokio::spawn(async move {
                    program.say("on", &[]);
                    tokio::time::sleep(program.units(2, 1)).await;
                    program.say("off", &[]);
                })),
                ("both", []) => drop(tokio::spawn(async move {
                    program.say("one", &[]);
                    tokio::task::yield_now().await;
                    program.say("two", &[]);
                })),
                ("set", [value]) => {
                    let value = *value;
                    drop(tokio::spawn(async move {
                        let mut ticks = tokio::time::interval(program.units(1, 2));
                        ticks.tick().await;
                        ticks.tick().await;
                        program.say("is", &[value]);
                    }));
                }
                _ => return false,
            }
            true
        })
    }

    fn check(lines: &[(&str, &str)]) {
        let mut generation = None;
        for (line, expected) in [("reset", "ready")].iter().chain(lines) {
            let said = answer(&mut generation, line, UNIT, &mut start).unwrap_or_else(|wrong| wrong.to_string());
            assert_eq!(said, *expected, "{line}");
        }
    }

    #[test]
    fn an_output_comes_at_its_time_and_the_rest_of_the_delay_is_not_used_up() {
        check(&[
            ("input press", "ok"),
            ("delay 5", "output on after 0/1"),
            ("delay 1", "done"),
            ("delay 1", "output off after 1/1"),
            ("delay 7/2", "done"),
        ]);
    }

    #[test]
    fn no_time_passes_between_lines_and_a_reset_leaves_nothing() {
        check(&[
            ("input press", "ok"),
            ("reset", "ready"),
            ("delay 9", "done"),
            ("input press", "ok"),
        ]);
        check(&[
            ("delay 1/4096", "done"),
            ("input press", "ok"),
            ("delay 0", "output on after 0/1"),
            ("delay 8191/4096", "done"),
            ("input other", "refused"),
            ("delay 1/4096", "output off after 1/4096"),
        ]);
    }

    #[test]
    fn outputs_of_one_moment_keep_their_order_and_values_are_taken_apart() {
        check(&[
            ("input both", "ok"),
            ("delay 1", "output one after 0/1"),
            ("delay 1", "output two after 0/1"),
            ("input set_2", "ok"),
            ("delay 1", "output is_2 after 1/2"),
        ]);
    }

    #[test]
    fn what_the_clock_does_not_have_is_refused() {
        let third = "1/3 time units are no whole number of milliseconds; another unit or --grid helps";
        check(&[
            ("delay 1/3", third),
            ("delay x", "x is no time"),
            ("delay 1/0", "1/0 is no time"),
        ]);
        check(&[("hello", "not a line for now: hello")]);
    }
}
