//! Checks of a condition before any mutant is made.

use std::collections::BTreeSet;

use super::ast::{FieldRelation, FieldTest, Filter, FilterValue};
use super::fields::{Field, Kind, Needs};
use tamper_text::{Diagnostic, ReadError, Span};
use tamper_timed::model::Automaton;

/// The facts that a run knows about its mutants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knowledge {
    /// Verdicts, from games.
    pub verdicts: bool,
    /// Findings of the extended guidelines.
    pub extended: bool,
    /// Counterexamples.
    pub witnesses: bool,
    /// Proofs of non-subsumption by the lemmata, instead of games.
    pub lemmas: bool,
    /// Verdicts on the processes of a network alone.
    pub processes: bool,
}

impl Knowledge {
    fn has(self, needs: Needs) -> bool {
        match needs {
            Needs::Nothing => true,
            Needs::Verdicts => self.verdicts,
            Needs::Extended => self.extended,
            Needs::Witnesses => self.witnesses,
            Needs::Lemmas => self.lemmas,
            Needs::Processes => self.processes,
        }
    }
}

impl Filter {
    /// The knowledge that evaluating the condition needs.
    pub fn needs(&self) -> BTreeSet<Needs> {
        let mut needs = BTreeSet::new();
        self.node.tests(&mut |test| {
            needs.insert(test.field.info().needs);
        });
        needs
    }

    /// Checks that a run with `knowledge` about mutants of `game` can evaluate the condition, and that the game has the
    /// locations and clocks that the condition names.
    ///
    /// # Errors
    /// The fields that the run will not know, and the names that the game does not have.
    pub fn check(&self, knowledge: Knowledge, game: &Automaton) -> Result<(), ReadError> {
        let mut diagnostics = Vec::new();
        self.node.tests(&mut |test| {
            let info = test.field.info();
            if !knowledge.has(info.needs) {
                let error = Diagnostic::error(format!("`{}` is not known in this run", info.name), test.span);
                diagnostics.push(error.with_help(match info.needs {
                    Needs::Nothing | Needs::Verdicts => "play games: run without --static only",
                    Needs::Extended => "run with --guidelines extended",
                    Needs::Witnesses => "run with --witness",
                    Needs::Lemmas => {
                        "it is known where no game is played: run with --semantics definition, at order 1, and ask for no verdict"
                    }
                    Needs::Processes => "it is about processes of a network: name some with --mutate, and play games",
                }));
            }
            names(test, game, &mut diagnostics);
        });
        self.refused(diagnostics)
    }

    /// Checks that a run on mutants of an untimed system can evaluate the condition. `witnesses` says whether the run
    /// records what kills each mutant.
    ///
    /// # Errors
    /// The fields that have no meaning for mutants of untimed systems.
    pub fn check_untimed(&self, witnesses: bool) -> Result<(), ReadError> {
        let mut diagnostics = Vec::new();
        self.node.tests(&mut |test| {
            let name = test.field.info().name;
            if OF_GAMES.contains(&test.field) {
                let why = format!("`{name}` says nothing about mutants of untimed systems");
                let help = "ask for `verdict`, `kill`, `operator`, `id`, `number`, `reason` or `witness`";
                diagnostics.push(Diagnostic::error(why, test.span).with_help(help));
            } else if test.field == Field::Witness && !witnesses {
                let error = Diagnostic::error(format!("`{name}` is not known in this run"), test.span);
                diagnostics.push(error.with_help("run with --witness"));
            }
        });
        self.refused(diagnostics)
    }

    /// Checks that the condition is about what is known of mutants before any is decided.
    ///
    /// # Errors
    /// The fields that only a run knows.
    pub fn check_before_run(&self) -> Result<(), ReadError> {
        let mut diagnostics = Vec::new();
        self.node.tests(&mut |test| {
            let info = test.field.info();
            if info.needs != Needs::Nothing || test.field == Field::Kill {
                let error = Diagnostic::error(format!("`{}` is not known before a run", info.name), test.span);
                diagnostics.push(error.with_help("ask for places and operators"));
            }
        });
        self.refused(diagnostics)
    }

    fn refused(&self, diagnostics: Vec<Diagnostic>) -> Result<(), ReadError> {
        match diagnostics.is_empty() {
            true => Ok(()),
            false => Err(ReadError {
                file: self.file.clone(),
                diagnostics,
            }),
        }
    }
}

/// Fields that have no meaning for mutants of untimed systems.
const OF_GAMES: [Field; 14] = {
    use Field::{
        Action, Clock, Duplicate, Edge, Identified, Lemma, Location, Masked, Rule, Site, Source, Target, Violates, Why,
    };
    [
        Violates, Rule, Identified, Why, Lemma, Duplicate, Masked, Edge, Location, Source, Target, Action, Clock, Site,
    ]
};

