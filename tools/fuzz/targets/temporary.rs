//! A folder of this process for files that a target reads.

use std::path::PathBuf;
use std::sync::LazyLock;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    // In memory where there is such a folder: a target writes thousands of files per second.
    let memory = PathBuf::from("/dev/shm");
    let base = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let folder = base.join(format!("throng-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
});

/// Writes a file of this name, and returns its path.
pub fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.join(name);
    std::fs::write(&path, bytes).expect("the file can be written");
    path
}
