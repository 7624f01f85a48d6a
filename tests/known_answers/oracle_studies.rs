//! The test oracle on the published case studies of [003]: totals, and verdicts per operator, as the paper states them.
//! Everything here is independent of the engine: the operators, the region graphs and the automata's transcription.

use std::collections::BTreeMap;

use testing::oracle::games::game;
use testing::oracle::operators::{Op, mutants};
use testing::oracle::refinement::{Answer, TIGA, decide};

use Answer::{Inconsistent, NonSubsumed, Subsumed};
use Op::{Ccn, CxlGuard, CxlInvariant, CxsGuard, CxsInvariant, Smi, TadInput, TadOutput, Tmi};

/// The verdicts of all first-order mutants of a study.
struct Verdicts(Vec<(Op, String, Answer)>);

impl Verdicts {
    fn of(text: &str) -> Self {
        let spec = game("Spec", text);
        assert_eq!(decide(&spec, &spec, TIGA), Subsumed, "the baseline refines itself");
        let decided = mutants(&spec)
            .into_iter()
            .map(|(op, what, mutant)| (op, what, decide(&mutant, &spec, TIGA)));
        Self(decided.collect())
    }

    /// Total, non-subsumed, subsumed, inconsistent.
    fn count(&self, ops: &[Op]) -> [usize; 4] {
        let of = |answer| {
            self.0
                .iter()
                .filter(|(op, _, found)| ops.contains(op) && *found == answer)
                .count()
        };
        let [non, subsumed, inconsistent] = [NonSubsumed, Subsumed, Inconsistent].map(of);
        [non + subsumed + inconsistent, non, subsumed, inconsistent]
    }

