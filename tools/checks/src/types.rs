//! Names of types that have several meanings.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use syn::Item;

use crate::modules::File;

/// The names of structs, enums and traits that several files define, with these files.
pub(crate) fn with_several_meanings(files: &[File]) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files {
        for name in file.items.iter().flat_map(names) {
            let places = all.entry(name).or_default();
            let path = file.path.to_string_lossy().into_owned();
            if !places.contains(&path) {
                places.push(path);
            }
        }
    }
    all.retain(|_, places| places.len() > 1);
    all
}

/// The names that an item defines. A macro such as `rule!` defines those after the words for types.
fn names(item: &Item) -> Vec<String> {
    match item {
        Item::Struct(item) => vec![item.ident.to_string()],
        Item::Enum(item) => vec![item.ident.to_string()],
        Item::Trait(item) => vec![item.ident.to_string()],
        Item::Macro(item) if item.ident.is_none() => in_tokens(item.mac.tokens.clone()),
        _ => Vec::new(),
    }
}

fn in_tokens(tokens: TokenStream) -> Vec<String> {
    let idents: Vec<String> = tokens
        .into_iter()
        .filter_map(|token| if let TokenTree::Ident(ident) = token { Some(ident.to_string()) } else { None })
        .collect();
    let pairs = idents.windows(2).filter(|pair| ["struct", "enum"].contains(&&pair[0][..]));
    pairs.map(|pair| pair[1].clone()).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::with_several_meanings;
    use crate::modules::parse;

    #[test]
    fn a_name_in_two_files_is_found_also_in_a_macro() {
        let read = |path: &Path| {
            let text = match path.to_str()? {
                "lib.rs" => "mod a;\nmod b;\nstruct Alone;",
                "a.rs" => "pub(crate) struct Pair;\ntrait Both {}",
                "b.rs" => "rule! { \"both\": \"Both.\" pub struct Both {} }\nenum Single {}",
                _ => return None,
            };
            Some(text.to_owned())
        };
        let found = with_several_meanings(&parse(Path::new("lib.rs"), &read).unwrap());
        assert_eq!(found.keys().collect::<Vec<_>>(), ["Both"]);
        assert_eq!(found["Both"], ["a.rs", "b.rs"]);
    }
}
