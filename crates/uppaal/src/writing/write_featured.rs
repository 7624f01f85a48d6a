//! A featured automaton as a UPPAAL file: its superposition, with the conditions as comments beside the parts (in the
//! syntax of `notes`).

use crate::drawing::Drawing;
use crate::writing::fresh::{PartComments, Sheet};
use crate::writing::print::guard_text;
use crate::writing::spelling::Spelling;
use tamper_features::FeatureExpr;
use tamper_timed::featured::{FeaturedAutomaton, GuardConditions};
use tamper_timed::model::{Guard, LocId, Urgency};

/// A file that opens in UPPAAL and reads back, with the same feature model beside it, as `featured`
/// ([`Document::featured`](crate::Document::featured)): alternative edges are parallel edges, alternative conjuncts of
/// an invariant stand side by side, and every part that some product lacks has a comment with its condition. The size
/// of the file is the size of the superposition and its conditions: for a featured mutant model, linear in the number
/// of mutations. The names in it must be UPPAAL identifiers that differ from each other.
pub fn write_featured(featured: &FeaturedAutomaton, drawing: &Drawing) -> String {
    let writer = FeaturedWriter { featured };
    let automaton = featured.automaton();
    let remarks = PartComments {
        declarations: writer.actions(),
        locations: &|id| writer.location(id),
        edges: &|id| writer.lines("feature", &featured.conditions().edges[id]),
    };
    Sheet {
        automaton,
        drawing,
        remarks: &remarks,
        spelling: &Spelling::default(),
    }
    .text()
}

struct FeaturedWriter<'a> {
    featured: &'a FeaturedAutomaton,
}

impl FeaturedWriter<'_> {
    fn line(&self, what: &str, when: &FeatureExpr) -> String {
        format!("{what}: {}", self.featured.model().show(when))
    }

    /// The line with the condition of a part; empty if the condition is always true.
    fn lines(&self, what: &str, when: &FeatureExpr) -> Vec<String> {
        let always = *when == FeatureExpr::True;
        if always {
            Vec::new()
        } else {
            vec![self.line(what, when)]
        }
    }

    fn actions(&self) -> Vec<String> {
        let actions = self.featured.automaton().actions().iter();
        let lines = actions
            .zip(&self.featured.conditions().actions)
            .flat_map(|(action, when)| {
                let what = format!("// tamper:feature {action}");
                self.lines(&what, when)
            });
        lines.collect()
    }

    fn location(&self, id: LocId) -> Vec<String> {
        let automaton = self.featured.automaton();
        let conditions = self.featured.conditions();
        let location = &automaton.locations()[id];
        let mut lines = self.lines("feature", &conditions.locations[id]);
        let always_initial = [(FeatureExpr::True, automaton.initial())];
        if conditions.initial != always_initial {
            let here = conditions.initial.iter().filter(|(_, initial)| *initial == id);
            lines.extend(here.map(|(when, _)| self.line("feature initial", when)));
        }
        if conditions.urgency[id] != [(FeatureExpr::True, location.urgency)] {
            let all = conditions.urgency[id].iter();
            lines.extend(all.map(|(when, urgency)| self.line(&format!("feature {}", urgency_name(*urgency)), when)));
        }
        lines.extend(self.invariant(&location.invariant, &conditions.invariants[id]));
        lines
    }

    fn invariant(&self, invariant: &Guard, conditions: &GuardConditions) -> Vec<String> {
        let single = |guard: Guard| guard_text(self.featured.automaton(), &guard, &[]);
        let clocks = invariant.clocks.iter().map(|atom| {
            single(Guard {
                clocks: vec![atom.clone()],
                data: Vec::new(),
            })
        });
        let data = invariant.data.iter().map(|condition| {
            single(Guard {
                clocks: Vec::new(),
                data: vec![condition.clone()],
            })
        });
        let texts: Vec<String> = clocks.chain(data).collect();
        let when: Vec<&FeatureExpr> = conditions.clocks.iter().chain(&conditions.data).collect();
        let mut lines = Vec::new();
        for (text, own) in texts.iter().zip(&when) {
            // All equal conjuncts get a line, so that each line belongs to one of them.
            let mut equal = texts.iter().zip(&when).filter(|(other, _)| *other == text);
            if equal.any(|(_, when)| **when != FeatureExpr::True) {
                lines.push(self.line(&format!("feature invariant {text}"), own));
            }
        }
        lines
    }
}

fn urgency_name(urgency: Urgency) -> &'static str {
    match urgency {
        Urgency::Normal => "normal",
        Urgency::Urgent => "urgent",
        Urgency::Committed => "committed",
    }
}
