//! The names that each module of a crate uses, and the files that define them.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, UseTree, Visibility};

use crate::modules::File;

/// A use of a name of the crate.
pub(crate) struct Reference {
    /// The number of the file that uses it.
    pub(crate) file: usize,
    pub(crate) line: usize,
    /// The path from the root of the crate, as it is written.
    pub(crate) path: Vec<String>,
    /// Whether it only re-exports the name, as `pub use` does.
    pub(crate) re_exported: bool,
}

/// A module: a file, or a module inside one.
#[derive(Default)]
struct Module {
    file: usize,
    /// Imported names, and their paths from the root of the crate. Foreign names have none.
    aliases: BTreeMap<String, Option<Vec<String>>>,
    /// Re-exported names: code that imports them from here uses the file that defines them.
    re_exported: BTreeSet<String>,
    globs: Vec<Vec<String>>,
    defined: BTreeSet<String>,
}

/// All names of a crate.
pub(crate) struct Names {
    modules: BTreeMap<Vec<String>, Module>,
    pub(crate) references: Vec<Reference>,
}

impl Names {
    pub(crate) fn new(files: &[File]) -> Self {
        let mut names = Self { modules: BTreeMap::new(), references: Vec::new() };
        for (number, file) in files.iter().enumerate() {
            names.define(number, &file.module, &file.items);
        }
        for (number, file) in files.iter().enumerate() {
            names.import(number, &file.module, &file.items);
        }
        for (number, file) in files.iter().enumerate() {
            names.refer(number, &file.module, &file.items);
        }
        names
    }

    /// Enters a module and the names that its items define.
    fn define(&mut self, file: usize, path: &[String], items: &[Item]) {
        let mut module = Module { file, ..Module::default() };
        for item in items {
            module.defined.extend(defined(item));
            if let Item::Mod(inner) = item
                && let Some((_, items)) = &inner.content
            {
                self.define(file, &joined(path, &[inner.ident.to_string()]), items);
            }
        }
        self.modules.insert(path.to_owned(), module);
    }

    /// Enters the imports of a module.
    fn import(&mut self, file: usize, path: &[String], items: &[Item]) {
        for item in items {
            match item {
                Item::Use(item) => {
                    let re_exported = !matches!(item.vis, Visibility::Inherited);
                    for (names, alias, line) in leaves(&item.tree) {
                        let absolute = self.absolute(path, &names);
                        if let Some(path) = &absolute {
                            self.references.push(Reference { file, line, path: path.clone(), re_exported });
                        }
                        let Some(module) = self.modules.get_mut(path) else { continue };
                        match alias {
                            Some(alias) => {
                                if re_exported {
                                    module.re_exported.insert(alias.clone());
                                }
                                module.aliases.insert(alias, absolute);
                            }
                            None => module.globs.extend(absolute),
                        }
                    }
                }
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        self.import(file, &joined(path, &[inner.ident.to_string()]), items);
                    }
                }
                _ => {}
            }
        }
    }

    /// Enters the names that the code of a module uses without an import.
    fn refer(&mut self, file: usize, path: &[String], items: &[Item]) {
        for item in items {
            match item {
                Item::Use(_) => {}
                Item::Mod(inner) => {
                    if let Some((_, items)) = &inner.content {
                        self.refer(file, &joined(path, &[inner.ident.to_string()]), items);
                    }
                }
                _ => {
                    let mut found = Vec::new();
                    scan(item.to_token_stream(), &mut found);
                    for (names, line) in found {
                        let Some(module) = self.modules.get(path) else { continue };
                        let known = |name: &str| matches!(name, "crate" | "self" | "super");
                        let own = self.modules.contains_key(&joined(path, &names[..1])) && names.len() > 1;
                        if (known(&names[0]) && names.len() > 1) || own || module.re_exported.contains(&names[0]) {
                            let path = self.absolute(path, &names);
                            self.references.extend(path.map(|path| Reference { file, line, path, re_exported: false }));
                        }
                    }
                }
            }
        }
    }

    /// The path from the root of the crate, of names in a module; `None` for foreign names.
    fn absolute(&self, module: &[String], names: &[String]) -> Option<Vec<String>> {
        let (first, rest) = names.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_owned()),
            "self" => Some(joined(module, rest)),
            "super" => {
                let (_, parent) = module.split_last()?;
                match rest.first().map(String::as_str) {
                    Some("super") => self.absolute(parent, rest),
                    _ => Some(joined(parent, rest)),
                }
            }
            _ if self.modules.contains_key(&joined(module, &names[..1])) => Some(joined(module, names)),
            _ => match self.modules.get(module)?.aliases.get(first) {
                Some(alias) => alias.as_ref().map(|alias| joined(alias, rest)),
                None => None,
            },
        }
    }

    /// The number of the file that defines the item at a path from the root of the crate; `None` for foreign names.
    pub(crate) fn file_of(&self, path: &[String]) -> Option<usize> {
        self.file_within(path, 16)
    }

    fn file_within(&self, path: &[String], steps: usize) -> Option<usize> {
        let mut length = 0;
        while length < path.len() && self.modules.contains_key(&path[..=length]) {
            length += 1;
        }
        let module = self.modules.get(&path[..length])?;
        let Some(name) = path.get(length) else { return Some(module.file) };
        if steps == 0 || module.defined.contains(name) {
            return Some(module.file);
        }
        if let Some(alias) = module.aliases.get(name) {
            let target = joined(alias.as_ref()?, &path[length + 1..]);
            return self.file_within(&target, steps - 1);
        }
        let through = |glob: &Vec<String>| {
            let inner = self.modules.get(glob)?;
            let has = inner.defined.contains(name) || inner.aliases.contains_key(name);
            if has { self.file_within(&joined(glob, &path[length..]), steps - 1) } else { None }
        };
        module.globs.iter().find_map(through).or(Some(module.file))
    }
}

