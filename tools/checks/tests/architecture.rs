//! Tests that ARCHITECTURE.md matches the code: its headings are the lines of `World::step`, its layers the layers of
//! `src/lib.rs`.

use std::fs;
use std::path::Path;

use syn::visit::Visit;
use syn::{Expr, ImplItem, Item, LitStr, Pat, Stmt};

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.to_string_lossy()))
}

/// The method of this name, of any type in the file.
fn method(file: &str, name: &str) -> syn::ImplItemFn {
    let items = syn::parse_file(&read(file)).unwrap().items;
    let blocks = items.into_iter().filter_map(|item| if let Item::Impl(block) = item { Some(block) } else { None });
    let mut methods = blocks.flat_map(|block| block.items).filter_map(|item| match item {
        ImplItem::Fn(method) if method.sig.ident == name => Some(method),
        _ => None,
    });
    methods.next().unwrap_or_else(|| panic!("{file} has no method {name}"))
}

/// The stage that a statement calls, `self.NAME(...)` or `NAME::NAME(...)`, with or without a binding.
fn stage(statement: &Stmt) -> Option<String> {
    let expression = match statement {
        Stmt::Local(local) => match (&local.pat, &local.init) {
            (Pat::Ident(_), Some(init)) => &*init.expr,
            _ => return None,
        },
        Stmt::Expr(expression, _) => expression,
        _ => return None,
    };
    match expression {
        Expr::MethodCall(call) => match &*call.receiver {
            Expr::Path(receiver) if receiver.path.is_ident("self") => Some(call.method.to_string()),
            _ => None,
        },
        Expr::Call(call) => match &*call.func {
            Expr::Path(function) => {
                let names: Vec<String> = function.path.segments.iter().map(|name| name.ident.to_string()).collect();
                (names.len() == 2 && names[0] == names[1]).then(|| names[0].clone())
            }
            _ => None,
        },
        _ => None,
    }
}

fn stages_of_step() -> Vec<String> {
    method("src/world/mod.rs", "advance").block.stmts.iter().filter_map(stage).collect()
}

/// Returns the text of a section of ARCHITECTURE.md, below its heading of the second level.
fn section(name: &str) -> String {
    let document = read("ARCHITECTURE.md");
    let (_, text) = document.split_once(&format!("\n## {name}\n")).expect("ARCHITECTURE.md has the section");
    text.split("\n## ").next().unwrap_or(text).to_owned()
}

#[test]
fn a_stage_is_found_in_every_form_of_a_line() {
    let stage = |line: &str| stage(&syn::parse_str(line).unwrap());
    assert_eq!(stage("self.edit();").as_deref(), Some("edit"));
    assert_eq!(stage("let mode = self.index();").as_deref(), Some("index"));
    assert_eq!(stage("index::index(self.level, &mut self.agents);").as_deref(), Some("index"));
    for other in
        ["self.events.clear();", "profile.edit = clock.lap();", "let mut clock = Clock::start();", "self.tick += 1;"]
    {
        assert_eq!(stage(other), None, "{other}");
    }
}

#[test]
fn the_headings_of_the_tick_are_the_lines_of_step() {
    let stages = stages_of_step();
    assert!(stages.len() >= 7, "World::step has at least seven stages: {stages:?}");
    let section = section("The tick");
    let headings: Vec<String> =
        section.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_lowercase).collect();
    assert_eq!(headings, stages, "the headings under \"The tick\" are the stages of World::step");
}

#[test]
fn every_stage_has_a_file_and_a_time() {
    /// Collects the texts in a piece of code.
    struct Texts(Vec<String>);
    impl Visit<'_> for Texts {
        fn visit_lit_str(&mut self, text: &LitStr) {
            self.0.push(text.value());
        }
    }
    let stages = stages_of_step();
    for stage in &stages {
        let is_folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/tick").join(stage).is_dir();
        read(&format!("src/tick/{stage}{}.rs", if is_folder { "/mod" } else { "" }));
    }
    let mut times = Texts(Vec::new());
    times.visit_block(&method("src/world/profile.rs", "stages").block);
    assert_eq!(times.0, stages, "Profile::stages are the stages of World::step");
}

#[test]
fn the_layers_are_those_of_the_library() {
    let library = read("src/lib.rs");
    let modules = library.split_once("// Layers:").expect("src/lib.rs lists its layers").1;
    let modules = modules.split_once("\npub use").map_or(modules, |(modules, _)| modules);
    let layers = modules.lines().skip(1).filter_map(|line| line.strip_prefix("// ")?.strip_suffix('.'));
    let section = section("Layers");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let described: Vec<&str> = rows.map(|(layer, _)| layer).filter(|layer| *layer != "layer").collect();
    assert_eq!(described, layers.collect::<Vec<_>>(), "the layers in ARCHITECTURE.md are the comments in src/lib.rs");
}

/// Loops over chunks take them from `ranks::Part`, so that a stage works on several ranks.
#[test]
fn no_stage_chooses_its_chunks() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/tick")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).unwrap();
                assert!(
                    !text.contains("for_each_chunk"),
                    "{} loops over chunks: `Chunks::for_each`",
                    path.to_string_lossy()
                );
            }
        }
    }
}
