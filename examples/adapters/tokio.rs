//! Between tamper and a program of tokio under test: put yours in the place of `Lamp`. The kit is `packages/rust` with its feature `tokio`; its README
//! says more.

use std::sync::{Arc, Mutex};

use tamper_sut::{Inputs, TokioSut, serve_tokio_unit};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Light {
    Off,
    Dim,
    Bright,
}

/// A touch lamp, the system of lamp.xml; --fault late-dim, wrong-output or no-auto-off misbehaves.
struct Lamp {
    sut: TokioSut,
    on_light: fn(&TokioSut, Light),
    fault: String,
    light: Light,
    changed: Instant,
    change: Option<JoinHandle<()>>,
}

impl Lamp {
    fn new(sut: &TokioSut, on_light: fn(&TokioSut, Light)) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            sut: sut.clone(),
            on_light,
            fault: std::env::var("LAMP_FAULT")
                .ok()
                .or_else(|| std::env::args().nth(2))
                .unwrap_or_default(),
            light: Light::Off,
            changed: Instant::now(),
            change: None,
        }))
    }

    fn shine(&mut self, light: Light) {
        (self.on_light)(&self.sut, light);
        (self.light, self.changed) = (light, Instant::now());
    }

    /// Turns the lamp after a while, and a bright one off in the end.
    fn turn(lamp: &Arc<Mutex<Self>>, wait: (u64, u64), light: Light) {
        let (later, mut own) = (lamp.clone(), lamp.lock().unwrap());
        let (wait, long) = (own.sut.units(wait.0, wait.1), own.sut.units(20, 1));
        let ends = light == Light::Bright && own.fault != "no-auto-off";
        let change = tokio::spawn(async move {
            sleep(wait).await;
            later.lock().unwrap().shine(light);
            if ends {
                sleep(long).await;
                later.lock().unwrap().shine(Light::Off);
            }
        });
        if let Some(before) = own.change.replace(change) {
            before.abort();
        }
    }

    fn press(lamp: &Arc<Mutex<Self>>) {
        let (light, fault, soon) = {
            let own = lamp.lock().unwrap();
            (
                own.light,
                own.fault.clone(),
                own.changed.elapsed() < own.sut.units(5, 1),
            )
        };
        match light {
            Light::Off if fault == "wrong-output" => Self::turn(lamp, (3, 2), Light::Bright),
            Light::Off => Self::turn(lamp, (if fault == "late-dim" { 5 } else { 3 }, 2), Light::Dim),
            Light::Dim if soon => Self::turn(lamp, (3, 2), Light::Bright),
            Light::Dim | Light::Bright => Self::turn(lamp, (1, 2), Light::Off),
        }
    }
}

/// How long a time unit of the model lasts in virtual time, in nanoseconds.
pub const UNIT: u64 = tamper_sut::UNIT;

/// The adapter, called at each reset: what an input does, and which event is which output.
pub fn start(sut: &TokioSut) -> Inputs {
    let lamp = Lamp::new(sut, |sut, light| sut.say(&format!("{light:?}").to_lowercase(), &[]));
    Box::new(move |name, values| match (name, values) {
        ("press", []) => {
            Lamp::press(&lamp);
            true
        }
        _ => false,
    })
}

/// Tests that `tamper harness --as tokio` writes call `start` themselves.
fn main() {
    serve_tokio_unit(UNIT, start)
}
