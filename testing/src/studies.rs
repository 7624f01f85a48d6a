//! Three published case studies of \[003\] section 5.3, built by hand for the tests.

use crate::model::{Automaton, BinaryOp, Cmp, Expr, Guard, IntVar, Update};
pub use crate::sketch::{Sketch, atom, diagonal};
use tamper_text::Id;

fn equals(int: usize, value: i64) -> Expr {
    let var = Expr::Var(crate::model::IntId::from_index(int));
    Expr::Binary(BinaryOp::Eq, Box::new(var), Box::new(Expr::Const(value)))
}

fn also(mut guard: Guard, data: Expr) -> Guard {
    guard.data.push(data);
    guard
}

/// The wireless fire alarm system (WFAS) of \[003\] section 5.3.
pub fn wfas() -> Automaton {
    let mut sketch = Sketch::new("WFAS", &["x"]);
    for (name, most) in [("cont_1", 2), ("cont_2", 5), ("cont_3", 2), ("cont_4", 9)] {
        sketch.location(name, atom(0, Cmp::Le, most));
    }
    sketch.location("fail", Guard::always());
    sketch.location("timeout", Guard::always());
    sketch.edge("cont_1", "timeout", "timeout!", atom(0, Cmp::Ge, 2), &[]);
    sketch.edge("cont_1", "fail", "result1?", Guard::always(), &[]);
    sketch.edge("cont_1", "fail", "result2?", Guard::always(), &[]);
    sketch.edge("cont_1", "cont_2", "wakeup1?", atom(0, Cmp::Lt, 2), &[]);
    sketch.edge("cont_2", "fail", "result2?", Guard::always(), &[]);
    sketch.edge("cont_2", "cont_3", "", atom(0, Cmp::Eq, 5), &[0]);
    sketch.edge("cont_2", "cont_3", "result1?", atom(0, Cmp::Lt, 5), &[0]);
    sketch.edge("cont_3", "timeout", "timeout!", atom(0, Cmp::Ge, 2), &[]);
    sketch.edge("cont_3", "fail", "result1?", Guard::always(), &[]);
    sketch.edge("cont_3", "fail", "result2?", Guard::always(), &[]);
    sketch.edge("cont_3", "cont_4", "wakeup2?", atom(0, Cmp::Lt, 2), &[]);
    sketch.edge("cont_4", "fail", "result1?", Guard::always(), &[]);
    sketch.edge("cont_4", "cont_1", "", atom(0, Cmp::Eq, 9), &[0]);
    sketch.edge("cont_4", "cont_1", "result2?", atom(0, Cmp::Lt, 9), &[0]);
    sketch.build()
}

/// The mutual exclusion protocol (MUTEX) of \[003\] section 5.3.
pub fn mutex() -> Automaton {
    let mut sketch = Sketch::new("MUTEX", &["x"]);
    let lock = sketch.builder.int(IntVar {
        name: "lock".into(),
        low: 0,
        high: 1,
        initial: 0,
    });
    sketch.location("start_1", atom(0, Cmp::Le, 2));
    sketch.location("set_1", atom(0, Cmp::Le, 2));
    sketch.location("tryenter_1", atom(0, Cmp::Le, 4));
    sketch.location("cs_1", Guard::always());
    let set = |value| vec![Update::Assign(lock, Expr::Const(value))];
    let (start, set_1, try_, cs) = ("start_1", "set_1", "tryenter_1", "cs_1");
    sketch.edge(start, set_1, "a!", also(atom(0, Cmp::Gt, 1), equals(0, 0)), &[0]);
    sketch.edge_with(set_1, try_, "b!", atom(0, Cmp::Gt, 1), &[0], set(1));
    sketch.edge(try_, cs, "c!", also(atom(0, Cmp::Gt, 3), equals(0, 1)), &[]);
    sketch.edge_with(cs, start, "d!", Guard::always(), &[0], set(0));
    sketch.build()
}

/// The coffee machine of \[003\] section 5.3.
pub fn coffee() -> Automaton {
    let mut sketch = Sketch::new("COFFEE", &["x", "y"]);
    sketch.location("idle", Guard::always());
    sketch.location("add_sugar", atom(1, Cmp::Le, 5));
    sketch.location("preparing_coffee", atom(1, Cmp::Le, 8));
    sketch.location("cdone", atom(0, Cmp::Le, 10));
    sketch.edge("idle", "add_sugar", "press!", Guard::always(), &[0, 1]);
    sketch.edge("add_sugar", "add_sugar", "press!", atom(0, Cmp::Ge, 1), &[0]);
    sketch.edge("add_sugar", "preparing_coffee", "cup!", atom(1, Cmp::Eq, 5), &[]);
    sketch.edge("preparing_coffee", "cdone", "coffee!", atom(1, Cmp::Eq, 8), &[0]);
    sketch.edge("cdone", "add_sugar", "press!", Guard::always(), &[0, 1]);
    sketch.edge("cdone", "idle", "sleep!", atom(0, Cmp::Eq, 10), &[]);
    sketch.build()
}
