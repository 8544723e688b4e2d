//! One plot as inline SVG: lines that differ in colour and in dashes, axes with units, and words for who cannot see it.

use std::fmt::Write as _;

/// A line of a plot.
#[derive(Debug)]
pub(super) struct Line<'a> {
    pub(super) name: &'a str,
    pub(super) points: Vec<(f64, f64)>,
}

/// What a plot says beside its lines.
#[derive(Debug)]
pub(super) struct Words<'a> {
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    pub(super) across: &'a str,
    pub(super) up: &'a str,
}

/// Each in a contrast of more than 3 to white.
const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#00855f", "#b5508a", "#000000", "#a35c00", "#332288", "#2a86c0"];
const DASHES: [&str; 4] = ["none", "7 3", "2 2", "9 3 2 3"];
const LEFT: f64 = 60.0;
const TOP: f64 = 16.0;
const WIDE: f64 = 560.0;
const HIGH: f64 = 260.0;
/// Steps of an axis at most.
const STEPS_MAX: f64 = 6.0;

/// Draws the lines; `most_across` cuts off what lies beyond.
pub(super) fn plot(words: &Words<'_>, lines: &[Line<'_>], most_across: f64) -> String {
    let points = || lines.iter().flat_map(|line| &line.points);
    let right = points().map(|(x, _)| *x).fold(0.0, f64::max).min(most_across).max(1e-9);
    let top = points().map(|(_, y)| *y).fold(0.0, f64::max).max(1e-9);
    let names: Vec<&str> = lines.iter().map(|line| line.name).collect();
    let Words { id, title, across, up } = words;
    let mut svg = format!(
        "<figure><figcaption>{title}</figcaption><svg viewBox=\"0 0 640 330\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">\
         <title id=\"{id}-t\">{title}</title><desc id=\"{id}-d\">{up} over {across}, one line for each of {}; \
         figures are in the table.</desc>\n",
        escape(&names.join(", "))
    );
    for (value, label) in ticks(top) {
        let y = TOP + HIGH - value / top * HIGH;
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {y:.1}H{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT + WIDE,
            LEFT - 6.0,
            y + 4.0
        );
    }
    for (value, label) in ticks(right) {
        let (x, y) = (LEFT + value / right * WIDE, TOP + HIGH + 16.0);
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>");
    }
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{across}</text>\
         <text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{up}</text>",
        LEFT + WIDE / 2.0,
        TOP + HIGH + 36.0,
        TOP + HIGH / 2.0
    );
    for (place, line) in lines.iter().enumerate() {
        let _ = writeln!(svg, "{}", path(line, place, right, top));
    }
    let _ = writeln!(svg, "</svg></figure>");
    svg
}

fn path(line: &Line<'_>, place: usize, right: f64, top: f64) -> String {
    let mut path = String::new();
    for (x, y) in line.points.iter().filter(|(x, _)| *x <= right) {
        let command = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{command}{:.1} {:.1}", LEFT + x / right * WIDE, TOP + HIGH - y / top * HIGH);
    }
    let (colour, dashes) = style(place);
    format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\">\
         <title>{}</title></path>",
        escape(line.name)
    )
}

/// Which line is whose, once for all plots.
pub(super) fn legend(names: &[&str]) -> String {
    let mut html = "<ul class=\"legend\">".to_owned();
    for (place, name) in names.iter().enumerate() {
        let (colour, dashes) = style(place);
        let _ = write!(
            html,
            "<li><svg width=\"44\" height=\"10\" aria-hidden=\"true\"><path d=\"M0 5H44\" stroke=\"{colour}\" \
             stroke-width=\"2\" stroke-dasharray=\"{dashes}\"/></svg> {}</li>",
            escape(name)
        );
    }
    html + "</ul>\n"
}

fn style(place: usize) -> (&'static str, &'static str) {
    (COLOURS[place % COLOURS.len()], DASHES[place % DASHES.len()])
}

/// The round values of an axis from 0 to `most`, and how they are written.
fn ticks(most: f64) -> Vec<(f64, String)> {
    let least = most / STEPS_MAX;
    let power = 10.0_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0].map(|digit| digit * power).into_iter().find(|step| *step >= least);
    let step = step.unwrap_or(10.0 * power);
    let decimals = [1.0, 0.1, 0.01].iter().position(|unit| step >= unit * 0.999).unwrap_or(3);
    let values = (0_u8..).map(|count| f64::from(count) * step).take_while(|value| *value <= most * (1.0 + 1e-9));
    values.map(|value| (value, format!("{value:.decimals$}"))).collect()
}

/// Text as HTML.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_is_divided_at_round_values() {
        let labels = |most| ticks(most).into_iter().map(|(_, label)| label).collect::<Vec<_>>().join(" ");
        assert_eq!(labels(1.0), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(labels(2.74), "0.0 0.5 1.0 1.5 2.0 2.5");
        assert_eq!(labels(60.97), "0 20 40 60");
        assert_eq!(labels(392.0), "0 100 200 300");
        assert_eq!(labels(0.06), "0.00 0.01 0.02 0.03 0.04 0.05 0.06");
    }
}
