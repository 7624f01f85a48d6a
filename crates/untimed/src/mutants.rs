//! The mutants of an untimed system, by number.

use tamper_machines::formats::ReadMachine;
use tamper_machines::{Fault, Mutant};
use tamper_runs::{Content, Description, Timer};
use tamper_systems::actions::ActionMutation;
use tamper_systems::formats::actions::ReadActions;
use tamper_systems::formats::smv::{ReadSystem, expression_text};
use tamper_systems::testing::SystemFate;
use tamper_systems::{Chains, ExploreError, Missing, Pair, SystemMutation, TransitionSystem, explore};
use tamper_text::{Budget, SourceFile, Span};

/// The mutants of a system by number, made on demand.
pub struct UntimedMutants {
    len: u64,
    pub(super) subject: OriginalSystem,
}

/// The mutants of a system, and all data needed to decide them.
pub struct Untimed {
    /// The mutants.
    pub mutants: UntimedMutants,
    /// The explored states of a transition system, and what it does where no step is given.
    specification: Option<(TransitionSystem, Missing)>,
    pub(super) timer: Timer,
    pub(super) witness: bool,
}

/// The description of a mutant by its mutations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UntimedMutant {
    /// Id, made of the change and its place: `ROR:12:7:wtr > 0=>wtr >= 0`.
    pub id: String,
    /// The operators, in order of their places.
    pub operators: Vec<&'static str>,
    /// Line of the first change in the file, from 1.
    pub line: usize,
    /// The changes in words.
    pub says: String,
    /// The changed parts as text, with the lines that enclose them: equal wherever they stand.
    pub of: String,
}

/// The original system with its mutants.
pub(super) enum OriginalSystem {
    System {
        read: ReadSystem,
        mutants: Chains<SystemMutation>,
    },
    Actions {
        read: ReadActions,
        mutants: Chains<ActionMutation>,
    },
    Machine(ReadMachine),
}

/// Settings for deciding mutants.
pub struct UntimedSettings {
    /// The limits.
    pub timer: Timer,
    /// Whether records contain the killing word or trace.
    pub witness: bool,
}

impl UntimedMutants {
    /// The mutants of a transition system by `order` mutations, 1 or 2; `None` if it has no mutants of this order.
    pub fn of_system(read: ReadSystem, order: u8) -> Option<Self> {
        let mutants = Chains::new(&read.program, order)?;
        let len = mutants.len();
        let subject = OriginalSystem::System { read, mutants };
        Some(Self { len, subject })
    }

    /// The same of an action system.
    pub fn of_actions(read: ReadActions, order: u8) -> Option<Self> {
        let mutants = Chains::new(&read.system, order)?;
        let len = mutants.len();
        let subject = OriginalSystem::Actions { read, mutants };
        Some(Self { len, subject })
    }

    /// The mutants of a state machine, of all orders, in the order of their choices; `None` if there are more than can
    /// be numbered.
    pub fn of_machine(read: ReadMachine) -> Option<Self> {
        let len = u64::try_from(read.machine.n_machines() - 1_u32).ok()?;
        let subject = OriginalSystem::Machine(read);
        Some(Self { len, subject })
    }

    /// The transition system, if it is one.
    pub fn transition_system(&self) -> Option<&ReadSystem> {
        match &self.subject {
            OriginalSystem::System { read, .. } => Some(read),
            OriginalSystem::Actions { .. } | OriginalSystem::Machine(_) => None,
        }
    }

    /// The mutant with this number, if there is one.
    pub fn mutant(&self, number: u64) -> Option<UntimedMutant> {
        match &self.subject {
            OriginalSystem::Machine(read) => {
                let mutant = Mutant::numbered(&read.machine, number.checked_add(1)?)?;
                Some(UntimedMutant::of_machine(read, &mutant))
            }
            OriginalSystem::System { read, mutants, .. } => {
                let chain = mutants.get(&read.program, number)?;
                Some(UntimedMutant::of_system(read, &chain))
            }
            OriginalSystem::Actions { read, mutants } => {
                let chain = mutants.get(&read.system, number)?;
                Some(UntimedMutant::of_actions(read, &chain))
            }
        }
    }

    /// Number of mutants.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no mutants.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The file of the system.
    pub fn source(&self) -> &SourceFile {
        match &self.subject {
            OriginalSystem::System { read, .. } => &read.file,
            OriginalSystem::Actions { read, .. } => &read.file,
            OriginalSystem::Machine(read) => &read.file,
        }
    }
}

impl Untimed {
    /// The mutants with what decides them. Those of a transition system need its explored states, and what it does where no
    /// step is given.
    pub fn new(
        mutants: UntimedMutants,
        specification: Option<(TransitionSystem, Missing)>,
        settings: UntimedSettings,
    ) -> Self {
        Self {
            mutants,
            specification,
            timer: settings.timer,
            witness: settings.witness,
        }
    }

    /// The mutant with this number of a transition system, paired with its specification; `None` if it is the original.
    ///
    /// # Errors
    /// The fate of a mutant that is refused or hits a limit.
    pub(super) fn pair(&self, number: u64, budget: &Budget) -> Result<Option<Pair>, SystemFate> {
        let (OriginalSystem::System { read, mutants }, Some((specification, missing))) =
            (&self.mutants.subject, &self.specification)
        else {
            return Err(SystemFate::Refused("it is no transition system".to_owned()));
        };
        match mutants.make(&read.program, number) {
            None => Err(SystemFate::Refused("there is no such mutant".to_owned())),
            Some(made) if made.is_original => Ok(None),
            Some(made) => pair(&made.mutant, *missing, specification, budget).map(Some),
        }
    }
}

