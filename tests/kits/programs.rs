//! The random programs of scripts/harness_programs.py as programs of tokio: `TAMPER_PROGRAM` holds lines `input STATE ACTION TARGET` and
//! `output STATE OUTPUT TOP/BOTTOM TARGET`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use tamper_sut::{Inputs, TokioSut};
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// Times are sixtieths of a unit, and what tests make of them by halving.
pub const UNIT: u64 = 60 * tamper_sut::UNIT;

struct Timeout {
    output: String,
    top: u64,
    bottom: u64,
    target: String,
}

struct Program {
    sut: TokioSut,
    inputs: BTreeMap<(String, String), String>,
    outputs: BTreeMap<String, Timeout>,
    state: String,
    change: Option<JoinHandle<()>>,
}

impl Program {
    fn new(sut: &TokioSut) -> Self {
        let (mut inputs, mut outputs) = (BTreeMap::new(), BTreeMap::new());
        for line in std::env::var("TAMPER_PROGRAM").unwrap().lines() {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            match &words[..] {
                [kind, state, action, target] if kind == "input" => {
                    inputs.insert((state.clone(), action.clone()), target.clone());
                }
                [kind, state, output, time, target] if kind == "output" => {
                    let (top, bottom) = time.split_once('/').unwrap();
                    let (top, bottom) = (top.parse().unwrap(), bottom.parse().unwrap());
                    let (output, target) = (output.clone(), target.clone());
                    outputs.insert(
                        state.clone(),
                        Timeout {
                            output,
                            top,
                            bottom,
                            target,
                        },
                    );
                }
                _ => panic!("not a line of a program: {line}"),
            }
        }
        Self {
            sut: sut.clone(),
            inputs,
            outputs,
            state: "idle".to_owned(),
            change: None,
        }
    }

    fn enter(program: &Arc<Mutex<Self>>, state: String) {
        let (later, mut own) = (program.clone(), program.lock().unwrap());
        own.change.take().iter().for_each(JoinHandle::abort);
        if let Some(timeout) = own.outputs.get(&state) {
            let (output, target) = (timeout.output.clone(), timeout.target.clone());
            let wait = own.sut.units(timeout.top, timeout.bottom);
            own.change = Some(tokio::spawn(async move {
                sleep(wait).await;
                later.lock().unwrap().sut.say(&output, &[]);
                Self::enter(&later, target);
            }));
        }
        own.state = state;
    }
}

pub fn start(sut: &TokioSut) -> Inputs {
    let program = Arc::new(Mutex::new(Program::new(sut)));
    Box::new(move |name, _| {
        let target = {
            let own = program.lock().unwrap();
            own.inputs.get(&(own.state.clone(), name.to_owned())).cloned()
        };
        target.map(|target| Program::enter(&program, target)).is_some()
    })
}
