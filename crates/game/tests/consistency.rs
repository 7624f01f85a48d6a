//! The zone engine against the region-graph oracle: consistency of random games.

use std::cell::Cell;

use tamper_game::{Consistency, check_consistency};
use tamper_text::Budget;
use testing::oracle::consistency::is_consistent;
use testing::oracle::generate::{self, Shown};
use testing::oracle::run;

fn agree(game: &Shown) -> Result<Consistency, String> {
    let found = check_consistency(&game.0, &Budget::unlimited()).map_err(|error| error.to_string())?;
    let expected = if is_consistent(&game.0) {
        Consistency::Consistent
    } else {
        Consistency::Inconsistent
    };
    if found == expected {
        Ok(found)
    } else {
        Err(format!("engine: {found:?}, oracle: {expected:?}"))
    }
}

#[test]
fn zones_agree_with_regions_on_consistency_of_3000_games() {
    let (n_consistent, n_games) = (Cell::new(0), Cell::new(0));
    run::check(3000, &generate::game(), |game| {
        let found = agree(game)?;
        n_consistent.set(n_consistent.get() + u32::from(found == Consistency::Consistent));
        n_games.set(n_games.get() + 1);
        Ok(())
    });
    let percent = 100 * n_consistent.get() / n_games.get();
    assert!(
        (20..=95).contains(&percent),
        "{percent} % consistent: one answer is too rare to test"
    );
}

#[test]
fn zones_agree_with_regions_on_consistency_of_500_games_full_of_diagonals() {
    run::check(500, &generate::sketch_with(60), |sketch| {
        agree(&Shown(sketch.build("G"))).map(drop)
    });
}
