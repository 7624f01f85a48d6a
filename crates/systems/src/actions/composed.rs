//! Loops other than a choice (\[001\] section 3.1 announces sequence and priority).
//!
//! One run of the loop is a relation between states with a sequence of events, like bodies in \[001\] Figure 3: `P; Q`
//! is P, then Q from an intermediate state; `P // Q` is P, or Q if P cannot run through. An action happens only if its
//! run can come to its end, just as an action is enabled only if it can run through. Between two actions of a run, a
//! state includes its position: the rest of the run.

use super::system::Loop;

/// The place of an action of the loop in a run.
#[derive(Clone, Debug, Default)]
pub struct Seat<'a> {
    /// The position before it; 0 is the start of a run.
    pub entry: usize,
    /// The position after it; 0 is the end of a run.
    pub exit: usize,
    /// Parts of the loop that take priority if they can run through.
    pub unless: Vec<&'a Loop>,
}

/// The positions of a loop.
#[derive(Debug, Default)]
pub struct LoopPositions<'a> {
    /// By position, from 1: the part that comes next, and the position after it.
    pub rest: Vec<(&'a Loop, usize)>,
}

impl<'a> LoopPositions<'a> {
    /// The positions of a loop; `seat` receives the place of each of its actions.
    pub fn of(part: &'a Loop, seat: &mut dyn FnMut(usize, Seat<'a>)) -> Self {
        let mut positions = Self::default();
        positions.seat(part, Seat::default(), seat);
        positions
    }
    fn seat(&mut self, part: &'a Loop, here: Seat<'a>, seat: &mut dyn FnMut(usize, Seat<'a>)) {
        match part {
            Loop::One(instance) => seat(*instance, here),
            Loop::Choice(parts) => parts.iter().for_each(|part| self.seat(part, here.clone(), seat)),
            Loop::Priority(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    let mut own = here.clone();
                    own.unless.extend(&parts[..number]);
                    self.seat(part, own, seat);
                }
            }
            Loop::Sequence(parts) => {
                let mut exit = here.exit;
                for (number, part) in parts.iter().enumerate().rev() {
                    let mut own = Seat {
                        exit,
                        ..Seat::default()
                    };
                    if number == 0 {
                        (own.entry, own.unless) = (here.entry, here.unless.clone());
                    } else {
                        self.rest.push((part, exit));
                        exit = self.rest.len();
                        own.entry = exit;
                    }
                    self.seat(part, own, seat);
                }
            }
        }
    }
}
