//! Equal bits: code of the library that could give different bits on another machine or with more threads.
//!
//! `clippy.toml` covers the functions of `f32`; this check covers the rest. A comment exempts a correct line with a
//! reason, at its end or in the line above: `// bits: only the profile reads this`. A fused multiplication, an
//! approximate reciprocal or `unsafe` is never exempt.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, GenericArgument, Macro, Token, Type};

use crate::modules::File;

/// A line that breaks a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) line: usize,
    pub(crate) rule: &'static str,
    pub(crate) text: String,
}

/// Returns the lines of a file that break a rule, in their order.
pub(crate) fn find(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for item in &file.items {
        idents(item.to_token_stream(), &mut findings);
        let mut chains = Chains(Vec::new());
        chains.visit_item(item);
        findings.append(&mut chains.0);
    }
    let exempt = exempt(&file.text);
    let never = ["fused", "approximate", "unsafe"];
    findings.retain(|finding| never.contains(&finding.rule) || !exempt.contains(&finding.line));
    findings.sort();
    findings
}

/// The lines that a comment exempts.
fn exempt(text: &str) -> BTreeSet<usize> {
    let (mut lines, mut next) = (BTreeSet::new(), false);
    for (number, line) in text.lines().enumerate() {
        let comment = line.trim_start().starts_with("//");
        let reason = line.split_once("// bits: ").is_some_and(|(_, reason)| !reason.is_empty());
        if reason || (next && !comment) {
            lines.insert(number + 1);
        }
        next = comment && (reason || next);
    }
    lines
}

/// A vector whose width depends on the processor, such as `f32s`.
const WIDTHS: [&str; 16] = [
    "f8s", "f16s", "f32s", "f64s", "i8s", "i16s", "i32s", "i64s", "u8s", "u16s", "u32s", "u64s", "mask8s", "mask16s",
    "mask32s", "mask64s",
];
const FUSED: [&str; 8] = ["mul_add", "mul_sub", "fmadd", "fmsub", "fnmadd", "fnmsub", "fmaddsub", "fmsubadd"];
const APPROXIMATE: [&str; 6] = ["approximate_recip", "rsqrt", "vrecpe", "vrecps", "rcp14", "rcp28"];
const OUTSIDE: [&str; 7] =
    ["thread_rng", "OsRng", "SysRng", "from_os_rng", "from_entropy", "SystemTime", "RandomState"];
const LIBRARY: [&str; 26] = [
    "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "powf", "powi", "cbrt", "hypot",
];
const ANY: [&str; 4] = ["find_any", "find_map_any", "position_any", "par_bridge"];
const PARALLEL: [&str; 13] = [
    "into_par_iter",
    "par_iter",
    "par_iter_mut",
    "par_chunks",
    "par_chunks_mut",
    "par_chunks_exact",
    "par_chunks_exact_mut",
    "par_rchunks",
    "par_rchunks_mut",
    "par_rchunks_exact",
    "par_windows",
    "par_drain",
    "par_bridge",
];
const REDUCE: [&str; 9] =
    ["sum", "product", "reduce", "reduce_with", "try_reduce", "try_reduce_with", "fold", "fold_with", "try_fold"];

/// Returns whether a name has this part between underscores.
fn has(name: &str, part: &str) -> bool {
    format!("_{name}_").contains(&format!("_{part}_"))
}

/// The rule that a name breaks, and why; `path` is the name before `::`, `before` the token before the name, and
/// `called` whether a parenthesis follows.
fn rule(name: &str, path: Option<&str>, before: &str, called: bool) -> Option<(&'static str, &'static str)> {
    let of_number = |path: Option<&str>| matches!(path, Some("f32" | "f64"));
    Some(match name {
        "unsafe" => ("unsafe", "the library has no `unsafe`"),
        "arch" if matches!(path, Some("std" | "core")) => ("intrinsics", "machine intrinsics belong in fearless_simd"),
        _ if FUSED.iter().any(|part| has(name, part)) || name.starts_with("vfma") || name.starts_with("vfms") => {
            ("fused", "rounds once where a multiplication and an addition round twice")
        }
        _ if APPROXIMATE.iter().any(|part| name.contains(part)) => {
            ("approximate", "has a precision that depends on the processor: divide")
        }
        _ if WIDTHS.contains(&name) && !matches!(before, "." | "fn") => {
            ("width", "has a width that depends on the processor: use a fixed width")
        }
        _ if name.starts_with("reduce_sum") || name.starts_with("reduce_product") || name == "pairwise_dot_product" => {
            ("lanes", "adds across lanes in an order of its own: add in one written order")
        }
        _ if name.starts_with("reduce_min") || name.starts_with("reduce_max") => {
            ("lanes", "leaves NaN and the sign of zero to the processor: compare and select")
        }
        _ if ["min_f32x", "min_f64x", "max_f32x", "max_f64x"].iter().any(|start| name.starts_with(start)) => {
            ("lanes", "leaves NaN and the sign of zero to the processor: compare and select")
        }
        _ if OUTSIDE.contains(&name) => ("outside", "differs from run to run: draw from noise, by seed, id and tick"),
        _ if LIBRARY.contains(&name) && ((before == "." && called) || of_number(path)) => {
            ("library", "differs by platform: use throng::maths")
        }
        _ if ANY.contains(&name) => ("parallel", "depends on which thread is first"),
        _ => return None,
    })
}

