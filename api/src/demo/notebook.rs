//! What the demo remembers between two runs, in files that only its owner can read: the secret that its accounts'
//! passwords come from, and how far each stream of wishes got. Everything else is in the market itself.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use crate::entropy::{Entropy, Secret};

/// Characters of a password.
const PASSWORD_LENGTH: usize = 16;

/// The open notebook.
#[derive(Debug, Clone)]
pub struct Notebook {
    folder: PathBuf,
    secret: Secret,
}

impl Notebook {
    /// Opens the notebook in the folder; begins one if there is none.
    pub fn open(folder: &Path, entropy: &dyn Entropy) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let path = folder.join("secret");
        if !path.exists() {
            let fresh = folder.join(format!("secret.{}", std::process::id()));
            write_private(&fresh, entropy.secret("").reveal())?;
            // Of two demos that begin at once, the first one's secret stands.
            let linked = fs::hard_link(&fresh, &path);
            fs::remove_file(&fresh)?;
            match linked {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        let secret = Secret::presented(fs::read_to_string(&path)?.trim());
        Ok(Self { folder: folder.to_owned(), secret })
    }

    /// The password of an account: follows from the secret, so that it is the same next time.
    #[must_use]
    pub fn password(&self, slug: &str) -> Secret {
        let digest = Sha256::digest(format!("{}\n{slug}", self.secret.reveal()));
        Secret::presented(&URL_SAFE_NO_PAD.encode(digest)[..PASSWORD_LENGTH])
    }

    /// How many wishes of the stream were made. One that was made but not noted is made again under the same key,
    /// which does nothing.
    #[must_use]
    pub fn position(&self, stream: &str) -> u64 {
        let text = fs::read_to_string(self.folder.join(stream)).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    }

    /// Notes how many wishes of the stream were made.
    pub fn note(&self, stream: &str, position: u64) -> io::Result<()> {
        let fresh = self.folder.join(format!("{stream}.new"));
        write_private(&fresh, &position.to_string())?;
        fs::rename(fresh, self.folder.join(stream))
    }
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    writeln!(file, "{text}")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::entropy::SystemEntropy;

    #[test]
    fn the_next_run_has_the_same_passwords_and_goes_on_where_this_one_was() {
        let folder = std::env::temp_dir().join(format!("souk-notebook-{}", std::process::id()));
        let first = Notebook::open(&folder, &SystemEntropy).expect("a folder of ours");
        assert_eq!(first.position("model-1"), 0);
        first.note("model-1", 41).expect("a file of ours");
        let second = Notebook::open(&folder, &SystemEntropy).expect("a folder of ours");
        assert_eq!(second.position("model-1"), 41);
        assert_eq!(first.password("acacia"), second.password("acacia"));
        assert_ne!(first.password("acacia"), first.password("cedar"));
        let mode = fs::metadata(folder.join("secret")).expect("it was written").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        fs::remove_dir_all(&folder).expect("ours to remove");
    }
}
