// The page of tests that were run against a program: those that show the same in a group that is opened, and so is each test. What is not
// open is not drawn.
(() => {
  const MOST = 200; // Tests of a group that are listed at once; more on demand.
  const kinds = [...new Set(data.groups.map((group) => group.kind))];
  const wanted = { kinds: new Set(kinds), words: [] };
  const texts = data.runs.map((run) => [run.test, run.why || "", run.shows || "", ...run.purpose].join(" ").toLowerCase());
  const isWanted = (at) => wanted.words.every((word) => texts[at].includes(word));

  // ---- A test ----------------------------------------------------------------------------------------------------------------

  const listed = (run) => {
    const says = speech(moment(run.until || 0));
    const lines = linesOf(run, says);
    const row = (line) => element("tr", { class: line.isPlace ? "is-place" : line.who }, element("td", { class: "number" }, says.time(line.after)), element("td", {}, line.isPlace ? `${signs[run.kind]} ${line.who}` : line.who),
      element("td", { class: "long" }, line.text, line.more ? element("em", {}, ` ${line.more}`) : null));
    const head = element("tr", {}, ...["at", "", "what"].map((name) => element("th", { scope: "col" }, name)));
    const table = element("table", { class: "lines" }, element("thead", {}, head), element("tbody"));
    const box = element("details", { class: "listed" }, element("summary", {}, `In words: ${count(lines.length)} line${lines.length === 1 ? "" : "s"}`), table);
    const fill = () => { if (box.open && !table.tBodies[0].rows.length) table.tBodies[0].append(...lines.map(row)); };
    box.addEventListener("toggle", fill);
    if (lines.length <= 14) { box.open = true; fill(); }
    return box;
  };

  const purposeOf = (purpose) => {
    if (purpose.length < 4) return [purpose.join(", ")];
    const box = element("details", {}, element("summary", {}, `${purpose.slice(0, 2).join(", ")} and ${count(purpose.length - 2)} more`), element("ul", {}, ...purpose.slice(2).map((one) => element("li", {}, one))));
    return [box];
  };

  const factsOf = (run) => {
    const facts = [];
    const fact = (name, ...content) => facts.push(element("dt", {}, name), element("dd", {}, ...content));
    if (run.times > 1 || run.late_runs) fact("runs", `${run.fails} of ${run.times} failed${run.late_runs ? `; the tester was late in ${run.late_runs} more` : ""}`);
    if (run.exactly && run.exactly !== run.why) fact("exactly, in time units", run.exactly);
    if (run.judged) fact("the model says", { legal: "this is allowed", illegal: "this is not allowed", beyond: "an input came that it does not take; of what follows it says nothing", unknown: "not known within the limits" }[run.judged] || run.judged);
    if (run.lateness) fact("measured", `${lateText(run)}, at step ${run.lateness.step}`);
    if (run.purpose.length) fact("to show", ...purposeOf(run.purpose));
    return element("dl", {}, ...facts);
  };

  // The sentence stands at the line in the drawing: beside its head, on the side where there is more room.
  const said = (run) => element("p", { class: `said-so v ${colours[run.kind] || ""}` }, element("span", { "aria-hidden": "true" }, `${signs[run.kind]} `), element("b", {}, run.kind), run.why ? `: ${run.why}` : "");
  const aligned = (sentence, svg, width) => {
    const line = svg.querySelector(".wrong-at line");
    if (!line) return;
    const x = Number(line.getAttribute("x1"));
    const isLeft = x < width / 2;
    sentence.classList.add("at-line");
    sentence.classList.toggle("to-left", !isLeft);
    sentence.style.marginLeft = isLeft ? `${x - 1}px` : "0";
    sentence.style.marginRight = isLeft ? "0" : `${width - x - 1}px`;
  };

  const opened = (run) => {
    const [sentence, room, readout] = [said(run), element("div", { class: "drawing" }), element("p", { class: "readout", "aria-live": "polite" })];
    const hint = "▼ is sent, ● comes; a band is when it is allowed. Point at a mark, or focus one and use the arrow keys.";
    readout.textContent = hint;
    let width = 0;
    const draw = () => {
      if (Math.abs(room.clientWidth - width) < 2 || !room.clientWidth) return;
      width = room.clientWidth;
      const svg = timeline(run, width, (text) => { readout.textContent = text; });
      room.replaceChildren(svg);
      aligned(sentence, svg, width);
    };
    new ResizeObserver(() => requestAnimationFrame(draw)).observe(room);
    const hasTimes = (run.log || []).length || (run.remarks || []).length || run.place;
    return hasTimes ? [sentence, room, readout, factsOf(run), listed(run)] : [sentence, factsOf(run)];
  };

  // What is folded, and is filled when it is first opened.
  const folded = (head, tag, name, fill) => {
    const inside = element("div", { class: "inside", hidden: true });
    const button = element("button", { type: "button", "aria-expanded": "false" }, ...head);
    const toggle = (isOpen) => {
      inside.hidden = !isOpen;
      button.setAttribute("aria-expanded", String(isOpen));
      if (isOpen && !inside.childElementCount) fill(inside);
    };
    button.addEventListener("click", () => toggle(inside.hidden));
    const box = element("section", { class: name }, element(tag, {}, button), inside);
    return { box, inside, toggle };
  };

  const shortly = (run) => run.why || run.purpose.slice(0, 3).join(", ") || `${count(run.log.length)} event${run.log.length === 1 ? "" : "s"} in ${speech(moment(run.until || 0)).span(moment(run.until || 0))}`;
  const testOf = (at) => {
    const run = data.runs[at];
    const tally = run.times > 1 ? ` (${run.fails} of ${run.times} runs)` : "";
    const head = [element("span", { class: "id" }, run.test), element("span", { class: "why" }, shortly(run), tally)];
    const made = folded(head, "h3", "test", (inside) => {
      inside.append(...opened(run));
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
