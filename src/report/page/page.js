// The page of one run. Its data are columns: a number per mutant in each, and tables of the texts that the numbers mean. Of all
// mutants only the rows that can be seen are elements of the page, so that half a million are no more work than fifty.
(() => {
  // ---- Columns -------------------------------------------------------------------------------------------------------------

  const numbers = ({ width, bytes }) => {
    const text = atob(bytes);
    const buffer = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) buffer[at] = text.charCodeAt(at);
    return width === 1 ? buffer : width === 2 ? new Uint16Array(buffer.buffer) : width === 4 ? new Uint32Array(buffer.buffer) : Array.from(new BigUint64Array(buffer.buffer), Number);
  };
  const column = {};
  for (const [name, packed] of Object.entries(data.columns)) column[name] = numbers(packed);
  const n = data.mutants;
  const { earlier, last } = data;
  const verdicts = data.verdicts;
  const tests = (data.tests || []).map((test) => ({ ...test, kills: numbers(test.kills) }));
  const killers = new Uint32Array(tests.length ? n : 0);
  for (const test of tests) for (const row of test.kills) killers[row]++;
  const survives = new Map(data.survivors || []);

  const idOf = (row) => {
    const before = earlier.id[column.earlier[row]];
    return before ? before + ";" + last.id[column.last[row]] : last.id[column.last[row]];
  };
  const operatorsOf = (row) => [...earlier.operators[column.earlier[row]], last.operator[column.last[row]]];
  // Sequences of operators, numbered.
  const kinds = [];
  const kindOf = (() => {
    const known = new Map();
    const width = data.operators.length;
    const ofPair = new Map();
    return (row) => {
      const pair = column.earlier[row] * width + last.operator[column.last[row]];
      let kind = ofPair.get(pair);
      if (kind === undefined) {
        const name = operatorsOf(row).map((operator) => data.operators[operator]).join(";");
        kind = known.get(name);
        if (kind === undefined) {
          kind = kinds.push(name) - 1;
          known.set(name, kind);
        }
        ofPair.set(pair, kind);
      }
      return kind;
    };
  })();
  // Of a network: the process that a mutant changes, and what is said about that process by itself.
  const processes = data.processes || [];
  const processOf = (row) => last.process[column.last[row]];
  const killable = verdicts.indexOf("non-subsumed");
  const aloneOf = (row) => (column.alone ? column.alone[row] - 1 : -1);
  const harmless = [verdicts.indexOf("subsumed"), verdicts.indexOf("inconsistent")];
  const isMasked = (row) => aloneOf(row) === killable && harmless.includes(column.verdict[row]);
  const fits = { masked: isMasked, killable: (row) => aloneOf(row) === killable, harmless: (row) => harmless.includes(aloneOf(row)), none: (row) => aloneOf(row) < 0 };
  const partsOf = (row) => [...earlier.parts[column.earlier[row]], last.part[column.last[row]]];

  // ---- Elements ------------------------------------------------------------------------------------------------------------

  const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
  const percent = (part, whole) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`);
  const sign = { "non-subsumed": "●", subsumed: "○", inconsistent: "✕", "subsumed-or-inconsistent": "⊘", unknown: "?", invalid: "!" };
  const meaning = {
    "non-subsumed": "Some test tells it from the specification.",
    subsumed: "No test can tell it from the specification: it refines it.",
    inconsistent: "It has no sound behaviour left.",
    "subsumed-or-inconsistent": "A guideline says that it is not worth a test; which of the two it is was not asked.",
    unknown: "It was not decided.",
    invalid: "It has no meaning.",
  };
  const shownVerdict = (name, text = name) =>
    element("span", { class: `v ${name}` }, element("span", { "aria-hidden": "true" }, `${sign[name]} `), text);

  // ---- Counts --------------------------------------------------------------------------------------------------------------

  const totals = new Array(verdicts.length).fill(0);
  const table = []; // Per kind: a count per verdict, then those that violate the guidelines.
  let nDuplicates = 0;
  for (let row = 0; row < n; row++) {
    const kind = kindOf(row);
    const counts = (table[kind] = table[kind] || new Array(verdicts.length + 1).fill(0));
    counts[column.verdict[row]]++;
    totals[column.verdict[row]]++;
    if (column.violates[row]) counts[verdicts.length]++;
    if (column.duplicate[row]) nDuplicates++;
  }

  // ---- What is shown -------------------------------------------------------------------------------------------------------

  const nothing = () => ({
    words: "", operator: "", decided: "", rule: "", fate: "", process: "", alone: "", verdicts: new Set(verdicts.keys()), distinct: false, parts: null, test: null,
  });
  let wanted = nothing();
  let shown = new Uint32Array(n);
  let nShown = 0;
  let chosen = -1; // A row.

  const matches = (texts, word) => Uint8Array.from(texts, (text) => (text.includes(word) ? 1 : 0));
  const lower = { earlier: earlier.id.map((id) => id.toLowerCase()), last: last.id.map((id) => id.toLowerCase()) };
  const touches = () => {
    const is = (part) => wanted.parts.includes(part);
    return { earlier: Uint8Array.from(earlier.parts, (parts) => (parts.some(is) ? 1 : 0)), last: Uint8Array.from(last.part, (part) => (is(part) ? 1 : 0)) };
  };

  const filter = () => {
    const words = wanted.words.toLowerCase().split(/\s+/).filter(Boolean);
    // A word with a semicolon may lie across two mutations: only then whole ids are looked at.
    const whole = words.filter((word) => word.includes(";"));
    const simple = words.filter((word) => !word.includes(";")).map((word) => [matches(lower.earlier, word), matches(lower.last, word)]);
    const parts = wanted.parts && touches();
    const killed = wanted.test === null ? null : new Set(tests[wanted.test].kills);
    const kind = wanted.operator === "" ? -1 : Number(wanted.operator);
    const decided = wanted.decided === "" ? -1 : Number(wanted.decided);
    const process = wanted.process === "" ? -1 : Number(wanted.process);
    const alone = fits[wanted.alone];
    const isWanted = Uint8Array.from(verdicts, (_, verdict) => (wanted.verdicts.has(verdict) ? 1 : 0));
    const rule = wanted.rule === "" ? null : Uint8Array.from(data.violates, (rules) => (ruled(rules) ? 1 : 0));
    const worth = verdicts.indexOf("non-subsumed");
    nShown = 0;
    rows: for (let row = 0; row < n; row++) {
      if (!isWanted[column.verdict[row]]) continue;
      if (kind >= 0 && kindOf(row) !== kind) continue;
      if (decided >= 0 && column.decided[row] !== decided) continue;
      if (wanted.distinct && column.duplicate[row]) continue;
      if (process >= 0 && processOf(row) !== process) continue;
      if (alone && !alone(row)) continue;
      if (rule && !rule[column.violates[row]]) continue;
      if (killed && !killed.has(row)) continue;
      if (wanted.fate === "killed" && !killers[row]) continue;
      if (wanted.fate === "survives" && (killers[row] || column.verdict[row] !== worth)) continue;
      const [e, l] = [column.earlier[row], column.last[row]];
      if (parts && !parts.earlier[e] && !parts.last[l]) continue;
      for (const [before, after] of simple) if (!before[e] && !after[l]) continue rows;
      if (whole.length) {
        const id = idOf(row).toLowerCase();
        if (!whole.every((word) => id.includes(word))) continue;
      }
      shown[nShown++] = row;
    }
    say();
    list.scrollTop = 0;
    resize();
    paint();
  };
  const ruled = (rules) => (wanted.rule === "none" ? rules.length === 0 : wanted.rule === "any" ? rules.length > 0 : rules.includes(wanted.rule));

  const say = () => {
    const line = byId("shown");
    line.replaceChildren(`${count(nShown)} of ${plural(n, "mutant")}`);
    const chip = (text, does) => line.append(element("button", { class: "chip", type: "button", title: "Show the others, too", on: { click: does } }, `${text} ✕`));
    if (wanted.parts) chip(`changes ${wanted.parts.map((part) => data.parts[part].name).join(", ")}`, () => choosePart(null));
    if (wanted.test !== null) chip(`killed by ${tests[wanted.test].id}`, () => { wanted.test = null; filter(); });
  };

  // ---- The list ------------------------------------------------------------------------------------------------------------

  const HEIGHT = 30;
  const MOST = 8_000_000; // Pixels: browsers draw no higher element. Longer lists are scrolled faster than they are drawn.
  const list = byId("list");
  const rows = byId("rows");
  let first = 0;
  const height = () => Math.min(nShown * HEIGHT, MOST);
  const perPage = () => Math.max(1, Math.floor(list.clientHeight / HEIGHT));
  const resize = () => {
    byId("space").style.height = `${height()}px`;
    list.setAttribute("aria-rowcount", nShown);
  };
  const range = () => Math.max(1, height() - list.clientHeight);
  const offset = () => (nShown * HEIGHT <= MOST ? list.scrollTop : (list.scrollTop / range()) * (nShown * HEIGHT - list.clientHeight));
  const paint = () => {
    const top = Math.max(0, Math.min(offset(), nShown * HEIGHT - list.clientHeight));
    first = Math.floor(top / HEIGHT);
    const end = Math.min(nShown, first + perPage() + 2);
    const made = [];
    for (let at = first; at < end; at++) made.push(line(at, at * HEIGHT - top));
    rows.replaceChildren(...made);
    const active = made.find((row) => row.getAttribute("aria-selected") === "true");
    if (active) list.setAttribute("aria-activedescendant", active.id);
    else list.removeAttribute("aria-activedescendant");
  };
  const line = (at, top) => {
    const row = shown[at];
    const by = killers.length && killers[row] ? `killed by ${killers[row]}` : isMasked(row) ? "masked" : data.decided[column.decided[row]];
    const cell = (content) => element("span", { role: "gridcell" }, content);
    return element("div", { class: "row", role: "row", id: `row-${row}`, "aria-rowindex": at + 1, "aria-selected": row === chosen ? "true" : "false",
      style: `top:${top}px`, on: { click: () => choose(at) } },
      cell(count(column.number ? column.number[row] : row)), cell(shownVerdict(verdicts[column.verdict[row]])), cell(element("code", { title: idOf(row) }, idOf(row))), cell(by));
  };
  const place = () => { // Of the chosen row among those that are shown, which are in order.
    let [low, high] = [0, nShown];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shown[middle] < chosen) low = middle + 1; else high = middle;
    }
    return low < nShown && shown[low] === chosen ? low : -1;
  };
  const scrollTo = (at) => {
    const top = offset();
    const [start, end] = [at * HEIGHT, (at + 1) * HEIGHT];
    let aim = top;
    if (start < top) aim = start;
    else if (end > top + list.clientHeight) aim = end - list.clientHeight;
    list.scrollTop = nShown * HEIGHT <= MOST ? aim : (aim / (nShown * HEIGHT - list.clientHeight)) * range();
  };
  const choose = (at) => {
    if (nShown === 0) return;
    const bounded = Math.max(0, Math.min(nShown - 1, at));
    chosen = shown[bounded];
    scrollTo(bounded);
    paint();
    details();
  };
  const chooseRow = (row) => {
    chosen = row;
    if (place() < 0) { reset(); return chooseRow(row); }
    choose(place());
  };
  list.addEventListener("scroll", paint, { passive: true });
  addEventListener("resize", paint);
  list.addEventListener("keydown", (event) => {
    const at = place();
    const steps = { ArrowDown: at + 1, ArrowUp: at < 0 ? 0 : at - 1, PageDown: at + perPage(), PageUp: at - perPage(), Home: 0, End: nShown - 1 };
    if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    choose(steps[event.key]);
  });

  // ---- The details of one mutant ---------------------------------------------------------------------------------------------

  const details = () => {
    const row = chosen;
    const verdict = verdicts[column.verdict[row]];
    const entry = (name, ...content) => [element("dt", {}, name), element("dd", {}, ...content)];
    const facts = [...entry("verdict", shownVerdict(verdict), " ", meaning[verdict]), ...entry("decided by", data.decided[column.decided[row]])];
    if (aloneOf(row) >= 0) {
      const masks = isMasked(row) ? " Masked: the rest of the network hides it from every test." : "";
      facts.push(...entry(`${processes[processOf(row)]} by itself`, shownVerdict(verdicts[aloneOf(row)]), masks));
    }
    const rules = data.violates[column.violates[row]];
    if (rules.length) facts.push(...entry("guidelines", rules.join(", ")));
    const text = (name) => data[name][column[name][row]];
    if (text("why")) facts.push(...entry("why", text("why")));
    if (text("reason")) facts.push(...entry("reason", text("reason")));
    if (column.duplicate[row]) {
      const same = column.duplicate[row] - 1;
      facts.push(...entry("the same as", element("button", { class: "link", type: "button", on: { click: () => chooseRow(same) } }, idOf(same))));
    }
    const says = [...earlier.says[column.earlier[row]], last.says[column.last[row]]];
    const content = [element("h3", {}, idOf(row)), element("ol", {}, ...says.map((one) => element("li", {}, `It ${one}.`))), element("dl", {}, ...facts)];
    if (text("witness")) content.push(element("h4", {}, "Counterexample"), ...(data.untimed ? [element("p", {}, text("witness"))] : trace(text("witness"))));
    else if (verdict === "non-subsumed") content.push(element("p", { class: "hint" }, data.witnesses ? "No counterexample was found within the limits, or the mutant is the same as another one." : "The run recorded no counterexamples: tamper classify --witness does."));
    if (tests.length) {
      const by = tests.filter((test) => test.kills.includes(row)).map((test) => test.id);
      content.push(element("h4", {}, "Tests"), element("p", {}, by.length ? `Killed by ${by.join(", ")}.` : survives.has(row) ? `It survives: ${survives.get(row)}.` : "No test of the suite kills it."));
    }
    byId("details").replaceChildren(...content);
    mark("touched", partsOf(row));
    reveal();
  };

  // ---- A counterexample as a timed trace -------------------------------------------------------------------------------------

  const fraction = (text) => { const [top, bottom = "1"] = text.split("/"); return [BigInt(top), BigInt(bottom)]; };
  const sum = ([a, b], [c, d]) => {
    let [top, bottom] = [a * d + c * b, b * d];
    let [x, y] = [top < 0n ? -top : top, bottom];
    while (y) [x, y] = [y, x % y];
    return x ? [top / x, bottom / x] : [0n, 1n];
  };
  const shownTime = ([top, bottom]) => (bottom === 1n ? `${top}` : `${top}/${bottom}`);
  const value = ([top, bottom]) => Number(top) / Number(bottom);
  // `+1/2 a?; +0 b! is not allowed`: delays and actions, as records have them.
  const steps = (witness) => {
    let at = [0n, 1n];
    return witness.split("; +").map((step, number) => {
      const [, delay, action] = /^\+?(\d+(?:\/\d+)?):? ?(.*)$/.exec(step) || [null, "0", step];
      at = sum(at, fraction(delay));
      const end = / (is not allowed|is refused|has \d+ answers, which all lose)$/.exec(action);
      const name = end ? action.slice(0, end.index) : action;
      const isDelay = action === "the delay is not allowed";
      return { number: number + 1, at, delay, name: isDelay ? "" : name, end: isDelay ? "is not allowed" : end ? end[1] : "", isInput: /\?( \(ignored\))?$/.test(name), isDelay };
    });
  };
  const trace = (witness) => {
    const all = steps(witness);
    const longest = Math.max(...all.map((step) => Math.max(step.name.length, 6)));
    const apart = Math.max(64, longest * 7.5 + 16);
    const whole = Math.max(...all.map((step) => value(step.at)));
    const left = 96;
    const room = Math.max(320, byId("details").clientWidth - 40);
    const scale = whole > 0 ? Math.max(0, room - left - apart / 2 - 12) / whole : 0;
    let x = left - apart;
    const xs = all.map((step) => (x = Math.max(x + apart, left + value(step.at) * scale)));
    const width = Math.max(room, x + apart / 2 + 12);
    const ink = "#1c2430", fails = "#a03a00";
    const svg = drawn("svg", { width, height: 132, viewBox: `0 0 ${width} 132`, role: "img", "aria-label": "The same as a line of time", "font-size": 13, "font-family": "system-ui, DejaVu Sans, sans-serif" });
    const text = (x, y, content, more = {}) => svg.append(drawn("text", { x, y, fill: ink, ...more }, content));
    text(8, 32, "inputs ?");
    text(8, 92, "outputs !");
    text(8, 122, "time");
    svg.append(drawn("line", { x1: left - 20, y1: 60, x2: width - 8, y2: 60, stroke: ink, "stroke-width": 1.5 }));
    all.forEach((step, at) => {
      const x = xs[at];
      const colour = step.end ? fails : ink;
      const middle = { "text-anchor": "middle" };
      if (step.isDelay) svg.append(drawn("line", { x1: at ? xs[at - 1] : left, y1: 60, x2: x, y2: 60, stroke: fails, "stroke-width": 5, "stroke-dasharray": "6 4" }));
      else if (step.isInput) {
        svg.append(drawn("line", { x1: x, y1: 38, x2: x, y2: 54, stroke: colour, "stroke-width": 2 }), drawn("path", { d: `M${x - 5} 50 L${x + 5} 50 L${x} 60 Z`, fill: colour }));
        text(x, 32, step.name, { ...middle, fill: colour, "font-weight": step.end ? "bold" : "normal" });
      } else {
        svg.append(drawn("line", { x1: x, y1: 60, x2: x, y2: 72, stroke: colour, "stroke-width": 2 }), drawn("path", { d: `M${x - 5} 70 L${x + 5} 70 L${x} 80 Z`, fill: "#fff", stroke: colour, "stroke-width": 1.5 }));
        text(x, 96, step.name, { ...middle, fill: colour, "font-weight": step.end ? "bold" : "normal" });
      }
      if (step.end) svg.append(drawn("path", { d: `M${x - 6} 54 L${x + 6} 66 M${x - 6} 66 L${x + 6} 54`, stroke: fails, "stroke-width": 3 }));
      text(x, 122, shownTime(step.at), middle);
    });
    const who = (step) => step.isDelay ? `the mutant lets time pass to ${shownTime(step.at)}, which the specification does not allow`
      : step.end === "is refused" ? `${step.name} is given; the specification accepts it, the mutant does not`
      : step.end === "is not allowed" ? `the mutant does ${step.name}, which the specification does not allow`
      : step.end ? `${step.name} ${step.end}` : step.isInput ? `${step.name} is given` : `${step.name} is seen`;
    const said = element("ol", {}, ...all.map((step) => element("li", {}, `at ${shownTime(step.at)}: `, step.end ? element("strong", {}, who(step)) : who(step))));
    return [element("div", { class: "trace", tabindex: "0", role: "region", "aria-label": "Time line of the counterexample" }, svg), said];
  };

  // ---- The model -------------------------------------------------------------------------------------------------------------

  const LEAST_SCALE = 0.6; // Of letters that can still be read.
  const model = byId("model");
  const drawings = [...model.querySelectorAll("[data-parts]")].map((group) => ({ group, parts: group.dataset.parts.split(" ").map((part) => Number(part) + Number(group.closest("[data-first]").dataset.first)) }));
  const mark = (name, parts) => {
    for (const one of drawings) one.group.classList.toggle(name, parts.some((part) => one.parts.includes(part)));
  };
  // What is marked is seen, with what is next to it, also where a drawing is larger than its frame.
  const reveal = () => {
    const MARGIN = 40;
    const marked = model.querySelector(".touched");
    if (!marked) return;
    const [frame, place] = [model.getBoundingClientRect(), marked.getBoundingClientRect()];
    const by = (from, to, start, end) => (start >= from + MARGIN && end <= to - MARGIN ? 0 : (start + end - from - to) / 2);
    model.scrollBy(by(frame.left, frame.right, place.left, place.right), by(frame.top, frame.bottom, place.top, place.bottom));
  };
  const choosePart = (parts) => {
    wanted.parts = parts;
    for (const one of drawings) one.group.setAttribute("aria-pressed", String(parts !== null && one.parts.every((part) => parts.includes(part))));
    mark("chosen", parts || []);
    filter();
  };
  const showModel = () => {
    const counts = new Uint32Array(data.parts.length);
    const worth = new Uint32Array(data.parts.length);
    const isWorth = verdicts.indexOf("non-subsumed");
    for (let row = 0; row < n; row++) {
      const [before, part] = [earlier.parts[column.earlier[row]], last.part[column.last[row]]];
      const add = column.verdict[row] === isWorth ? 1 : 0;
      counts[part]++;
      worth[part] += add;
      for (let at = 0; at < before.length; at++) {
        if (before[at] === part || before.indexOf(before[at]) < at) continue;
        counts[before[at]]++;
        worth[before[at]] += add;
      }
    }
    for (const { group, parts } of drawings) {
      const said = parts.map((part) => `${data.parts[part].kind} ${data.parts[part].name}: ${plural(counts[part], "mutant")}, ${count(worth[part])} non-subsumed`).join("; ");
      group.setAttribute("aria-label", said);
      if (data.untimed) group.title = said;
      else group.prepend(drawn("title", {}, said));
      const does = () => choosePart(wanted.parts && parts.every((part) => wanted.parts.includes(part)) && wanted.parts.length === parts.length ? null : parts);
      group.addEventListener("click", does);
      group.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        does();
      });
    }
    byId("model-hint").textContent = data.untimed ? "Choose a line to see its mutants. The chosen mutant's line is marked." : "Choose an edge or a location to see its mutants; an added edge belongs to the location where it starts. The chosen mutant's places are marked.";
    const zoom = (isLarge) => { model.classList.toggle("large", isLarge); byId("zoom").setAttribute("aria-pressed", String(isLarge)); };
    byId("zoom").addEventListener("click", () => { zoom(!model.classList.contains("large")); reveal(); });
    // Drawings of which one is unreadable as a whole begin at their full size.
    zoom([...model.querySelectorAll("svg")].some((svg) => model.clientWidth < LEAST_SCALE * svg.viewBox.baseVal.width));
  };

  // ---- Tables ----------------------------------------------------------------------------------------------------------------

  const focusOn = (change) => { wanted = { ...nothing(), ...change }; controls(); choosePart(wanted.parts); byId("mutants").scrollIntoView({ behavior: "auto" }); };
  const showTotals = () => {
    const entries = [element("li", {}, element("b", {}, count(n)), n === 1 ? "mutant" : "mutants")];
    verdicts.forEach((name, at) => { if (totals[at]) entries.push(element("li", {}, element("b", { class: name }, count(totals[at])), shownVerdict(name))); });
    if (nDuplicates) entries.push(element("li", {}, element("b", {}, count(nDuplicates)), "duplicates"));
    if (column.alone) {
      let masked = 0;
      for (let row = 0; row < n; row++) masked += isMasked(row);
      entries.push(element("li", {}, element("b", {}, count(masked)), "masked"));
    }
    if (data.score) entries.push(element("li", {}, element("b", {}, data.score.killable ? percent(data.score.killed, data.score.killable) : "-"), `killed (${count(data.score.killed)} of ${count(data.score.killable)})`));
    byId("totals").append(...entries);
  };
  const showOperators = () => {
    const used = verdicts.map((_, at) => at).filter((at) => totals[at]);
    const head = element("tr", {}, element("th", { scope: "col" }, "operator"), element("th", { scope: "col" }, "mutants"), element("th", { scope: "col", class: "text" }, "share"),
      ...used.map((at) => element("th", { scope: "col" }, shownVerdict(verdicts[at]))), element("th", { scope: "col" }, "violating"));
    const bodies = kinds.map((name, kind) => ({ name, kind })).map(({ name, kind }) => {
      const counts = table[kind];
      const all = counts.slice(0, verdicts.length).reduce((a, b) => a + b, 0);
      const cell = (number, change) => element("td", {}, number ? element("button", { type: "button", on: { click: () => focusOn(change) } }, count(number)) : "0");
      const bar = element("div", { class: "bar", role: "img", "aria-label": used.map((at) => `${verdicts[at]} ${percent(counts[at], all)}`).join(", ") },
        ...used.map((at) => element("span", { class: verdicts[at], style: `width:${(100 * counts[at]) / all}%` })));
      return element("tr", {}, element("th", { scope: "row" }, name), cell(all, { operator: String(kind) }), element("td", {}, bar),
        ...used.map((at) => cell(counts[at], { operator: String(kind), verdicts: new Set([at]) })),
        cell(counts[verdicts.length], { operator: String(kind), rule: "any" }));
    });
    byId("operators").append(element("table", {}, element("thead", {}, head), element("tbody", {}, ...bodies)));
  };
  const showProcesses = () => {
    if (!processes.length) return;
    byId("processes-section").hidden = false;
    const zero = () => ({ all: 0, killable: 0, masked: 0, composed: 0, none: 0 });
    const counts = processes.map(zero);
    for (let row = 0; row < n; row++) {
      const of = counts[processOf(row)];
      of.all++;
      of.killable += fits.killable(row);
      of.masked += isMasked(row);
      of.none += fits.none(row);
      of.composed += column.verdict[row] === killable;
    }
    const cell = (number, change) => element("td", {}, number ? element("button", { type: "button", on: { click: () => focusOn(change) } }, count(number)) : "0");
    const bodies = processes.map((name, at) => {
      const of = counts[at];
      const alone = (number, what) => (of.none === of.all ? element("td", {}, "-") : cell(number, { process: String(at), alone: what }));
      return element("tr", {}, element("th", { scope: "row" }, name), cell(of.all, { process: String(at) }), alone(of.killable, "killable"), alone(of.masked, "masked"),
        cell(of.composed, { process: String(at), verdicts: new Set([killable]) }));
    });
    const head = ["process", "mutants", "killable alone", "masked", "killable composed"].map((name) => element("th", { scope: "col" }, name));
    byId("processes").append(element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...bodies)));
    byId("processes-hint").textContent = "Killable alone: some test kills the mutant of the process by itself. Masked: of these, no test kills it in the network. -: the process is not judged by itself.";
  };
  const showTests = () => {
    if (!tests.length) return;
    byId("tests-section").hidden = false;
    const { killed, killable } = data.score;
    byId("tests-hint").textContent = `${plural(tests.length, "test")} of ${data.suite} kill ${count(killed)} of ${plural(killable, "mutant")} of this run that some test can kill.`;
    const head = ["test", "purpose", "style", "steps", "kills", "only it kills"];
    const only = (test) => test.kills.reduce((sum, row) => sum + (killers[row] === 1 ? 1 : 0), 0);
    const lines = tests.map((test, at) => element("tr", {}, element("th", { scope: "row" }, test.id), element("td", { class: "text long" }, test.purpose), element("td", { class: "text" }, test.style),
      element("td", {}, count(test.steps)), element("td", {}, test.kills.length ? element("button", { type: "button", on: { click: () => focusOn({ test: at }) } }, count(test.kills.length)) : "0"), element("td", {}, count(only(test)))));
    byId("tests").append(element("table", {}, element("thead", {}, element("tr", {}, ...head.map((name, at) => element("th", { scope: "col", class: at === 1 || at === 2 ? "text" : undefined }, name)))), element("tbody", {}, ...lines)));
  };

  // ---- Filters ---------------------------------------------------------------------------------------------------------------

  const options = (id, entries) => byId(id).append(element("option", { value: "" }, "all"), ...entries.map(([value, text]) => element("option", { value }, text)));
  const selects = ["operator", "decided", "rule", "fate", "process", "alone"];
  const controls = () => {
    byId("search").value = wanted.words;
    for (const id of selects) byId(id).value = wanted[id];
    byId("distinct").checked = wanted.distinct;
    for (const box of byId("verdicts").querySelectorAll("input")) box.checked = wanted.verdicts.has(Number(box.value));
  };
  const reset = () => { wanted = nothing(); controls(); choosePart(null); };
  const showFilters = () => {
    options("operator", kinds.map((name, kind) => [kind, name]));
    options("decided", data.decided.map((name, at) => [at, name]).filter(([at]) => column.decided.includes(at)));
    const rules = [...new Set(data.violates.flat())].sort();
    options("rule", [["any", "violates one"], ["none", "violates none"], ...rules.map((rule) => [rule, `violates ${rule}`])]);
    options("fate", [["killed", "killed"], ["survives", "non-subsumed, not killed"]]);
    byId("fate-label").hidden = !tests.length;
    options("process", processes.map((name, at) => [at, name]));
    options("alone", [["killable", "killable"], ["masked", "masked by the network"], ["harmless", "not killable"], ["none", "not judged alone"]]);
    byId("process-label").hidden = !processes.length;
    byId("alone-label").hidden = !column.alone;
    verdicts.forEach((name, at) => {
      if (!totals[at]) return;
      const box = element("input", { type: "checkbox", value: at, checked: true, on: { change: () => { wanted.verdicts[box.checked ? "add" : "delete"](at); filter(); } } });
      byId("verdicts").append(element("label", {}, box, " ", shownVerdict(name)));
    });
    let waiting = 0;
    byId("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => { wanted.words = byId("search").value; filter(); }, 80); });
    for (const id of selects) byId(id).addEventListener("change", () => { wanted[id] = byId(id).value; filter(); });
    byId("distinct").addEventListener("change", () => { wanted.distinct = byId("distinct").checked; filter(); });
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    byId("filters").addEventListener("reset", (event) => { event.preventDefault(); reset(); });
  };

  // ---- Begin -----------------------------------------------------------------------------------------------------------------

  byId("title").textContent = data.title;
  byId("subtitle").textContent = data.subtitle;
  byId("made").textContent = `Made by ${data.tool} from ${data.folder}. The page is one file and asks nothing of any network.`;
  showTotals();
  showOperators();
  showModel();
  showProcesses();
  showTests();
  showFilters();
  filter();
  choose(0);
  list.scrollTop = 0;
  document.documentElement.dataset.ready = "true";
})();
