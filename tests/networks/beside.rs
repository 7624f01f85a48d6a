//! Mutants that are decided from the runs that they have in common with the network, against mutants that are composed and played
//! alone. These networks have no place to wait for ever: a run goes on by repeating itself.

use tamper::experiment::{Engine, NetworkMutants, Scope, StaticUse, Verdict, components};
use tamper::formats::{NetworkFile, read_network, read_xta_network};
use tamper::game::{How, Scratch, Semantics};
use tamper::mutation::{MutationOptions, Order};
use tamper::network::View;

use super::judges::{judge, judge_beside};

/// A token that goes round: each station holds it until its own clock or the clock of the round is late.
const RING: &str = "
const int N = 2; const int HOLD = 2; const int TURN = 3 * N;
typedef int[0,N-1] id_t;
chan token[id_t], back[id_t];
process Ring() {
  clock r; id_t at;
  state Passing { r <= 0 }, Held; init Passing;
  trans Passing -> Held { select i : id_t; guard i == at; sync token[i]!; },
    Held -> Passing { select i : id_t; guard i == at; sync back[i]?; assign r = 0, at = (at + 1) % N; };
}
process Station(const id_t me) {
  clock held, round;
  state Idle, Urgent { held <= HOLD }, Rest { round <= TURN + HOLD }; init Idle;
  trans Idle -> Urgent { sync token[me]?; assign held = 0; },
    Urgent -> Idle { guard held == HOLD && round >= TURN; sync back[me]!; assign round = 0; },
    Urgent -> Rest { guard held == HOLD && round < TURN; },
    Rest -> Idle { guard held >= HOLD; sync back[me]!; assign round = 0; };
}
system Ring, Station;
";

/// What has no clock conditions but these can be told apart by waiting alone; who comes last gets stuck.
const SHIFTS: &str = "
chan take, give;
process Worker() {
  clock w;
  state Free { w <= 5 }, Busy { w <= 3 }; init Free;
  trans Free -> Busy { guard w >= 2; sync take!; assign w = 0; }, Busy -> Free { guard w >= 1; sync give!; assign w = 0; },
    Busy -> Busy { guard w == 3; assign w = 1; };
}
process Desk() {
  clock d;
  state Open { d <= 6 }, Shut { d <= 9 }; init Open;
  trans Open -> Shut { sync take?; assign d = 0; }, Shut -> Open { guard d < 4; sync give?; assign d = 0; };
}
W = Worker(); D = Desk();
system W, D;
";

/// No clocks: time that passes changes no zone, but the network lets none pass before `go`.
const UNTIMED: &str = "
urgent chan go;
process A() { state W, D; init W; trans W -> D { sync go!; }; }
process B() { state R, Q; init R; trans R -> Q { sync go?; }; }
system A, B;
";

/// The number of mutants by verdict and by how they were decided beside the network, of which every location is seen if `observe`.
fn compare(file: &NetworkFile, observe: bool, semantics: Semantics, statics: StaticUse) -> [usize; 6] {
    let mut view = View::closed("System", &file.network);
    if observe {
        view.observe = super::examples::everywhere(&file.network);
    }
    let components = components(&file.network, &view, &file.templates, &[], Scope::Template).unwrap();
    let settings = (semantics, StaticUse::Off, Engine::Enumerate);
    let plain = judge((file, &view), &components, settings).unwrap();
    let beside = judge_beside((file, &view), &components, (semantics, statics)).unwrap();
    let options = MutationOptions::default();
    let mutants = NetworkMutants::of(&file.network, &view, &components, &options, Order::FIRST).unwrap();
    let (mut counts, mut scratch) = ([0; 6], Scratch::default());
    for mutant in (0..mutants.len()).filter_map(|number| mutants.get(number)) {
        let (expected, _) = plain.decide(&mutant, &mut scratch);
        let (found, _) = beside.decide(&mutant, &mut scratch);
        assert_eq!(
            found.verdict,
            expected.verdict,
            "{} under {semantics}: {found:?}",
            mutant.id()
        );
        let at = match (found.how, found.verdict) {
            (Some(How::Beside), Verdict::Subsumed) => 0,
            (Some(How::Beside), Verdict::Inconsistent) => 1,
            (Some(How::BesideUnanswered), Verdict::NonSubsumed) => 2,
            (Some(How::BesideRun), Verdict::NonSubsumed) => 3,
            (Some(How::BesideInputs), Verdict::Subsumed) => 4,
            (Some(How::Beside), Verdict::Invalid) => 5,
            _ => continue,
        };
        assert_eq!(
            found.witness.is_some(),
            at == 2 || at == 3,
            "{}: {found:?}",
            mutant.id()
        );
        counts[at] += 1;
    }
    println!("{semantics}: {counts:?} of {}", mutants.len());
    counts
}

#[test]
fn runs_that_repeat_themselves_decide_as_compositions_do() {
    let mut all = [0; 6];
    for text in [RING, SHIFTS, UNTIMED] {
        let (file, _) = read_xta_network("net.xta", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        for observe in [false, true] {
            for semantics in [Semantics::STRICT, Semantics::DEFINITION, Semantics::TIGA] {
                for (all, found) in all.iter_mut().zip(compare(&file, observe, semantics, StaticUse::Off)) {
                    *all += found;
                }
            }
        }
    }
    let [subsumed, inconsistent, unanswered, run, ..] = all;
    assert!(
        subsumed > 40 && inconsistent > 4 && unanswered > 40 && run > 40,
        "{all:?}"
    );
}

/// The index of the last train is that of a queue, which only the protocol bounds: mutants that break it leave the range of the
/// index, and some of these show a difference without that.
#[test]
fn a_queue_that_only_its_protocol_bounds_decides_as_compositions_do() {
    let text = include_str!("../../uppaal-models/networks/crossing.xml").replace("const int N = 3", "const int N = 2");
    let (file, _) = read_network("crossing.xml", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let mut all = [0; 6];
    for (semantics, statics) in [
        (Semantics::STRICT, StaticUse::Off),
        (Semantics::STRICT, StaticUse::Use),
        (Semantics::DEFINITION, StaticUse::Use),
    ] {
        for (all, found) in all.iter_mut().zip(compare(&file, false, semantics, statics)) {
            *all += found;
        }
    }
    assert!(all.iter().enumerate().all(|(at, n)| at == 1 || *n > 2), "{all:?}");
}
