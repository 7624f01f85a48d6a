// Suites, where there is a server: they are made in the background, and run against a mutant.
const suitesOf = (data, kept, signal) => {
  const MOST = 20; // Failing tests that are listed at once; more on demand.
  const says = (text) => { byId("making-says").textContent = text; };
  const show = (now) => {
    const isOn = Boolean(now) && !now.problem;
    byId("making").hidden = byId("stop").hidden = !isOn;
    byId("make-button").disabled = isOn;
    if (now && now.problem) says(`No tests were made: ${now.problem}`);
    if (!isOn) return;
    const { all, tested, run, killed } = now;
    byId("making").max = Math.max(1, 2 * all);
    byId("making").value = tested + run;
    if (!all) says("Looks for the mutants that some test can kill");
    else if (run || tested >= all) says(`Runs the tests: of ${plural(run, "mutant")} ${count(killed)} killed, ${count(all - run)} to go`);
    else says(`Makes tests: for ${count(tested)} of ${plural(all, "mutant")}`);
  };
  const watch = async () => {
    for (;;) {
      let now = null;
      try {
        now = await (await fetch("making")).json();
      } catch {
        now = null; // The server has ended.
      }
      if (signal.aborted) return;
      show(now);
      if (!now || now.problem) return;
      await new Promise((done) => { setTimeout(done, 120); });
    }
  };
  const post = async (path) => {
    try {
      await fetch(path, { method: "POST" });
    } catch {
      says("tamper has ended");
    }
  };
  const make = async () => {
    if (byId("make-button").disabled) return;
    workbench.tab("tests");
    show({ all: 0, tested: 0, run: 0, killed: 0 });
    await post(`make?strategy=${encodeURIComponent(byId("strategy").value + (byId("programs").checked ? " programs" : ""))}`);
    watch();
  };
  const stop = async () => {
    await post("stop");
    says("Stopped: no tests were made");
  };

  // ---- Against a mutant --------------------------------------------------------------------------------------------------------

  const why = (last) => (last.refused ? `${plain(last.refused)} is refused` : last.output ? `${plain(last.output)} comes, which the test does not allow then` : "what has to come does not come in time");
  const failing = (run) => {
    const log = run.log || [];
    const last = log[log.length - 1];
    const shown = { ...run, kind: "fail", log, times: 1, fails: 1, until: last ? last.at : "0" };
    return last ? { ...shown, why: why(last), place: { at: last.at, since: last.at, expected: [] } } : { ...shown, why: "some run of it fails; none was drawn" };
  };
  const testOf = (run) => {
    const shown = failing(run);
    const head = [element("span", { class: "id" }, run.test), element("span", { class: "why" }, `${run.kill === "definite" ? "always fails" : "can fail"}: ${shown.why}`)];
    return folded(head, "h5", "test", (inside) => inside.append(...openedRun(shown)));
  };
  const shownRuns = (runs) => {
    const fails = runs.filter((run) => run.verdict === "fail");
    const n = (is) => count(runs.filter(is).length);
    const unknown = runs.filter((run) => run.unknown || run.broken).length;
    const sentence = `Of ${plural(runs.length, "test")} ${n((run) => run.kill === "definite")} always fail, ${n((run) => run.kill === "potential")} can fail, ${n((run) => run.verdict === "pass")} never fail${unknown ? `, of ${count(unknown)} it is not known` : ""}. A play of each that fails:`;
    const tests = fails.map(testOf);
    const box = element("div");
    let limit = MOST;
    const more = element("button", { type: "button", on: { click: () => { limit += MOST; list(); } } }, "Show more");
    const list = () => box.replaceChildren(...tests.slice(0, limit).map((test) => test.box), ...(tests.length > limit ? [more] : []));
    list();
    // A timeline is as wide as its place, which is there a moment later.
    if (tests.length) setTimeout(() => tests[0].toggle(true));
    return [element("p", {}, fails.length ? sentence : sentence.replace(/ A play of each.*/, "")), box];
  };
  // What the details of a mutant have of the suite.
  const detailsOf = (id) => {
    const room = element("div", { class: "runs against", "aria-live": "polite" });
    const heading = element("h4", {}, "Tests");
    // The details are longer than their place, and the results are at their end.
    const show = () => heading.scrollIntoView({ block: "start" });
    const run = async () => {
      room.replaceChildren("The tests run …");
      show();
      let answer = null;
      try {
        answer = await (await fetch(`run?id=${encodeURIComponent(id)}`)).json();
      } catch {
        answer = { problem: "tamper has ended" };
      }
      room.replaceChildren(...(answer && answer.runs ? shownRuns(answer.runs) : [`The tests cannot be run: ${(answer && answer.problem) || "there is no suite any more"}`]));
      room.dataset.ran = "true";
      show();
    };
    const button = element("button", { type: "button", id: "run-tests", on: { click: run } }, "Run the tests against it ", element("kbd", {}, "r"));
    return [heading, button, room];
  };

  // Tests are for the killable ones among all mutants.
  byId("make").hidden = Boolean(data.deciding);
  if (data.deciding) says("Tests can be made when all mutants are decided.");
  byId("suite-file").hidden = !data.tests;
  if (kept && kept.suite) [byId("strategy").value, byId("programs").checked] = kept.suite;
  byId("make").addEventListener("submit", (event) => { event.preventDefault(); make(); });
  byId("stop").addEventListener("click", stop);
  if (!data.tests && kept && kept.hadTests) says("The tests were those of the model before it was saved.");
  watch();
  return { make, detailsOf, kept: () => [byId("strategy").value, byId("programs").checked] };
};
