
// The timeline of a test: a lane for each action, with its windows as bands and its events as marks, and one for what the program said.
const LANE = 28;
const LETTER = 6.6; // Pixels of a letter, about.
const fitted = (text, letters) => (text.length > letters ? `${text.slice(0, letters - 1)}…` : text);

// The lanes: what was sent, what came, what was said.
const lanesOf = (events, windows, remarks) => {
  const lanes = new Map();
  const lane = (group, name) => {
    const key = `${group} ${name}`;
    if (!lanes.has(key)) lanes.set(key, { group, name, events: [], windows: [], remarks: [] });
    return lanes.get(key);
  };
  const first = (kinds) => events.filter((event) => kinds.includes(event.kind));
  for (const event of first(["input", "refused"])) lane("sent", plain(event.action)).events.push(event);
  // Outputs in the order in which they come up.
  const outputs = [...windows.map((window) => ({ at: window.start, window })), ...first(["output"]).map((event) => ({ at: event.at, event }))].sort((a, b) => a.at - b.at);
  for (const { window, event } of outputs) {
    if (window) lane("came", plain(window.output)).windows.push(window);
    else lane("came", plain(event.action)).events.push(event);
  }
  for (const event of first(["silence"])) lane("came", "(nothing)").events.push(event);
  for (const remark of remarks) lane("said", remark.from).remarks.push(remark);
  return [...lanes.values()];
};

