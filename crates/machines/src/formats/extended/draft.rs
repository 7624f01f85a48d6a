//! An extended machine while it is read: alternatives become suspicious sets.

use std::collections::BTreeMap;

use super::super::draft::TransitionSpans;
use super::super::options::ReadMachine;
use super::scope::{Declarations, Type};
use super::terms::terms;
use crate::{
    Checked, Domain, Expr, ExtendedMachine, Flaw, Leniency, MutationMachine, Options, RuleAction, SetId, Slot,
};
use tamper_text::{Diagnostic, IndexVec, Piece, ReadError, SourceFile, Span, StopReason, has_error};

/// The largest number of inputs: a suite cannot name more.
const MOST_INPUTS: u128 = 10_000;

/// The part of an extended machine that was read so far.
#[derive(Default, Debug)]
pub(in crate::formats) struct ExtendedDraft {
    pub scope: Declarations,
    pub states: Vec<String>,
    /// By state: the place of its first mention.
    pub places: Vec<Span>,
    numbers: BTreeMap<String, usize>,
    pub slots: Vec<Vec<Slot>>,
    /// By slot: its rule in written form.
    pub shown: Vec<Vec<String>>,
    pub initial: Option<usize>,
    pub start: Vec<RuleAction>,
    pub sets: IndexVec<SetId, Vec<String>>,
    pub diagnostics: Vec<Diagnostic>,
}

impl ExtendedDraft {
    /// The state of that name.
    pub fn state(&mut self, name: &str, span: Span) -> usize {
        if let Some(known) = self.numbers.get(name) {
            return *known;
        }
        let number = self.states.len();
        self.states.push(name.to_owned());
        self.places.push(span);
        self.slots.push(Vec::new());
        self.shown.push(Vec::new());
        self.numbers.insert(name.to_owned(), number);
        number
    }
    /// Reports the error `message` at `span`.
    pub fn error(&mut self, message: impl Into<String>, span: Span, help: &str) {
        self.diagnostics.push(Diagnostic::error(message, span).with_help(help));
    }

    /// The alternatives `all`, with a new suspicious set if there are several; `labels` show them.
    pub fn options<T>(&mut self, all: Vec<T>, labels: impl FnOnce() -> Vec<String>) -> Options<T> {
        let set = (all.len() > 1).then(|| self.sets.push(labels()));
        Options { set, all }
    }

    /// The expression in `text`: alternatives separated by `|`, shown in `context`.
    pub fn expression(
        &mut self,
        text: Piece<'_>,
        parameters: &[(String, Domain)],
        wanted: Option<&Type>,
        context: &dyn Fn(&str) -> String,
    ) -> Result<(Expr, Type), Diagnostic> {
        let all = terms(text, None)?;
        let (first, own) = self.scope.lower(&all[0], parameters)?;
        let wanted = wanted.unwrap_or(&own).clone();
        let mut exprs = Vec::with_capacity(all.len());
        for term in &all {
            exprs.push(self.scope.typed(term, parameters, &wanted)?);
        }
        if exprs.len() == 1 {
            return Ok((first, wanted));
        }
        let own_text = |span: Span| &text.text[span.start as usize - text.start()..span.end as usize - text.start()];
        let labels = all.iter().map(|term| context(own_text(term.span))).collect();
        let set = self.sets.push(labels);
        Ok((Expr::Choice(set, exprs), wanted))
    }

    /// Finishes the machine, if its specification is sound.
    pub fn finish(mut self, file: &SourceFile, leniency: Leniency, most: usize) -> Result<ReadMachine, ReadError> {
        let refuse = |diagnostics| ReadError {
            file: file.clone(),
            diagnostics,
        };
        let n_inputs = self.scope.events.iter().filter(|event| event.is_input).map(|event| {
            let sizes = event.parameters.iter().map(|(_, domain)| domain.size());
            sizes.fold(1_u128, u128::saturating_mul)
        });
        if n_inputs.fold(0_u128, u128::saturating_add) > MOST_INPUTS {
            let message = format!("the inputs with all values of their parameters are more than {MOST_INPUTS}");
            self.diagnostics
                .push(Diagnostic::error(message, None).with_help("narrow the parameters"));
        }
        if has_error(&self.diagnostics) {
            return Err(refuse(self.diagnostics));
        }
        let source = ExtendedMachine {
            states: self.states,
            initial: self.initial.unwrap_or(0),
            start: self.start,
            variables: self.scope.variables,
            events: self.scope.events,
            slots: self.slots,
            sets: self.sets,
            fingerprint: blake3::hash(file.text().as_bytes()).to_hex().to_string(),
        };
        let checked: Checked = match source.check(leniency, most) {
            Ok(checked) => checked,
            Err(flaws) => return Err(refuse(flaws.iter().map(|flaw| explain(flaw, &self.places)).collect())),
        };
        Ok(ReadMachine {
            machine: MutationMachine::unfolding(source, checked, most),
            file: file.clone(),
            places: TransitionSpans::new(),
            warnings: self.diagnostics,
        })
    }
}

fn explain(flaw: &Flaw, places: &[Span]) -> Diagnostic {
    match flaw {
        Flaw::Several { first, second, at } => {
            let error = Diagnostic::error(format!("the specification has two transitions for {at}"), *second);
            error
                .with_secondary(*first, "the first one")
                .with_help("let their guards exclude each other; if one is a fault, write `mutated` before it")
        }
        Flaw::Unspecified { state, at } => {
            let error = Diagnostic::error(format!("the specification has no transition for {at}"), places[*state]);
            error.with_help("add one, or let the machine stay and answer `-` there: --unspecified fill")
        }
        Flaw::Range { span, what, at } => {
            let error = Diagnostic::error(format!("{what} leaves the variable's range, for {at}"), *span);
            error.with_help("the specification must stay within its ranges; mutants that do not answer `error`")
        }
        Flaw::Overflow { span, at } => {
            let error = Diagnostic::error(format!("a number does not fit in 64 bits here, for {at}"), *span);
            error.with_help("the specification must be able to compute what it says")
        }
        Flaw::Endless { span, at } => {
            let error = Diagnostic::error(format!("there is no end of transitions, for {at}"), *span);
            error.with_help("at most 1000 transitions follow one input")
        }
        Flaw::Start { span } => {
            let error = Diagnostic::error("this happens before the first input, where no test can see it", *span);
            error.with_help(
                "before the first input a machine can only set variables, and all mutants to the same values",
            )
        }
        Flaw::TooMany(most) => {
            let error = Diagnostic::error(format!("the specification has more than {most} configurations"), None);
            let error = error.with_help("raise --max-states, or narrow the ranges of variables");
            error.with_limit(StopReason::States)
        }
    }
}
