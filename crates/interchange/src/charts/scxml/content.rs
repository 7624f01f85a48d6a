//! Executable content.

use roxmltree::Node;

use super::cond::literal;
use super::read::Reader;
use crate::charts::chart::{ChartAction, GuardTerm, Sender, Timer};
use crate::charts::data::DataSet;
use tamper_text::Span;
use tamper_text::scxml::{Value, attribute, check_attributes, children, place};

/// Elements that are executed.
pub(super) const EXECUTED: [&str; 8] = ["raise", "send", "cancel", "log", "assign", "script", "if", "foreach"];
const SEND: [&str; 11] = [
    "event",
    "eventexpr",
    "target",
    "targetexpr",
    "type",
    "typeexpr",
    "id",
    "idlocation",
    "delay",
    "delayexpr",
    "namelist",
];

impl Reader<'_> {
    /// The executable children of an element; others are read elsewhere.
    pub fn content(&mut self, node: Node<'_, '_>, others: &[&str]) -> Vec<ChartAction> {
        let known = [&EXECUTED[..], others].concat();
        let nodes = children(node, &known, self.found);
        let nodes = nodes
            .into_iter()
            .filter(|node| EXECUTED.contains(&node.tag_name().name()));
        nodes.filter_map(|node| self.executed(node)).collect()
    }

    fn executed(&mut self, node: Node<'_, '_>) -> Option<ChartAction> {
        match node.tag_name().name() {
            "raise" => {
                check_attributes(node, &["event"], &[], self.found);
                self.required(node, "event")
                    .map(|event| ChartAction::Raise(event.text.trim().to_owned()))
            }
            "send" => self.send(node),
            "cancel" => {
                check_attributes(node, &["sendid", "sendidexpr"], &[], self.found);
                let id = self.text_of(node, "sendid", "sendidexpr");
                if id.is_none() {
                    self.error(
                        "which event this cancels is not known",
                        place(node),
                        "write sendid=\"…\"",
                    );
                }
                id.map(ChartAction::Cancel)
            }
            "log" => None,
            "if" => Some(self.branches(node)),
            "foreach" => {
                let sent = node
                    .descendants()
                    .find(|inner| ["raise", "send", "cancel"].contains(&inner.tag_name().name()));
                if let Some(sent) = sent {
                    self.error(
                        "what a <foreach> sends is not known",
                        place(sent),
                        "write each <send> by itself",
                    );
                }
                Some(ChartAction::Assign)
            }
            _ => {
                let read = node.attribute("expr").and_then(|expr| self.scope().read(expr));
                let set = self.variable(node).zip(read).map(|(variable, read)| DataSet {
                    variable,
                    term: read.term,
                    place: place(node),
                });
                Some(set.map_or(ChartAction::Assign, ChartAction::Set))
            }
        }
    }

    fn branches(&mut self, node: Node<'_, '_>) -> ChartAction {
        check_attributes(node, &["cond"], &[], self.found);
        let mut branches = Vec::new();
        let mut guard = self.required(node, "cond").map(|cond| self.cond(&cond));
        let mut actions = Vec::new();
        let known = [&EXECUTED[..], &["elseif", "else"]].concat();
        for child in children(node, &known, self.found) {
            let next = match child.tag_name().name() {
                "elseif" => self.required(child, "cond").map(|cond| self.cond(&cond)),
                "else" => Some(GuardTerm::All(Vec::new())),
                _ => {
                    actions.extend(self.executed(child));
                    continue;
                }
            };
            branches.extend(guard.take().map(|guard| (guard, std::mem::take(&mut actions))));
            guard = next;
        }
        branches.extend(guard.map(|guard| (guard, actions)));
        ChartAction::If(branches)
    }

    fn send(&mut self, node: Node<'_, '_>) -> Option<ChartAction> {
        check_attributes(node, &SEND, &[], self.found);
        children(node, &["param", "content"], self.found);
        let span = place(node);
        let Some(event) = self.text_of(node, "event", "eventexpr") else {
            self.error(
                "the event of this <send> has no name that is known",
                span,
                "write event=\"…\"",
            );
            return None;
        };
        let target = self.text_of(node, "target", "targetexpr");
        let has = |name: &str| attribute(node, None, name).is_some();
        let kind = attribute(node, None, "type").map_or("", |kind| kind.text.trim_end_matches('/'));
        let is_own = [
            "",
            "scxml",
            "http://www.w3.org/TR/scxml",
            "http://www.w3.org/TR/scxml/#SCXMLEventProcessor",
        ];
        let is_output = has("typeexpr")
            || !is_own.contains(&kind)
            || target.is_none() && has("targetexpr")
            || target
                .as_ref()
                .is_some_and(|target| !matches!(target.as_str(), "" | "#_internal"));
        let is_internal = target.as_deref() == Some("#_internal");
        let delay = match (attribute(node, None, "delay"), attribute(node, None, "delayexpr")) {
            (Some(delay), _) => self.delay(delay.text, delay.span)?,
            (None, Some(delay)) => self.delay_of(&delay)?,
            (None, None) => 0,
        };
        match (delay, is_output, is_internal) {
            (0, true, _) => Some(ChartAction::Output(event)),
            (0, false, true) => Some(ChartAction::Raise(event)),
            (0, false, false) => Some(ChartAction::Queue(event)),
            (_, _, true) => {
                self.error(
                    "an internal event has no delay",
                    span,
                    "leave out the target, or use <raise>",
                );
                None
            }
            (delay, _, false) => {
                let id = attribute(node, None, "id").map(|id| id.text.trim().to_owned());
                let timer = Timer {
                    delay,
                    event,
                    place: span,
                };
                self.chart.sends.push(Sender { timer, id, is_output });
                Some(ChartAction::Send(self.chart.sends.len() - 1))
            }
        }
    }

    /// The value of an attribute, or of one whose expression is a text.
    fn text_of(&mut self, node: Node<'_, '_>, name: &str, expression: &str) -> Option<String> {
        let text = attribute(node, None, name).map(|value| value.text.trim());
        let constant = || attribute(node, None, expression).and_then(|value| literal(self.constant(value.text)));
        text.or_else(constant).map(str::to_owned)
    }

    /// A delay that is an expression: constants, and variables that keep their first value, put together.
    fn delay_of(&mut self, value: &Value<'_>) -> Option<i64> {
        let parts = value.text.split('+').map(|part| {
            let text = self.constant(part).trim();
            let is_number = text.parse::<f64>().is_ok();
            literal(text).or_else(|| is_number.then_some(text))
        });
        let Some(text) = parts.collect::<Option<Vec<_>>>().map(|parts| parts.concat()) else {
            let message = format!("the delay `{}` is no constant", value.text.trim());
            self.error(
                message,
                value.span,
                "write delay=\"…\", or a variable that nothing changes",
            );
            return None;
        };
        let is_sum = value.text.contains('+') && !text.ends_with('s');
        if is_sum {
            let message = format!("the delay `{}` is a sum of numbers", value.text.trim());
            self.error(message, value.span, "write its value");
            return None;
        }
        self.delay(&text, value.span)
    }

    /// Milliseconds: `1s`, `1.5s`, `.5s`, `500ms`, or without a unit.
    fn delay(&mut self, text: &str, place: Span) -> Option<i64> {
        let text = text.trim();
        let (number, unit) = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
            (Some(number), _) => (number, 1),
            (None, Some(number)) => (number, 1000),
            (None, None) => (text, 1),
        };
        let (whole, fraction) = number.trim().split_once('.').unwrap_or((number.trim(), ""));
        let fraction = fraction.trim_end_matches('0');
        let digits = format!("{whole}{fraction}");
        let is_natural = !digits.is_empty() && digits.len() < 15 && digits.bytes().all(|digit| digit.is_ascii_digit());
        let scale = 10_i64.pow(u32::try_from(fraction.len().min(15)).unwrap_or(15));
        let product = digits
            .parse::<i64>()
            .ok()
            .filter(|_| is_natural)
            .map(|value| value * unit);
        let delay = match product {
            None if number.trim() == "0" => Some(0),
            product => product
                .filter(|product| product % scale == 0)
                .map(|product| product / scale),
        };
        if delay.is_none() {
            self.error(
                format!("the delay `{text}` is no number of whole milliseconds"),
                place,
                "write 1s, 1.5s or 500ms",
            );
        }
        delay
    }
}
