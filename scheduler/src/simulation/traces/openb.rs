//! OpenB's lists (Alibaba): nodes with their GPUs, and pods as jobs that run for a known time.
//!
//! A pod's duration is the time from when it was scheduled (or created, if that is not known) to its deletion. A part of a
//! GPU counts as a whole one, since jobs hold whole devices here. Pods without a GPU, and those that were never started,
//! are left out and counted.

use super::table::{LineError, Row, with_header};
use super::tiresias::TimedJob;
use std::collections::BTreeMap;

/// What the pods of a list are as jobs.
#[derive(Debug, Clone, PartialEq)]
pub struct Pods {
    /// In order of arrival.
    pub jobs: Vec<TimedJob>,
    /// Pods that need no GPU or never ran.
    pub left_out: usize,
}

const NODE: [&str; 3] = ["sn", "gpu", "model"];
const POD: [&str; 6] = ["name", "num_gpu", "gpu_spec", "creation_time", "deletion_time", "scheduled_time"];

/// GPUs by model and by number in one node: how many nodes there are of each.
///
/// # Errors
/// A line that is not a node.
pub fn nodes(text: &str) -> Result<BTreeMap<(String, u32), u32>, LineError> {
    let mut found = BTreeMap::new();
    for row in with_header(text, &NODE)? {
        if row.parse::<u32>(1, "a number of GPUs")? > 0 {
            *found.entry((row.text(2).to_owned(), row.count(1, "a number of GPUs")?)).or_insert(0) += 1;
        }
    }
    Ok(found)
}

/// Reads the pods.
///
/// # Errors
/// A line that is not a pod.
pub fn pods(text: &str) -> Result<Pods, LineError> {
    let rows = with_header(text, &POD)?;
    let found: Vec<Option<TimedJob>> = rows.iter().map(pod).collect::<Result<_, _>>()?;
    let left_out = found.iter().filter(|job| job.is_none()).count();
    let mut jobs: Vec<TimedJob> = found.into_iter().flatten().collect();
    jobs.sort_by(|a, b| a.arrival_s.total_cmp(&b.arrival_s).then_with(|| a.name.cmp(&b.name)));
    Ok(Pods { jobs, left_out })
}

fn pod(row: &Row<'_>) -> Result<Option<TimedJob>, LineError> {
    let gang: u32 = row.parse(1, "a number of GPUs")?;
    let created = row.amount(3, "a time in seconds")?;
    let started = if row.text(5).is_empty() { created } else { row.amount(5, "a time in seconds")? };
    if gang == 0 || row.text(4).is_empty() {
        return Ok(None);
    }
    let deleted = row.amount(4, "a time in seconds")?;
    if deleted <= started {
        return Ok(None);
    }
    let models = row.text(2).split('|').filter(|model| !model.is_empty()).map(str::to_owned);
    Ok(Some(TimedJob {
        name: row.text(0).to_owned(),
        gang,
        arrival_s: created,
        duration_s: deleted - started,
        models: models.collect(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n";

    #[test]
    fn a_pod_runs_from_when_it_was_scheduled_on_the_models_it_allows() {
        let text = format!("{HEADER}b,1,1,2,1000,V100|P100,LS,Running,100,400,150\na,1,1,1,460,,LS,Running,50,90,\n");
        let found = pods(&text).expect("two pods");
        let [a, b] = &found.jobs[..] else { panic!("{found:?}") };
        assert_eq!((a.name.as_str(), a.gang, a.duration_s, a.models.len()), ("a", 1, 40.0, 0));
        assert_eq!((b.arrival_s, b.duration_s, b.models.join(" ")), (100.0, 250.0, "V100 P100".to_owned()));
    }

    #[test]
    fn pods_without_a_gpu_or_a_run_are_counted_not_read() {
        let text = format!("{HEADER}a,1,1,0,0,,LS,Running,50,90,50\nb,1,1,1,1000,,LS,Failed,50,50,50\n");
        assert_eq!(pods(&text), Ok(Pods { jobs: Vec::new(), left_out: 2 }));
    }

    #[test]
    fn nodes_are_counted_by_model_and_size() {
        let found =
            nodes("sn,cpu_milli,memory_mib,gpu,model\nx,1,1,2,P100\ny,1,1,2,P100\nz,1,1,8,T4\n").expect("nodes");
        let expected = [(("P100".to_owned(), 2), 2), (("T4".to_owned(), 8), 1)];
        assert_eq!(found, BTreeMap::from(expected));
    }
}
