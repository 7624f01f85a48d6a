//! Random small systems.

use tamper_features::Random;

use super::oracle::Table;

/// A system with that many inputs, up to 3 states and 3 outputs, and one to three steps per state and input.
pub fn table(random: &mut Random, n_inputs: usize, n_outputs: usize) -> Table {
    let n_states = 1 + random.below(3);
    // Now and then a deterministic one.
    let most = [1, 2, 2, 3][random.below(4)];
    let cell = |random: &mut Random| -> Vec<(usize, usize)> {
        let n_steps = 1 + random.below(most);
        (0..n_steps)
            .map(|_| (random.below(n_outputs), random.below(n_states)))
            .collect()
    };
    let row = |random: &mut Random| (0..n_inputs).map(|_| cell(random)).collect();
    let steps = (0..n_states).map(|_| row(random)).collect();
    let initial = if random.below(4) == 0 {
        vec![0, n_states - 1]
    } else {
        vec![0]
    };
    Table {
        n_outputs,
        initial,
        first: Vec::new(),
        steps,
    }
}

/// Lets most states start, with first outputs of their own.
pub fn with_first(random: &mut Random, table: &mut Table) {
    let n_states = table.steps.len();
    table.initial = (0..n_states).filter(|_| random.below(3) > 0).collect();
    if table.initial.is_empty() {
        table.initial.push(random.below(n_states));
    }
    table.first = (0..n_states).map(|_| random.below(2)).collect();
}

/// The same with one or two steps added, removed or changed: a mutant.
pub fn changed(random: &mut Random, table: &Table) -> Table {
    let mut mutant = table.clone();
    for _ in 0..1 + random.below(2) {
        let n_states = mutant.steps.len();
        let row = random.below(n_states);
        let n_inputs = mutant.n_inputs();
        let cell = &mut mutant.steps[row][random.below(n_inputs)];
        let step = (random.below(table.n_outputs), random.below(n_states));
        match random.below(3) {
            0 => cell.push(step),
            1 if cell.len() > 1 => drop(cell.pop()),
            _ => {
                let place = random.below(cell.len());
                cell[place] = step;
            }
        }
    }
    mutant
}
