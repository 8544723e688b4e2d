//! The page: the table, a legend and the plots, all in one file that needs nothing else.

use super::HEADS;
use super::plot::{Line, Words, escape, legend, plot};
use super::runs::Run;
use scheduler::simulation::statistics::count;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}\
table{border-collapse:collapse}th,td{padding:.2rem .7rem;border-bottom:1px solid #ccc;text-align:right}\
th:nth-child(-n+2),td:nth-child(-n+2){text-align:left}figure{margin:2rem 0}figcaption{font-weight:600}svg text{font-size:12px}.legend{list-style:none;padding:0}";
/// Points of a line at most: more cannot be seen.
const POINTS_MAX: usize = 2000;

pub(super) fn page(runs: &[Run]) -> String {
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    let mut plots = vec![
        distribution("rho", "Finish-time ratios", "finish-time ratio (times the reference)", runs, |run| &run.rho, 4.0),
        distribution(
            "jct",
            "Completion times",
            "completion time (hours)",
            runs,
            |run| &run.completion_h,
            f64::INFINITY,
        ),
    ];
    if runs.iter().any(|run| !run.rounds.is_empty()) {
        let (used, lag) = ("utilisation (part of devices)", "worst lag (hours of the reference)");
        plots.push(course("used", "Utilisation over time", used, runs, |round| round.utilisation));
        plots.push(course("lag", "Worst lag over time", lag, runs, |round| round.worst_lag_s / 3600.0));
    }
    let head: String = HEADS.iter().map(|head| format!("<th scope=\"col\">{}</th>", escape(head))).collect();
    let row = |run: &Run| {
        let cells = run.figures().into_iter().map(|cell| format!("<td>{}</td>", escape(&cell))).collect::<String>();
        format!("<tr>{cells}</tr>\n")
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Comparison of runs</title>\
         <style>{STYLE}</style></head>\n<body><main><h1>Comparison of runs</h1>\n\
         <table><thead><tr>{head}</tr></thead><tbody>\n{}</tbody></table>\n\
         <p>Ratios are against the demand-aware reference.</p>\n{}{}</main></body></html>\n",
        runs.iter().map(row).collect::<String>(),
        legend(&names),
        plots.concat()
    )
}

fn distribution(id: &str, title: &str, across: &str, runs: &[Run], of: fn(&Run) -> &Vec<f64>, most: f64) -> String {
    let line = |run: &'_ Run| -> Vec<(f64, f64)> {
        let values = of(run);
        let all = count(values.len());
        thinned(values.iter().enumerate().map(|(rank, value)| (*value, (count(rank) + 1.0) / all)).collect())
    };
    let lines: Vec<Line<'_>> = runs.iter().map(|run| Line { name: &run.name, points: line(run) }).collect();
    plot(&Words { id, title, across, up: "part of the jobs at or below" }, &lines, most)
}

fn course(id: &str, title: &str, up: &str, runs: &[Run], of: fn(&super::runs::Round) -> f64) -> String {
    let points =
        |run: &Run| held(&thinned(run.rounds.iter().map(|round| (round.time_s / 3600.0, of(round))).collect()));
    let lines: Vec<Line<'_>> = runs.iter().map(|run| Line { name: &run.name, points: points(run) }).collect();
    plot(&Words { id, title, across: "time (hours)", up }, &lines, f64::INFINITY)
}

/// Every n-th point, and the last: no other says where a line ends.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let step = points.len().div_ceil(POINTS_MAX).max(1);
    let last = points.len().saturating_sub(1);
    points.into_iter().enumerate().filter(|(place, _)| place % step == 0 || *place == last).map(|(_, at)| at).collect()
}

/// The corners of a line on which each value holds until the next: a slope would draw what never was, most of all where nobody is there.
fn held(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let first = points.first().copied();
    first.into_iter().chain(points.windows(2).flat_map(|pair| [(pair[1].0, pair[0].1), pair[1]])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_holds_until_the_next() {
        assert_eq!(
            held(&[(0.0, 3.0), (1.0, 0.0), (9.0, 2.0)]),
            [(0.0, 3.0), (1.0, 3.0), (1.0, 0.0), (9.0, 0.0), (9.0, 2.0)]
        );
        assert_eq!(held(&[]), []);
    }

    #[test]
    fn a_long_line_is_thinned_and_keeps_its_end() {
        let points: Vec<(f64, f64)> = (0..4000).map(|place| (f64::from(place), 0.0)).collect();
        let thin = thinned(points);
        assert_eq!((thin.len(), thin[1].0, thin[thin.len() - 1].0), (2001, 2.0, 3999.0));
    }
}
