//! Test suites for the mutants of a game: generation, scoring, reduction.

mod account;
mod candidate;
mod candidates;
mod chains;
mod chance;
mod choices;
mod coverage;
mod extend;
mod fewest;
mod generate;
mod of_run;
mod on_the_fly;
mod operator_name;
mod prune;
mod score;
mod score_shares;
mod second_time;
mod strategies;
mod suite_options;
mod target;

pub use account::{Account, AccountedMutant, Disagreement, Killability};
pub use candidate::Candidate;
pub use candidates::{candidates, ignoring, items_to_cover};
pub use chance::{Chance, ChanceRequest, chance};
pub use coverage::{coverage, differing_locations};
pub use extend::{Existing, extended};
pub use generate::Generated;
pub use of_run::{RunCandidates, candidates_of_run};
pub use prune::{Pruned, why_useless};
pub use score::score;
pub use score::{Fate, Judged, OperatorScore, Score, Survivor, judge};
pub use score_shares::{ScoreManifest, ScoreShares, Scored, write_share};
pub use strategies::generate;
pub use suite_options::{KillGoal, Strategy, SuiteOptions};
pub use target::{Stale, Target, kills, stale};
