//! `tamper run`: tests against programs and models.

pub mod run_adaptive;
pub mod run_chance;
pub mod run_oracle;
pub mod run_plan;
pub mod run_program;
pub mod run_suite;
