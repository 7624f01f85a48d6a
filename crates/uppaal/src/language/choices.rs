//! Choices of variables: `b ? v : w` where v and w are arrays, structures, or what is assigned to.

use super::scope::NetworkLowering;
use super::types::ResolvedType;
use crate::grammar::syntax::{ExprNode, LoweringResult, Tree};
use tamper_text::Span;
use tamper_timed::network::{Expr, Place};

impl NetworkLowering<'_> {
    /// Copies the array or structure `tree`, or the one that it chooses.
    pub(super) fn copied_from(&mut self, to: Place, tree: &Tree, ty: &ResolvedType) -> LoweringResult<Expr> {
        let Some(choice) = chosen(tree) else {
            return Ok(Expr::Copy(to, self.block(tree, ty)?, ty.size()));
        };
        let ExprNode::Cond(test, then, other) = choice.node else {
            unreachable!("a choice is a conditional")
        };
        let test = self.integer(&test)?;
        let [then, other] = [then, other].map(|part| self.copied_from(to.clone(), &part, ty));
        Ok(Expr::Cond(Box::new(test), Box::new(then?), Box::new(other?)))
    }
}

/// The conditional of two variables that `tree` is, or begins with.
pub(super) fn chosen(tree: &Tree) -> Option<Tree> {
    match &tree.node {
        ExprNode::Cond(..) => Some(tree.clone()),
        ExprNode::Index(of, index) => {
            let element = |part| ExprNode::Index(part, index.clone());
            Some(each(&chosen(of)?, &element, tree.span))
        }
        ExprNode::Member(of, field) => {
            let member = |part| ExprNode::Member(part, field.clone());
            Some(each(&chosen(of)?, &member, tree.span))
        }
        _ => None,
    }
}

/// The conditional `choice` with both of its values put into `node`.
pub(super) fn each(choice: &Tree, node: &dyn Fn(Box<Tree>) -> ExprNode, span: Span) -> Tree {
    let ExprNode::Cond(test, then, other) = &choice.node else {
        unreachable!("a choice is a conditional")
    };
    // The parser has checked the height of the whole.
    let [then, other] = [then, other].map(|part| {
        let (node, height) = (node(part.clone()), choice.height);
        Box::new(Tree { node, span, height })
    });
    Tree {
        node: ExprNode::Cond(test.clone(), then, other),
        span,
        height: choice.height + 1,
    }
}

/// A variable of those that `choice` chooses from.
pub(super) fn first(choice: &Tree) -> &Tree {
    match &choice.node {
        ExprNode::Cond(_, then, _) => first(then),
        _ => choice,
    }
}
