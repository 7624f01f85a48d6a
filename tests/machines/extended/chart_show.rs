//! Hierarchical machines as SCXML.

use std::fmt::Write as _;

use super::chart::{Chart, Choice, Do, Kind};
use super::direct::{Alt, E};

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Names of states.
fn ids(states: &[usize]) -> String {
    let names: Vec<String> = states.iter().map(|state| format!("n{state}")).collect();
    names.join(" ")
}

fn expr(e: &E) -> String {
    escaped(&e.show().replace('p', "_event.data.p"))
}

/// ` name="first" tamper:name="others"`
fn attributes<T>(name: &str, of: &Alt<T>, show: &dyn Fn(&T) -> String) -> String {
    let all: Vec<String> = of.all.iter().map(show).collect();
    match all.split_first() {
        Some((first, [])) => format!(" {name}=\"{first}\""),
        Some((first, others)) => format!(" {name}=\"{first}\" tamper:{name}=\"{}\"", others.join(" | ")),
        None => String::new(),
    }
}

impl Chart {
    /// The chart as SCXML.
    pub fn show(&self) -> String {
        let mut text = String::from(
            "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" xmlns:tamper=\"urn:tamper:mutation\" version=\"1.0\"",
        );
        let inputs = self.inputs.iter().map(|(name, values)| match values {
            None => name.clone(),
            Some((low, high)) => format!("{name}(p : {low}..{high})"),
        });
        let _ = write!(text, " tamper:inputs=\"{}\"", inputs.collect::<Vec<_>>().join(" "));
        if let Some((targets, _)) = &self.nodes[0].initial {
            let _ = write!(text, " initial=\"{}\"", ids(targets));
        }
        text.push_str(">\n<datamodel>\n");
        for (at, (low, high, initial)) in self.vars.iter().enumerate() {
            let _ = writeln!(
                text,
                "<data id=\"v{at}\" expr=\"{initial}\" tamper:range=\"{low}..{high}\"/>"
            );
        }
        text.push_str("</datamodel>\n");
        for child in &self.nodes[0].children {
            self.show_state(*child, &mut text);
        }
        text.push_str("</scxml>\n");
        text
    }

    fn show_state(&self, at: usize, text: &mut String) {
        let node = &self.nodes[at];
        let tag = match node.kind {
            Kind::State => "state",
            Kind::Final => "final",
            Kind::Parallel => "parallel",
            Kind::History(_) => "history",
        };
        let how = if node.kind == Kind::History(true) {
            " type=\"deep\""
        } else {
            ""
        };
        let _ = writeln!(text, "<{tag} id=\"n{at}\"{how}>");
        for (name, content) in [("onentry", &node.entry), ("onexit", &node.exit)] {
            if !content.is_empty() {
                let _ = writeln!(text, "<{name}>{}</{name}>", self.show_content(content));
            }
        }
        if let Some((targets, content)) = &node.initial {
            let (targets, inside) = (ids(targets), self.show_content(content));
            let inside = format!("<transition target=\"{targets}\">{inside}</transition>");
            let _ = match node.kind {
                Kind::History(_) => writeln!(text, "{inside}"),
                _ => writeln!(text, "<initial>{inside}</initial>"),
            };
        }
        for choice in &node.transitions {
            self.show_choice(choice, text);
        }
        for child in &node.children {
            self.show_state(*child, text);
        }
        let _ = writeln!(text, "</{tag}>");
    }
    fn show_choice(&self, choice: &Choice, text: &mut String) {
        let mut more = String::new();
        let targets = choice.all.all[1..=choice.n_targets].iter().flatten();
        let targets: Vec<String> = targets.map(|tr| ids(&tr.targets)).collect();
        if !targets.is_empty() {
            let _ = write!(more, " tamper:target=\"{}\"", targets.join(" | "));
        }
        if choice.missing {
            more.push_str(" tamper:missing=\"true\"");
        }
        for (number, tr) in choice.all.all.iter().enumerate() {
            let Some(tr) = tr else { continue };
            let tag = match number {
                0 => "transition",
                _ if number > choice.n_targets => "tamper:transition",
                _ => continue,
            };
            let own = if number == 0 { more.as_str() } else { "" };
            let events = if tr.events.is_empty() {
                String::new()
            } else {
                format!(" event=\"{}\"", tr.events.join(" "))
            };
            let cond = tr
                .cond
                .as_ref()
                .map_or(String::new(), |cond| attributes("cond", cond, &expr));
            let target = match tr.targets.as_slice() {
                [] => String::new(),
                targets => format!(" target=\"{}\"", ids(targets)),
            };
            let kind = if tr.internal { " type=\"internal\"" } else { "" };
            let content = self.show_content(&tr.content);
            // What a mutant may have instead waits for the same events where it names none; here it always names them.
            let _ = writeln!(text, "<{tag}{events}{cond}{target}{kind}{own}>{content}</{tag}>");
        }
    }
    fn show_content(&self, content: &[Do]) -> String {
        let show = |one: &Do| match one {
            Do::Assign(var, value) => format!("<assign location=\"v{var}\"{}/>", attributes("expr", value, &expr)),
            Do::Send(names, None) => {
                format!(
                    "<send{} target=\"#_parent\"/>",
                    attributes("event", names, &String::clone)
                )
            }
            Do::Send(names, Some(value)) => format!(
                "<send{} target=\"#_parent\"><param name=\"x\"{}/></send>",
                attributes("event", names, &String::clone),
                attributes("expr", value, &expr)
            ),
            Do::Raise(event) => format!("<raise event=\"{event}\"/>"),
        };
        content.iter().map(show).collect()
    }
}
