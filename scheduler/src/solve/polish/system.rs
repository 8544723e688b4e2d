//! Newton's equations over the prices of scarce classes, the fractions of indifferent rows and the steps sold in part.

/// A row that is indifferent towards a class beyond its base.
#[derive(Debug, Clone)]
pub struct Tie {
    /// How its reduced cost follows the prices.
    pub by_price: [(usize, f64); 3],
    /// The reduced cost.
    pub missed: f64,
    /// What that is measured by.
    pub scale: f64,
    /// The fraction.
    pub part: f64,
    /// How many rows it stands for.
    pub count: f64,
}

/// The equations.
#[derive(Debug)]
pub struct System {
    /// How demand follows the prices, row by row.
    curvature: Vec<f64>,
    /// Devices that the rows take of each class.
    pub demand: Vec<f64>,
    /// The ties.
    pub ties: Vec<Tie>,
}

/// A step.
#[derive(Debug)]
pub struct Step {
    /// Of the prices.
    pub prices: Vec<f64>,
    /// Of the fractions, as the ties; none where there is no tie.
    pub extras: Vec<Option<f64>>,
    /// Of what is sold in part.
    pub sold: Vec<f64>,
}

/// Part of its own scale that keeps a direction nobody minds where it is.
const STIFFNESS: f64 = 1e-11;
/// The least price that its change is measured by.
const MIN_PRICE: f64 = 1e-12;
/// Part of its worth by which a class may miss being a tie where other ties imply it.
const MISSED: f64 = 1e-13;
/// What remains of an equation that others imply.
const IMPLIED: f64 = 1e-8;

impl System {
    /// For so many classes.
    pub fn new(width: usize) -> Self {
        Self { curvature: vec![0.0; width * width], demand: vec![0.0; width], ties: Vec::new() }
    }

    /// Nothing summed up yet.
    pub fn clear(&mut self) {
        self.curvature.fill(0.0);
        self.demand.fill(0.0);
        self.ties.clear();
    }

    /// Adds `by_value a a'`.
    pub fn curve(&mut self, by_price: &[(usize, f64); 2], by_value: f64) {
        if by_value == 0.0 {
            return;
        }
        let width = self.demand.len();
        for (k, own) in by_price {
            for (l, other) in by_price {
                self.curvature[k * width + l] += by_value * own * other;
            }
        }
    }

    /// The step that makes up for what is taken too much of each class, for ties missed and for asks missed. Ties too many
    /// for the prices, or that would throw one by more than `leap` of itself, are none: the weakest go first. None where no step is
    /// that short.
    pub fn solve(
        &self,
        scarce: &[bool],
        over: &[f64],
        partial: &[(usize, f64)],
        prices: &[f64],
        leap: f64,
    ) -> Option<Step> {
        let width = self.demand.len();
        let classes: Vec<usize> = (0..width).filter(|class| scarce[*class]).collect();
        let mut order: Vec<usize> = (0..self.ties.len()).collect();
        order.sort_by(|a, b| self.ties[*b].part.total_cmp(&self.ties[*a].part).then(a.cmp(b)));
        let asks = partial.iter().map(|(class, missed)| (unit(width, *class), *missed));
        let ties = order.iter().map(|tie| (spread(width, &self.ties[*tie].by_price), self.ties[*tie].missed));
        let edges: Vec<(Vec<f64>, f64)> = asks.chain(ties).collect();
        let mut free = independent(&edges, &classes);
        loop {
            let right = self.newton(&classes, over, &edges, &free)?;
            let moved = classes.iter().zip(&right).map(|(class, step)| (step / prices[*class].max(MIN_PRICE)).abs());
            if moved.fold(0.0, f64::max) <= leap {
                return Some(self.step(&classes, partial.len(), &order, &free, &right));
            }
            if free.pop()? < partial.len() {
                return None;
            }
        }
    }

