//! The sections of a file, parsed: declarations, templates and the system section.

use std::collections::HashMap;

use crate::grammar::cursor::UppaalParser;
use crate::grammar::lexer::lex;
use crate::grammar::syntax::{DeclarationTree, SystemTree};
use crate::grammar::template::{Template, local_declarations, template};
use crate::raw::RawFile;
use tamper_text::{Diagnostic, Span};

/// The sections of a file, parsed.
pub(crate) struct Sections {
    pub declarations: Vec<DeclarationTree>,
    /// The place of the text of the global declarations.
    pub declared_at: Option<Span>,
    pub system: SystemTree,
    pub templates: Vec<Template>,
    /// Weights, by kind and place.
    pub weights: Vec<(&'static str, Span)>,
    /// Per template, its errors and warnings.
    pub found: Vec<Vec<Diagnostic>>,
}

impl Sections {
    /// The sections of `raw`. Errors in the global declarations go to `diagnostics`, errors in the rest of the file
    /// outside templates to `elsewhere`.
    pub fn of(raw: RawFile, diagnostics: &mut Vec<Diagnostic>, elsewhere: &mut Vec<Diagnostic>) -> Self {
        let mut declarations = Vec::new();
        if let Some(declaration) = &raw.declaration {
            let (list, directives) = local_declarations(&declaration.text, diagnostics);
            let actions = directives.actions.iter().map(|(_, span, _)| *span);
            let alphabet = directives.alphabet.iter().flatten().map(|sync| sync.channel.span);
            for span in actions.chain(alphabet.take(1)) {
                let error = Diagnostic::error("a directive outside a template", span);
                diagnostics.push(error.with_help("move it into the declarations of the template it is about"));
            }
            declarations = list;
        }
        let declared_at = raw.declaration.as_ref().map(|declaration| declaration.text.content);
        let system = crate::grammar::system::system(&mut parts(&raw, elsewhere), elsewhere);
        let (mut templates, mut all_found) = (Vec::new(), Vec::new());
        for raw in raw.templates {
            let mut found = Vec::new();
            match template(raw, &mut found) {
                Some(template) => {
                    templates.push(template);
                    all_found.push(found);
                }
                None => elsewhere.append(&mut found),
            }
        }
        template_names(&templates, elsewhere);
        Self {
            declarations,
            declared_at,
            system,
            templates,
            weights: raw.weights,
            found: all_found,
        }
    }
}

/// The instantiation section of the oldest files and the system section, as one text.
fn parts(raw: &RawFile, diagnostics: &mut Vec<Diagnostic>) -> UppaalParser {
    let mut tokens = Vec::new();
    for section in [&raw.instantiation, &raw.system].into_iter().flatten() {
        let lexed = lex(&section.text);
        diagnostics.extend(lexed.errors);
        tokens.pop();
        tokens.extend(lexed.tokens);
    }
    UppaalParser::new(tokens)
}

fn template_names(templates: &[Template], diagnostics: &mut Vec<Diagnostic>) {
    let mut names = HashMap::<&str, Span>::new();
    for Template { name, .. } in templates {
        if let Some(first) = names.insert(&name.text, name.span) {
            let error = Diagnostic::error(format!("two templates are called `{}`", name.text), name.span);
            diagnostics.push(
                error
                    .with_secondary(first, "the first one")
                    .with_help("rename one of the two"),
            );
        }
    }
}
