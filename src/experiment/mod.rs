//! A plan, its scenarios, and their records on disk.
