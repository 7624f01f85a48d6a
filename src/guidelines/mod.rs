//! Static findings about mutants, without exploration.
