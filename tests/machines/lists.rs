//! What is listed beside the answer, against plain enumeration.

use num_bigint::BigUint;
use tamper::features::{Batsat, Cnf, Lit, Random, Recorded, Solver, Var, Varisat, check_refutation, refute};
use tamper::formats::machines::{FormulaFormat, read_certificate, write_certificate, write_formula};
use tamper::machines::{
    Analysis, Answer, Certificate, CertificateError, Choice, Completion, InputId, Listed, Mutant, MutationMachine,
    Strategy, conforming_mutants,
};
use tamper::text::{Budget, Id};

use super::{enumerate, mutants, random_machine, random_suite, shortest_kill};

fn analysed<'m, S: Solver>(machine: &'m MutationMachine, suite: &[Vec<InputId>], solver: S) -> Analysis<'m, S> {
    let mut analysis = Analysis::new(machine, solver);
    suite.iter().for_each(|test| analysis.add_test(test));
    analysis
}

#[test]
fn survivors_and_conforming_mutants_of_500_random_machines_equal_enumeration() {
    let mut random = Random::new(13);
    let unlimited = Budget::unlimited();
    let (mut n_bounds, mut n_strict) = (0, 0);
    for _ in 0..500 {
        let machine = random_machine(&mut random);
        let suite = random_suite(&machine, &mut random);
        let truth = enumerate(&machine, &suite);
        let survivors = |most| {
            let mut analysis = analysed(&machine, &suite, Varisat::default());
            analysis.survivors(most, &unlimited, &mut |_| ()).unwrap()
        };
        let all = survivors(u64::MAX);
        assert_eq!(all.listed, Listed::All);
        let found: Vec<&Mutant> = all.escapes.iter().map(|escape| &escape.mutant).collect();
        assert_eq!(found, truth.undetected.iter().collect::<Vec<_>>());
        for escape in &all.escapes {
            assert_eq!(Some(escape.killed_by.len()), shortest_kill(&machine, &escape.mutant));
            assert!(escape.mutant.is_killed_by(&machine, &escape.killed_by));
        }
        let killable = truth.killed + truth.undetected.len();
        let score = (killable > 0).then(|| (BigUint::from(truth.killed), BigUint::from(killable)));
        assert_eq!(all.score(), score);
        for most in [0, truth.undetected.len() / 2, truth.undetected.len()] {
            let some = survivors(most as u64);
            let is_all = most == truth.undetected.len();
            assert_eq!(some.listed, if is_all { Listed::All } else { Listed::Most });
            assert_eq!(some.escapes.len(), most);
            assert!(
                some.escapes
                    .iter()
                    .all(|escape| truth.undetected.contains(&escape.mutant))
            );
            if let (Some((part, whole)), Some((killed, killable))) = (some.score(), &score) {
                let (bound, own) = (part * killable, killed * whole);
                assert!(bound >= own, "a bound below the score");
                n_bounds += usize::from(!some.is_exact());
                n_strict += usize::from(bound > own);
            }
        }
        let mut analysis = analysed(&machine, &suite, Varisat::default());
        analysis
            .complete(Strategy::NewTests, &unlimited, &mut |_, _| ())
            .unwrap();
        let conforms = |mutant: &Mutant| shortest_kill(&machine, mutant).is_none();
        let conforming: Vec<Mutant> = mutants(&machine).into_iter().skip(1).filter(conforms).collect();
        let listed = |most| conforming_mutants(&machine, analysis.conforming(), most, &unlimited);
        assert_eq!(listed(u64::MAX), (conforming.clone(), Listed::All));
        if let Some(fewer) = conforming.len().checked_sub(1) {
            let (some, more) = listed(fewer as u64);
            assert_eq!((some.len(), more), (fewer, Listed::Most));
            assert!(some.iter().all(|mutant| conforming.contains(mutant)));
        }
    }
    assert!(n_bounds > 100 && n_strict > 50, "{n_bounds} {n_strict}");
}

