//! Which step goes before which, from UPPAAL's page on priorities and the design: channels are compared first; where they are the
//! same, processes; of several processes that take part the highest counts. A step without a channel, and a channel that is not
//! listed, have the default. An input from outside has the priority of its channel, waits for what the network itself
//! offers on higher channels, and blocks nothing.

use super::flat::Flat;

/// The default, of steps without a channel and of channels that are added.
const DEFAULT: i64 = 0;

#[derive(Clone, Copy, Debug)]
pub struct Rank {
    channel: i64,
    /// None where nobody in the network sends: who does is not known.
    highest_process: Option<i64>,
}

/// Whether a step of rank `one` has to wait for an enabled one of rank `other`.
pub fn is_blocked(one: Rank, other: Rank) -> bool {
    let Some(process_there) = other.highest_process else {
        return false;
    };
    if one.channel != other.channel {
        return one.channel < other.channel;
    }
    match one.highest_process {
        Some(process) => process < process_there,
        None => false,
    }
}

impl Flat<'_> {
    /// The rank of the step of `parts` on `chan`.
    pub fn rank(&self, parts: &[(usize, usize)], chan: Option<usize>) -> Rank {
        let channel = match chan {
            Some(chan) => self.net.chans[chan].priority,
            None => DEFAULT,
        };
        let is_from_outside = chan.is_some_and(|chan| self.is_open(chan));
        let mut highest_process = None;
        for (process, _) in parts.iter().filter(|_| !is_from_outside) {
            let own = self.net.procs[*process].priority;
            highest_process = Some(highest_process.map_or(own, |known: i64| known.max(own)));
        }
        Rank {
            channel,
            highest_process,
        }
    }
}
