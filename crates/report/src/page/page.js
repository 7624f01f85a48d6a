// The page of one run. Of all mutants only the rows that can be seen are elements of the page, so that half a million are no more
// work than fifty. `kept` is what an earlier page of the same model had chosen.
const startWorkbench = (data, kept) => {
  const mutants = mutantsOf(data);
  const { column, n, tests, killers, idOf, kinds, kindOf, processOf, aloneOf, isMasked, fits, partsOf, verdictOf, textOf, totals } = mutants;
  const { earlier, last, verdicts } = data;
  const processes = data.processes || [];
  const survives = new Map(data.survivors || []);
  const leaving = new AbortController();
  const { signal } = leaving;

  // ---- What is shown -------------------------------------------------------------------------------------------------------

  const nothing = () => ({
    words: "", keep: "", operator: "", decided: "", rule: "", fate: "", process: "", alone: "", verdicts: new Set(verdicts.keys()), distinct: false, parts: null, test: null,
  });
  let wanted = nothing();
  let shown = new Uint32Array(n);
  let nShown = 0;
  let chosen = -1; // A row.
  let missing = ""; // The id of a mutant that was asked for and is not there, until another one is chosen.
  let keeps = null; // The numbers of mutants that the condition keeps.

  const matches = (texts, word) => Uint8Array.from(texts, (text) => (text.includes(word) ? 1 : 0));
  const lower = { earlier: earlier.id.map((id) => id.toLowerCase()), last: last.id.map((id) => id.toLowerCase()) };
  const touches = () => {
    const is = (part) => wanted.parts.includes(part);
    return { earlier: Uint8Array.from(earlier.parts, (parts) => (parts.some(is) ? 1 : 0)), last: Uint8Array.from(last.part, (part) => (is(part) ? 1 : 0)) };
  };
  const numberOf = (row) => (column.number ? column.number[row] : row);
  const ruled = (rules) => (wanted.rule === "none" ? rules.length === 0 : wanted.rule === "any" ? rules.length > 0 : rules.includes(wanted.rule));

  const filter = () => {
    const words = wanted.words.toLowerCase().split(/\s+/).filter(Boolean);
    // A word with a semicolon may lie across two mutations: only then whole ids are looked at.
    const whole = words.filter((word) => word.includes(";"));
    const simple = words.filter((word) => !word.includes(";")).map((word) => [matches(lower.earlier, word), matches(lower.last, word)]);
    const parts = wanted.parts && touches();
    const killed = wanted.test === null ? null : new Set(tests[wanted.test].kills);
    const numbered = (name) => (wanted[name] === "" ? -1 : Number(wanted[name]));
    const [kind, decided, process] = ["operator", "decided", "process"].map(numbered);
    const alone = fits[wanted.alone];
    const isWanted = Uint8Array.from(verdicts, (_, verdict) => (wanted.verdicts.has(verdict) ? 1 : 0));
    const rule = wanted.rule === "" ? null : Uint8Array.from(data.violates, (rules) => (ruled(rules) ? 1 : 0));
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
      if (keeps && !keeps.has(numberOf(row))) continue;
      if (wanted.fate === "killed" && !killers[row]) continue;
      if (wanted.fate === "survives" && (killers[row] || column.verdict[row] !== mutants.killable)) continue;
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
    if (place() >= 0) scrollTo(place());
    paint();
  };

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
  // What is said of a mutant besides its verdict; of one that was another one before, that first.
  const remark = (row) => {
    if (kept && kept.verdicts) {
      const before = kept.verdicts.get(idOf(row));
      if (before === undefined) return "new";
      if (before !== verdictOf(row)) return `was ${before}`;
    }
    return killers.length && killers[row] ? `killed by ${killers[row]}` : isMasked(row) ? "masked" : data.decided[column.decided[row]];
  };
  const line = (at, top) => {
    const row = shown[at];
    const cell = (content) => element("span", { role: "gridcell" }, content);
    return element("div", { class: "row", role: "row", id: `row-${row}`, "aria-rowindex": at + 1, "aria-selected": row === chosen ? "true" : "false",
      style: `top:${top}px`, on: { click: () => choose(at) } },
      cell(count(numberOf(row))), cell(shownVerdict(verdictOf(row))), cell(element("code", { title: idOf(row) }, idOf(row))), element("span", { role: "gridcell", title: remark(row) }, remark(row)));
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
  const show = (at) => {
    if (nShown === 0) {
      if (data.deciding && n === 0) byId("details").replaceChildren(element("p", { class: "hint" }, "The mutants come as they are decided."));
      return;
    }
    const bounded = Math.max(0, Math.min(nShown - 1, at));
    chosen = shown[bounded];
    scrollTo(bounded);
    paint();
    details();
  };
  const choose = (at) => {
    if (nShown === 0) return;
    missing = "";
    show(at);
    remember();
  };
  const chooseRow = (row) => {
    chosen = row;
    tab("mutants");
    if (place() < 0) reset();
    choose(place());
  };
  const go = (by) => {
    const at = place();
    choose(at < 0 ? 0 : at + by);
  };
  list.addEventListener("scroll", paint, { passive: true });
  new ResizeObserver(paint).observe(list);
  list.addEventListener("keydown", (event) => {
    const at = place();
    const steps = { PageDown: at + perPage(), PageUp: at - perPage(), Home: 0, End: nShown - 1 };
    if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    choose(steps[event.key]);
  });

  // A mutant has an address of its own.
  let remembering = 0;
  const remember = () => {
    clearTimeout(remembering);
    remembering = setTimeout(() => history.replaceState(null, "", `#mutant=${encodeURIComponent(idOf(chosen))}`), 150);
  };
  const addressed = () => {
    const found = /^#mutant=(.+)$/.exec(location.hash);
    try {
      return found ? decodeURIComponent(found[1]) : "";
    } catch {
      return found[1]; // It is no text, and no mutant's id.
    }
  };
  // Says that there is no such mutant. The address stays: it was somebody's, and the mutant may come back.
  const miss = (id) => {
    missing = id;
    clearTimeout(remembering);
  };
  addEventListener("hashchange", () => {
    const id = addressed();
    const row = id ? mutants.rowOf(id) : chosen;
    if (row >= 0 && row !== chosen) chooseRow(row);
    else if (row < 0) { miss(id); details(); }
  }, { signal });

  // ---- The details of one mutant ---------------------------------------------------------------------------------------------

  const vanished = () => {
    if (!missing) return [];
    const why = data.deciding ? "It may come: not all mutants are decided yet." : kept && kept.isChosen ? "It is gone since the model was saved." : "The model, the operators or the sample have changed since the link was made.";
    return [element("p", { class: "missing", role: "alert" }, element("b", {}, "There is no mutant "), element("code", {}, missing), element("b", {}, " here. "), `${why} Another one is shown below.`)];
  };
  const details = () => {
    const row = chosen;
    const verdict = verdictOf(row);
    const entry = (name, ...content) => [element("dt", {}, name), element("dd", {}, ...content)];
    const facts = [...entry("verdict", shownVerdict(verdict), " ", verdictMeanings[verdict]), ...entry("decided by", data.decided[column.decided[row]])];
    if (aloneOf(row) >= 0) {
      const masks = isMasked(row) ? " Masked: the rest of the network hides it from every test." : "";
      facts.push(...entry(`${processes[processOf(row)]} by itself`, shownVerdict(verdicts[aloneOf(row)]), masks));
    }
    const rules = data.violates[column.violates[row]];
    if (rules.length) facts.push(...entry("guidelines", rules.join(", ")));
    for (const name of ["why", "reason"]) if (textOf(name, row)) facts.push(...entry(name, textOf(name, row)));
    if (column.duplicate[row]) {
      const same = column.duplicate[row] - 1;
      facts.push(...entry("the same as", element("button", { class: "link", type: "button", on: { click: () => chooseRow(same) } }, idOf(same))));
    }
    if (tests.length) {
      const by = tests.filter((test) => test.kills.includes(row)).map((test) => test.id);
      facts.push(...entry("tests", by.length ? `Killed by ${by.join(", ")}.` : survives.has(row) ? `It survives: ${survives.get(row)}.` : "No test of the suite kills it."));
    }
    const content = [...vanished(), element("h3", {}, idOf(row)), element("ol", { class: "says" }, ...mutants.saysOf(row).map((one) => element("li", {}, `It ${one}.`))), element("dl", {}, ...facts)];
    const witness = textOf("witness", row);
    if (witness && data.untimed) content.push(element("h4", {}, "Counterexample"), element("p", {}, witness));
    else if (witness) content.push(...trace(row, witness));
    else if (verdict === "non-subsumed") content.push(element("p", { class: "hint" }, data.witnesses ? "No counterexample was found within the limits, or the mutant is the same as another one." : "The run recorded no counterexamples: tamper classify --witness does."));
    if (suites && tests.length) content.push(...suites.detailsOf(idOf(row)));
    byId("details").replaceChildren(...content);
    byId("details").scrollTop = 0;
    if (!witness) player = null;
    drawing.clear();
    drawing.touch(partsOf(row));
  };

  // ---- A counterexample, played ------------------------------------------------------------------------------------------------

  let player = null; // Of the chosen mutant.
  const playOf = async (row) => {
    if (data.plays && data.plays[row]) return data.plays[row];
    if (!data.live) return null;
    try {
      return await (await fetch(`play?id=${encodeURIComponent(idOf(row))}`)).json();
    } catch {
      return null; // The server has ended.
    }
  };
  const button = (label, name, does) => element("button", { type: "button", "aria-label": name, title: name, on: { click: does } }, label);
  const stepButton = (text, at) => element("button", { type: "button", on: { click: () => player.to(at) } }, text);
  const trace = (row, witness) => {
    const steps = traceSteps(witness);
    if (player) player.stop();
    const values = element("table", { class: "values" });
    const where = element("output", {}, "");
    const says = [element("li", {}, stepButton("at 0: start", 0)), ...steps.map((step, at) => element("li", { class: step.end ? "fails" : "" },
      stepButton(`at ${shownTime(step.at)}: ${saidStep(step)}`, at + 1)))];
    const line = traceLine(steps, Math.max(300, byId("details").clientWidth - 40));
    const mine = (player = { at: -1, play: null, timer: 0, n: steps.length });
    const toggle = button("▶", "Play (space)", () => mine.toggle());
    mine.stop = () => { clearInterval(mine.timer); mine.timer = 0; toggle.textContent = "▶"; };
    mine.to = (at) => {
      mine.at = Math.max(0, Math.min(steps.length, at));
      says.forEach((said, number) => (number === mine.at ? said.setAttribute("aria-current", "step") : said.removeAttribute("aria-current")));
      for (const group of line.querySelectorAll("[data-step]")) group.classList.toggle("now", Number(group.dataset.step) === mine.at);
      says[mine.at].scrollIntoView({ block: "nearest" });
      where.textContent = `${mine.at} of ${steps.length}`;
      values.replaceChildren();
      if (!mine.play) return;
      const { names, moments } = mine.play;
      drawing.moment(mine.play, mine.at);
      const { spec, mutant } = moments[mine.at];
      const all = [...new Set([...names.spec, ...names.mutant])];
      const value = (names, moment, name) => {
        const at = names.indexOf(name);
        if (at < 0) return "-";
        return moment.before[at] === moment.values[at] ? moment.values[at] : `${moment.before[at]} → ${moment.values[at]}`;
      };
      const compared = (name) => {
        const both = [value(names.spec, spec, name), value(names.mutant, mutant, name)];
        return element("tr", { class: both[0] === both[1] ? "" : "differs" }, element("th", { scope: "row" }, name), ...both.map((one) => element("td", {}, one)));
      };
      values.append(element("thead", {}, element("tr", {}, ...["", "specification", "mutant"].map((name) => element(name ? "th" : "td", name ? { scope: "col" } : {}, name)))), element("tbody", {}, ...all.map(compared)));
    };
    mine.toggle = () => {
      if (mine.timer) return mine.stop();
      if (mine.at >= steps.length) mine.to(0);
      toggle.textContent = "❚❚";
      mine.timer = setInterval(() => { mine.to(mine.at + 1); if (mine.at >= steps.length) mine.stop(); }, 900);
    };
    playOf(row).then((play) => {
      if (player !== mine || signal.aborted) return;
      // It has to be the counterexample that the record tells.
      const isSame = play && play.moments && play.moments.length === steps.length + 1 && steps.every((step, at) => step.text.startsWith(play.moments[at + 1].step));
      if (isSame) mine.play = play;
      byId("details").dataset.played = String(Boolean(isSame));
      if (mine.at >= 0) mine.to(mine.at);
      else if (kept && kept.step >= 0 && kept.id === idOf(row)) mine.to(kept.step);
    });
    delete byId("details").dataset.played;
    return [
      element("h4", {}, "Counterexample"),
      element("div", { class: "player", role: "group", "aria-label": "Play the counterexample" }, button("⇤", "To the start", () => mine.to(0)), button("←", "A step back (←)", () => mine.to(mine.at - 1)), toggle,
        button("→", "A step (→)", () => mine.to(mine.at + 1)), button("⇥", "To the end", () => mine.to(steps.length)), where),
      element("div", { class: "trace", tabindex: "0", role: "region", "aria-label": "Time line of the counterexample" }, line),
      element("div", { class: "steps" }, element("ol", { start: "0" }, ...says), values),
    ];
  };

  // ---- Filters ---------------------------------------------------------------------------------------------------------------

  const choosePart = (parts) => {
    const isAgain = parts && wanted.parts && parts.join() === wanted.parts.join();
    wanted.parts = isAgain ? null : parts;
    drawing.choose(wanted.parts);
    tab("mutants");
    filter();
  };
  const drawing = drawingOf(data, mutants, choosePart, signal);
  const suites = data.live ? suitesOf(data, kept, signal) : null;
  // The server knows which mutants a condition keeps; a wrong one leaves the list as it was.
  const askKept = async () => {
    const condition = wanted.keep;
    const show = (numbers, problem) => {
      if (condition !== wanted.keep || signal.aborted) return;
      if (!problem) keeps = numbers;
      byId("keep-problem").textContent = problem;
      byId("keep-problem").hidden = !problem;
      byId("keep").setAttribute("aria-invalid", String(Boolean(problem)));
      filter();
    };
    if (!condition.trim()) return show(null, "");
    try {
      const { numbers, problem } = await (await fetch(`keep?condition=${encodeURIComponent(condition)}`)).json();
      return show(new Set(numbers), problem || "");
    } catch {
      return show(null, "tamper has ended");
    }
  };
  const focusOn = (change) => { wanted = { ...nothing(), ...change }; controls(); drawing.choose(null); tab("mutants"); filter(); list.focus(); };
  const options = (id, entries) => byId(id).append(element("option", { value: "" }, "all"), ...entries.map(([value, text]) => element("option", { value }, text)));
  const selects = ["operator", "decided", "rule", "fate", "process", "alone"];
  const controls = () => {
    byId("search").value = wanted.words;
    byId("keep").value = wanted.keep;
    if (data.live && !data.deciding) askKept();
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
    byId("keep-label").hidden = !data.live || Boolean(data.deciding);
    byId("keep").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => { wanted.keep = byId("keep").value; askKept(); }, 250); });
    for (const id of selects) byId(id).addEventListener("change", () => { wanted[id] = byId(id).value; filter(); });
    byId("distinct").addEventListener("change", () => { wanted.distinct = byId("distinct").checked; filter(); });
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
    byId("filters").addEventListener("reset", (event) => { event.preventDefault(); reset(); });
    byId("save").addEventListener("click", save);
  };

  // The mutants that are listed, as a table.
  const save = () => {
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = ["id,verdict,decided_by,violates,witness"];
    for (let at = 0; at < nShown; at++) {
      const row = shown[at];
      lines.push([idOf(row), verdictOf(row), data.decided[column.decided[row]], data.violates[column.violates[row]].join(" "), textOf("witness", row)].map(quoted).join(","));
    }
    const address = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
    element("a", { href: address, download: "mutants.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };

  // ---- What is listed ----------------------------------------------------------------------------------------------------------

  const tabs = [...document.querySelectorAll("[role=tab]")];
  const panelOf = (button) => byId(button.getAttribute("aria-controls"));
  const tab = (name) => {
    const wanted = byId(`tab-${name}`);
    if (wanted.hidden) return;
    for (const button of tabs) {
      const isOne = button === wanted;
      button.setAttribute("aria-selected", String(isOne));
      button.tabIndex = isOne ? 0 : -1;
      panelOf(button).hidden = !isOne;
    }
  };
  const openTab = () => tabs.find((button) => button.getAttribute("aria-selected") === "true").id.slice("tab-".length);
  for (const button of tabs) {
    button.addEventListener("click", () => tab(button.id.slice("tab-".length)));
    button.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      const there = tabs.filter((one) => !one.hidden);
      const next = there[(there.indexOf(button) + by + there.length) % there.length];
      tab(next.id.slice("tab-".length));
      next.focus();
    });
  }

  // ---- Begin -----------------------------------------------------------------------------------------------------------------

  // Filters go by name from one version of a model to the next: what has no such name any more is dropped.
  const named = () => ({
    ...wanted, operator: kinds[wanted.operator] || "", process: processes[wanted.process] || "", verdicts: [...verdicts.keys()].filter((at) => !wanted.verdicts.has(at)), parts: wanted.parts && wanted.parts.map((part) => data.parts[part].name),
  });
  const numbered = (by) => {
    const at = (all, name) => (name && all.includes(name) ? String(all.indexOf(name)) : "");
    const parts = by.parts && by.parts.map((name) => data.parts.findIndex((part) => part.name === name)).filter((part) => part >= 0);
    const left = nothing();
    by.verdicts.forEach((verdict) => left.verdicts.delete(verdict));
    return { ...left, words: by.words, keep: by.keep, distinct: by.distinct, decided: by.decided, rule: by.rule, alone: by.alone, operator: at(kinds, by.operator), process: at(processes, by.process), parts: parts && parts.length ? parts : null };
  };
  document.title = data.title;
  byId("title").textContent = data.title;
  byId("subtitle").textContent = data.subtitle;
  byId("made").textContent = data.live ? `Made by ${data.tool}; it follows ${data.folder}.` : `Made by ${data.tool} from ${data.folder}. The page is one file and asks nothing of any network.`;
  chartsOf(data, mutants, focusOn)();
  drawing.show();
  drawing.begin(kept && kept.drawing);
  showFilters();
  if (kept) {
    wanted = numbered(kept.wanted);
    controls();
    drawing.choose(wanted.parts);
    tab(kept.tab);
  }
  filter();
  const wantedId = kept ? kept.id : addressed();
  const wantedRow = wantedId ? mutants.rowOf(wantedId) : -1;
  if (wantedRow >= 0) {
    chosen = wantedRow;
    if (place() >= 0 || !kept) chooseRow(wantedRow);
    else { details(); paint(); }
  } else if (wantedId) {
    miss(wantedId);
    show(kept ? Math.min(kept.at, nShown - 1) : 0);
  } else if (data.deciding) show(0);
  else choose(0);
  if (kept && kept.tab) tab(kept.tab);
  if (wantedRow < 0) list.scrollTop = 0;
  if (kept) list.scrollTop = kept.top;
  document.documentElement.dataset.ready = "true";

  return {
    mutants, drawing, go, tab, reset, suites, isPart: Boolean(data.deciding),
    step: (by) => { if (player) player.to(player.at + by); },
    play: () => { if (player) player.toggle(); },
    kept: () => ({ wanted: named(), id: missing || (chosen < 0 ? "" : idOf(chosen)), isChosen: !missing, at: place(), top: list.scrollTop, tab: openTab(), step: player ? player.at : -1, suite: suites && suites.kept(), hadTests: tests.length > 0, drawing: drawing.kept() }),
    leave: () => { leaving.abort(); clearTimeout(remembering); if (player) player.stop(); },
  };
};
// What a new version of the model is put into: nothing is listed there yet.
const empty = data.live ? document.querySelector("main").cloneNode(true) : null;
let workbench = startWorkbench(data, null);