    /// The numbers behind [`Step`]: the chosen equations solved.
    fn newton(&self, classes: &[usize], over: &[f64], edges: &[(Vec<f64>, f64)], free: &[usize]) -> Option<Vec<f64>> {
        let width = self.demand.len();
        let size = classes.len() + free.len();
        let mut matrix = vec![0.0; size * size];
        let mut right = vec![0.0; size];
        let stiff = classes.iter().map(|k| self.curvature[k * width + k].abs()).fold(1e-9, f64::max);
        for (row, k) in classes.iter().enumerate() {
            for (column, l) in classes.iter().enumerate() {
                matrix[row * size + column] = self.curvature[k * width + l];
            }
            matrix[row * size + row] -= STIFFNESS * stiff;
            right[row] = -over[*k];
            for (column, edge) in free.iter().enumerate() {
                let by_price = edges[*edge].0[*k];
                matrix[row * size + classes.len() + column] = by_price;
                matrix[(classes.len() + column) * size + row] = by_price;
            }
        }
        for (row, edge) in (classes.len()..).zip(free) {
            right[row] = -edges[*edge].1;
        }
        gauss(&mut matrix, &mut right, size)?;
        Some(right)
    }

    fn step(&self, classes: &[usize], asks: usize, order: &[usize], free: &[usize], right: &[f64]) -> Step {
        let mut step =
            Step { prices: vec![0.0; self.demand.len()], extras: vec![None; self.ties.len()], sold: vec![0.0; asks] };
        for (tie, extra) in self.ties.iter().zip(&mut step.extras) {
            // What others imply stays where it is, if it is one.
            *extra = (tie.missed.abs() <= MISSED * tie.scale).then_some(0.0);
        }
        for (k, step_of) in classes.iter().zip(right) {
            step.prices[*k] = *step_of;
        }
        for (edge, step_of) in free.iter().zip(&right[classes.len()..]) {
            match edge.checked_sub(asks) {
                // What is sold more is taken less.
                None => step.sold[*edge] = -step_of,
                Some(at) => step.extras[order[at]] = Some(step_of / self.ties[order[at]].count),
            }
        }
        step
    }
}

fn unit(width: usize, class: usize) -> Vec<f64> {
    let mut out = vec![0.0; width];
    out[class] = 1.0;
    out
}

fn spread(width: usize, by_price: &[(usize, f64); 3]) -> Vec<f64> {
    let mut out = vec![0.0; width];
    for (class, slope) in by_price {
        out[*class] += slope;
    }
    out
}

/// Equations over the prices that no earlier ones imply; what the others belong to stays where it is.
fn independent(edges: &[(Vec<f64>, f64)], classes: &[usize]) -> Vec<usize> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut chosen = Vec::new();
    for (index, (edge, _)) in edges.iter().enumerate() {
        if basis.len() == classes.len() {
            break;
        }
        let mut rest: Vec<f64> = classes.iter().map(|class| edge[*class]).collect();
        let length = norm(&rest);
        for known in &basis {
            let along: f64 = rest.iter().zip(known).map(|(a, b)| a * b).sum();
            rest.iter_mut().zip(known).for_each(|(a, b)| *a -= along * b);
        }
        let left = norm(&rest);
        if left > IMPLIED * length {
            basis.push(rest.iter().map(|a| a / left).collect());
            chosen.push(index);
        }
    }
    chosen
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|a| a * a).sum::<f64>().sqrt()
}

/// Gaussian elimination with partial pivoting; the solution replaces the right side.
fn gauss(matrix: &mut [f64], right: &mut [f64], size: usize) -> Option<()> {
    for k in 0..size {
        let pivot = (k..size).max_by(|a, b| matrix[a * size + k].abs().total_cmp(&matrix[b * size + k].abs()))?;
        if matrix[pivot * size + k] == 0.0 {
            return None;
        }
        if pivot != k {
            for column in 0..size {
                matrix.swap(pivot * size + column, k * size + column);
            }
            right.swap(pivot, k);
        }
        for row in k + 1..size {
            let factor = matrix[row * size + k] / matrix[k * size + k];
            if factor == 0.0 {
                continue;
            }
            for column in k..size {
                matrix[row * size + column] -= factor * matrix[k * size + column];
            }
            right[row] -= factor * right[k];
        }
    }
    for k in (0..size).rev() {
        let known: f64 = (k + 1..size).map(|column| matrix[k * size + column] * right[column]).sum();
        right[k] = (right[k] - known) / matrix[k * size + k];
    }
    Some(())
}