    /// What the mutants of `op` with that verdict change, in order of names.
    fn which(&self, op: Op, answer: Answer) -> Vec<&str> {
        let chosen = self
            .0
            .iter()
            .filter(|(found, _, verdict)| *found == op && *verdict == answer);
        let mut names: Vec<_> = chosen.map(|(_, what, _)| what.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Mutants, and those of them that are subsumed or inconsistent.
    fn totals(&self) -> (usize, usize) {
        let mut by_answer = BTreeMap::new();
        for (_, _, answer) in &self.0 {
            *by_answer.entry(*answer).or_insert(0) += 1;
        }
        (
            self.0.len(),
            self.0.len() - by_answer.get(&NonSubsumed).copied().unwrap_or(0),
        )
    }
}

#[test]
fn wfas_has_the_published_verdicts() {
    let wfas = Verdicts::of(
        "clock x
        loc cont_1 inv x<=2
        loc cont_2 inv x<=5
        loc cont_3 inv x<=2
        loc cont_4 inv x<=9
        loc fail
        loc timeout
        edge cont_1 -> timeout : timeout! when x>=2
        edge cont_1 -> fail : result1?
        edge cont_1 -> fail : result2?
        edge cont_1 -> cont_2 : wakeup1? when x<2
        edge cont_2 -> fail : result2?
        edge cont_2 -> cont_3 : tau when x==5 do x:=0
        edge cont_2 -> cont_3 : result1? when x<5 do x:=0
        edge cont_3 -> timeout : timeout! when x>=2
        edge cont_3 -> fail : result1?
        edge cont_3 -> fail : result2?
        edge cont_3 -> cont_4 : wakeup2? when x<2
        edge cont_4 -> fail : result1?
        edge cont_4 -> cont_1 : tau when x==9 do x:=0
        edge cont_4 -> cont_1 : result2? when x<9 do x:=0",
    );
    // 49 violate (4 TMI, 36 TAD, 1 SMI, 8 CXL), 74 % of the subsumed or inconsistent ones: 66.
    assert_eq!(wfas.totals(), (121, 66));
    assert_eq!(wfas.which(Tmi, Inconsistent).len(), 4);
    assert_eq!(wfas.which(Smi, Inconsistent), ["cont_3", "timeout"]);
    assert_eq!(wfas.which(Smi, NonSubsumed), ["cont_2", "cont_4", "fail"]);
    assert_eq!(wfas.count(&[TadInput]), [36, 0, 36, 0]);
    assert_eq!(
        wfas.which(TadOutput, Subsumed),
        [
            "cont_1->cont_1",
            "cont_1->cont_3",
            "cont_2->cont_2",
            "cont_3->cont_1",
            "cont_3->cont_3",
            "cont_4->cont_4",
            "fail->fail",
            "fail->timeout",
            "timeout->fail",
            "timeout->timeout",
        ]
    );
    assert_eq!(wfas.count(&[TadOutput]), [36, 26, 10, 0]);
    assert_eq!(wfas.count(&[CxsGuard]), [8, 8, 0, 0]);
    assert_eq!(wfas.count(&[CxsInvariant]), [4, 0, 0, 4]);
    assert_eq!(wfas.which(CxlInvariant, NonSubsumed), ["cont_1", "cont_3"]);
    assert_eq!(wfas.which(CxlInvariant, Subsumed), ["cont_2", "cont_4"]);
    assert_eq!(wfas.count(&[CxlGuard]), [8, 0, 4, 4]);
    assert_eq!(wfas.count(&[Ccn]), [6, 6, 0, 0]);
}

#[test]
fn mutex_has_the_published_verdicts() {
    let mutex = Verdicts::of(
        "clock x
        int lock 0..1 = 0
        loc start_1 inv x<=2
        loc set_1 inv x<=2
        loc tryenter_1 inv x<=4
        loc cs_1
        edge start_1 -> set_1 : start! when x>1 && lock==0 do x:=0
        edge set_1 -> tryenter_1 : set! when x>1 do x:=0, lock:=1
        edge tryenter_1 -> cs_1 : enter! when x>3 && lock==1
        edge cs_1 -> start_1 : exit! do x:=0, lock:=0",
    );
    // 27 violate: all of TMI, SMI, CXL, CXS that are subsumed or inconsistent, and the 16 TAD inputs; 73 %.
    assert_eq!(mutex.totals(), (47, 37));
    assert_eq!(mutex.count(&[TadInput]), [16, 0, 14, 2]);
    assert_eq!(
        mutex.which(TadInput, Inconsistent),
        ["set_1->tryenter_1", "start_1->tryenter_1"]
    );
    assert_eq!(mutex.count(&[TadOutput]), [16, 6, 10, 0]);
    assert_eq!(mutex.count(&[Ccn]), [1, 1, 0, 0]);
}

#[test]
fn coffee_has_the_published_verdicts() {
    let coffee = Verdicts::of(
        "clock x y
        loc idle
        loc add_sugar inv y<=5
        loc preparing_coffee inv y<=8
        loc cdone inv x<=10
        edge idle -> add_sugar : press! do x:=0, y:=0
        edge add_sugar -> add_sugar : press! when x>=1 do x:=0
        edge add_sugar -> preparing_coffee : cup! when y==5
        edge preparing_coffee -> cdone : coffee! when y==8 do x:=0
        edge cdone -> add_sugar : press! do x:=0, y:=0
        edge cdone -> idle : sleep! when x==10",
    );
    // 32 of 35 violate: 91 %.
    assert_eq!(coffee.totals(), (55, 35));
    assert_eq!(coffee.count(&[CxlGuard, CxlInvariant])[2], 6);
    assert_eq!(coffee.which(CxlInvariant, NonSubsumed), ["cdone"]);
    assert_eq!(coffee.which(CxlInvariant, Subsumed), ["add_sugar", "preparing_coffee"]);
}

#[test]
fn hotel_has_the_published_verdicts() {
    let hotel = Verdicts::of(
        "clock y
        loc qH0
        loc qH1 inv y<=10
        loc qH2
        edge qH0 -> qH1 : single! when y>=4 do y:=0
        edge qH0 -> qH1 : shared! when y>=6 do y:=0
        edge qH1 -> qH2 : card? when y<=3
        edge qH1 -> qH2 : cash? when y<=7
        edge qH2 -> qH0 : receipt!",
    );
    // Of the constants only the first guard's is published. 18 of 35 violate: 51 %.
    assert_eq!(hotel.totals(), (39, 35));
    for (op, n_mutants) in [
        (Tmi, 5),
        (Smi, 2),
        (CxlGuard, 4),
        (CxlInvariant, 1),
        (CxsGuard, 4),
        (CxsInvariant, 1),
        (Ccn, 4),
    ] {
        assert_eq!(hotel.count(&[op]), [n_mutants, 0, n_mutants, 0], "{op:?}");
    }
    assert_eq!(hotel.count(&[TadInput]), [9, 0, 8, 1]);
    assert_eq!(hotel.which(TadInput, Inconsistent), ["qH0->qH1"]);
    assert_eq!(
        hotel.which(TadOutput, NonSubsumed),
        ["qH0->qH2", "qH1->qH0", "qH1->qH1", "qH1->qH2"]
    );
    assert_eq!(hotel.which(TadOutput, Subsumed).len(), 5);
}

/// The acceleration pattern; the counts do not depend on `p` as long as it exceeds 25.
fn accel(p: u32) -> String {
    let letters = ["A", "B", "C", "D", "E", "F", "G", "H"];
    let to_prime: String = letters
        .map(|l| format!("edge pre_s0 -> pre_s0_prime : {l}! do x:=0\n"))
        .concat();
    let at_prime: String = letters
        .map(|l| format!("edge pre_s0_prime -> pre_s0_prime : {l}! do x:=0\n"))
        .concat();
    let locations = [
        "pre_s0",
        "pre_s0_prime",
        "pat_0",
        "pat_unknown",
        "pat_g1",
        "pat_g1_bis",
        "pat_g2",
        "pat_g2_bis",
        "pat_g3",
        "pat_g3_bis",
        "pat_g4",
        "pat_g4_bis",
        "s_soon_end",
        "s_end urgent",
    ];
    let locations = locations.map(|name| format!("loc {name}\n")).concat();
    format!(
        "clock x\n{locations}edge pre_s0 -> pat_0 : start!\n{to_prime}{at_prime}
        edge pre_s0_prime -> pat_0 : start! when x>0 do x:=0
        edge pat_0 -> pat_g1 : A!
        edge pat_0 -> pat_unknown : F!
        edge pat_unknown -> pat_g1_bis : A!
        edge pat_g1 -> pat_g2 : B!
        edge pat_g1 -> pat_g1_bis : F!
        edge pat_g1_bis -> pat_g2_bis : B!
        edge pat_g2 -> pat_g3 : C!
        edge pat_g2 -> pat_g2_bis : F!
        edge pat_g2_bis -> pat_g3_bis : C!
        edge pat_g3 -> pat_g4 : D! when x<={p} do x:=0
        edge pat_g3 -> pat_g3_bis : F!
        edge pat_g3_bis -> pat_g4_bis : D! when x<={p} do x:=0
        edge pat_g4 -> pat_g4_bis : F!
        edge pat_g4_bis -> s_soon_end : dollar! when x>25
        edge s_soon_end -> s_end : end! when x>0"
    )
}

#[test]
fn accel_has_the_published_verdicts() {
    let accel = Verdicts::of(&accel(26));
    assert_eq!(accel.totals().0, 451);
    // 233 subsumed TAD mutants: 195 inputs and 38 outputs, 16 % of 234 with the inconsistent one.
    assert_eq!(accel.which(TadInput, Inconsistent), ["pre_s0->s_end"]);
    assert_eq!(accel.count(&[TadInput]), [196, 0, 195, 1]);
    assert_eq!(accel.count(&[TadOutput]), [196, 158, 38, 0]);
    assert_eq!(accel.which(Ccn, Subsumed), ["s_soon_end->s_end end!"]);
    // No other mutant is inconsistent.
    let others = [Tmi, Smi, CxlGuard, CxlInvariant, CxsGuard, CxsInvariant, Ccn];
    assert_eq!(accel.count(&others)[3], 0);
}
