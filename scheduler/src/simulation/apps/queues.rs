//! One at a time: the first in some order gets all it can use, then the next. What the baselines of every comparison do.

use super::{Active, Granted, Rule, View};

/// The order in which applications are served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queue {
    /// Who came first.
    Fifo,
    /// Who has least work in all.
    Sjf,
    /// Who has least work left.
    Srpt,
    /// Who has received least GPU time so far.
    Las,
}

impl Rule for Queue {
    fn grant(&self, view: &View<'_>) -> Granted {
        let key = |active: &Active| match self {
            Self::Fifo => active.arrival_s,
            Self::Sjf => active.work,
            Self::Srpt => active.left,
            Self::Las => active.work - active.left,
        };
        let mut order: Vec<usize> = (0..view.active.len()).collect();
        order.sort_by(|a, b| key(&view.active[*a]).total_cmp(&key(&view.active[*b])).then(a.cmp(b)));
        let mut given = vec![0; view.active.len()];
        view.in_order(&order, &mut given);
        given.into()
    }
}
