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

/// Why a step has to wait for another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wait {
    /// The other one's channel is a higher one.
    Channel,
    /// On channels of the same priority the other one's highest process is a higher one.
    Process,
    /// The step is an input from outside, and the other one's channel is a higher one.
    Input,
}

/// Why a step of rank `one` has to wait for an enabled one of rank `other`, if it has to.
pub fn wait(one: Rank, other: Rank) -> Option<Wait> {
    let process_there = other.highest_process?;
    if one.channel != other.channel {
        let why = match one.highest_process {
            Some(_) => Wait::Channel,
            None => Wait::Input,
        };
        return (one.channel < other.channel).then_some(why);
    }
    (one.highest_process? < process_there).then_some(Wait::Process)
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
