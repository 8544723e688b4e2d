//! Traces drawn the way Gavel draws its own: the recipes of its `generate_trace.py` (all jobs there from the start, half an
//! hour to twelve on a V100) and `generate_job` (Philly's gangs and durations, Poisson arrivals). The same seed gives the same
//! trace as there, and what comes out is in Gavel's own ten columns. See [`super::gavel`] for reading it.

use super::gavel::Throughputs;
use super::twister::Twister;
use std::fmt::Write as _;

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Recipe {
    /// All at once: 24 durations from half an hour to 12 hours, gangs of 1, 2 and 4.
    Static,
    /// One after the other: half an hour to seven days, gangs of 1, 2, 4 and 8.
    Arrivals {
        /// Mean time between two arrivals, in seconds.
        gap_s: f64,
    },
}

/// A kind of job that the throughputs do not list on the class that durations are told for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the throughputs list no speed of `{kind}` on {gang} x {REFERENCE}")]
pub struct Unlisted {
    kind: String,
    gang: u32,
}

/// Durations are those on this class.
const REFERENCE: &str = "v100";

/// A kind of job: its name, command, directory and argument as Gavel writes them.
struct Kind {
    name: String,
    command: String,
    folder: &'static str,
    argument: &'static str,
    reads_data: bool,
    /// Whether it can run on several devices.
    spreads: bool,
}

/// Draws a trace of so many jobs.
///
/// # Errors
/// [`Unlisted`]: the throughputs lack a kind of job.
pub fn draw(recipe: Recipe, jobs: usize, seed: u64, speeds: &Throughputs) -> Result<String, Unlisted> {
    let kinds = kinds();
    let mut lines = Lines { text: String::new(), speeds };
    match recipe {
        Recipe::Static => all_at_once(&kinds, jobs, seed, &mut lines)?,
        Recipe::Arrivals { gap_s } => arriving(&kinds, jobs, seed, gap_s, &mut lines)?,
    }
    Ok(lines.text)
}

fn all_at_once(kinds: &[Kind], jobs: usize, seed: u64, lines: &mut Lines<'_>) -> Result<(), Unlisted> {
    let hours: Vec<f64> = (1..=24).map(|half| f64::from(half) / 2.0).collect();
    let [mut kind_of, mut hours_of, mut gang_of] = [0, 2, 3].map(|stream| Twister::new(seed + stream));
    for _ in 0..jobs {
        let kind = kind_of.choose(kinds);
        let gang = if kind.spreads { gang(&mut gang_of, 1.0) } else { 1 };
        lines.add(kind, gang, hours_of.choose(&hours) * 3600.0, 0.0)?;
    }
    Ok(())
}

fn arriving(kinds: &[Kind], jobs: usize, seed: u64, gap_s: f64, lines: &mut Lines<'_>) -> Result<(), Unlisted> {
    let [mut job, mut gap] = [0, 1].map(|stream| Twister::new(seed + stream));
    let mut arrival_s = 0.0;
    for number in 0..jobs {
        let gang = gang(&mut job, 0.95);
        let (least, most) = if job.unit() >= 0.8 { (3.0, 4.0) } else { (1.5, 3.0) };
        let duration_s = 60.0 * libm::pow(10.0, job.between(least, most));
        let kind = loop {
            let kind = job.choose(kinds);
            if gang == 1 || kind.spreads {
                break kind;
            }
        };
        if number > 0 {
            arrival_s -= libm::log(1.0 - gap.unit()) * gap_s;
        }
        lines.add(kind, gang, duration_s, arrival_s)?;
    }
    Ok(())
}

/// Seven in ten need one device, one in ten needs two; the rest four, and beyond `eight` that many.
fn gang(twister: &mut Twister, eight: f64) -> u32 {
    match twister.unit() {
        drawn if drawn < 0.7 => 1,
        drawn if drawn <= 0.8 => 2,
        drawn if drawn <= eight => 4,
        _ => 8,
    }
}

struct Lines<'a> {
    text: String,
    speeds: &'a Throughputs,
}

impl Lines<'_> {
    /// Steps and arrivals are cut to whole ones.
    fn add(&mut self, kind: &Kind, gang: u32, duration_s: f64, arrival_s: f64) -> Result<(), Unlisted> {
        let key = (REFERENCE.to_owned(), kind.name.clone(), gang);
        let speed = self.speeds.get(&key).copied().filter(|speed| *speed > 0.0);
        let speed = speed.ok_or_else(|| Unlisted { kind: kind.name.clone(), gang })?;
        let Kind { name, command, folder, argument, reads_data, .. } = kind;
        let steps = libm::floor(speed * duration_s).max(1.0);
        let (reads_data, arrival_s) = (u8::from(*reads_data), libm::floor(arrival_s));
        let written = writeln!(
            self.text,
            "{name}\t{command}\t{folder}\t{argument}\t{reads_data}\t{steps}\t{gang}\t1\t-1.000000\t{arrival_s}"
        );
        written.map_err(|_| Unlisted { kind: name.clone(), gang })
    }
}

/// All kinds, in Gavel's order: a seed chooses by place.
fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    let mut family = |name: &str, sizes: &[u32], command: &str, folder: &'static str, argument: &'static str| {
        for size in sizes {
            kinds.push(Kind {
                name: format!("{name} (batch size {size})"),
                command: command.replace("SIZE", &size.to_string()),
                folder,
                argument,
                reads_data: true,
                spreads: name != "Recommendation",
            });
        }
    };
    let powers = [16, 32, 64, 128, 256];
    let resnet_18 = "python3 main.py --data_dir=%s/cifar10 --batch_size SIZE";
    family("ResNet-18", &powers, resnet_18, "image_classification/cifar10", "--num_steps");
    let resnet_50 = "python3 main.py -j 8 -a resnet50 -b SIZE %s/imagenet/";
    family("ResNet-50", &powers[..4], resnet_50, "image_classification/imagenet", "--num_minibatches");
    let transformer = "python3 train.py -data %s/translation/multi30k.atok.low.pt -batch_size SIZE -proj_share_weight";
    family("Transformer", &powers, transformer, "translation", "-step");
    let lm = "python main.py --cuda --data %s/wikitext2 --batch_size SIZE";
    family("LM", &[5, 10, 20, 40, 80], lm, "language_modeling", "--steps");
    let recommendation = "python3 train.py --data_dir %s/ml-20m/pro_sg/ --batch_size SIZE";
    family("Recommendation", &[512, 1024, 2048, 4096, 8192], recommendation, "recommendation", "-n");
    let single = |name: &str, command: &str, folder, argument, reads_data| {
        let (name, command) = (name.to_owned(), command.to_owned());
        Kind { name, command, folder, argument, reads_data, spreads: false }
    };
    let a3c = "python3 main.py --env PongDeterministic-v4 --workers 4 --amsgrad True";
    kinds.push(single("A3C", a3c, "rl", "--max-steps", false));
    let cyclegan = "python3 cyclegan.py --dataset_path %s/monet2photo --decay_epoch 0";
    kinds.push(single("CycleGAN", cyclegan, "cyclegan", "--n_steps", true));
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_without_a_speed_is_named() {
        let found = draw(Recipe::Static, 1, 0, &Throughputs::new()).expect_err("no speeds");
        assert_eq!(found.to_string(), "the throughputs list no speed of `Transformer (batch size 128)` on 1 x v100");
    }
}
