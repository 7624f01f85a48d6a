// The page of tests that were run against a program: those that show the same in a group that is opened, and so is each test. What is not
// open is not drawn.
(() => {
  const MOST = 200; // Tests of a group that are listed at once; more on demand.
  const kinds = [...new Set(data.groups.map((group) => group.kind))];
  const wanted = { kinds: new Set(kinds), words: [] };
  const texts = data.runs.map((run) => [run.test, run.why || "", run.shows || "", ...run.purpose].join(" ").toLowerCase());
  const isWanted = (at) => wanted.words.every((word) => texts[at].includes(word));

  // ---- A test ------------------------------------------------------------------------------------------------------------------

  const shortly = (run) => run.why || run.purpose.slice(0, 3).join(", ") || `${count(run.log.length)} event${run.log.length === 1 ? "" : "s"} in ${speech(moment(run.until || 0)).span(moment(run.until || 0))}`;
  const testOf = (at) => {
    const run = data.runs[at];
    const tally = run.times > 1 ? ` (${run.fails} of ${run.times} runs)` : "";
    const head = [element("span", { class: "id" }, run.test), element("span", { class: "why" }, shortly(run), tally)];
    const made = folded(head, "h3", "test", (inside) => {
      inside.append(...openedRun(run));
      history.replaceState(null, "", `#${encodeURIComponent(run.test)}`);
    });
    made.box.dataset.test = run.test;
    return made;
  };

  // ---- Groups ------------------------------------------------------------------------------------------------------------------

  const groups = data.groups.map((group) => {
    const number = element("span", { class: "number" });
    const head = [element("span", { class: `v ${colours[group.kind] || ""}` }, `${signs[group.kind]} ${group.says}`), group.shows ? `: ${group.shows}` : "", number];
    const tests = new Map(); // What was listed once keeps what is open in it.
    let limit = MOST;
    const made = folded(head, "h2", "group", () => list());
    const more = element("button", { type: "button", class: "more", on: { click: () => { limit += MOST; list(); } } }, "Show more");
    const get = (at) => {
      if (!tests.has(at)) tests.set(at, testOf(at));
      return tests.get(at);
    };
    let found = group.runs;
    const list = () => {
      made.inside.replaceChildren(...found.slice(0, limit).map((at) => get(at).box), ...(found.length > limit ? [more] : []));
    };
    const filter = () => {
      found = wanted.kinds.has(group.kind) ? group.runs.filter(isWanted) : [];
      made.box.hidden = !found.length;
      number.textContent = found.length < group.runs.length ? ` ${count(found.length)} shown` : "";
      if (!made.inside.hidden) list();
      else made.inside.replaceChildren();
      return found.length;
    };
    const open = (at) => {
      limit = Math.max(limit, found.indexOf(at) + 1);
      made.toggle(true);
      list();
      get(at).toggle(true);
      return get(at).box;
    };
    return { group, box: made.box, filter, open };
  });

  const filter = () => {
    const n = groups.reduce((sum, group) => sum + group.filter(), 0);
    byId("shown").textContent = `${count(n)} of ${count(data.runs.length)} test${data.runs.length === 1 ? "" : "s"}`;
  };

  // ---- The page ----------------------------------------------------------------------------------------------------------------

  byId("title").textContent = data.title;
  byId("made").textContent = `Made by ${data.tool} from ${data.source}. The page is one file and asks nothing of any network.`;
  byId("totals").append(...data.totals.map(([value, label, kind]) => element("li", {}, element("b", { class: colours[kind] || "" }, value), label)));
  byId("facts").append(...data.facts.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
  const box = (kind) => {
    const input = element("input", { type: "checkbox", checked: true, value: kind, on: { change: () => { wanted.kinds[input.checked ? "add" : "delete"](kind); filter(); } } });
    return element("label", {}, input, " ", shownKind(kind));
  };
  byId("kinds").append(...kinds.map(box));
  byId("search").addEventListener("input", (event) => { wanted.words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean); filter(); });
  byId("filter").addEventListener("submit", (event) => event.preventDefault());
  byId("filter").hidden = data.runs.length < 2;
  byId("groups").append(...groups.map((group) => group.box));
  filter();
  const named = data.runs.findIndex((run) => `#${encodeURIComponent(run.test)}` === location.hash);
  const first = groups[0];
  if (named >= 0) groups.find(({ group }) => group.runs.includes(named)).open(named).scrollIntoView();
  else if (first && (first.group.kind !== "pass" || data.runs.length === 1)) first.open(first.group.runs[0]);
  document.documentElement.dataset.ready = "true";
})();
