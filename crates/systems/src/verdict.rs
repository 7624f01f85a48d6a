//! Verdicts on a mutant: whether it can be killed, how surely, and by which test.

use super::adaptive::adaptive;
use super::blind::blind;
use super::lasting::{FixpointRelation, Lasting};
use super::potential::potential;
use super::{Decision, InputId, Pair, Run, Strategy};
use tamper_text::{Budget, StopReason};

tamper_text::named! {
    /// The strength of a kill. Each level implies the levels before it.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum KillStrength {
        /// No kill: the specification has all runs of the mutant (\[004\] Definition 5).
        None = "none",
        /// The specification lacks some run of the mutant (\[004\] Definition 3).
        Potential = "potential",
        /// A tester who sees the outputs can choose the inputs so that every run of the mutant fails.
        Definite = "definite",
        /// One sequence of inputs fails every run of the mutant (\[004\] Definition 4).
        Blind = "blind",
    }
}

/// All verdicts about one mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdicts {
    /// A shortest run that the specification does not have.
    pub potential: Decision<Run>,
    /// A plan with the shortest longest play.
    pub definite: Decision<Strategy>,
    /// A shortest sequence of inputs.
    pub blind: Decision<Vec<InputId>>,
}

impl Verdicts {
    /// The strongest kill, or the limit that hides it.
    pub fn kill(&self) -> Result<KillStrength, StopReason> {
        let (potential, definite, blind) = (&self.potential, &self.definite, &self.blind);
        match (potential, definite, blind) {
            (_, _, Decision::Yes(_)) => Ok(KillStrength::Blind),
            (_, Decision::Yes(_), Decision::No) => Ok(KillStrength::Definite),
            (Decision::Yes(_), Decision::No, _) => Ok(KillStrength::Potential),
            (Decision::No, _, _) => Ok(KillStrength::None),
            _ => {
                let limits = [potential.limit(), definite.limit(), blind.limit()];
                Err(limits.into_iter().flatten().next().unwrap_or(StopReason::States))
            }
        }
    }
    /// The strongest kill that is proved.
    pub fn proved(&self) -> KillStrength {
        if self.blind.found().is_some() {
            KillStrength::Blind
        } else if self.definite.found().is_some() {
            KillStrength::Definite
        } else if self.potential.found().is_some() {
            KillStrength::Potential
        } else {
            KillStrength::None
        }
    }
    /// The inputs of the strongest kill: for a blind kill the shortest sequence; for any other kill the shortest
    /// sequence that kills potentially, as a plan is not a single sequence. Empty if there is no kill.
    pub fn word(&self) -> &[InputId] {
        match (&self.blind, &self.potential) {
            (Decision::Yes(word), _) => word,
            (_, Decision::Yes(run)) => &run.inputs,
            _ => &[],
        }
    }
}

/// Decides the strength of the mutant's kill; `budget` is for each question.
pub fn decide(pair: &Pair, budget: &Budget) -> Verdicts {
    let potential = potential(pair, budget);
    if potential == Decision::No {
        return Verdicts {
            potential,
            definite: Decision::No,
            blind: Decision::No,
        };
    }
    let mut inseparable = Lasting::new(pair, FixpointRelation::Inseparable, budget);
    let blind = blind(pair, &mut inseparable, budget);
    // A blind kill is also a plan.
    let most = blind.found().map(Vec::len);
    let definite = adaptive(pair, &mut inseparable, most, budget);
    Verdicts {
        potential,
        definite,
        blind,
    }
}
