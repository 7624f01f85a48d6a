//! Tests as a module for a runner of JavaScript.

use super::data::{json_text, json_title, test_lines, unit};
use tamper_runs::suite_json::Suite;
use tamper_suite::{Refusals, TestCase};

/// A test runner for JavaScript.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runner {
    /// The runner that comes with Node, `node:test`.
    Node,
    /// Jest, which takes CommonJS modules by default.
    Jest,
    /// Vitest, which takes ES modules only.
    Vitest,
}

/// The code by which a runner starts tests; the rest of the file is the same for all runners.
struct Registration {
    name: &'static str,
    /// The command that runs the file.
    command: &'static str,
    /// The line that must come first: it selects the environment of Node, whose timers the program has, instead of a browser's.
    first: &'static str,
    imports: &'static str,
    calls: &'static str,
}

/// Imports of ES modules, with the function that loads other modules.
macro_rules! es_module {
    ($runner:literal) => {
        concat!(
            "import { spawn } from \"node:child_process\";\n",
            "import path from \"node:path\";\n",
            "import process from \"node:process\";\n",
            "import { pathToFileURL } from \"node:url\";\n",
            $runner,
            "\n\n",
            "const load = (name) => import(path.isAbsolute(name) ? pathToFileURL(name).href : name);",
        )
    };
}

const NODE: Registration = Registration {
    name: "node:test",
    command: "node --test THIS_FILE",
    first: "",
    imports: es_module!("import { after, test } from \"node:test\";"),
    calls: "for (const one of TESTS) test(one.id, (runner) => check(one, (why) => runner.skip(why)));\nafter(close);",
};

const JEST: Registration = Registration {
    name: "Jest",
    command: "npx jest THIS_FILE",
    first: "/** @jest-environment node */\n",
    imports: "\"use strict\";\nconst { spawn } = require(\"node:child_process\");\nconst path = require(\"node:path\");\n\n\
              const load = async (name) => require(name);",
    calls: "// A test of Jest that has begun cannot be skipped: it passes, and says why it shows nothing.\n\
            for (const one of TESTS) test(one.id, () => check(one, (why) => console.warn(`${one.id} is inconclusive: ${why}`)), NO_LIMIT);\n\
            afterAll(close);",
};

const VITEST: Registration = Registration {
    name: "Vitest",
    command: "npx vitest run THIS_FILE",
    first: "// @vitest-environment node\n",
    imports: es_module!("import { afterAll, test } from \"vitest\";"),
    calls: "for (const one of TESTS) test(one.id, (runner) => check(one, (why) => runner.skip(why)), NO_LIMIT);\nafterAll(close);",
};

/// A module with `tests` of `suite`: needs Node 18 and the runner, and a program or module that `TAMPER_SUT` or `TAMPER_SYSTEM` names.
pub fn write_javascript(suite: &Suite, tests: &[&TestCase], runner: Runner) -> String {
    let registration = match runner {
        Runner::Node => NODE,
        Runner::Jest => JEST,
        Runner::Vitest => VITEST,
    };
    let is_fail = suite.refusals == Refusals::Error;
    let template = include_str!("suite.js").replace("{{first}}", registration.first);
    let template = template.replace("{{tool}}", concat!("tamper ", env!("CARGO_PKG_VERSION")));
    let template = template.replace("{{runner}}", registration.name);
    let template = template.replace("{{command}}", registration.command);
    let template = template.replace("{{imports}}", registration.imports);
    let template = template.replace("{{calls}}", registration.calls);
    let template = template.replace("{{refusals}}", if is_fail { "true" } else { "false" });
    // Data is inserted last, as it may contain the marks of the template.
    let (before, after) = template.split_once("{{tests}}").unwrap_or((&template, ""));
    let before = before.replace("{{unit}}", &json_text(&unit(suite)));
    let before = before.replace("{{title}}", &json_title(suite));
    [&before, &test_lines(tests), after].concat()
}
