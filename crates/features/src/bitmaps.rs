//! Sets of products as compressed bitmaps, with a bit per product: for models whose products can be enumerated.

use std::rc::Rc;

use num_bigint::BigUint;
use roaring::RoaringBitmap;

use super::{Diagram, FeatureExpr, FeatureModel, Product, ProductSets};
use tamper_text::{Budget, Id, StopReason};

/// A set of products as a compressed bitmap over their numbers.
pub type Bitmap = Rc<RoaringBitmap>;

/// Sets of products that are numbered one by one, in their order.
#[derive(Clone, Debug)]
pub struct Bitmaps {
    products: Vec<Product>,
    /// By feature, the products that select it.
    selected: Vec<Bitmap>,
    none: Bitmap,
    all: Bitmap,
    n_operations: u64,
}

impl Bitmaps {
    /// For the products of `model`, which are enumerated: linear in their selected features. `budget` limits the number of
    /// products (as states).
    ///
    /// # Errors
    /// The limit that was hit.
    pub fn of(model: &FeatureModel, budget: &Budget) -> Result<Self, StopReason> {
        let no_nodes = Budget {
            max_states: None,
            ..budget.clone()
        };
        let diagram = Diagram::of(model, &no_nodes)?;
        let count = u32::try_from(diagram.count()).map_err(|_| StopReason::States)?;
        if let Some(reason) = budget.exceeded(count.into(), 0) {
            return Err(reason);
        }
        let products = diagram.products();
        let mut selected = vec![RoaringBitmap::new(); model.features().len()];
        for (number, product) in (0..).zip(&products) {
            product.iter().for_each(|feature| {
                selected[feature.index()].insert(number);
            });
        }
        Ok(Self {
            selected: selected.into_iter().map(Rc::new).collect(),
            none: Bitmap::default(),
            all: Rc::new(RoaringBitmap::from_iter(0..count)),
            products,
            n_operations: 0,
        })
    }
    /// The products of a set, in order.
    pub fn products(&self, set: &Bitmap) -> Vec<Product> {
        set.iter()
            .map(|number| self.products[number as usize].clone())
            .collect()
    }
    /// Number of operations on sets so far.
    pub fn n_operations(&self) -> u64 {
        self.n_operations
    }
    fn holds(&self, when: &FeatureExpr) -> Bitmap {
        match when {
            FeatureExpr::True => Rc::clone(&self.all),
            FeatureExpr::False => Rc::clone(&self.none),
            FeatureExpr::Var(feature) => Rc::clone(&self.selected[feature.index()]),
            FeatureExpr::Not(operand) => Rc::new(&*self.all - &*self.holds(operand)),
            FeatureExpr::And(operands) => {
                let mut operands = operands.iter().map(|operand| self.holds(operand));
                let first = operands.next().unwrap_or_else(|| Rc::clone(&self.all));
                operands.fold(first, |all, operand| Rc::new(&*all & &*operand))
            }
            FeatureExpr::Or(operands) => {
                let operands = operands.iter().map(|operand| self.holds(operand));
                operands.fold(Rc::clone(&self.none), |any, operand| Rc::new(&*any | &*operand))
            }
        }
    }
}

impl ProductSets for Bitmaps {
    type Set = Bitmap;
    fn none(&self) -> Bitmap {
        Rc::clone(&self.none)
    }
    fn all(&self) -> Bitmap {
        Rc::clone(&self.all)
    }
    fn holding(&mut self, when: &FeatureExpr) -> Result<Bitmap, StopReason> {
        Ok(self.holds(when))
    }
    fn and(&mut self, first: &Bitmap, second: &Bitmap) -> Result<Bitmap, StopReason> {
        self.n_operations += 1;
        Ok(match () {
            () if Rc::ptr_eq(first, &self.all) => Rc::clone(second),
            () if Rc::ptr_eq(second, &self.all) || Rc::ptr_eq(first, second) => Rc::clone(first),
            () => Rc::new(&**first & &**second),
        })
    }
    fn or(&mut self, first: &Bitmap, second: &Bitmap) -> Result<Bitmap, StopReason> {
        self.n_operations += 1;
        Ok(match () {
            () if first.is_empty() => Rc::clone(second),
            () if second.is_empty() => Rc::clone(first),
            () => Rc::new(&**first | &**second),
        })
    }
    fn minus(&mut self, first: &Bitmap, second: &Bitmap) -> Result<Bitmap, StopReason> {
        self.n_operations += 1;
        Ok(match () {
            () if first.is_disjoint(second) => Rc::clone(first),
            () => Rc::new(&**first - &**second),
        })
    }
    fn is_empty(&self, set: &Bitmap) -> bool {
        set.is_empty()
    }
    fn contains(&self, set: &Bitmap, product: &Product) -> bool {
        let number = self.products.binary_search(product).ok();
        let number = number.and_then(|number| u32::try_from(number).ok());
        number.is_some_and(|number| set.contains(number))
    }
    fn some(&self, set: &Bitmap) -> Option<Product> {
        set.min().map(|number| self.products[number as usize].clone())
    }
    fn count(&self, set: &Bitmap) -> BigUint {
        BigUint::from(set.len())
    }
}
