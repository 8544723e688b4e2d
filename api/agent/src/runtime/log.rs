//! What a workload prints: a file with a bounded length, of which the end is reported.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// The longest the file gets.
const FILE_BYTES_MOST: u64 = 8 << 20;
/// What is left of it when it is cut.
const FILE_BYTES_KEPT: u64 = 1 << 20;
/// The part that is reported.
pub const TAIL_BYTES: u64 = 16 << 10;

/// A workload's log.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    reported: Option<String>,
}

impl Log {
    /// The log in that file.
    #[must_use]
    pub const fn at(path: PathBuf) -> Self {
        Self { path, reported: None }
    }

    /// The file, for the workload to print to. It always appends, so that the file can be cut under it.
    pub fn open(&self) -> io::Result<File> {
        OpenOptions::new().create(true).append(true).mode(0o600).open(&self.path)
    }

    /// Cuts the file when it has become too long. What is printed at that very moment is lost.
    pub fn cut(&self) -> io::Result<()> {
        let file = OpenOptions::new().read(true).append(true).open(&self.path)?;
        if file.metadata()?.len() <= FILE_BYTES_MOST {
            return Ok(());
        }
        let kept = end_of(&self.path, FILE_BYTES_KEPT)?;
        file.set_len(0)?;
        (&file).write_all(&kept)
    }

    /// The end of the log, if it is not what was reported last. `room` is how many bytes it may take as JSON.
    pub fn news(&mut self, room: usize) -> Option<String> {
        let tail = readable(&end_of(&self.path, TAIL_BYTES).ok()?);
        if self.reported.as_ref() == Some(&tail) {
            return None;
        }
        let news = fitting(&tail, room)?;
        self.reported = Some(tail);
        Some(news)
    }

    /// Forgets what was reported: the server may not have got it.
    pub fn report_again(&mut self) {
        self.reported = None;
    }
}

fn end_of(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// As text: what is none is shown as `�`, and so is NUL, which databases do not take.
fn readable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\0', "\u{FFFD}")
}

/// The end of the text that takes no more than `room` bytes as JSON.
fn fitting(text: &str, room: usize) -> Option<String> {
    let mut rest = text;
    loop {
        let size = serde_json::to_string(rest).map_or(usize::MAX, |json| json.len());
        if size <= room {
            return Some(rest.to_owned());
        }
        let half = ((rest.len() / 2).max(1)..rest.len()).find(|at| rest.is_char_boundary(*at))?;
        rest = &rest[half..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(name: &str) -> Log {
        let path = std::env::temp_dir().join(format!("souk-log-{name}-{}", std::process::id()));
        drop(std::fs::remove_file(&path));
        Log::at(path)
    }

    #[test]
    fn only_news_is_reported() {
        let mut log = log("news");
        let mut file = log.open().unwrap();
        file.write_all(b"one\n\xFF\0").unwrap();
        assert_eq!(log.news(1000).as_deref(), Some("one\n\u{FFFD}\u{FFFD}"));
        assert_eq!(log.news(1000), None);
        file.write_all(b"two").unwrap();
        assert!(log.news(1000).unwrap().ends_with("two"));
        log.report_again();
        assert!(log.news(1000).unwrap().ends_with("two"));
        std::fs::remove_file(&log.path).unwrap();
    }

    #[test]
    fn a_log_stays_within_its_bound_while_it_is_written() {
        let log = log("bound");
        let mut file = log.open().unwrap();
        file.write_all(&vec![b'x'; usize::try_from(FILE_BYTES_MOST).unwrap() + 1]).unwrap();
        log.cut().unwrap();
        file.write_all(b"after").unwrap();
        let length = file.metadata().unwrap().len();
        assert_eq!(length, FILE_BYTES_KEPT + 5);
        std::fs::remove_file(&log.path).unwrap();
    }

    #[test]
    fn a_tail_that_swells_in_json_is_cut_to_its_room() {
        let text = "\u{1}".repeat(1000);
        let fitted = fitting(&text, 100).unwrap();
        assert!(!fitted.is_empty() && serde_json::to_string(&fitted).unwrap().len() <= 100);
        assert_eq!(fitting("abc", 1), None);
    }
}
