//! Faults for every rule (\[000\] section 2.2), as alternatives to the parts of the specification's rules.

use std::collections::BTreeSet;

use super::draft::ExtendedDraft;
use crate::{Faults, RuleAction, RuleAnswer, SetId, Trigger};
use tamper_text::{IndexVec, SourceFile};

impl ExtendedDraft {
    /// Adds `more` to the alternatives in `all`, of which the first is shown as `own`. Creates a suspicious set for
    /// them if `set` is `None`.
    pub fn extend<T>(
        sets: &mut IndexVec<SetId, Vec<String>>,
        (set, all): (&mut Option<SetId>, &mut Vec<T>),
        own: String,
        more: Vec<(T, String)>,
    ) {
        if more.is_empty() {
            return;
        }
        let set = *set.get_or_insert_with(|| sets.push(vec![own]));
        for (other, label) in more {
            all.push(other);
            sets[set].push(label);
        }
    }

    /// Adds faults to every rule of the specification: other names for its answer, with the same values, and other
    /// targets.
    pub fn add_faults(&mut self, faults: Faults, file: &SourceFile) {
        let names: BTreeSet<String> = self.answers().map(|answer| answer.name.clone()).collect();
        for (state, slots) in self.slots.iter_mut().enumerate() {
            for slot in slots {
                let Trigger::Event(event) = slot.trigger else { continue };
                let head = format!("{} {}", self.states[state], self.scope.events[event].name);
                let Some(Some(rule)) = slot.rule.all.first_mut() else {
                    continue;
                };
                let line = file.line_col(rule.span.start).line;
                let label = |what: &str| format!("{head}: {what} (line {line})");
                for action in &mut rule.actions {
                    let (RuleAction::Answer(options), true) = (action, faults != Faults::Transfers) else {
                        continue;
                    };
                    let own = options.all[0].clone();
                    let others = names
                        .iter()
                        .filter(|name| options.all.iter().all(|answer| answer.name != **name));
                    let other = |name: &String| {
                        let answer = RuleAnswer {
                            name: name.clone(),
                            ..own.clone()
                        };
                        (answer, label(&format!("/ {name}")))
                    };
                    let more = others.map(other).collect();
                    Self::extend(
                        &mut self.sets,
                        (&mut options.set, &mut options.all),
                        label(&format!("/ {}", own.name)),
                        more,
                    );
                }
                if faults != Faults::Outputs {
                    let to = |target: usize| label(&format!("-> {}", self.states[target]));
                    let others = (0..self.states.len()).filter(|target| !rule.target.all.contains(target));
                    let more = others.map(|target| (target, to(target))).collect();
                    let own = to(rule.target.all[0]);
                    Self::extend(&mut self.sets, (&mut rule.target.set, &mut rule.target.all), own, more);
                }
            }
        }
    }

    /// Every answer that some rule may give.
    fn answers(&self) -> impl Iterator<Item = &RuleAnswer> {
        let slots = self.slots.iter().flatten();
        let rules = slots.flat_map(|slot| slot.rule.all.iter().flatten());
        rules.flat_map(|rule| &rule.actions).flat_map(|action| match action {
            RuleAction::Answer(options) => options.all.as_slice(),
            RuleAction::Assign { .. } | RuleAction::Raise(_) => &[],
        })
    }
}