fn joined(path: &[String], rest: &[String]) -> Vec<String> {
    path.iter().chain(rest).cloned().collect()
}

/// The names that an item defines in its module.
fn defined(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Macro(item) => item.ident.as_ref()?.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// The paths of an import, each with the name that it gets here (`None` for all names) and its line.
fn leaves(tree: &UseTree) -> Vec<(Vec<String>, Option<String>, usize)> {
    match tree {
        UseTree::Path(path) => {
            let name = path.ident.to_string();
            let mut inner = leaves(&path.tree);
            for (names, alias, _) in &mut inner {
                if names.first().is_some_and(|first| first == "self") {
                    names.clear();
                    alias.get_or_insert_with(|| name.clone());
                }
                names.insert(0, name.clone());
            }
            inner
        }
        UseTree::Name(name) => {
            let line = name.ident.span().start().line;
            let text = name.ident.to_string();
            let alias = (text != "self").then(|| text.clone());
            vec![(vec![text], alias, line)]
        }
        UseTree::Rename(rename) => {
            let line = rename.ident.span().start().line;
            vec![(vec![rename.ident.to_string()], Some(rename.rename.to_string()), line)]
        }
        UseTree::Glob(glob) => vec![(Vec::new(), None, glob.star_token.spans[0].start().line)],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
    }
}

/// Finds the paths in code and in the arguments of macros, each with its line. Paths of `$crate` belong to the place
/// where the macro is used.
fn scan(tokens: TokenStream, found: &mut Vec<(Vec<String>, usize)>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Group(group) => scan(group.stream(), found),
            TokenTree::Ident(ident) => {
                let field = at > 0 && (is(at - 1, '.') && !(at > 1 && is(at - 2, '.')) || is(at - 1, '$'));
                let line = ident.span().start().line;
                let mut path = vec![ident.to_string()];
                while is(at + 1, ':') && is(at + 2, ':') {
                    match tokens.get(at + 3) {
                        Some(TokenTree::Ident(next)) => path.push(next.to_string()),
                        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                            let mut inner = Vec::new();
                            scan(group.stream(), &mut inner);
                            found.extend(inner.into_iter().map(|(rest, line)| (joined(&path, &rest), line)));
                        }
                        _ => break,
                    }
                    at += 3;
                }
                if !field {
                    found.push((path, line));
                }
            }
            _ => {}
        }
        at += 1;
    }
}
