//! A touch lamp that tamper can test: the system that `uppaal-models/lamp.xml` specifies, with faults to switch on.
//!
//! `tamper run SUITE --sut 'target/release/lamp'` speaks to it over standard input and output
//! (`docs/book/src/sut-protocol.md`); with `--listen ADDRESS` it waits there for one connection after the other.
//! `lamp --fault NAME` misbehaves; `lamp --faults` lists the names.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

mod time;

use time::Time;

/// What can be wrong with a lamp, by name.
const FAULTS: [(&str, Fault); 10] = [
    ("late-dim", Fault::LateDim),
    ("early-dim", Fault::EarlyDim),
    ("wrong-output", Fault::WrongOutput),
    ("no-auto-off", Fault::NoAutoOff),
    ("early-auto-off", Fault::EarlyAutoOff),
    ("always-brighter", Fault::AlwaysBrighter),
    ("deaf", Fault::Deaf),
    ("hang", Fault::Hang),
    ("crash", Fault::Crash),
    ("babble", Fault::Babble),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// Turning on takes longer than allowed.
    LateDim,
    /// Turning on is faster than allowed.
    EarlyDim,
    /// Turns on bright.
    WrongOutput,
    /// Bright light stays on for ever.
    NoAutoOff,
    /// Bright light goes off too soon.
    EarlyAutoOff,
    /// A late second touch makes it brighter, not dark.
    AlwaysBrighter,
    /// Ignores the second touch.
    Deaf,
    /// Answers nothing after the first touch.
    Hang,
    /// Dies at the second touch.
    Crash,
    /// Talks without end after the first touch.
    Babble,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Light {
    Off,
    Dim,
    Bright,
}

/// The lamp itself: its light, the time since the last event, and the change under way.
struct Lamp {
    light: Light,
    since: Time,
    /// The light to come, and when (in `since`).
    next: Option<(Light, Time)>,
    touches: u32,
    fault: Option<Fault>,
}

impl Lamp {
    fn new(fault: Option<Fault>) -> Self {
        Self {
            light: Light::Off,
            since: Time::ZERO,
            next: None,
            touches: 0,
            fault,
        }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// Someone touches it.
    fn press(&mut self) {
        self.touches += 1;
        if self.touches == 2 && self.has(Fault::Crash) {
            std::process::exit(3);
        }
        if self.touches == 2 && self.has(Fault::Deaf) {
            return;
        }
        let half = Time::halves;
        self.next = Some(match self.light {
            Light::Off if self.has(Fault::WrongOutput) => (Light::Bright, half(3)),
            Light::Off if self.has(Fault::LateDim) => (Light::Dim, half(5)),
            Light::Off if self.has(Fault::EarlyDim) => (Light::Dim, half(1)),
            Light::Off => (Light::Dim, half(3)),
            Light::Dim if self.since < Time::whole(5) || self.has(Fault::AlwaysBrighter) => (Light::Bright, half(3)),
            Light::Dim | Light::Bright => (Light::Off, half(1)),
        });
        self.since = Time::ZERO;
    }

    /// The time until it changes by itself.
    fn rest(&self) -> Option<Time> {
        self.next.map(|(_, at)| (at - self.since).max(Time::ZERO))
    }

    /// The change that is due, and its name.
    fn change(&mut self) -> Option<&'static str> {
        let (light, _) = self.next.take()?;
        self.light = light;
        self.since = Time::ZERO;
        Some(match light {
            Light::Off => "off",
            Light::Dim => "dim",
            Light::Bright => {
                if !self.has(Fault::NoAutoOff) {
                    let on = if self.has(Fault::EarlyAutoOff) { 10 } else { 20 };
                    self.next = Some((Light::Off, Time::whole(on)));
                }
                "bright"
            }
        })
    }
}

/// The lines of the tester, one after the other.
struct Session<'a> {
    lines: Receiver<String>,
    writer: &'a mut dyn Write,
    lamp: Lamp,
}

