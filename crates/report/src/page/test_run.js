// One test that was run: its sentence, its timeline, and the same in words. What is not open is not drawn.
const listedRun = (run) => {
  const says = speech(moment(run.until || 0));
  const lines = linesOf(run, says);
  const row = (line) => element("tr", { class: line.isPlace ? "is-place" : line.who }, element("td", { class: "number" }, says.time(line.at)), element("td", {}, line.isPlace ? `${signs[run.kind]} ${line.who}` : line.who),
    element("td", { class: "long" }, line.text, line.more ? element("em", {}, ` ${line.more}`) : null));
  const head = element("tr", {}, ...["at", "who", "what"].map((name) => element("th", { scope: "col" }, name)));
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

const factsOfRun = (run) => {
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
const saidOfRun = (run) => element("p", { class: `said-so v ${colours[run.kind] || ""}` }, element("span", { "aria-hidden": "true" }, `${signs[run.kind]} `), element("b", {}, run.kind), run.why ? `: ${run.why}` : "");
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

const openedRun = (run) => {
  const [sentence, room, readout] = [saidOfRun(run), element("div", { class: "drawing" }), element("p", { class: "readout", "aria-live": "polite" })];
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
  return hasTimes ? [sentence, room, readout, factsOfRun(run), listedRun(run)] : [sentence, factsOfRun(run)];
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
