//! The fair-share side of a pool, and the questions that every policy asks of it. What a policy wants is in its own file.

use crate::fairness::Member;
use crate::placement::board::Board;
use crate::world::{At, ClassId, Rules};

/// The fair-share side of a pool, as a policy sees it.
#[derive(Debug)]
#[allow(dead_code, reason = "policies look at different parts")]
pub struct Shares<'a> {
    /// The jobs, in order of demand.
    pub members: &'a [Member<'a>],
    /// For each job the classes it can run on: ordinal and speed of its gang in milliunits per second, in order of class.
    pub speeds: Vec<Vec<(usize, i64)>>,
    /// For each job the class it runs on now.
    pub runs_on: Vec<Option<usize>>,
    /// The class on which a job's gang is inside a quantum, or was promised its next one, by an earlier round. It counts
    /// towards `owned` whatever the policy proposes, and is seated before all others.
    pub kept: Vec<Option<usize>>,
    /// Whether each job's gang is inside its minimum run: proposals of another class are not followed.
    pub fixed: Vec<bool>,
    /// For each job the class of the devices that an earlier round promised it, while it waits for a notice to end.
    pub awaits: Vec<Option<usize>>,
    /// Names of the classes, by ordinal.
    pub classes: &'a [&'a ClassId],
    /// Devices of each class that this round can give out, by ordinal.
    pub capacity: Vec<i64>,
    /// Those of them that the jobs own together, rounded up: what `gangs` may add up to.
    pub owned: Vec<i64>,
    /// The whole pool, for policies that look at bids and asks too.
    pub board: &'a Board<'a>,
    /// The pool's settings.
    pub rules: &'a Rules,
    /// The instant of the round.
    pub now: At,
}

impl Shares<'_> {
    /// All members by arrival, then by id.
    #[must_use]
    pub fn by_arrival(&self) -> Vec<usize> {
        let mut members: Vec<usize> = (0..self.members.len()).collect();
        members.sort_by_key(|member| (self.members[*member].arrived_at, self.members[*member].id()));
        members
    }

    /// Whether a member can run somewhere in this round.
    #[must_use]
    pub fn takes_part(&self, member: usize) -> bool {
        self.members[member].active && !self.speeds[member].is_empty()
    }

    /// Jobs that can pay and do not stay in any case, by arrival.
    #[must_use]
    pub fn undecided(&self) -> Vec<usize> {
        let mut members = self.by_arrival();
        members.retain(|member| self.members[*member].active && self.kept[*member].is_none());
        members
    }

    /// Devices of the jobs' part of each class beside those of gangs that stay in any case.
    #[must_use]
    pub fn room(&self) -> Vec<usize> {
        let mut room: Vec<usize> = self.owned.iter().map(|devices| usize::try_from(*devices).unwrap_or(0)).collect();
        for (member, class) in self.kept.iter().enumerate() {
            if let Some(class) = class {
                room[*class] = room[*class].saturating_sub(self.size(member));
            }
        }
        room
    }

    /// Devices that a job needs at once.
    #[must_use]
    pub fn gang(&self, member: usize) -> i32 {
        self.members[member].job.gang.max(1)
    }

    /// The same, to take from a [`room`](Self::room).
    #[must_use]
    pub fn size(&self, member: usize) -> usize {
        usize::try_from(self.gang(member)).unwrap_or(usize::MAX)
    }

    /// The class a job runs on, or will when a notice ends.
    #[must_use]
    pub fn here(&self, member: usize) -> Option<usize> {
        self.runs_on[member].or(self.awaits[member])
    }

    /// Whether a proposal of the class is followed: a gang inside its minimum run stays where it is.
    #[must_use]
    pub fn may_go(&self, member: usize, class: usize) -> bool {
        !self.fixed[member] || self.here(member) == Some(class)
    }

    /// Speed of the gang on its fastest class, in milliunits per second; 0 where none can run it.
    #[must_use]
    pub fn fastest(&self, member: usize) -> i64 {
        self.speeds[member].iter().map(|(_, speed)| *speed).max().unwrap_or(0)
    }

    /// The time that a job needs for `work` milliunits on its fastest class, in milliseconds; endless where none can run it.
    #[must_use]
    pub fn time_alone(&self, member: usize, work: i64) -> i128 {
        let fastest = self.fastest(member);
        if fastest > 0 { i128::from(work.max(0)) * 1000 / i128::from(fastest) } else { i128::MAX }
    }

    /// The same for all that the job has not done.
    #[must_use]
    pub fn time_left(&self, member: usize) -> i128 {
        let Member { job, account, .. } = &self.members[member];
        self.time_alone(member, job.work.saturating_sub(account.done))
    }
}
