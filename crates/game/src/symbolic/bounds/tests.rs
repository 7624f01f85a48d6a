//! Bounds: of expressions against the values they take, of games by hand.

use super::*;
use crate::symbolic::{consistency, lower};
use tamper_text::Budget;
use tamper_timed::model::{Cmp, Guard, IntVar, Valuation};
use testing::sketch::{Sketch, atom, diagonal};

fn all(guards: impl IntoIterator<Item = Guard>) -> Guard {
    Guard {
        clocks: guards.into_iter().flat_map(|guard| guard.clocks).collect(),
        data: Vec::new(),
    }
}

fn arena(sketch: Sketch) -> Arena {
    lower(&sketch.build(), &Budget::unlimited()).unwrap().unwrap()
}

/// v from -2 to 3 and s from 1 to 4: the ends of sums, differences, products, least and largest are taken, by hand; of
/// the others the interval may be larger.
#[test]
fn an_interval_holds_the_values_of_an_expression() {
    let mut sketch = Sketch::new("A", &["x"]);
    let v = sketch.builder.int(IntVar {
        name: "v".into(),
        low: -2,
        high: 3,
        initial: 0,
    });
    sketch.location("l", Guard::always());
    let automaton = sketch.build();
    let selects = [Select {
        name: "s".into(),
        low: 1,
        high: 4,
    }];
    let [v, s] = [Expr::Var(v), Expr::Select(0)].map(Box::new);
    let of = |expr: &Expr| interval(&automaton, &selects, expr);
    let binary = |op| Expr::Binary(op, v.clone(), s.clone());
    for (op, ends) in [
        (BinaryOp::Add, (-1, 7)),
        (BinaryOp::Sub, (-6, 2)),
        (BinaryOp::Mul, (-8, 12)),
        (BinaryOp::Min, (-2, 3)),
        (BinaryOp::Max, (1, 4)),
    ] {
        assert_eq!(of(&binary(op)), ends, "{op:?}");
    }
    assert_eq!(of(&Expr::Unary(UnaryOp::Neg, v.clone())), (-3, 2));
    for op in [
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::Lt,
        BinaryOp::And,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Shl,
        BinaryOp::Shr,
    ] {
        let (low, high) = of(&binary(op));
        for (v, s) in (-2..=3).flat_map(|v| (1..=4).map(move |s| (v, s))) {
            let valuation = Valuation {
                ints: &[v],
                selects: &[s],
            };
            if let Ok(value) = binary(op).eval(valuation) {
                assert!((low..=high).contains(&value), "{v} {op:?} {s} is {value}");
            }
        }
    }
}

/// Variables around both ends of 32 bits: whatever wraps around, the value is in the interval, and so is the bound, whose
/// sums do not wrap around.
#[test]
fn intervals_hold_the_values_at_the_ends_of_32_bits() {
    use BinaryOp as B;
    let ranges = [
        (i32::MAX - 1, i32::MAX),
        (i32::MIN, i32::MIN + 1),
        (-2, 2),
        (65_535, 65_536),
    ];
    let ops = [
        B::Add,
        B::Sub,
        B::Mul,
        B::Div,
        B::Rem,
        B::Pow,
        B::Min,
        B::Max,
        B::BitAnd,
        B::BitOr,
        B::BitXor,
        B::Shl,
        B::Shr,
    ];
    let mut n_values = 0;
    for (first, second) in ranges.into_iter().flat_map(|a| ranges.map(|b| (a, b))) {
        let mut sketch = Sketch::new("A", &["x"]);
        sketch.location("l", Guard::always());
        let [v, w] = [("v", first), ("w", second)].map(|(name, (low, high))| {
            let (name, initial) = (name.into(), low);
            Box::new(Expr::Var(sketch.builder.int(IntVar {
                name,
                low,
                high,
                initial,
            })))
        });
        let automaton = sketch.build();
        let pairs = ops.into_iter().flat_map(|op| ops.map(|outer| (op, outer)));
        for (op, outer) in pairs {
            let inner = Box::new(Expr::Binary(op, v.clone(), w.clone()));
            let negated = Box::new(Expr::Unary(UnaryOp::Neg, inner.clone()));
            for expr in [
                Expr::Binary(outer, inner, v.clone()),
                Expr::Binary(outer, w.clone(), negated),
            ] {
                let (values, bounds) = (interval(&automaton, &[], &expr), bound_interval(&automaton, &[], &expr));
                for ints in [first.0, first.1]
                    .into_iter()
                    .flat_map(|v| [[v, second.0], [v, second.1]])
                {
                    let at = Valuation {
                        ints: &ints,
                        selects: &[],
                    };
                    for ((low, high), value) in [(values, expr.eval(at)), (bounds, expr.bound(at))] {
                        let Ok(value) = value else { continue };
                        assert!(
                            (low..=high).contains(&value),
                            "{expr:?} at {ints:?}: {value} in {low}..={high}"
                        );
                        n_values += 1;
                    }
                }
            }
        }
    }
    assert!(n_values > 10_000, "{n_values}");
}

