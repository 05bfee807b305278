//! Tokens that outlive a server: one file per port, which only its owner can read.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The file with the token of a port; `None` without a home.
pub(super) fn file(port: u16) -> Option<PathBuf> {
    let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
    let folder = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    Some(folder.join("throng").join(format!("view-{port}.token")))
}

/// Reads a token; `None` if the file does not hold one, or if others can read it.
pub(super) fn read(file: &Path) -> Option<String> {
    if !is_private(file) {
        return None;
    }
    let token = std::fs::read_to_string(file).ok()?;
    let valid = token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    valid.then_some(token)
}

/// Writes a token. Without it, the next server has another one.
pub(super) fn write(file: &Path, token: &str) {
    let _ = file.parent().map(std::fs::create_dir_all);
    let _ = std::fs::remove_file(file);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(file).and_then(|mut file| file.write_all(token.as_bytes()));
}

#[cfg(unix)]
fn is_private(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::symlink_metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o077 == 0)
}

#[cfg(not(unix))]
fn is_private(file: &Path) -> bool {
    file.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_token_is_read_only_while_it_is_private_and_whole() {
        let folder = std::env::temp_dir().join(format!("throng-token-{}", std::process::id()));
        let (file, token) = (folder.join("view-1.token"), "0123456789abcdef".repeat(2));
        write(&file, &token);
        assert_eq!(read(&file), Some(token));
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
        assert_eq!(read(&file), None);
        write(&file, "short");
        assert_eq!(read(&file), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
