//! Puts every mutant that cargo-mutants lists behind a switch, so that one build has them all: mutant N is what the program
//! does when the environment says `TAMPER_MUTANT=N`. A thousand mutants then cost a thousand runs of the tests, not as many
//! builds.
//!
//! `switched LIST ROOT SKIPPED`: LIST is what `cargo mutants --list --json` printed, ROOT a copy of the tree, whose files
//! are rewritten, SKIPPED a file with numbers of mutants to leave out, one a line. Prints the numbers that were built in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use proc_macro2::{LineColumn, Span};
use quote::quote;
use serde::Deserialize;
use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Arm, BinOp, Block, Expr, ExprBinary, ExprStruct, ImplItemFn, ItemConst, ItemFn, ItemStatic, Signature, Stmt,
};

type Failure = Box<dyn std::error::Error>;

/// A mutant, as cargo-mutants lists it.
#[derive(Deserialize)]
struct Mutant {
    file: String,
    genre: String,
    replacement: String,
    span: Place,
}

#[derive(Deserialize)]
struct Place {
    start: Point,
}

/// Line and column count from one.
#[derive(Deserialize)]
struct Point {
    line: usize,
    column: usize,
}

/// The mutants of one file that start at a place, by number.
type Sites = BTreeMap<(usize, usize), Vec<(usize, Mutant)>>;

/// Whether the environment asks for a mutant. The first panic ends a mutant's tests, as one failure is enough; but not
/// panics of the test that `TAMPER_PANICS` names, which expects them.
const SWITCH: &str = "
#[doc(hidden)]
#[inline(always)]
pub fn __mutant(number: u32) -> bool {
    *__ASKED == number
}

#[doc(hidden)]
pub static __ASKED: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
    let asked = std::env::var(\"TAMPER_MUTANT\").map_or(0, |text| text.parse().unwrap());
    if asked != 0 {
        let expects = std::env::var(\"TAMPER_PANICS\").unwrap_or_default();
        std::panic::set_hook(Box::new(move |_| {
            let thread = std::thread::current();
            if expects.is_empty() || !thread.name().is_some_and(|name| name.ends_with(&expects)) {
                std::process::exit(101);
            }
        }));
    }
    asked
});
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("switched: {failure}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [list, root, skipped] = words.as_slice() else {
        return Err("expected LIST ROOT SKIPPED".into());
    };
    let skipped: BTreeSet<usize> = fs::read_to_string(skipped)?
        .lines()
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    let mutants: Vec<Mutant> = serde_json::from_str(&fs::read_to_string(list)?)?;
    let mut files: BTreeMap<String, Sites> = BTreeMap::new();
    for (index, mutant) in mutants.into_iter().enumerate() {
        let number = index + 1;
        if !skipped.contains(&number) {
            let start = (mutant.span.start.line, mutant.span.start.column);
            let sites = files.entry(mutant.file.clone()).or_default();
            sites.entry(start).or_default().push((number, mutant));
        }
    }
    let mut built = BTreeSet::new();
    for (file, sites) in files {
        let path = Path::new(root).join(&file);
        let mut tree = syn::parse_file(&fs::read_to_string(&path)?)?;
        let mut switcher = Switcher {
            sites,
            built: &mut built,
        };
        switcher.visit_file_mut(&mut tree);
        fs::write(&path, prettyplease::unparse(&tree))?;
    }
    for package in fs::read_dir(Path::new(root).join("crates"))?
        .flatten()
        .map(|entry| entry.path())
    {
        let entry = package.join("src/lib.rs");
        fs::write(&entry, fs::read_to_string(&entry)? + SWITCH)?;
    }
    let entry = Path::new(root).join("src/lib.rs");
    fs::write(&entry, fs::read_to_string(&entry)? + SWITCH)?;
    for number in built {
        println!("{number}");
    }
    Ok(())
}

struct Switcher<'a> {
    sites: Sites,
    built: &'a mut BTreeSet<usize>,
}

