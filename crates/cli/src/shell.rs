//! The commands `throng completions` and `throng man`: the command line for shells and for `man`.

use throng_scenario::shown;

use crate::arguments::{CompletionsOptions, ManOptions, command};
use crate::failure::Failure;
use crate::output::print;

/// Runs the command `throng completions`.
pub(crate) fn completions(options: &CompletionsOptions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command(), "throng", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Runs the command `throng man`.
pub(crate) fn man(options: &ManOptions) -> Result<(), Failure> {
    std::fs::create_dir_all(&options.folder).map_err(|error| Failure::write(&options.folder, &error))?;
    clap_mangen::generate_to(command(), &options.folder).map_err(|error| Failure::write(&options.folder, &error))?;
    let (folder, first) = (shown(&options.folder), options.folder.join("throng.1"));
    print(&format!("wrote {folder}. Next: man -l {}\n", shown(&first)))
}
