//! Zone operations now and before there were kernels per dimension (`old`, frozen), side by side: the two take turns
//! on the same operands, the fastest pass of each counts, and every result of the one is compared with the other's.
//! Writes Markdown tables. `scripts/zones.sh` keeps them in `results/zones.md`.

mod engine;
mod old;
mod operands;

use engine::{before, now};
use operands::Operands;
use std::time::{Duration, Instant};

const OPERATIONS: [&str; 19] = [
    "clone",
    "copy",
    "up",
    "down",
    "free",
    "reset",
    "constrain",
    "close",
    "extrapolate",
    "includes",
    "intersects",
    "intersect",
    "fed copy",
    "fed - zone",
    "fed - fed",
    "fed ∩ fed",
    "fed includes fed",
    "safe_past",
    "pieces",
];
const RANDOM: &str = "random zones";
const NUMBER: usize = 192;
/// Operands of one pass: short enough to fit between two interruptions.
const CHUNK: usize = 16;

/// `ROUNDS=3 DIMS="3 5 8" cargo bench --bench compare OPERATION…`: fewer rounds, some dimensions, some operations.
fn main() {
    let setting = |name| std::env::var(name).ok();
    let rounds = setting("ROUNDS").map_or(9, |rounds| rounds.parse().expect("ROUNDS is a number"));
    let dims = setting("DIMS").unwrap_or("2 3 4 5 6 7 8 9 10 11 12".to_owned());
    let dims: Vec<usize> = dims
        .split(' ')
        .map(|dim| dim.parse().expect("DIMS are numbers"))
        .collect();
    let only: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let is_asked = |name: &&str| only.is_empty() || only.iter().any(|asked| asked == name);
    println!("Cells: nanoseconds before → now, and how many times faster.\n");
    type Make = fn(usize, usize) -> Operands;
    let reached: (&str, Make) = ("zones that explorations reach", operands::reached);
    for (title, make) in [reached, (RANDOM, operands::random)] {
        println!("## On {title}\n");
        let heads: Vec<String> = dims.iter().map(|dim| format!(" dim {dim} |")).collect();
        println!("| operation |{}\n|---|{}", heads.concat(), "---:|".repeat(dims.len()));
        let operands: Vec<(usize, Operands)> = dims.iter().map(|&dim| (dim, make(dim, NUMBER))).collect();
        for operation in OPERATIONS.iter().filter(|name| is_asked(name)) {
            let cells: Vec<String> = operands
                .iter()
                .map(|(dim, operands)| match *operation {
                    // Thousands of pieces for each of the operands.
                    "fed - fed" | "safe_past" | "pieces" if title == RANDOM && *dim > 6 => "–".to_owned(),
                    "pieces" => pieces(*dim, operands),
                    _ => compare(*dim, operands, operation, rounds),
                })
                .collect();
            println!("| {operation} | {} |", cells.join(" | "));
        }
        println!();
    }
}

/// Zones that all calls of `safe_past` give, before and now.
fn pieces(dim: usize, operands: &Operands) -> String {
    let old = before::Engine::new(dim, operands).pass("safe_past", 0..NUMBER);
    let new = now::Engine::new(dim, operands).pass("safe_past", 0..NUMBER);
    assert!(new <= old, "more pieces than before");
    format!("{old} → {new}")
}

fn compare(dim: usize, operands: &Operands, operation: &str, rounds: usize) -> String {
    let mut old = before::Engine::new(dim, operands);
    let mut new = now::Engine::new(dim, operands);
    for (turn, (was, is)) in old
        .shown(operation, 0..NUMBER)
        .iter()
        .zip(new.shown(operation, 0..NUMBER))
        .enumerate()
    {
        assert_eq!(*was, is, "{operation} on operand {turn} of dimension {dim}");
    }
    let (mut before, mut now) = (Duration::ZERO, Duration::ZERO);
    for chunk in (0..NUMBER)
        .step_by(CHUNK)
        .map(|first| first..(first + CHUNK).min(NUMBER))
    {
        let (mut fastest_old, mut fastest_new) = (Duration::MAX, Duration::MAX);
        for _ in 0..rounds {
            let start = Instant::now();
            repeat(operation, || old.pass(operation, chunk.clone()));
            let middle = Instant::now();
            repeat(operation, || new.pass(operation, chunk.clone()));
            fastest_old = fastest_old.min(middle - start);
            fastest_new = fastest_new.min(middle.elapsed());
        }
        (before, now) = (before + fastest_old, now + fastest_new);
    }
    let each = |time: Duration| time.as_secs_f64() * 1e9 / (NUMBER * repetitions(operation)) as f64;
    let (before, now) = (each(before), each(now));
    format!("{before:.0} → {now:.0} ({:.1})", before / now)
}

/// How often a pass is repeated between two looks at the clock.
fn repetitions(operation: &str) -> usize {
    if operation.contains("fed") || operation == "safe_past" {
        1
    } else {
        16
    }
}

fn repeat(operation: &str, mut pass: impl FnMut() -> usize) {
    for _ in 0..repetitions(operation) {
        std::hint::black_box(pass());
    }
}
