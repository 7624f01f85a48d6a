// Verdicts as charts and tables: of all mutants, by operator, by process, by test. A number is a filter.
const chartsOf = (data, mutants, focusOn) => {
  const { verdicts } = data;
  const { column, n, totals, table, kinds, tests, killers, processOf, fits, isMasked, killable } = mutants;
  const used = verdicts.map((_, at) => at).filter((at) => totals[at]);
  const header = (name, isText) => element("th", { scope: "col", class: isText ? "text" : undefined }, name);
  const cell = (number, change) => element("td", {}, number ? element("button", { type: "button", on: { click: () => focusOn(change) } }, count(number)) : "0");
  const put = (id, heads, lines) => byId(id).append(element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...lines)));
  // The shares of verdicts as one bar.
  const bar = (counts, all, more = {}) => element("div", { class: "bar", role: "img", "aria-label": used.map((at) => `${verdicts[at]} ${percent(counts[at], all)}`).join(", "), ...more },
    ...used.filter((at) => counts[at]).map((at) => element("span", { class: verdicts[at], style: `width:${(100 * counts[at]) / all}%`, title: `${verdicts[at]}: ${count(counts[at])}, ${percent(counts[at], all)}` })));

  const showTotals = () => {
    const entries = [element("li", {}, element("b", {}, count(n)), n === 1 ? " mutant" : " mutants")];
    used.forEach((at) => entries.push(element("li", {}, element("b", { class: verdicts[at] }, count(totals[at])), " ", shownVerdict(verdicts[at]))));
    if (mutants.nDuplicates) entries.push(element("li", {}, element("b", {}, count(mutants.nDuplicates)), " duplicates"));
    if (column.alone) {
      let masked = 0;
      for (let row = 0; row < n; row++) masked += isMasked(row);
      entries.push(element("li", {}, element("b", {}, count(masked)), " masked"));
    }
    if (data.score) entries.push(element("li", {}, element("b", {}, data.score.killable ? percent(data.score.killed, data.score.killable) : "-"), ` killed (${count(data.score.killed)} of ${count(data.score.killable)})`));
    byId("totals").replaceChildren(...entries);
    byId("chart").replaceChildren(...(n ? [bar(totals, n)] : []));
  };
  const showOperators = () => {
    const most = Math.max(1, ...kinds.map((_, kind) => table[kind].slice(0, verdicts.length).reduce((a, b) => a + b, 0)));
    const lines = kinds.map((name, kind) => {
      const counts = table[kind];
      const all = counts.slice(0, verdicts.length).reduce((a, b) => a + b, 0);
      return element("tr", {}, element("th", { scope: "row" }, name), cell(all, { operator: String(kind) }),
        element("td", {}, element("div", { class: "of-most", style: `width:${Math.max(8, (100 * all) / most)}%` }, bar(counts, all))),
        ...used.map((at) => cell(counts[at], { operator: String(kind), verdicts: new Set([at]) })),
        cell(counts[verdicts.length], { operator: String(kind), rule: "any" }));
    });
    put("operators", [header("operator"), header("mutants"), header("verdicts", true), ...used.map((at) => element("th", { scope: "col", title: verdicts[at], class: verdicts[at] }, element("span", { "aria-hidden": "true" }, verdictSigns[verdicts[at]]), element("span", { class: "heard" }, verdicts[at]))), header("violating")], lines);
  };
  const showProcesses = () => {
    const processes = data.processes || [];
    byId("tab-processes").hidden = !processes.length;
    if (!processes.length) return;
    const counts = processes.map(() => ({ all: 0, killable: 0, masked: 0, composed: 0, none: 0 }));
    for (let row = 0; row < n; row++) {
      const of = counts[processOf(row)];
      of.all++;
      of.killable += fits.killable(row);
      of.masked += isMasked(row);
      of.none += fits.none(row);
      of.composed += column.verdict[row] === killable;
    }
    const lines = processes.map((name, at) => {
      const of = counts[at];
      const alone = (number, what) => (of.none === of.all ? element("td", {}, "-") : cell(number, { process: String(at), alone: what }));
      return element("tr", {}, element("th", { scope: "row" }, name), cell(of.all, { process: String(at) }), alone(of.killable, "killable"), alone(of.masked, "masked"),
        cell(of.composed, { process: String(at), verdicts: new Set([killable]) }));
    });
    put("processes", ["process", "mutants", "killable alone", "masked", "killable composed"].map((name) => header(name)), lines);
    byId("processes-hint").textContent = "Killable alone: some test kills the mutant of the process by itself. Masked: of these, no test kills it in the network. -: the process is not judged by itself.";
  };
  const showTests = () => {
    byId("tab-tests").hidden = !tests.length && !data.live;
    if (!tests.length) return;
    const { killed, killable, account } = data.score;
    byId("tests-hint").textContent = `${plural(tests.length, "test")} of ${data.suite} kill ${count(killed)} of ${plural(killable, "mutant")} of this run that some test can kill.${account ? ` ${account}.` : ""}`;
    const only = (test) => test.kills.reduce((sum, row) => sum + (killers[row] === 1 ? 1 : 0), 0);
    const lines = tests.map((test, at) => element("tr", {}, element("th", { scope: "row" }, test.id), element("td", { class: "text long" }, test.purpose), element("td", { class: "text" }, test.style),
      element("td", {}, count(test.steps)), cell(test.kills.length, { test: at }), element("td", {}, count(only(test)))));
    put("tests", ["test", "purpose", "style", "steps", "kills", "only it kills"].map((name, at) => header(name, at === 1 || at === 2)), lines);
  };
  return () => { showTotals(); showOperators(); showProcesses(); showTests(); };
};
