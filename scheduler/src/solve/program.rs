//! What is solved: rows that couple only through the classes' devices, and what is wrong with one that cannot be.

/// A concave programme over rows (jobs, bids) and classes.
///
/// ```text
/// maximise    sum_j aim_j( u_j ) - sum_k sum_m ask_km z_km          u_j = sum_k speed_jk x_jk
/// subject to  sum_j gang_j x_jk <= free_k + sum_m z_km              for each class, dual: its price
///             sum_k x_jk <= 1                                       for each row, dual: the price of its time
///             u_j >= floor_j                                        dual: its subsidy
///             0 <= x,  0 <= z_km <= devices_km
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// The rows.
    pub rows: Vec<Row>,
    /// `speeds[j * classes + k]`: what row j makes per unit of time with its whole gang on class k; 0 where it cannot run.
    /// For [`Aim::Spend`] and [`Aim::Pay`] in money.
    pub speeds: Vec<f64>,
    /// What each class has.
    pub supply: Vec<Supply>,
}

/// A row: a job or a bid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// What its utility counts for.
    pub aim: Aim,
    /// How many devices it takes, all or nothing.
    pub gang: f64,
    /// The least utility it must get; 0 for none.
    pub floor: f64,
}

/// What a row's utility `u` adds to the objective.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// `weight * ln(u)`: proportional fairness (Nash).
    Log {
        /// Positive.
        weight: f64,
    },
    /// `budget * ln(u + d) - d`, `d >= 0` the money it does not spend: a buyer of Eisenberg and Gale who may keep money.
    Spend {
        /// Money per round, positive.
        budget: f64,
    },
    /// `u` itself: a bid that pays up to its limit.
    Pay,
    /// The objective is the least of all `u / reference`. All rows have this aim, or none.
    Level {
        /// Positive.
        reference: f64,
    },
}

/// The supply of a class.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Supply {
    /// Devices that cost nothing.
    pub free: f64,
    /// Devices that are sold, each step at its ask.
    pub steps: Vec<Step>,
}

/// Devices offered at one ask.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The least price per device.
    pub ask: f64,
    /// How many.
    pub devices: f64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// A number that has no meaning where it stands.
    #[error("{what} of {place} is {number}; it must be {must}")]
    Number {
        /// Which number.
        what: &'static str,
        /// Where.
        place: String,
        /// What was given.
        number: f64,
        /// What is allowed.
        must: &'static str,
    },
    /// The parts of the programme do not fit together.
    #[error("{rows} rows and {classes} classes need {} speeds, not {speeds}", rows * classes)]
    Shape {
        /// Rows.
        rows: usize,
        /// Classes.
        classes: usize,
        /// Speeds that were given.
        speeds: usize,
    },
    /// Aims that cannot be weighed against each other.
    #[error("row {row} has another kind of aim than row 0: a level is the aim of every row, or of none")]
    MixedAims {
        /// The first row that differs.
        row: usize,
    },
    /// Hidden payments were asked for where no product of rates is maximised.
    #[error(
        "{place} is no part of a product of rates: payments need logarithms without floors, and devices that cost nothing"
    )]
    NoProduct {
        /// The first that is not.
        place: String,
    },
    /// No answer could be proved.
    #[error("no certified answer: the best relative gap is {gap:e}")]
    NotCertified {
        /// The best gap.
        gap: f64,
    },
}

impl Program {
    /// How many classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.supply.len()
    }

    /// The speeds of a row.
    #[must_use]
    pub fn speeds_of(&self, row: usize) -> &[f64] {
        &self.speeds[row * self.classes()..(row + 1) * self.classes()]
    }

    /// The most devices of a class, at any price.
    #[must_use]
    pub fn capacity(&self, class: usize) -> f64 {
        let supply = &self.supply[class];
        supply.free + supply.steps.iter().map(|step| step.devices).sum::<f64>()
    }

    /// Whether the row can run anywhere at all.
    #[must_use]
    pub fn can_run(&self, row: usize) -> bool {
        (0..self.classes()).any(|class| self.speeds_of(row)[class] > 0.0 && self.capacity(class) > 0.0)
    }

    /// Whether the objective is a level.
    #[must_use]
    pub fn is_level(&self) -> bool {
        matches!(self.rows.first(), Some(Row { aim: Aim::Level { .. }, .. }))
    }

    /// Looks at every number before anything is computed from it.
    ///
    /// # Errors
    /// The first that is not finite, negative, or zero where it must not be; a wrong number of speeds; mixed aims.
    pub fn check(&self) -> Result<(), SolveError> {
        let (rows, classes) = (self.rows.len(), self.classes());
        if self.speeds.len() != rows * classes {
            return Err(SolveError::Shape { rows, classes, speeds: self.speeds.len() });
        }
        for (row, it) in self.rows.iter().enumerate() {
            self.check_row(row, *it)?;
        }
        for (class, supply) in self.supply.iter().enumerate() {
            not_negative("the number of free devices", || format!("class {class}"), supply.free)?;
            for (step, it) in supply.steps.iter().enumerate() {
                let place = || format!("step {step} of class {class}");
                not_negative("the ask", place, it.ask)?;
                not_negative("the number of devices", place, it.devices)?;
            }
        }
        Ok(())
    }

    fn check_row(&self, row: usize, it: Row) -> Result<(), SolveError> {
        let place = || format!("row {row}");
        positive("the gang", place, it.gang)?;
        not_negative("the floor", place, it.floor)?;
        match it.aim {
            Aim::Log { weight } => positive("the weight", place, weight)?,
            Aim::Spend { budget } => positive("the budget", place, budget)?,
            Aim::Level { reference } => positive("the reference", place, reference)?,
            Aim::Pay => {}
        }
        for (class, speed) in self.speeds_of(row).iter().enumerate() {
            not_negative("the speed", || format!("row {row} on class {class}"), *speed)?;
        }
        let level = matches!(it.aim, Aim::Level { .. });
        if level != self.is_level() {
            return Err(SolveError::MixedAims { row });
        }
        Ok(())
    }
}

fn positive(what: &'static str, place: impl Fn() -> String, number: f64) -> Result<(), SolveError> {
    if number.is_finite() && number > 0.0 {
        return Ok(());
    }
    Err(SolveError::Number { what, place: place(), number, must: "finite and above 0" })
}

fn not_negative(what: &'static str, place: impl Fn() -> String, number: f64) -> Result<(), SolveError> {
    if number.is_finite() && number >= 0.0 {
        return Ok(());
    }
    Err(SolveError::Number { what, place: place(), number, must: "finite and at least 0" })
}
