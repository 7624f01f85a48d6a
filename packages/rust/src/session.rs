//! The tester's lines and the answers to them.

use std::time::Duration;

use crate::clock::Clock;
use crate::{Inputs, Sut, Wrong};

pub struct Session<'a> {
    start: &'a mut dyn FnMut(&Sut) -> Inputs,
    unit: u64,
    real: bool,
    program: Option<(Sut, Inputs)>,
}

impl<'a> Session<'a> {
    pub fn new(unit: u64, start: &'a mut dyn FnMut(&Sut) -> Inputs) -> Self {
        Self {
            start,
            unit,
            real: false,
            program: None,
        }
    }

    /// Returns the answer to a line of the tester.
    pub fn answer(&mut self, line: &str) -> Result<Vec<String>, Wrong> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, &mut self.program) {
            ("tamper", None) => self.greet(rest),
            ("reset", _) => Ok(self.reset()),
            ("input", Some((sut, inputs))) => Ok(input(sut, inputs, rest, self.real)),
            ("delay", Some((sut, _))) if !self.real => {
                let (top, bottom) = rest.split_once('/').unwrap_or((rest, "1"));
                let number = |text: &str| text.parse().map_err(|_| Wrong(format!("{rest} is no time")));
                Ok(vec![sut.delay(number(top)?, number(bottom)?)?])
            }
            _ => Err(Wrong(format!("not a line for now: {line}"))),
        }
    }

    fn greet(&mut self, rest: &str) -> Result<Vec<String>, Wrong> {
        if let Some(micros) = rest.strip_prefix("1 real ") {
            let nanos = micros.parse().ok().and_then(|micros: u64| micros.checked_mul(1000));
            self.unit = nanos.ok_or_else(|| Wrong(format!("{micros} is no number of microseconds")))?;
            self.real = true;
        } else if rest != "1 accelerated" {
            return Err(Wrong(format!("not a tester that this kit knows: {rest}")));
        }
        Ok(vec!["ready".to_owned()])
    }

    fn reset(&mut self) -> Vec<String> {
        self.end();
        let sut = Sut::new(Clock::new(self.unit, self.real));
        let inputs = (self.start)(&sut);
        sut.settle();
        let mut answers = vec!["ready".to_owned()];
        if self.real {
            answers.extend(heard(&sut));
        }
        self.program = Some((sut, inputs));
        answers
    }

    /// Cleans up after the program.
    pub fn end(&mut self) {
        if let Some((sut, _)) = self.program.take() {
            sut.end();
        }
    }

    /// In real time: the time until the next timer fires.
    pub fn rest(&self) -> Option<Duration> {
        let (sut, _) = self.program.as_ref().filter(|_| self.real)?;
        sut.rest()
    }

    /// In real time: fires the timers that are due, and returns the outputs as lines.
    pub fn fire_due(&mut self) -> Vec<String> {
        let Some((sut, _)) = &self.program else {
            return Vec::new();
        };
        sut.settle();
        heard(sut)
    }
}

fn heard(sut: &Sut) -> Vec<String> {
    sut.outputs().iter().map(|output| format!("output {output}")).collect()
}

fn input(sut: &Sut, inputs: &mut Inputs, action: &str, real: bool) -> Vec<String> {
    let (name, values) = parts(action);
    let taken = inputs(name, &values);
    sut.settle();
    match (real, taken) {
        (false, true) => vec!["ok".to_owned()],
        (false, false) => vec!["refused".to_owned()],
        (true, true) => heard(sut),
        (true, false) => vec![format!("refused {action}")],
    }
}

/// The name of an action and its values: `set_2`, the model's `set[2]`, is `set` with 2.
pub(crate) fn parts(action: &str) -> (&str, Vec<u32>) {
    let (mut name, mut values) = (action, Vec::new());
    while let Some((before, last)) = name.rsplit_once('_') {
        let Some(value) = last.parse().ok().filter(|_| !before.is_empty()) else {
            break;
        };
        name = before;
        values.insert(0, value);
    }
    (name, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lamp that is on for two time units; `set` says its value again half a unit later, `both` makes two outputs at once.
    fn start(sut: &Sut) -> Inputs {
        let sut = sut.clone();
        let mut off = None;
        Box::new(move |name, values| {
            let program = sut.clone();
            match (name, values) {
                ("press", []) => {
                    sut.say("on", &[]);
                    off = Some(sut.after(sut.units(2, 1), move || program.say("off", &[])));
                }
                ("stop", []) => off.take().into_iter().for_each(|off| sut.cancel(off)),
                ("set", [value]) => {
                    let value = *value;
                    sut.after(sut.units(1, 2), move || program.say("is", &[value]));
                }
                ("both", []) => ["one", "two"].iter().for_each(|name| sut.say(name, &[])),
                _ => return false,
            }
            true
        })
    }

    fn check(pairs: &[(&str, &str)]) {
        let mut start = start;
        let mut session = Session::new(1_000_000, &mut start);
        for (line, expected) in [("tamper 1 accelerated", "ready"), ("reset", "ready")]
            .iter()
            .chain(pairs)
        {
            let said = session.answer(line).unwrap_or_else(|wrong| vec![wrong.to_string()]);
            assert_eq!(said, [*expected], "{line}");
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
    fn a_reset_leaves_no_timer_and_no_output() {
        check(&[("input press", "ok"), ("reset", "ready"), ("delay 9", "done")]);
    }

    #[test]
    fn what_is_cancelled_does_not_fire() {
        check(&[
            ("input press", "ok"),
            ("delay 0", "output on after 0/1"),
            ("input stop", "ok"),
            ("delay 9", "done"),
        ]);
    }

    #[test]
    fn values_are_taken_apart_and_put_together() {
        check(&[
            ("input set_2", "ok"),
            ("input set", "refused"),
            ("input set_x", "refused"),
            ("input _2", "refused"),
            ("delay 1", "output is_2 after 1/2"),
        ]);
    }

    #[test]
    fn outputs_of_one_moment_keep_their_order() {
        check(&[
            ("input both", "ok"),
            ("delay 1", "output one after 0/1"),
            ("delay 1", "output two after 0/1"),
        ]);
    }

    #[test]
    fn what_the_clock_does_not_have_is_refused() {
        let third = "1/3 time units are no whole number of nanoseconds; another unit or --grid helps";
        check(&[
            ("delay 1/3", third),
            ("delay x", "x is no time"),
            ("delay 1/0", "1/0 is no time"),
        ]);
        check(&[(
            "delay 99999999999999",
            "99999999999999/1 time units are too long for this clock",
        )]);
        check(&[("tamper 1 accelerated", "not a line for now: tamper 1 accelerated")]);
    }

    #[test]
    fn a_program_that_never_comes_to_rest_is_named() {
        fn again(sut: &Sut) {
            let next = sut.clone();
            sut.after(Duration::ZERO, move || again(&next));
        }
        let mut start = |sut: &Sut| -> Inputs {
            again(sut);
            Box::new(|_, _| false)
        };
        let wrong = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Session::new(1, &mut start).reset()));
        let message = wrong.unwrap_err().downcast::<&str>().map(|text| *text);
        assert_eq!(message.ok(), Some("timers fire and no time passes"));
    }
}