/// `x - y <= 3`, `x - y > 3` and `y - x >= -3` cut at the same place, `x - y == 3` also below 3.
#[test]
fn a_difference_and_its_opposite_are_one_cut() {
    let cuts = |atoms: &[(usize, usize, Cmp, i64)]| {
        let mut sketch = Sketch::new("A", &["x", "y"]);
        sketch.location("l", Guard::always());
        for (clock, other, cmp, constant) in atoms {
            let guard = Guard {
                clocks: vec![diagonal(*clock, *other, *cmp, *constant)],
                data: Vec::new(),
            };
            sketch.edge("l", "l", "a!", guard, &[]);
        }
        diagonals(&sketch.build()).unwrap().len()
    };
    let same = [(0, 1, Cmp::Le, 3), (0, 1, Cmp::Gt, 3), (1, 0, Cmp::Ge, -3)];
    assert_eq!(cuts(&same), 1);
    assert_eq!(cuts(&[same[0], (0, 1, Cmp::Eq, 3)]), 2);
}

/// A reset to 2 turns `x - y <= 3` into `x <= 5` or `y >= -1`.
#[test]
fn clocks_of_a_difference_cover_what_resets_make_of_it() {
    let mut sketch = Sketch::new("A", &["x", "y", "z"]);
    sketch.location("l", Guard::always());
    let guard = Guard {
        clocks: vec![diagonal(0, 1, Cmp::Le, 3)],
        data: Vec::new(),
    };
    sketch.edge("l", "l", "a!", guard, &[]);
    let two = Update::Reset(Id::from_index(2), Expr::Const(2));
    sketch.edge_with("l", "l", "b!", Guard::always(), &[], vec![two]);
    let automaton = sketch.build();
    assert_eq!(global(&automaton), [0, 5, 5, Dbm::NEVER_COMPARED]);
    let arena = lower(&automaton, &Budget::unlimited()).unwrap().unwrap();
    assert_eq!(per_node(&arena), [5, 5, Dbm::NEVER_COMPARED]);
}

#[test]
fn a_clock_is_compared_until_it_is_reset() {
    let mut sketch = Sketch::new("A", &["x", "y"]);
    for name in ["l", "m", "n", "end"] {
        sketch.location(name, Guard::always());
    }
    sketch.edge("l", "m", "a!", Guard::always(), &[0]);
    sketch.edge("m", "n", "b!", Guard::always(), &[]);
    let guard = all([atom(0, Cmp::Ge, 1), atom(1, Cmp::Le, 2)]);
    sketch.edge("n", "end", "c!", guard, &[]);
    let expected = [[false, true], [true, true], [true, true], [false, false]];
    assert_eq!(compared(&arena(sketch)), expected.concat());
}

/// m cannot let time pass and has no output, so nothing leads there any more; what m compares does not count in l.
#[test]
fn what_pruning_has_disabled_compares_nothing() {
    let mut sketch = Sketch::new("A", &["x", "y"]);
    sketch.location("l", Guard::always());
    sketch.location("m", atom(0, Cmp::Le, 1));
    sketch.location("end", Guard::always());
    sketch.edge("l", "m", "a!", Guard::always(), &[]);
    sketch.edge("m", "end", "b?", atom(1, Cmp::Ge, 2), &[]);
    let mut arena = arena(sketch);
    assert!(consistency::prune(&mut arena, &Budget::unlimited()).unwrap());
    assert_eq!(compared(&arena), [false, false, false, true, false, false]);
}
