
// How results are marked: nothing is told by colour alone.
const signs = { pass: "●", "all killed": "●", "pass, purpose not reached": "◐", inconclusive: "◐", fail: "✕", unsteady: "✕", survives: "✕", unknown: "?", late: "?", broken: "!", differs: "!", "killed though subsumed": "◐" };
const colours = { pass: "non-subsumed", "all killed": "non-subsumed", "pass, purpose not reached": "subsumed", inconclusive: "subsumed", fail: "inconsistent", unsteady: "inconsistent", survives: "inconsistent", unknown: "unknown", late: "unknown", broken: "invalid", differs: "invalid", invalid: "invalid", error: "invalid", "killed though subsumed": "subsumed" };
const shownKind = (kind) => element("span", { class: `v ${colours[kind] || ""}` }, element("span", { "aria-hidden": "true" }, `${signs[kind] || ""} `), kind);
