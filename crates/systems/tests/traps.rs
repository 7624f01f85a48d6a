//! Trap properties against verdicts, and against NuSMV if it is there.

use tamper_features::Random;
use tamper_systems::formats::smv::{write_invariant, write_trap};
use tamper_systems::{
    Domain, Expr, ExprKind, Moments, Observed, OutputId, Pair, Place, Program, Role, TransitionSystem, VarId, decide,
    mutations,
};
use tamper_text::{Budget, Span};

use super::files::{nusmv, program, properties};
use super::written::{clamped, range, states, truth};

/// A program without choices, of which one variable is hidden.
fn text(random: &mut Random) -> String {
    let range = range(random);
    format!(
        "-- outputs: n, d\nMODULE main\nIVAR i : boolean;\nVAR n : {}..{}; b : boolean;\nDEFINE d := {};\nASSIGN\n  init(n) := {};\n  \
         next(n) := {};\n  init(b) := {};\n  next(b) := {};\n{}",
        range.0,
        range.1,
        ["b", "!b", "b & n > 0", "TRUE"][random.below(4)],
        range.0,
        clamped(random, range),
        ["TRUE", "FALSE"][random.below(2)],
        truth(random, 2),
        // One variable that is kept by a constraint, one that never changes.
        [
            "",
            "VAR c : boolean; INIT c; TRANS next(c) = (i & b); INVAR c | TRUE;\n",
            "FROZENVAR f : 0..1; ASSIGN init(f) := 1; DEFINE g := n > f;\n",
        ][random.below(3)],
    )
}

/// Whether the one property of a text, which is read back, fails in a state that runs reach.
fn fails(text: &str) -> bool {
    let holds = text.lines().find_map(|line| line.strip_prefix("INVARSPEC ")).unwrap();
    let asked = text.replace("MODULE main", &format!("MODULE main\nDEFINE asked := {holds}"));
    let shown = asked.lines().find(|line| line.starts_with("-- outputs:")).unwrap();
    let asked = asked.replace(shown, "-- outputs: asked");
    let all = states(&program(&asked)).unwrap_or_else(|| panic!("no step somewhere:\n{asked}"));
    let differs = |shown: &str| shown.contains("FALSE");
    let starts = all.starts().keys().any(|shown| differs(shown));
    let fails = starts || all.outputs().ids().any(|id: OutputId| differs(&all.outputs()[id]));
    if let Some(said) = nusmv(
        &text.replace("IVAR", "VAR"),
        "check_invar\ncheck_ctlspec\ncheck_ltlspec",
    ) {
        // It refuses variables of one value, and values outside of a type also in states that no run reaches.
        let is_refused = said.contains("single-value variable") || said.contains("cannot assign value");
        assert!(
            is_refused || properties(&said) == if fails { (0, 3) } else { (3, 0) },
            "{text}\n{said}"
        );
        println!("NuSMV: {}", if is_refused { "refused" } else { "the same" });
    }
    fails
}

/// The text is read back, and every state that runs reach is looked at: the property fails somewhere if, and only if, the mutant is
/// killed potentially.
#[test]
fn a_trap_property_fails_if_and_only_if_some_test_can_fail() {
    let (mut n_killed, mut n_not) = (0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let own = program(&text(&mut random));
        let Some(specification) = states(&own).filter(|system| system.is_deterministic()) else {
            continue;
        };
        for mutation in mutations(&own) {
            let mutant = mutation.apply(&own);
            let Some(system) = states(&mutant) else { continue };
            let pair = Pair::new(&system, &specification).unwrap();
            let killed = decide(&pair, &Budget::unlimited()).potential.found().is_some();
            let trap = write_trap(&own, &mutant);
            assert_eq!(fails(&trap), killed, "seed {seed}\n{trap}");
            n_killed += u32::from(killed);
            n_not += u32::from(!killed);
        }
    }
    assert!(n_killed > 100 && n_not > 30, "{n_killed} {n_not}");
}

/// The program that begins with these values.
fn begun(own: &Program, values: &[(VarId, i64)]) -> Program {
    let mut begun = own.clone();
    begun
        .constraints
        .retain(|constraint| constraint.moments != Moments::Initial);
    for (var, value) in values {
        let is_truth = own.variables[*var].domain == Domain::Boolean;
        let kind = if is_truth {
            ExprKind::Bool(*value == 1)
        } else {
            ExprKind::Value(*value)
        };
        if let Role::State { init, .. } = &mut begun.variables[*var].role {
            *init = Some(Expr {
                kind,
                span: Span::default(),
            });
        }
    }
    begun
}

/// What each input leads to first.
fn first_steps(system: &TransitionSystem) -> Vec<String> {
    let start = system.initial()[0];
    let inputs = system.inputs().ids();
    inputs
        .map(|input| system.outputs()[system.steps(start, input)[0].output].clone())
        .collect()
}

/// A weak kill of an assignment is a state that the system reaches and an input after which the mutant, begun in that state, is in
/// another state than the system.
#[test]
fn a_property_of_weak_kills_fails_if_and_only_if_a_step_leads_elsewhere() {
    let (mut n_killed, mut n_not, mut n_unseen) = (0, 0, 0);
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let text = text(&mut random);
        let mut own = program(&text);
        let vars: Vec<VarId> = own.states();
        own.outputs = vars.iter().map(|var| Observed::Variable(*var)).collect();
        let Some(system) = states(&own) else { continue };
        // All states that are reached, as they are shown: `b=TRUE n=1`.
        let shown: Vec<&String> = system.outputs().iter().chain(system.starts().keys()).collect();
        let read = |shown: &str, var: VarId| {
            let name = format!("{}=", own.variables[var].name);
            let value = shown.split(' ').find_map(|part| part.strip_prefix(&name)).unwrap();
            (var, value.parse().unwrap_or(i64::from(value == "TRUE")))
        };
        let reached: Vec<Vec<(VarId, i64)>> = shown
            .iter()
            .map(|shown| vars.iter().map(|var| read(shown, *var)).collect())
            .collect();
        for mutation in mutations(&own)
            .into_iter()
            .filter(|mutation| matches!(mutation.place, Place::Next(_)))
        {
            let steps = reached.iter().map(|values| {
                let [own, mutant] =
                    [begun(&own, values), begun(&mutation.apply(&own), values)].map(|begun| states(&begun));
                Some((first_steps(&own?), first_steps(&mutant?)))
            });
            let Some(steps) = steps.collect::<Option<Vec<_>>>() else {
                continue;
            };
            let killed = steps.iter().any(|(own, mutant)| own != mutant);
            let asked = mutation.same_value(&own).expect("nothing is a choice");
            let asked = write_invariant(&asked);
            assert_eq!(fails(&asked), killed, "seed {seed}\n{asked}");
            n_killed += u32::from(killed);
            n_not += u32::from(!killed);
            // What is not seen of a system whose `b` is hidden is killed weakly only.
            let hidden = program(&text);
            if let (true, Some(mutant), Some(system)) = (killed, states(&mutation.apply(&hidden)), states(&hidden)) {
                let pair = Pair::new(&mutant, &system).unwrap();
                n_unseen += u32::from(decide(&pair, &Budget::unlimited()).potential.found().is_none());
            }
        }
    }
    assert!(
        n_killed > 100 && n_not > 20 && n_unseen > 5,
        "{n_killed} {n_not} {n_unseen}"
    );
}
