//! Eight jobs abreast: the arithmetic of the interior point on one number of each.
//!
//! Plain arrays with fixed loops, which compilers turn into vector instructions without changing what is computed: the
//! order of all additions is fixed, so that results are the same on every machine.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// How many jobs go abreast.
pub const WIDTH: usize = 8;

/// One number of each of [`WIDTH`] jobs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lane(pub [f64; WIDTH]);

impl Lane {
    /// Nothing, for each job.
    pub const ZERO: Self = Self([0.0; WIDTH]);

    /// The same number for each job.
    #[inline(always)]
    pub const fn all(number: f64) -> Self {
        Self([number; WIDTH])
    }

    /// The sum over the jobs, in their order.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        self.0.iter().sum()
    }

    /// The largest over the jobs.
    #[inline(always)]
    pub fn largest(self) -> f64 {
        self.0.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// The larger of two, job by job.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    /// Zero where it is no more than rounding of a sum of numbers as large as `scale`.
    #[inline(always)]
    pub fn unless_rounding(self, scale: Self) -> Self {
        self.zip(scale, |own, scale| if own.abs() > 4.0 * f64::EPSILON * scale { own } else { 0.0 })
    }

    /// `exact` where it lies between half and twice this number, else this number.
    #[inline(always)]
    pub fn unless_far(self, exact: Self) -> Self {
        self.zip(exact, |own, exact| if exact > 0.5 * own && exact < 2.0 * own { exact } else { own })
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = [0.0; WIDTH];
        for lane in 0..WIDTH {
            out[lane] = f(self.0[lane], other.0[lane]);
        }
        Self(out)
    }
}

macro_rules! lane_wise {
    ($($trait:ident $method:ident $op:tt),+) => { $(
        impl $trait for Lane {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, |a, b| a $op b)
            }
        }
    )+ };
}

lane_wise!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Mul<f64> for Lane {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        self * Self::all(factor)
    }
}

impl Neg for Lane {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}
