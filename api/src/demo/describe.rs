//! What a stream of demand and a set of nodes look like in figures: the same code for the model and for a trace, so
//! that they can be laid side by side.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::arrival::{Arrival, Kind, NodeShape};

/// Figures by name, in the order of the report. A figure that cannot be had is absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Description(Vec<(String, f64)>);

impl Description {
    /// Describes demand and supply; either may be empty.
    #[must_use]
    pub fn of(nodes: &[NodeShape], arrivals: &[Arrival]) -> Self {
        let mut description = Self::default();
        description.describe_nodes(nodes);
        description.describe_arrivals(arrivals);
        for kind in Kind::ALL {
            let of_kind: Vec<&Arrival> = arrivals.iter().filter(|arrival| arrival.kind == kind).collect();
            description.describe_kind(kind.name(), &of_kind);
        }
        description
    }

    fn figure(&mut self, name: impl Into<String>, value: f64) {
        self.0.push((name.into(), value));
    }

    fn describe_nodes(&mut self, nodes: &[NodeShape]) {
        let total = nodes.iter().map(|shape| f64::from(shape.nodes)).sum::<f64>();
        if total == 0.0 {
            return;
        }
        self.figure("nodes", total);
        let gpus = nodes.iter().map(|shape| f64::from(shape.nodes) * f64::from(shape.gpus)).sum::<f64>();
        self.figure("GPUs per node, mean", gpus / total);
        let mut sizes: BTreeMap<u32, f64> = BTreeMap::new();
        for shape in nodes {
            *sizes.entry(shape.gpus).or_default() += f64::from(shape.nodes);
        }
        for (size, count) in sizes {
            self.figure(format!("nodes with {size} GPUs, %"), 100.0 * count / total);
        }
    }

    fn describe_arrivals(&mut self, arrivals: &[Arrival]) {
        if arrivals.is_empty() {
            return;
        }
        self.figure("arrivals", count(arrivals.len()));
        let settled = &arrivals[arrivals.len() / 100..];
        let mut gaps: Vec<f64> = settled.windows(2).map(|pair| float(pair[1].at_millis - pair[0].at_millis)).collect();
        let mean = gaps.iter().sum::<f64>() / count(gaps.len().max(1));
        if mean > 0.0 {
            for gap in &mut gaps {
                *gap /= mean;
            }
            let variance = gaps.iter().map(|gap| (gap - 1.0).powi(2)).sum::<f64>() / count(gaps.len());
            self.figure("gap between arrivals over its mean, p50", quantile(&mut gaps, 0.5));
            self.figure("gap between arrivals over its mean, p90", quantile(&mut gaps, 0.9));
            self.figure("gap between arrivals, standard deviation over mean", variance.sqrt());
        }
        self.share(arrivals, "any model will do, %", |arrival| arrival.classes.is_empty());
        self.share(arrivals, "one class will do, %", |arrival| arrival.classes.len() == 1);
        self.share(arrivals, "several classes will do, %", |arrival| arrival.classes.len() > 1);
        for kind in Kind::ALL {
            self.share(arrivals, &format!("{}, %", kind.name()), |arrival| arrival.kind == kind);
        }
    }

    fn share(&mut self, arrivals: &[Arrival], name: &str, is_so: impl Fn(&Arrival) -> bool) {
        let some = arrivals.iter().filter(|arrival| is_so(arrival)).count();
        self.figure(name, 100.0 * count(some) / count(arrivals.len()));
    }

    fn describe_kind(&mut self, kind: &str, arrivals: &[&Arrival]) {
        if arrivals.is_empty() {
            return;
        }
        let total = count(arrivals.len());
        for gang in [1, 2, 4, 8] {
            let some = arrivals.iter().filter(|arrival| arrival.gang == gang).count();
            self.figure(format!("{kind}: gang of {gang}, %"), 100.0 * count(some) / total);
        }
        let parts = arrivals.iter().filter(|arrival| arrival.share_milli < 1000).count();
        self.figure(format!("{kind}: part of a GPU, %"), 100.0 * count(parts) / total);
        let mut seconds: Vec<f64> = arrivals.iter().map(|arrival| float(arrival.work.seconds())).collect();
        for (name, probability) in
            [("p10", 0.1), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p99", 0.99)]
        {
            self.figure(format!("{kind}: seconds, {name}"), quantile(&mut seconds, probability));
        }
    }

    /// A table with one column per description, aligned for reading and valid as Markdown.
    #[must_use]
    pub fn table(columns: &[(&str, Self)]) -> String {
        let mut names: Vec<&str> = Vec::new();
        for (name, _) in columns.iter().flat_map(|(_, description)| &description.0) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
        let mut text = format!("| {:<width$} |", "figure");
        for (title, _) in columns {
            let _infallible = write!(text, " {title:>12} |");
        }
        let _infallible = write!(text, "\n|{}|{}\n", "-".repeat(width + 2), "-------------:|".repeat(columns.len()));
        for name in names {
            let _infallible = write!(text, "| {name:<width$} |");
            for (_, description) in columns {
                let value = description.0.iter().find(|(known, _)| known == name).map(|(_, value)| shown(*value));
                let _infallible = write!(text, " {:>12} |", value.unwrap_or_default());
            }
            text.push('\n');
        }
        text
    }
}

fn shown(value: f64) -> String {
    if value >= 100.0 || value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

/// The value at a probability, nearest rank. Sorts, so that the next call is cheap.
fn quantile(values: &mut [f64], probability: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = count(values.len().saturating_sub(1));
    values.get(rank(probability * last)).copied().unwrap_or(0.0)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank within the length of a slice")]
fn rank(value: f64) -> usize {
    value.round() as usize
}

#[expect(clippy::cast_precision_loss, reason = "lengths of lists in memory")]
fn count(value: usize) -> f64 {
    value as f64
}

#[expect(clippy::cast_precision_loss, reason = "times of traces stay far below 2^53")]
fn float(value: u64) -> f64 {
    value as f64
}