impl Switcher<'_> {
    /// The mutants of a kind that start where `span` does.
    fn at(&mut self, span: Span, genre: &str) -> Vec<(u32, String)> {
        let LineColumn { line, column } = span.start();
        let found = self.sites.get(&(line, column + 1)).into_iter().flatten();
        let found = found.filter(|(_, mutant)| mutant.genre == genre);
        let found: Vec<_> = found
            .map(|(number, mutant)| (*number, mutant.replacement.clone()))
            .collect();
        self.built.extend(found.iter().map(|(number, _)| *number));
        found
            .into_iter()
            .map(|(number, text)| (u32::try_from(number).expect("a list is short"), text))
            .collect()
    }

    /// What the mutants of a function do instead of its body, which is where cargo-mutants places them.
    fn answers(&mut self, block: &Block) -> Vec<Stmt> {
        let Some(first) = block.stmts.first() else {
            return Vec::new();
        };
        let answer = |(number, text): (u32, String)| {
            let value: Expr = syn::parse_str(&text).expect("cargo-mutants names values");
            syn::parse_quote! { if crate::__mutant(#number) { return #value; } }
        };
        self.at(first.span(), "FnValue").into_iter().map(answer).collect()
    }

    fn body(&mut self, signature: &Signature, block: &mut Block) {
        if signature.constness.is_none() {
            let answers = self.answers(block);
            visit_mut::visit_block_mut(self, block);
            block.stmts.splice(0..0, answers);
        }
    }

    /// The fields of a record that mutants leave out.
    fn fields(&mut self, record: &ExprStruct) -> Vec<(u32, usize)> {
        let mut found = Vec::new();
        for (index, field) in record.fields.iter().enumerate() {
            found.extend(
                self.at(field.span(), "StructField")
                    .into_iter()
                    .map(|(number, _)| (number, index)),
            );
        }
        found
    }

    fn operator(&mut self, binary: &ExprBinary) -> Option<Expr> {
        if has_let(&binary.left) || has_let(&binary.right) {
            return None;
        }
        let mutants = self.at(binary.op.span(), "BinaryOperator");
        let (left, right) = (&binary.left, &binary.right);
        let mut all = Expr::Binary(binary.clone());
        if mutants.is_empty() {
            return None;
        }
        for (number, text) in mutants {
            let operator: BinOp = syn::parse_str(&text).expect("cargo-mutants names operators");
            all = syn::parse_quote! { (if crate::__mutant(#number) { (#left) #operator (#right) } else { #all }) };
        }
        Some(all)
    }
}

/// Whether a condition binds names, which only `if` and `while` themselves can.
fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

impl VisitMut for Switcher<'_> {
    // Constants are computed before there is an environment.
    fn visit_item_const_mut(&mut self, _: &mut ItemConst) {}
    fn visit_item_static_mut(&mut self, _: &mut ItemStatic) {}
    fn visit_impl_item_const_mut(&mut self, _: &mut syn::ImplItemConst) {}
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}

    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        self.body(&function.sig, &mut function.block);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        self.body(&function.sig, &mut function.block);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        let mutated = match expression {
            Expr::Unary(unary) => self.at(unary.op.span(), "UnaryOperator"),
            _ => Vec::new(),
        };
        let fields = match expression {
            Expr::Struct(record) => self.fields(record),
            _ => Vec::new(),
        };
        visit_mut::visit_expr_mut(self, expression);
        match expression {
            Expr::Binary(binary) => {
                if let Some(all) = self.operator(binary) {
                    *expression = all;
                }
            }
            Expr::Unary(unary) => {
                let operand = &unary.expr;
                let mut all = Expr::Unary(unary.clone());
                for (number, _) in mutated {
                    all = syn::parse_quote! { (if crate::__mutant(#number) { #operand } else { #all }) };
                }
                *expression = all;
            }
            Expr::Struct(record) => {
                let whole = record.clone();
                let mut all = Expr::Struct(record.clone());
                for (number, index) in fields {
                    let mut less = whole.clone();
                    let kept = whole.fields.iter().enumerate().filter(|(at, _)| *at != index);
                    less.fields = kept.map(|(_, field)| field.clone()).collect();
                    if !less.fields.empty_or_trailing() {
                        less.fields.push_punct(<syn::Token![,]>::default());
                    }
                    let less = Expr::Struct(less);
                    all = syn::parse_quote! { (if crate::__mutant(#number) { #less } else { #all }) };
                }
                *expression = all;
            }
            _ => {}
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut Arm) {
        let deleted = self.at(arm.pat.span(), "MatchArm");
        let guards = match &arm.guard {
            Some((_, guard)) if !has_let(guard) => self.at(guard.span(), "MatchArmGuard"),
            _ => Vec::new(),
        };
        visit_mut::visit_arm_mut(self, arm);
        if let Some((_, guard)) = &mut arm.guard {
            for (number, value) in guards {
                let value: Expr = syn::parse_str(&value).expect("true or false");
                **guard = syn::parse_quote! { (if crate::__mutant(#number) { #value } else { #guard }) };
            }
        }
        for (number, _) in deleted {
            let here = quote! { !crate::__mutant(#number) };
            let guard: Expr = match &arm.guard {
                Some((_, guard)) => syn::parse_quote! { #here && (#guard) },
                None => syn::parse_quote! { #here },
            };
            arm.guard = Some((<syn::Token![if]>::default(), Box::new(guard)));
        }
    }
}