/// The clauses of a DIMACS text, read by plain code.
fn read_clauses(text: &str) -> Cnf {
    let mut lines = text.lines().filter(|line| !line.starts_with('c'));
    let header: Vec<&str> = lines.next().expect("a header").split(' ').collect();
    let mut cnf = Cnf::new(header[2].parse().expect("a number"));
    for line in lines {
        let numbers = line.split(' ').map(|word| word.parse::<i64>().expect("a number"));
        let literals = numbers.filter(|number| *number != 0);
        cnf.add(literals.map(|number| Lit::new(Var::from_index(number.unsigned_abs() as usize - 1), number > 0)));
    }
    assert_eq!(cnf.clauses().len().to_string(), header[3]);
    cnf
}

/// By the other solver, mutant by mutant.
#[test]
fn the_formula_of_100_random_machines_has_the_survivors_as_solutions() {
    let mut random = Random::new(17);
    let (mut n_survivors, mut n_complete) = (0, 0);
    for _ in 0..100 {
        let machine = random_machine(&mut random);
        let suite = random_suite(&machine, &mut random);
        let mut analysis = analysed(&machine, &suite, Recorded::new(Varisat::default()));
        let answer = analysis.escape(&Budget::unlimited(), &mut |_| ()).unwrap();
        let choices: Vec<Choice> = analysis.choices();
        let cnf = analysis.solver().cnf();
        let text = write_formula(&machine, cnf, &choices, None, FormulaFormat::Dimacs);
        let mut solver = Batsat::default();
        solver.load(&read_clauses(&text));
        assert_eq!(solver.solve(&[]).unwrap(), answer != Answer::Complete);
        n_complete += usize::from(answer == Answer::Complete);
        let truth = enumerate(&machine, &suite);
        for mutant in mutants(&machine).into_iter().take(300) {
            let made = choices
                .iter()
                .filter(|choice| mutant.choice(choice.set) == choice.choice);
            let assumed: Vec<Lit> = made.map(|choice| choice.lit).collect();
            let is_solution = solver.solve(&assumed).unwrap();
            let is_known = analysis
                .conforming()
                .iter()
                .any(|conforming| conforming.contains(&mutant));
            let specification = Mutant::specification(&machine);
            let is_killed = suite
                .iter()
                .any(|test| mutant.outputs(&machine, test) != specification.outputs(&machine, test));
            assert_eq!(is_solution, !is_killed && !is_known);
            n_survivors += usize::from(truth.undetected.contains(&mutant));
        }
    }
    assert!(n_survivors > 300 && n_complete > 5, "{n_survivors} {n_complete}");
}

/// A proof is found for every complete suite and holds; with fewer tests, another machine's mutants or changed bytes it does not.
#[test]
fn certificates_prove_complete_suites_and_no_others() {
    let mut random = Random::new(19);
    let (mut n_with_conforming, mut n_fewer, mut n_corrupted, mut n_refused) = (0, 0, 0, 0);
    for _ in 0..300 {
        let machine = random_machine(&mut random);
        let mut analysis = analysed(&machine, &[], Varisat::default());
        let end = analysis.complete(Strategy::NewTests, &Budget::unlimited(), &mut |_, _| ());
        assert_eq!(end.unwrap(), Completion::Complete);
        let suite = analysis.tests().to_vec();
        let proof = Certificate::of(&machine, &suite, analysis.centres()).unwrap();
        let proof = proof.expect("it is complete");
        assert_eq!(proof.check(&machine, &suite), Ok(()));
        n_with_conforming += usize::from(!proof.conforming.is_empty());
        let text = write_certificate(&machine, &proof);
        assert_eq!(read_certificate("proof", text.as_bytes(), &machine).unwrap(), proof);
        // The last test was added because a mutant escaped the others.
        if let Some((_, fewer)) = suite.split_last() {
            assert!(proof.check(&machine, fewer).is_err());
            assert_eq!(Certificate::of(&machine, fewer, analysis.centres()), Ok(None));
            let nonconforming = enumerate(&machine, fewer).undetected[0].clone();
            let mut forged = proof.clone();
            forged.conforming.push(nonconforming.clone());
            let error = CertificateError::Nonconforming(nonconforming);
            assert_eq!(forged.check(&machine, &suite), Err(error));
            n_fewer += 1;
        }
        let n_steps = proof.refutation.lines().count();
        for _ in 0..5 {
            let mut steps: Vec<String> = proof.refutation.lines().map(str::to_owned).collect();
            let at = random.below(n_steps.max(1));
            match random.below(3) {
                0 => steps.truncate(at),
                1 if at < n_steps => steps[at] = format!("-{}", steps[at]),
                _ => steps.insert(at, "999999 0".to_owned()),
            }
            let refutation = steps.join("\n");
            n_corrupted += usize::from(refutation != proof.refutation.trim_end());
            let corrupted = Certificate {
                refutation,
                ..proof.clone()
            };
            n_refused += usize::from(corrupted.check(&machine, &suite).is_err());
            // What remains may still be a proof of the same clauses, but of no others.
            if let Some((_, fewer)) = suite.split_last() {
                assert!(corrupted.check(&machine, fewer).is_err());
            }
        }
    }
    assert!(n_with_conforming > 8 && n_fewer > 100, "{n_with_conforming} {n_fewer}");
    // Where propagation alone refutes the clauses, no step is needed, and a changed one does no harm.
    assert!(n_refused > 60, "{n_refused} of {n_corrupted}");
}