fn names(test: &FieldTest, game: &Automaton, diagnostics: &mut Vec<Diagnostic>) {
    if test.field == Field::Kill {
        let error = Diagnostic::error("`kill` says nothing about mutants of timed games", test.span);
        diagnostics.push(error.with_help("ask for `verdict`"));
    }
    if test.relation == FieldRelation::Like {
        return;
    }
    let (what, names): (&str, Vec<&str>) = match test.field {
        Field::Location | Field::Source | Field::Target => (
            "location",
            game.locations().iter().map(|location| &*location.name).collect(),
        ),
        Field::Clock => ("clock", game.clocks().iter().map(|clock| &*clock.name).collect()),
        _ => return,
    };
    for value in test.values.iter().filter(|value| !names.contains(&value.text.as_str())) {
        let message = format!("{} has no {what} `{}`", game.name(), value.text);
        let error = Diagnostic::error(message, value.span);
        diagnostics.push(with_nearest(error, &value.text, &names, "it has"));
    }
}

/// Returns `test` with its values spelled as in records, and adds values and relations that its field does not allow to
/// `errors`. `relation` is the place of the relation.
pub(super) fn typed(
    mut test: FieldTest,
    relation: Span,
    operators: &[&'static str],
    errors: &mut Vec<Diagnostic>,
) -> FieldTest {
    let info = test.field.info();
    let help = match (info.kind, test.relation) {
        (_, FieldRelation::Is)
        | (Kind::Number | Kind::Text | Kind::Choice | Kind::Set, FieldRelation::In)
        | (Kind::Set, FieldRelation::Has)
        | (Kind::Text | Kind::Set, FieldRelation::Like)
        | (
            Kind::Number,
            FieldRelation::Less | FieldRelation::AtMost | FieldRelation::AtLeast | FieldRelation::Greater,
        ) => None,
        (Kind::Flag, _) => Some(format!("write `{0}` or `!{0}`", info.name)),
        (Kind::Number, _) => Some("numbers are compared with ==, !=, <, <=, >=, > and in (…)".to_owned()),
        (Kind::Text, _) => Some("texts are compared with ==, !=, ~ and in (…)".to_owned()),
        (Kind::Choice, _) => Some("write ==, != or in (…)".to_owned()),
        (Kind::Set, _) => Some("sets are compared with ==, !=, has, ~ and in (…)".to_owned()),
    };
    if let Some(help) = help {
        let error = Diagnostic::error(format!("`{}` has no such relation", info.name), relation);
        errors.push(error.with_help(help));
        return test;
    }
    if test.relation == FieldRelation::Like {
        return test;
    }
    for value in &mut test.values {
        if let Some(error) = typed_value(test.field, value, operators) {
            errors.push(error);
        }
    }
    test
}

fn typed_value(field: Field, value: &mut FilterValue, operators: &[&'static str]) -> Option<Diagnostic> {
    let info = field.info();
    if info.kind == Kind::Flag && !matches!(value.text.as_str(), "true" | "false") {
        let error = Diagnostic::error(format!("`{}` is true or false", info.name), value.span);
        return Some(error.with_help(format!("write `{0}` or `!{0}`", info.name)));
    }
    if info.kind == Kind::Number && value.number.to_string() != value.text {
        let error = Diagnostic::error(format!("`{}` is a number", info.name), value.span);
        return Some(error.with_help("compare it with a natural number"));
    }
    let choices = match field {
        Field::Operator => operators.to_vec(),
        field => field.choices()?,
    };
    match choices.iter().find(|choice| choice.eq_ignore_ascii_case(&value.text)) {
        Some(choice) => {
            value.text = (*choice).to_owned();
            None
        }
        None => {
            let message = format!("`{}` is never `{}`", info.name, value.text);
            let error = Diagnostic::error(message, value.span);
            Some(with_nearest(error, &value.text, &choices, "its values are"))
        }
    }
}

/// Adds to the error the name nearest to `word` as help, or the list of all names after `all` if none is near.
pub(super) fn with_nearest(error: Diagnostic, word: &str, names: &[&str], all: &str) -> Diagnostic {
    let distance = |name: &str| strsim::levenshtein(&word.to_lowercase(), &name.to_lowercase());
    let nearest = names.iter().map(|name| (distance(name), *name)).min();
    error.with_help(match nearest {
        Some((distance, name)) if distance <= 1 + word.chars().count() / 4 => format!("do you mean `{name}`?"),
        _ => format!("{all} {}", names.join(", ")),
    })
}