impl Session<'_> {
    fn say(&mut self, line: &str) -> std::io::Result<()> {
        writeln!(self.writer, "{line}")?;
        self.writer.flush()
    }

    /// Whether the conversation goes on.
    fn input(&mut self, action: &str) -> std::io::Result<bool> {
        if action == "press" {
            self.lamp.press();
        }
        if self.lamp.has(Fault::Hang) {
            std::thread::sleep(Duration::from_secs(3600));
        }
        while self.lamp.has(Fault::Babble) {
            self.say("output dim")?;
        }
        Ok(true)
    }

    /// Time is what the tester says.
    fn accelerated(mut self) -> std::io::Result<()> {
        while let Ok(line) = self.lines.recv() {
            match line.split_once(' ').unwrap_or((line.as_str(), "")) {
                ("quit", _) => break,
                ("reset", _) => {
                    self.lamp = Lamp::new(self.lamp.fault);
                    self.say("ready")?;
                }
                ("input", action) => {
                    self.input(action)?;
                    self.say("ok")?;
                }
                ("delay", time) => {
                    let answer = self.delay(time);
                    self.say(&answer)?;
                }
                _ => self.say(&format!("log what is `{line}`?"))?,
            }
        }
        Ok(())
    }

    fn delay(&mut self, time: &str) -> String {
        let Ok(time) = time.parse::<Time>() else {
            return format!("log no time: {time}");
        };
        match self.lamp.rest() {
            Some(rest) if rest <= time => {
                let name = self.lamp.change().unwrap_or("off");
                format!("output {name} after {rest}")
            }
            _ => {
                self.lamp.since = self.lamp.since + time;
                "done".to_owned()
            }
        }
    }

    /// Time is the wall clock's, a unit of the model is `unit` long.
    fn real(mut self, unit: Duration) -> std::io::Result<()> {
        let nanos = i128::from(u64::try_from(unit.as_nanos()).unwrap_or(u64::MAX)).max(1);
        let mut last = Instant::now();
        loop {
            let rest = self.lamp.rest().map(|rest| {
                let nanos = rest.in_units(nanos);
                Duration::from_nanos(u64::try_from(nanos).unwrap_or(0)).saturating_sub(last.elapsed())
            });
            let heard = self.lines.recv_timeout(rest.unwrap_or(Duration::from_secs(3600)));
            let passed = i128::from(u64::try_from(last.elapsed().as_nanos()).unwrap_or(u64::MAX));
            match heard {
                Ok(line) => {
                    self.lamp.since = self.lamp.since + Time::of(passed, nanos);
                    last = Instant::now();
                    match line.split_once(' ').unwrap_or((line.as_str(), "")) {
                        ("quit", _) => return Ok(()),
                        ("reset", _) => {
                            self.lamp = Lamp::new(self.lamp.fault);
                            self.say("ready")?;
                        }
                        ("input", action) => {
                            self.input(action)?;
                        }
                        _ => self.say(&format!("log what is `{line}`?"))?,
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    last = Instant::now();
                    if let Some(name) = self.lamp.change() {
                        self.say(&format!("output {name}"))?;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }
}

/// Talks with one tester until it leaves.
fn talk(
    reader: impl BufRead + Send + 'static,
    writer: &mut dyn Write,
    fault: Option<Fault>,
) -> Result<(), Box<dyn Error>> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in reader.lines() {
            let Ok(line) = line else { return };
            if sender.send(line.trim_end().to_owned()).is_err() {
                return;
            }
        }
    });
    let hello = lines.recv()?;
    let mut session = Session {
        lines,
        writer,
        lamp: Lamp::new(fault),
    };
    session.say("ready")?;
    match hello.split(' ').collect::<Vec<_>>().as_slice() {
        ["tamper", "1", "accelerated"] => session.accelerated()?,
        ["tamper", "1", "real", micros] => session.real(Duration::from_micros(micros.parse()?))?,
        _ => return Err(format!("not a tester that I know: `{hello}`").into()),
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut fault, mut listen) = (None, None);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--faults" => {
                for (name, _) in FAULTS {
                    println!("{name}");
                }
                return Ok(());
            }
            "--fault" => {
                let wanted = args.next().ok_or("--fault needs a name")?;
                let found = FAULTS.iter().find(|(name, _)| *name == wanted);
                fault = Some(found.ok_or_else(|| format!("no fault is called {wanted}"))?.1);
            }
            "--listen" => listen = Some(args.next().ok_or("--listen needs an address")?),
            _ => return Err(format!("what is {arg}?").into()),
        }
    }
    let Some(address) = listen else {
        return talk(BufReader::new(std::io::stdin()), &mut std::io::stdout(), fault);
    };
    let listener = TcpListener::bind(address)?;
    println!("listening on {}", listener.local_addr()?);
    for stream in listener.incoming() {
        let mut stream = stream?;
        stream.set_nodelay(true)?;
        let reader = BufReader::new(stream.try_clone()?);
        // A tester that leaves in the middle is no reason to stop.
        if let Err(error) = talk(reader, &mut stream, fault) {
            eprintln!("{error}");
        }
    }
    Ok(())
}
