//! Between tamper and a Rust program under test: put yours in the place of `Lamp`. The kit is `packages/rust`, which says more.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use tamper_sut::{Sut, Timer, serve};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Light {
    Off,
    Dim,
    Bright,
}

/// A touch lamp, the system of lamp.xml; --fault late-dim, wrong-output or no-auto-off misbehaves.
struct Lamp {
    sut: Sut,
    on_light: fn(&Sut, Light),
    fault: String,
    light: Light,
    changed: Duration,
    change: Option<Timer>,
}

impl Lamp {
    fn new(sut: &Sut, on_light: fn(&Sut, Light)) -> Rc<RefCell<Self>> {
        Rc::new(RefCell::new(Self {
            sut: sut.clone(),
            on_light,
            fault: std::env::args().nth(2).unwrap_or_default(),
            light: Light::Off,
            changed: Duration::ZERO,
            change: None,
        }))
    }

    fn turn(lamp: &Rc<RefCell<Self>>, wait: (u64, u64), light: Light) {
        let (sut, later) = (lamp.borrow().sut.clone(), lamp.clone());
        if let Some(change) = lamp.borrow_mut().change.take() {
            sut.cancel(change);
        }
        lamp.borrow_mut().change = Some(sut.after(sut.units(wait.0, wait.1), move || Self::shine(&later, light)));
    }

    fn shine(lamp: &Rc<RefCell<Self>>, light: Light) {
        let sut = lamp.borrow().sut.clone();
        (lamp.borrow().on_light)(&sut, light);
        lamp.borrow_mut().light = light;
        lamp.borrow_mut().changed = sut.now();
        if light == Light::Bright && lamp.borrow().fault != "no-auto-off" {
            Self::turn(lamp, (20, 1), Light::Off);
        }
    }

    fn press(lamp: &Rc<RefCell<Self>>) {
        let (light, fault) = (lamp.borrow().light, lamp.borrow().fault.clone());
        let soon = lamp.borrow().sut.now() - lamp.borrow().changed < lamp.borrow().sut.units(5, 1);
        match light {
            Light::Off if fault == "wrong-output" => Self::turn(lamp, (3, 2), Light::Bright),
            Light::Off => Self::turn(lamp, (if fault == "late-dim" { 5 } else { 3 }, 2), Light::Dim),
            Light::Dim if soon => Self::turn(lamp, (3, 2), Light::Bright),
            Light::Dim | Light::Bright => Self::turn(lamp, (1, 2), Light::Off),
        }
    }
}

/// The adapter, called at each reset: what an input does, and which event is which output.
fn main() {
    serve(|sut| {
        let lamp = Lamp::new(sut, |sut, light| sut.say(&format!("{light:?}").to_lowercase(), &[]));
        Box::new(move |name, values| match (name, values) {
            ("press", []) => {
                Lamp::press(&lamp);
                true
            }
            _ => false,
        })
    })
}
