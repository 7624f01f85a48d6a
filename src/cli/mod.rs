//! Arguments to settings, one call, an exit code.
