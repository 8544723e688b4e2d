//! The parts that a row can play at the optimum: which classes it uses, and what its utility answers to.

/// The classes that a row uses, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Face(u64);

impl Face {
    /// More are not told apart.
    pub const CLASSES_MAX: usize = 64;
    /// No class.
    pub const NONE: Self = Self(0);

    /// Whether a class is used.
    pub fn has(self, class: usize) -> bool {
        self.0 >> class & 1 == 1
    }

    /// And a class more.
    pub fn with(self, class: usize) -> Self {
        Self(self.0 | 1 << class)
    }

    /// But for a class.
    pub fn without(self, class: usize) -> Self {
        Self(self.0 & !(1 << class))
    }

    /// How many classes.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The classes, in order.
    pub fn classes(self) -> impl Iterator<Item = usize> {
        (0..Self::CLASSES_MAX).filter(move |class| self.has(*class))
    }
}

/// What a row's utility answers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wants {
    /// `weight / value`.
    Share,
    /// Its floor.
    Floor,
    /// Nothing: money has one value.
    Money,
}

/// The classes whose fractions follow from the row's own equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// None: money, and time to spare.
    None,
    /// One class, with time to spare: the utility tells how much.
    Part(usize),
    /// All the time on one class.
    Whole(usize),
    /// All the time on two classes: the utility tells how it is divided.
    Two(usize, usize),
}

/// How a part ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// A class is worth using.
    Use(usize),
    /// Nothing is left of a class.
    Leave(usize),
    /// Time has no price any more.
    Idle,
    /// No time is left.
    Full,
}

/// A row's part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Regime {
    /// The classes that it uses.
    pub face: Face,
    /// Whether its time has a price.
    pub full: bool,
    /// What its utility answers to.
    pub wants: Wants,
    /// What follows from its own equations.
    pub base: Base,
}

/// What the demand of a row with a share follows while it keeps its part and takes nothing beyond its base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follows {
    /// No price.
    Nothing,
    /// Its weight buys devices of one class.
    Price(usize),
    /// Its weight over the difference of two prices is what it takes of the first, but for a constant; of the second as
    /// many devices less.
    Difference(usize, usize),
}

impl Regime {
    /// What the demand follows.
    pub fn follows(&self) -> Follows {
        match self.base {
            Base::None | Base::Whole(_) => Follows::Nothing,
            Base::Part(class) => Follows::Price(class),
            Base::Two(first, second) => Follows::Difference(first, second),
        }
    }

    /// Without a class beyond the base.
    pub fn leave(&mut self, class: usize) {
        self.face = self.face.without(class);
    }
}