/// Finds the names that break a rule, also in the arguments of macros.
fn idents(tokens: TokenStream, findings: &mut Vec<Finding>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_colon = |at: usize| matches!(&tokens[at], TokenTree::Punct(punct) if punct.as_char() == ':');
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => idents(group.stream(), findings),
            TokenTree::Ident(ident) => {
                let path = match at.checked_sub(3).map(|before| &tokens[before]) {
                    Some(TokenTree::Ident(path)) if is_colon(at - 2) && is_colon(at - 1) => Some(path.to_string()),
                    _ => None,
                };
                let before = at.checked_sub(1).map_or(String::new(), |before| match &tokens[before] {
                    TokenTree::Group(_) => String::new(),
                    token => token.to_string(),
                });
                let called = matches!(tokens.get(at + 1), Some(TokenTree::Group(_)));
                let name = ident.to_string();
                if let Some((rule, why)) = rule(&name, path.as_deref(), &before, called) {
                    findings.push(Finding { line: ident.span().start().line, rule, text: format!("`{name}` {why}") });
                }
            }
            _ => {}
        }
    }
}

/// Finds parallel iterators whose results are added in an order that depends on the threads.
struct Chains(Vec<Finding>);

impl<'a> Visit<'a> for Chains {
    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        let name = call.method.to_string();
        if REDUCE.contains(&name.as_str()) && is_parallel(&call.receiver) && !names_integers(call) {
            let why = format!(
                "`{name}` of a parallel iterator adds in an order that the threads choose: collect one value per \
                 chunk, add those in order (or name the integer type: `{name}::<u64>()`)"
            );
            self.0.push(Finding { line: call.method.span().start().line, rule: "parallel", text: why });
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'a Macro) {
        let parsed = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        for argument in parsed.iter().flatten() {
            let mut inner = Chains(Vec::new());
            inner.visit_expr(argument);
            self.0.append(&mut inner.0);
        }
    }
}

/// Whether an expression is a chain of methods from a parallel iterator on.
fn is_parallel(expression: &Expr) -> bool {
    match expression {
        Expr::MethodCall(call) => PARALLEL.contains(&call.method.to_string().as_str()) || is_parallel(&call.receiver),
        Expr::Try(inner) => is_parallel(&inner.expr),
        Expr::Paren(inner) => is_parallel(&inner.expr),
        _ => false,
    }
}

fn names_integers(call: &ExprMethodCall) -> bool {
    let arguments = call.turbofish.iter().flat_map(|turbofish| &turbofish.args);
    let mut types = arguments.filter_map(|argument| match argument {
        GenericArgument::Type(Type::Path(path)) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    });
    types.next().is_some_and(|name| {
        let width = name.strip_prefix(['i', 'u']);
        width.is_some_and(|width| ["8", "16", "32", "64", "128", "size"].contains(&width))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::find;
    use crate::modules::parse;

    /// Every line that ends in `//~ RULE` breaks that rule, and no other line breaks any.
    const SAMPLE: &str = include_str!("bits/sample.rs.txt");

    #[test]
    fn the_rules_find_their_samples_and_nothing_else() {
        let mut expected = Vec::new();
        for (number, line) in SAMPLE.lines().enumerate() {
            expected.extend(line.split("//~ ").skip(1).map(|rule| (number + 1, rule.trim().to_owned())));
        }
        let read = |path: &Path| (path == Path::new("lib.rs")).then(|| SAMPLE.to_owned());
        let files = parse(Path::new("lib.rs"), &read).unwrap();
        let found: Vec<_> = find(&files[0]).into_iter().map(|found| (found.line, found.rule.to_owned())).collect();
        assert_eq!(found, expected);
        assert!(expected.len() > 20);
    }
}
