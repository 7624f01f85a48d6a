//! Rows of the regressions page.
