//! The modules of a crate: its source files, parsed, without the code for tests.

use std::path::{Path, PathBuf};

use syn::{Attribute, Item, Meta};

/// A source file of a crate.
pub(crate) struct File {
    /// The path of its module: empty for the root of the crate.
    pub(crate) module: Vec<String>,
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    pub(crate) items: Vec<Item>,
}

/// Parses the crate with this root file. `read` returns the text of a file, or `None` if the file does not exist.
pub(crate) fn parse(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<Vec<File>, String> {
    let folder = root.parent().unwrap_or(Path::new(""));
    let mut files = Vec::new();
    parse_file(Vec::new(), root.to_owned(), folder, read, &mut files)?;
    Ok(files)
}

/// Parses a file and the files of its modules, which are below `folder`.
fn parse_file(
    module: Vec<String>,
    path: PathBuf,
    folder: &Path,
    read: &dyn Fn(&Path) -> Option<String>,
    files: &mut Vec<File>,
) -> Result<(), String> {
    let text = read(&path).ok_or_else(|| format!("{}: no such file", path.to_string_lossy()))?;
    let parsed = syn::parse_file(&text).map_err(|error| {
        let start = error.span().start();
        format!("{}:{}: {error}", path.to_string_lossy(), start.line)
    })?;
    if is_for_tests(&parsed.attrs) {
        return Ok(());
    }
    let items = without_tests(parsed.items);
    let children: Vec<String> = items.iter().filter_map(declared).collect();
    files.push(File { module: module.clone(), path, text, items });
    for name in children {
        let inner = folder.join(&name);
        let flat = inner.with_extension("rs");
        let path = if read(&flat).is_some() { flat } else { inner.join("mod.rs") };
        let module = module.iter().cloned().chain([name]).collect();
        parse_file(module, path, &inner, read, files)?;
    }
    Ok(())
}

/// The name of a module that has a file of its own.
fn declared(item: &Item) -> Option<String> {
    match item {
        Item::Mod(module) if module.content.is_none() => Some(module.ident.to_string()),
        _ => None,
    }
}

/// Removes unit tests and modules of tests.
fn without_tests(items: Vec<Item>) -> Vec<Item> {
    let mut kept: Vec<Item> = items.into_iter().filter(|item| !is_for_tests(attributes(item))).collect();
    for item in &mut kept {
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    *items = without_tests(std::mem::take(items));
                }
            }
            Item::Impl(block) => block.items.retain(|item| match item {
                syn::ImplItem::Fn(function) => !is_for_tests(&function.attrs),
                syn::ImplItem::Const(constant) => !is_for_tests(&constant.attrs),
                _ => true,
            }),
            _ => {}
        }
    }
    kept
}

pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether the attributes include `#[test]`, `#[cfg(test)]` or `#[cfg(doctest)]`.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("cfg") => {
            matches!(list.tokens.to_string().as_str(), "test" | "doctest")
        }
        _ => false,
    })
}