/// Clauses of up to three literals over few variables; and whether some values satisfy them, by enumeration.
fn random_clauses(random: &mut Random, n_vars: usize, n_clauses: usize) -> (Cnf, bool) {
    let mut cnf = Cnf::new(n_vars);
    for _ in 0..n_clauses {
        let mut literal = |_| Lit::new(Var::from_index(random.below(n_vars)), random.below(2) == 0);
        cnf.add((0..3).map(&mut literal).collect::<Vec<Lit>>());
    }
    let values = |bits: usize| (0..n_vars).map(|var| bits >> var & 1 == 1).collect::<Vec<bool>>();
    let is_satisfiable = (0..1 << n_vars).any(|bits| cnf.holds(&values(bits)));
    (cnf, is_satisfiable)
}

/// What cannot be satisfied has a refutation that holds; of what can be satisfied nothing is one: not that of more clauses,
/// nor steps that are drawn.
#[test]
fn refutations_hold_for_what_cannot_be_satisfied_and_for_nothing_else() {
    let mut random = Random::new(23);
    let (mut n_refuted, mut n_with_steps, mut n_foreign, mut n_long) = (0, 0, 0, 0);
    for _ in 0..3000 {
        let n_vars = 3 + random.below(8);
        let n_clauses = n_vars * (3 + random.below(4));
        let (cnf, is_satisfiable) = random_clauses(&mut random, n_vars, n_clauses);
        let proof = refute(&cnf).unwrap();
        assert_eq!(proof.is_none(), is_satisfiable);
        if let Some(proof) = proof {
            assert_eq!(check_refutation(&cnf, &proof), Ok(()));
            n_refuted += 1;
            n_with_steps += usize::from(check_refutation(&cnf, "").is_err());
            continue;
        }
        let (others, _) = random_clauses(&mut random, n_vars, 4 * n_vars);
        let mut more = cnf.clone();
        others
            .clauses()
            .iter()
            .for_each(|clause| more.add(clause.iter().copied()));
        if let Some(foreign) = refute(&more).unwrap() {
            assert!(check_refutation(&cnf, &foreign).is_err());
            n_foreign += 1;
            n_long += usize::from(foreign.lines().count() > 3);
        }
        let mut step = |_: usize| -> String {
            let (drawn, _) = random_clauses(&mut random, n_vars, 1);
            let literals = drawn.clauses()[0]
                .iter()
                .take(2)
                .map(|lit| format!("{} ", lit.dimacs()));
            format!("{}0\n", literals.collect::<String>())
        };
        let drawn: String = (0..5).map(&mut step).collect();
        assert!(check_refutation(&cnf, &format!("{drawn}0\n")).is_err());
    }
    assert!(
        n_refuted > 500 && n_with_steps > 300 && n_foreign > 300 && n_long > 100,
        "{n_refuted} {n_with_steps} {n_foreign} {n_long}"
    );
}
