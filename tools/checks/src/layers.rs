//! Layers: a module of the library uses only modules above it in `src/lib.rs`.

use syn::Item;

use crate::modules::File;
use crate::names::Names;

/// Returns one line for each import that goes up.
pub(crate) fn upward(files: &[File], names: &Names) -> Vec<String> {
    let order: Vec<String> = files[0]
        .items
        .iter()
        .filter_map(|item| if let Item::Mod(module) = item { Some(module.ident.to_string()) } else { None })
        .collect();
    let place = |module: Option<&String>| module.and_then(|module| order.iter().position(|other| other == module));
    let mut wrong = Vec::new();
    for reference in &names.references {
        let from = &files[reference.file];
        let Some(own) = place(from.module.first()) else { continue };
        let written = place(reference.path.first());
        let defined = names.file_of(&reference.path).and_then(|file| place(files[file].module.first()));
        if let Some(used) = written.max(defined).filter(|&used| used > own) {
            wrong.push(format!(
                "{}:{}: uses {} of `{}`, which is below `{}`",
                from.path.to_string_lossy(),
                reference.line,
                reference.path.join("::"),
                order[used],
                order[own]
            ));
        }
    }
    wrong.sort();
    wrong
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::upward;
    use crate::modules::parse;
    use crate::names::Names;

    const LIB: &str = "pub use glam;\npub mod error; mod kernels; pub mod tick;\npub use error::Error;\n\
                       pub use kernels::simd::{InstructionSet, Level as L};";

    /// Returns the number of imports that go up, in a crate whose other files are empty.
    fn wrong(file: &str, text: &str) -> usize {
        let read = |path: &Path| {
            let path = path.to_str().unwrap();
            let known = ["error.rs", "kernels/mod.rs", "kernels/simd.rs", "kernels/boxes.rs", "tick.rs"];
            match path {
                "lib.rs" => Some(LIB),
                _ if path == file => Some(text),
                "kernels/mod.rs" => Some("mod simd; mod boxes;"),
                _ => known.contains(&path).then_some(""),
            }
            .map(str::to_owned)
        };
        let files = parse(Path::new("lib.rs"), &read).unwrap();
        upward(&files, &Names::new(&files)).len()
    }

    #[test]
    fn an_import_that_goes_up_is_found() {
        let simd = "kernels/simd.rs";
        assert_eq!(wrong(simd, "use crate::error::Error;\nuse crate::Error;\nuse crate::kernels::CHUNK;"), 0);
        assert_eq!(wrong(simd, "use super::boxes;\n/// [`x`](crate::tick::x)\nfn f() { \"crate::tick\"; }"), 0);
        assert_eq!(wrong(simd, "use crate::tick::arrange;"), 1);
        assert_eq!(wrong(simd, "pub use crate::tick::arrange;"), 1);
        assert_eq!(wrong(simd, "use crate::{\n    error::{self, Error},\n    tick::{a, b},\n};"), 2);
        assert_eq!(wrong(simd, "fn f() -> crate::tick::Plan { todo!() }"), 1);
        assert_eq!(wrong(simd, "fn f() { assert!(crate::tick::holds()); }"), 1);
        assert_eq!(wrong(simd, "mod inner {\n    fn f() { super::super::super::tick::holds(); }\n}"), 1);
        assert_eq!(wrong(simd, "use super::super::tick::Plan;"), 1);
        assert_eq!(wrong("error.rs", "#[cfg(test)]\nmod tests {\n    use crate::tick;\n}\n// '\"'"), 0);
        assert_eq!(wrong("error.rs", "const A: &str = r#\"\"{\"#;\nfn f<'a>() -> &'a crate::tick::A { A }"), 1);
        assert_eq!(wrong("error.rs", "macro_rules! a { () => { $crate::tick::A }; }"), 0);
        assert_eq!(wrong("error.rs", "use crate::InstructionSet;"), 1);
        assert_eq!(wrong("error.rs", "use crate::glam::Vec2;\nuse std::fmt;"), 0);
        assert_eq!(wrong("error.rs", "use super::kernels::simd;"), 1);
    }
}
