//! Storage of the bounds of a zone: inline if they are few, else in a box.

use crate::Bound;

/// Most bounds that are stored inline: dimensions up to 3.
const INLINE: usize = 9;

/// The bounds of a square matrix, row-major. The dimension is not stored; callers pass it.
#[derive(Debug)]
pub(crate) enum BoundMatrix {
    /// The bounds, followed by filling.
    Inline([Bound; INLINE]),
    Boxed(Box<[Bound]>),
}

impl BoundMatrix {
    /// A matrix of equal bounds.
    pub(crate) fn filled(dim: usize, bound: Bound) -> Self {
        if dim * dim <= INLINE {
            Self::Inline([bound; INLINE])
        } else {
            Self::Boxed(vec![bound; dim * dim].into())
        }
    }
    /// The bounds of a matrix of this dimension.
    #[inline(always)]
    pub(crate) fn of(&self, dim: usize) -> &[Bound] {
        match self {
            Self::Inline(bounds) => &bounds[..dim * dim],
            Self::Boxed(bounds) => bounds,
        }
    }
    /// The bounds of a matrix of this dimension, to be written.
    #[inline(always)]
    pub(crate) fn of_mut(&mut self, dim: usize) -> &mut [Bound] {
        match self {
            Self::Inline(bounds) => &mut bounds[..dim * dim],
            Self::Boxed(bounds) => bounds,
        }
    }
    /// Bytes allocated outside the value itself.
    pub(crate) fn bytes_outside(&self) -> usize {
        match self {
            Self::Inline(_) => 0,
            Self::Boxed(bounds) => size_of_val(&**bounds),
        }
    }
}

impl Clone for BoundMatrix {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Inline(bounds) => Self::Inline(*bounds),
            Self::Boxed(bounds) => Self::Boxed(bounds.clone()),
        }
    }
    /// Overwrites these bounds; keeps the box if the sizes are equal.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Inline(bounds), Self::Inline(others)) => *bounds = *others,
            (Self::Boxed(bounds), Self::Boxed(others)) if bounds.len() == others.len() => {
                bounds.copy_from_slice(others);
            }
            (cells, _) => *cells = source.clone(),
        }
    }
}
