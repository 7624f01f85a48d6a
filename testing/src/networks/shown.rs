//! What is seen of a step, and which actions a network has: the table of section 2 of the design, row by row.

use std::collections::BTreeSet;

use super::flat::Flat;

/// A step that nobody sees.
pub const HIDDEN: &str = "hidden";
/// A step that is seen, but has no label.
pub const SILENT: &str = "tau";

impl Flat<'_> {
    /// What is seen of the step of `parts` on `chan`.
    pub fn action(&self, parts: &[(usize, usize)], chan: Option<usize>) -> String {
        let around = |process: usize| self.net.procs[process].environment;
        let Some(chan) = chan else {
            // What the environment does by itself is internal; the system's is unseen if what is inside it is.
            return match self.net.hide || around(parts[0].0) {
                true => HIDDEN.to_owned(),
                false => SILENT.to_owned(),
            };
        };
        let (sender, receivers) = match parts.first() {
            Some(first) if self.of(*first).sync == Some((chan, true)) => (Some(first.0), &parts[1..]),
            _ => (None, parts),
        };
        let receivers: Vec<usize> = match (self.net.chans[chan].broadcast, sender) {
            // All who may hear it count, whether they do or not.
            (true, _) => self.hearers(chan, sender),
            (false, _) => receivers.iter().map(|(process, _)| *process).collect(),
        };
        self.shown(chan, sender, &receivers)
    }

    /// Who may receive on `chan` but `sender`.
    fn hearers(&self, chan: usize, sender: Option<usize>) -> Vec<usize> {
        let users = self.users((chan, false)).into_iter();
        users.filter(|user| Some(*user) != sender).collect()
    }

    /// A row of the table; no sender is one outside, no receivers are outside, too.
    fn shown(&self, chan: usize, sender: Option<usize>, receivers: &[usize]) -> String {
        let around = |process: usize| self.net.procs[process].environment;
        let has_system = receivers.iter().any(|other| !around(*other));
        let has_environment = receivers.iter().any(|other| around(*other));
        let mark = match sender.map(around) {
            None if has_system && self.is_open(chan) => "?",
            None => "",
            Some(false) if receivers.is_empty() || has_environment || !self.net.hide => "!",
            Some(false) => "",
            Some(true) if has_system => "?",
            Some(true) => "",
        };
        match mark {
            "" => HIDDEN.to_owned(),
            mark => format!("c{chan}{mark}"),
        }
    }

    /// The actions that steps on channels may have, as far as the labels tell.
    pub fn alphabet(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for (chan, what) in self.net.chans.iter().enumerate() {
            let senders = self.users((chan, true));
            for sender in &senders {
                let others = self.hearers(chan, Some(*sender));
                if what.broadcast || others.is_empty() {
                    all.insert(self.shown(chan, Some(*sender), &others));
                } else {
                    all.extend(others.iter().map(|other| self.shown(chan, Some(*sender), &[*other])));
                }
            }
            if senders.is_empty() {
                let hearers = self.hearers(chan, None);
                all.extend(hearers.iter().map(|other| self.shown(chan, None, &[*other])));
            }
        }
        all.remove(HIDDEN);
        all
    }
}