// Marks that differ by shape: input, output, refusal, silence, and what was wrong.
const SHAPES = {
  input: (x, y) => [drawn("path", { d: `M${x - 6} ${y - 6}h12l-6 12z` })],
  output: (x, y) => [drawn("circle", { cx: x, cy: y, r: 6 })],
  refused: (x, y) => [drawn("circle", { cx: x, cy: y, r: 6, class: "hollow" }), drawn("path", { d: `M${x - 4} ${y + 4}l8 -8`, class: "stroke" })],
  silence: (x, y) => [drawn("rect", { x: x - 5, y: y - 5, width: 10, height: 10, class: "hollow" })],
  wrong: (x, y) => [drawn("circle", { cx: x, cy: y, r: 8.5, class: "halo" }), drawn("path", { d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`, class: "cross" })],
  log: (x, y) => [drawn("path", { d: `M${x} ${y - 9}v18`, class: "stroke" }), drawn("circle", { cx: x, cy: y, r: 3 })],
  stderr: (x, y) => [drawn("path", { d: `M${x} ${y - 9}v18`, class: "stroke" }), drawn("path", { d: `M${x} ${y - 4}l4 4l-4 4l-4 -4z` })],
};

const timeline = (run, width, read) => {
  const [events, windows] = [eventsOf(run), windowsOf(run)];
  const remarks = (run.remarks || []).map((remark) => ({ ...remark, time: moment(remark.at) }));
  // Windows that were not reached, and those that end long after their wait, do not stretch the drawing.
  const reached = windows.filter((window) => window.isLast || window.start <= window.until);
  const ends = reached.filter((window) => window.end < Infinity && (window.isLast || window.end - window.since <= 3 * (window.until - window.since)));
  const { place } = run;
  const moments = [0, moment(run.until || 0), ...events.map((event) => event.at), ...remarks.map((remark) => remark.time), ...reached.map((window) => window.start), ...ends.map((window) => window.end)];
  if (place) moments.push(moment(place.at), moment(place.silent_until || 0));
  const lengths = windows.flatMap((window) => [window.start - window.since, window.end - window.start]).filter((length) => length > 0 && length < Infinity);
  const close = lengths.length ? Math.min(...lengths) / 20 : 0.1;
  const lanes = lanesOf(events, reached, remarks);
  const letters = Math.min(24, Math.max(6, ...lanes.map((lane) => lane.name.length)));
  const left = Math.round(letters * 7.4 + 70);
  const scale = timescale(moments, close, Math.max(120, width - left - 64));
  const says = speech(scale.end);
  const x = (time) => left + 10 + scale.place(time);
  const top = place ? 26 : 6; // What was wrong has a head.
  const bottom = top + lanes.length * LANE;
  const svg = drawn("svg", { width, height: bottom + 40, viewBox: `0 0 ${width} ${bottom + 40}`, role: "group" });
  const right = x(scale.end);
  const view = { run, svg, x, says, left, right, top, bottom, width, marks: [], tolerance: moment(data.tolerance || 0), wrong: place ? x(moment(place.at)) : -1, read };
  named(view, events);
  axis(view, scale);
  lanes.forEach((lane, at) => laneOf(view, lane, at, lanes));
  if (place) wrongAt(view, lanes);
  focusable(view);
  return svg;
};

const whatIsHere = (run) => (isBreach(run) ? "Here it went wrong" : run.kind === "late" ? "Here the tester was late" : "Here it ended");

// For those who do not see it.
const named = ({ run, svg, says }, events) => {
  const id = `timeline-${timelines++}`;
  const counted = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const n = (kind) => events.filter((event) => event.kind === kind).length;
  const where = run.place ? ` ${whatIsHere(run)}, at ${says.time(moment(run.place.at))}: ${run.why}.` : "";
  const desc = `${counted(n("input"), "input")} sent, ${counted(n("output"), "output")} came, ${counted((run.remarks || []).length, "line")} said, in ${says.span(moment(run.until || 0))}.${where} The list below says the same in words.`;
  svg.append(drawn("title", { id: `${id}-t` }, `Timeline of ${run.test}`), drawn("desc", { id: `${id}-d` }, desc));
  svg.setAttribute("aria-labelledby", `${id}-t`);
  svg.setAttribute("aria-describedby", `${id}-d`);
};
let timelines = 0;

const axis = ({ svg, x, says, left, right, top, bottom }, scale) => {
  const line = (attributes) => svg.append(drawn("line", attributes));
  const widest = says.number(scale.end).length * LETTER + 22;
  for (const { time, x: at } of ticks(scale, says, Math.max(74, widest))) {
    const here = left + 10 + at;
    line({ x1: here, x2: here, y1: top, y2: bottom + 5, class: "grid" });
    svg.append(drawn("text", { x: here, y: bottom + 20, "text-anchor": "middle", class: "tick" }, says.number(time)));
  }
  line({ x1: left, x2: right + 10, y1: bottom, y2: bottom, class: "axis" });
  svg.append(drawn("text", { x: left - 10, y: bottom + 20, "text-anchor": "end", class: "group" }, says.axis));
  for (const part of scale.parts.filter((part) => part.isShort)) {
    const middle = (x(part.from) + x(part.to)) / 2;
    const cut = drawn("g", { class: "cut" }, drawn("title", {}, `${says.span(part.to - part.from)}, drawn shorter`));
    for (const away of [-4, 4]) cut.append(drawn("path", { d: `M${middle + away - 4} ${bottom + 7}l8 -14` }));
    cut.append(drawn("line", { x1: middle, x2: middle, y1: top, y2: bottom - 8 }));
    const text = says.time(part.to - part.from);
    if (part.right - part.left > text.length * LETTER + 8) cut.append(drawn("text", { x: middle, y: bottom + 35, "text-anchor": "middle" }, text));
    svg.append(cut);
  }
};

const laneOf = (view, lane, at, lanes) => {
  const { svg, left, right, top } = view;
  const y = top + at * LANE + LANE / 2;
  const isFirst = at === 0 || lanes[at - 1].group !== lane.group;
  if (isFirst) {
    svg.append(drawn("line", { x1: 0, x2: right + 10, y1: y - LANE / 2, y2: y - LANE / 2, class: "between" }));
    svg.append(drawn("text", { x: 0, y: y + 4, class: "group" }, lane.group));
  }
  svg.append(drawn("text", { x: left - 10, y: y + 4, "text-anchor": "end", class: "lane" }, drawn("title", {}, lane.name), fitted(lane.name, 24)));
  svg.append(drawn("line", { x1: left, x2: right + 10, y1: y, y2: y, class: "rail" }));
  lane.windows.forEach((window, number) => band(view, window, lane.windows[number + 1], y));
  const places = lane.events.map((event) => view.x(event.at));
  lane.events.forEach((event, number) => eventAt(view, event, y, places, number));
  remarksAt(view, lane, y);
};

// A window: what of it was left when the wait ended is paler; the tolerance is beside it.
const band = ({ svg, x, says, right, tolerance }, window, next, y) => {
  const end = Math.min(window.end, next ? Math.max(next.start, window.until) : Infinity);
  const [from, to] = [x(window.start), end === Infinity ? x(window.until) : x(end)];
  const ended = Math.max(from, Math.min(to, x(window.until)));
  const made = drawn("g", { class: `window${window.isLast ? " last" : ""}` }, drawn("title", {}, `allowed: ${windowText(window, says)}`));
  made.dataset.from = window.start;
  made.dataset.by = window.end;
  made.dataset.output = window.output;
  const box = (a, b, name) => drawn("rect", { x: a, y: y - 10, width: Math.max(b - a, 0), height: 20, class: name });
  if (tolerance) made.append(box(x(Math.max(0, window.start - tolerance)), from, "fringe"), box(to, Math.min(right, x(window.end + tolerance)), "fringe"));
  made.append(box(from, Math.max(ended, from + (to > ended ? 0 : 3)), "open"));
  if (to > ended) made.append(box(ended, to, "rest"));
  made.append(drawn("path", { d: `M${from} ${y - 10}v20`, class: "edge" }));
  if (window.end === end && end < Infinity) made.append(drawn("path", { d: `M${to} ${y - 10}v20`, class: "edge" }));
  svg.append(made);
};

const eventAt = (view, event, y, places, number) => {
  const { svg, x, says, right } = view;
  const here = places[number];
  const late = event.isLate ? moment(view.run.lateness.by) : 0;
  const since = late ? x(Math.max(0, event.at - late)) : here;
  if (here - since > 2) svg.append(drawn("rect", { x: since, y: y + 8, width: here - since, height: 4, class: "late" }, drawn("title", {}, lateText(view.run))));
  const isWrong = event.isPlace && isBreach(view.run);
  const shape = isWrong ? "wrong" : event.kind;
  const text = `at ${says.time(event.at)}: ${eventText(event)}${event.isPlace ? `. ${whatIsHere(view.run)}: ${view.run.why}` : ""}${late ? `; ${lateText(view.run)}` : ""}`;
  mark(view, { shape, x: here, y, at: event.at, text });
  // When it was stands beside it where there is room.
  const said = says.number(event.at);
  const room = said.length * LETTER + 20;
  const isCrossed = view.wrong > here && view.wrong < here + room;
  if (!isCrossed && (places[number + 1] ?? right + 54) - here >= room) svg.append(drawn("text", { x: here + 11, y: y + 4, class: "when" }, said));
};

// Lines that would stand on each other share a mark.
const remarksAt = (view, lane, y) => {
  const bunches = [];
  for (const remark of lane.remarks) {
    const here = view.x(remark.time);
    const last = bunches[bunches.length - 1];
    if (last && here - last.x < 9) last.remarks.push(remark);
    else bunches.push({ x: here, remarks: [remark] });
  }
  bunches.forEach(({ x: here, remarks }, number) => {
    const shown = remarks.slice(0, 8).map((remark) => `at ${view.says.time(remark.time)}, ${remark.from}: ${remark.text}`);
    if (remarks.length > 8) shown.push(`and ${remarks.length - 8} more, in the list below`);
    mark(view, { shape: remarks[0].from, x: here, y, at: remarks[0].time, text: shown.join("\n") });
    const next = number + 1 < bunches.length ? bunches[number + 1].x : view.right + 54;
    const end = view.wrong > here ? Math.min(next, view.wrong) : next;
    const room = Math.floor((end - here - 18) / LETTER);
    const text = remarks.length > 1 ? `×${remarks.length}` : remarks[0].text;
    if (room >= Math.min(text.length, 8)) view.svg.append(drawn("text", { x: here + 8, y: y + 4, class: "said" }, fitted(text, room)));
  });
};

const mark = (view, { shape, x, y, at, text }) => {
  const made = drawn("g", { class: `mark ${shape}`, role: "img", "aria-label": text, tabindex: -1 }, drawn("title", {}, text), drawn("circle", { cx: x, cy: y, r: 11, class: "touch" }), ...SHAPES[shape](x, y));
  made.dataset.at = at;
  view.marks.push({ made, at, text, x });
};

// Where it went wrong: a line through all lanes; if nothing came, how long it was listened for it.
const wrongAt = (view, lanes) => {
  const { run, svg, x, says, top, bottom } = view;
  const at = moment(run.place.at);
  const here = x(at);
  const isDoubt = !isBreach(run);
  const line = drawn("g", { class: `wrong-at v ${colours[run.kind] || ""}` }, drawn("line", { x1: here, x2: here, y1: 0, y2: bottom, class: isDoubt ? "doubt" : "" }));
  line.dataset.at = at;
  const text = `${signs[run.kind]} ${says.time(at)}`;
  const isLeft = here > view.width - text.length * 8 - 20;
  line.append(drawn("text", { x: here + (isLeft ? -7 : 7), y: 17, "text-anchor": isLeft ? "end" : "start" }, text));
  svg.append(line);
  const until = run.place.silent_until && moment(run.place.silent_until);
  const expected = new Set(run.place.expected.map((one) => plain(one.output)));
  lanes.forEach((lane, number) => {
    if (!until || lane.group !== "came" || !expected.has(lane.name)) return;
    const y = top + number * LANE + LANE / 2;
    svg.append(drawn("path", { d: `M${here} ${y}H${x(until)}`, class: "silent" }, drawn("title", {}, `nothing came by ${says.time(until)}`)), drawn("path", { d: `M${x(until)} ${y - 6}v12`, class: "silent-end" }));
    mark(view, { shape: "wrong", x: here, y, at, text: `at ${says.time(at)}. ${whatIsHere(run)}: ${run.why}` });
  });
};

// One stop for the keyboard; arrows lead from mark to mark, in the order of time.
const focusable = ({ svg, marks, read }) => {
  marks.sort((a, b) => a.at - b.at);
  marks.forEach(({ made, text }, number) => {
    svg.append(made);
    made.addEventListener("mouseenter", () => read(text));
    made.addEventListener("focus", () => {
      marks.forEach((other) => other.made.setAttribute("tabindex", other.made === made ? 0 : -1));
      read(text);
    });
    made.addEventListener("keydown", (event) => {
      const to = { ArrowRight: number + 1, ArrowDown: number + 1, ArrowLeft: number - 1, ArrowUp: number - 1, Home: 0, End: marks.length - 1 }[event.key];
      if (to === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      if (marks[to]) marks[to].made.focus();
    });
  });
  const first = marks.find(({ made }) => made.classList.contains("wrong")) || marks[0];
  if (first) first.made.setAttribute("tabindex", 0);
};