/// A mutant paired with its specification.
///
/// # Errors
/// The fate of a mutant that is refused or hits a limit.
pub fn pair(
    mutant: &tamper_systems::Program,
    missing: Missing,
    specification: &TransitionSystem,
    budget: &Budget,
) -> Result<Pair, SystemFate> {
    let mutant = match explore(mutant, missing, budget) {
        Ok(mutant) => mutant,
        Err(ExploreError::Limit(reason)) => return Err(SystemFate::Unknown(reason.to_string())),
        Err(error) => return Err(SystemFate::Refused(super::explain(&error).message)),
    };
    Pair::new(&mutant, specification).map_err(|error| SystemFate::Refused(error.to_string()))
}

impl UntimedMutant {
    /// The mutant of a transition system by a sequence of mutations.
    pub fn of_system(read: &ReadSystem, chain: &[SystemMutation]) -> Self {
        Self::of_parts(chain.iter().map(|mutation| {
            let new = expression_text(&read.program, &mutation.new);
            let mut mutant = Self::of(&read.file, mutation.old, mutation.operator.name(), Some(&new));
            if let Some(expression) = mutation.expression(&read.program) {
                mutant.id += &format!(" in {expression}");
                mutant.says += &format!(", in {expression}");
            }
            mutant
        }))
    }

    /// The mutant of an action system by a sequence of mutations.
    pub fn of_actions(read: &ReadActions, chain: &[ActionMutation]) -> Self {
        Self::of_parts(chain.iter().map(|mutation| {
            let new = mutation.constant.map(|constant| constant.to_string());
            Self::of(&read.file, mutation.span, mutation.operator.name(), new.as_deref())
        }))
    }

    /// Joins the parts, with ids as for mutants of timed games: `A;B`.
    fn of_parts(parts: impl Iterator<Item = Self>) -> Self {
        let whole = parts.reduce(|all, next| Self {
            id: format!("{};{}", all.id, next.id),
            operators: [all.operators, next.operators].concat(),
            line: all.line,
            says: format!("{}, then {}", all.says, next.says),
            of: format!("{}; {}", all.of, next.of),
        });
        whole.unwrap_or_else(|| Self {
            id: "original".to_owned(),
            operators: Vec::new(),
            line: 0,
            says: "changes nothing".to_owned(),
            of: String::new(),
        })
    }

    /// A mutant of a machine.
    pub fn of_machine(read: &ReadMachine, mutant: &Mutant) -> Self {
        let machine = &read.machine;
        let faults: Vec<_> = mutant.faults(machine).collect();
        let line = |fault: &Fault| {
            let own = |transition| read.places.get(&(fault.state, fault.input, transition));
            // A fault that the file does not mention is placed at the transition that it replaces.
            let span = own(fault.new).or_else(|| own(machine.unaltered(fault.state, fault.input)));
            span.map_or(0, |span| read.file.line_col(span.start).line as usize)
        };
        let says = faults.iter().map(|fault| {
            let show = |transition| machine.show(fault.state, fault.input, transition);
            let old = machine.unaltered(fault.state, fault.input);
            format!("takes {} for {} in line {}", show(fault.new), show(old), line(fault))
        });
        Self {
            id: mutant.show(machine).join("; "),
            says: says.collect::<Vec<_>>().join("; "),
            line: faults.first().map_or(0, line),
            operators: faults.iter().map(|fault| fault.kind.name()).collect(),
            // The id names state, input and both transitions.
            of: String::new(),
        }
    }

    fn of(file: &SourceFile, span: Span, operator: &'static str, new: Option<&str>) -> Self {
        let at = file.line_col(span.start);
        let old: Vec<&str> = file.text()[span.range()].split_whitespace().collect();
        let old = old.join(" ");
        let (into, says) = match new {
            Some(new) => (
                format!("=>{new}"),
                format!("writes `{new}` for `{old}` in line {}", at.line),
            ),
            None => (
                String::new(),
                format!("changes `{old}` in line {} ({operator})", at.line),
            ),
        };
        Self {
            id: format!("{operator}:{}:{}:{old}{into}", at.line, at.column),
            operators: vec![operator],
            line: at.line as usize,
            says,
            of: enclosed(file.text(), span.start as usize),
        }
    }

    /// The mutant by what it changes.
    pub fn described(&self, number: u64) -> Description {
        let content = Content::new(&self.id, "", &self.of);
        Description::new(number, &self.id, self.operators.clone(), content)
    }
}

/// The line at `offset`, behind the lines above it that enclose it as their margins tell.
fn enclosed(text: &str, offset: usize) -> String {
    let end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    let margin = |line: &str| line.len() - line.trim_start().len();
    let mut found: Vec<&str> = Vec::new();
    for line in text[..end].lines().rev() {
        let is_outer = found.last().is_none_or(|inner| margin(line) < margin(inner));
        if is_outer && (found.is_empty() || !line.trim().is_empty()) {
            found.push(line);
        }
        if margin(line) == 0 && !line.trim().is_empty() {
            break;
        }
    }
    let words = |line: &&str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    found.iter().rev().map(words).collect::<Vec<_>>().join(" > ")
}

#[cfg(test)]
mod tests {
    use super::enclosed;

    #[test]
    fn a_line_is_told_by_the_lines_around_it() {
        let text = "ASSIGN\n  next(a) := case\n    x  > 0 : b;\n\n    TRUE : c;\n  esac;\n";
        let at = |what: &str| enclosed(text, text.find(what).unwrap());
        assert_eq!(at("TRUE"), "ASSIGN > next(a) := case > TRUE : c;");
        assert_eq!(at("x "), "ASSIGN > next(a) := case > x > 0 : b;");
        assert_eq!(at("esac"), "ASSIGN > esac;");
        assert_eq!(at("ASSIGN"), "ASSIGN");
    }
}
