// The drawing of the model: its parts are chosen, marked and counted; it is moved and enlarged; games are shown where they are.
const LEAST_SCALE = 0.6; // Of letters that can still be read.
const MOST_SCALE = 4;

const drawingOf = (data, mutants, choosePart, signal) => {
  const model = byId("model");
  const pictures = [...model.querySelectorAll("svg")];
  const groups = [...model.querySelectorAll("[data-parts]")].map((group) => {
    const first = Number(group.closest("[data-first]").dataset.first);
    return { group, parts: group.dataset.parts.split(" ").map((part) => Number(part) + first) };
  });
  const mark = (name, parts) => {
    for (const one of groups) one.group.classList.toggle(name, parts.some((part) => one.parts.includes(part)));
  };

  // ---- Size and place --------------------------------------------------------------------------------------------------------

  let scale = 1;
  let isFitted = true;
  const sizes = pictures.map((svg) => ({ svg, width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height }));
  const setScale = (wanted) => {
    scale = Math.max(0.1, Math.min(MOST_SCALE, wanted));
    for (const { svg, width, height } of sizes) {
      svg.style.width = `${width * scale}px`;
      svg.style.height = `${height * scale}px`;
    }
    byId("zoom").textContent = `${Math.round(scale * 100)} %`;
  };
  // The largest scale at which all is seen; `least` where that would be smaller.
  const fitting = (least) => {
    const room = { width: model.clientWidth - 16, height: model.clientHeight - 16 };
    if (!sizes.length || room.width <= 0 || room.height <= 0) return 1;
    const fits = (scale) => {
      // Pictures stand in rows, as wide as the frame.
      let [x, y, row] = [0, 0, 0];
      const caption = data.processes ? 32 : 0;
      for (const { width, height } of sizes) {
        if (x && x + width * scale > room.width) { y += row; x = 0; row = 0; }
        x += width * scale + 8;
        row = Math.max(row, height * scale + caption);
        if (width * scale > room.width) return false;
      }
      return y + row <= room.height;
    };
    let [low, high] = [0.1, 1.6];
    if (fits(high)) return high;
    for (let step = 0; step < 20; step++) { const middle = (low + high) / 2; if (fits(middle)) low = middle; else high = middle; }
    return Math.max(least, low);
  };
  const fit = (least = 0.1) => { isFitted = true; setScale(fitting(least)); };
  // Enlarges around a point of the frame: what is there stays there.
  const zoom = (by, point = { x: model.clientWidth / 2, y: model.clientHeight / 2 }) => {
    const before = scale;
    const [x, y] = [model.scrollLeft + point.x, model.scrollTop + point.y];
    isFitted = false;
    setScale(scale * by);
    model.scrollTo(x * (scale / before) - point.x, y * (scale / before) - point.y);
  };
  // What is marked is seen, with what is next to it, large enough to be read.
  const reveal = (selector = ".touched") => {
    const MARGIN = 40;
    const marked = [...model.querySelectorAll(selector)];
    if (!marked.length) return;
    if (scale < LEAST_SCALE) { isFitted = false; setScale(LEAST_SCALE); }
    const frame = model.getBoundingClientRect();
    const boxes = marked.map((one) => one.getBoundingClientRect());
    const edge = (name, pick) => pick(...boxes.map((box) => box[name]));
    let place = { left: edge("left", Math.min), right: edge("right", Math.max), top: edge("top", Math.min), bottom: edge("bottom", Math.max) };
    // Places that do not fit together: the first one.
    if (place.right - place.left > frame.width - MARGIN || place.bottom - place.top > frame.height - MARGIN) place = boxes[0];
    const by = (from, to, start, end) => (start >= from + MARGIN && end <= to - MARGIN ? 0 : (start + end - from - to) / 2);
    model.scrollBy({ left: by(frame.left, frame.right, place.left, place.right), top: by(frame.top, frame.bottom, place.top, place.bottom), behavior: "instant" });
  };
  const begin = (kept) => {
    if (!sizes.length) return;
    if (kept && !kept.isFitted) { isFitted = false; setScale(kept.scale); model.scrollTo(kept.left, kept.top); } else fit(LEAST_SCALE);
    byId("larger").addEventListener("click", () => zoom(1.25));
    byId("smaller").addEventListener("click", () => zoom(0.8));
    byId("fit").addEventListener("click", () => fit());
    byId("zoom").addEventListener("click", () => { zoom(1 / scale); reveal(); });
    new ResizeObserver(() => { if (isFitted) fit(LEAST_SCALE); reveal(); }).observe(model);
    model.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const frame = model.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 300), { x: event.clientX - frame.left, y: event.clientY - frame.top });
    }, { passive: false });
    // Dragging moves; what is a click stays one.
    let from = null;
    model.addEventListener("pointerdown", (event) => { if (event.button === 0 && event.pointerType === "mouse") from = { x: event.clientX, y: event.clientY, left: model.scrollLeft, top: model.scrollTop, isMoved: false }; });
    addEventListener("pointermove", (event) => {
      if (!from) return;
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > 4) { from.isMoved = true; model.classList.add("dragged"); }
      if (from.isMoved) model.scrollTo(from.left - (event.clientX - from.x), from.top - (event.clientY - from.y));
    }, { signal });
    addEventListener("pointerup", () => { const isMoved = from && from.isMoved; from = null; setTimeout(() => model.classList.remove("dragged"), 0); model.dataset.moved = String(Boolean(isMoved)); }, { signal });
  };

  // ---- Parts -----------------------------------------------------------------------------------------------------------------

  // How many mutants a part has stands beside it.
  const counted = (parts) => {
    const sum = (counts) => parts.reduce((total, part) => total + counts[part], 0);
    const [all, worth] = [sum(mutants.perPart.all), sum(mutants.perPart.worth)];
    return { all, worth, text: all < 1_000 ? String(all) : `${all < 9_950 ? (all / 1000).toFixed(1) : Math.round(all / 1000)}k` };
  };
  const badge = (group, { all, worth, text }) => {
    const hit = group.querySelector(".hit");
    if (!hit || !all) return;
    const middle = { "text-anchor": "middle", "aria-hidden": "true" };
    if (hit.tagName === "circle") {
      // In the circle, but for a letter that is there: then beside it.
      const hasLetter = group.querySelector(":scope > text[text-anchor]");
      const [right, below] = hasLetter ? [hit.r.baseVal.value + 4, 4 - hit.r.baseVal.value] : [0, 3];
      const [x, y] = [hit.cx.baseVal.value + right, hit.cy.baseVal.value + below];
      group.insertBefore(drawn("text", { class: `counted ${worth ? "worth" : ""}`, x, y, "font-size": text.length > 2 ? 8.5 : 9, ...middle }, text), hit);
      return;
    }
    const place = hit.getPointAtLength(hit.getTotalLength() * 0.62);
    const width = text.length * 6 + 7;
    group.append(drawn("g", { class: `badge ${worth ? "worth" : ""}`, "aria-hidden": "true" },
      drawn("rect", { x: place.x - width / 2, y: place.y - 7, width, height: 14, rx: 7 }), drawn("text", { x: place.x, y: place.y + 3.5, "font-size": 10, ...middle }, text)));
  };
  const show = () => {
    for (const { group, parts } of groups) {
      const said = parts.map((part) => `${data.parts[part].kind} ${data.parts[part].name}: ${plural(mutants.perPart.all[part], "mutant")}, ${count(mutants.perPart.worth[part])} non-subsumed`).join("; ");
      const counts = counted(parts);
      // What is heard begins as what is seen.
      const written = data.untimed ? group.textContent.trim() : [...group.querySelectorAll("text")].map((text) => text.textContent).join(" ");
      const names = parts.map((part) => `${data.parts[part].kind} ${data.parts[part].name}`).join(", ");
      group.setAttribute("aria-label", `${written} ${counts.text} ${counts.all === 1 ? "mutant" : "mutants"}, ${count(counts.worth)} non-subsumed: ${names}`.trim());
      if (data.untimed) group.title = said;
      else group.prepend(drawn("title", {}, said));
      const does = () => { if (model.dataset.moved !== "true") choosePart(parts); };
      group.addEventListener("click", does);
      group.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        choosePart(parts);
      });
      badge(group, counts);
    }
    byId("model-hint").textContent = data.untimed ? "Choose a line: its mutants." : "Choose a part to list its mutants; numbers count them.";
    byId("zooms").hidden = !sizes.length;
  };
  const choose = (parts) => {
    for (const one of groups) one.group.setAttribute("aria-pressed", String(parts !== null && one.parts.every((part) => parts.includes(part))));
    mark("chosen", parts || []);
  };

  // ---- Where the games are ---------------------------------------------------------------------------------------------------

  const clear = () => {
    for (const token of model.querySelectorAll(".token")) token.remove();
    for (const name of ["at-spec", "at-mutant", "taken-spec", "taken-mutant"]) mark(name, []);
  };
  // A card beside a location: what clocks and integers say there.
  const card = (part, name, title, lines, side) => {
    const group = groups.find((one) => one.parts.length === 1 && one.parts[0] === part);
    const hit = group && group.group.querySelector("circle.hit");
    if (!hit) return null;
    const svg = hit.ownerSVGElement;
    const [x, y] = [hit.cx.baseVal.value, hit.cy.baseVal.value];
    const texts = [title, ...lines];
    // As large on the screen however large the drawing is.
    const unit = 12 / scale;
    const width = (Math.max(...texts.map((line) => line.length)) * 0.6 + 1) * unit;
    const height = (texts.length * 1.25 + 0.4) * unit;
    const view = svg.viewBox.baseVal;
    const inside = (start, length, from, whole) => Math.max(from + 2, Math.min(start, from + whole - length - 2));
    const left = inside(side === "left" ? x - width - 22 : x + 22, width, view.x, view.width);
    const top = inside(y - height / 2, height, view.y, view.height);
    const made = drawn("g", { class: `token ${name}` }, drawn("rect", { x: left, y: top, width, height, rx: unit / 3, "stroke-width": unit / 8 }));
    texts.forEach((line, at) => made.append(drawn("text", { x: left + unit / 2, y: top + unit * 1.25 * (at + 1) - unit * 0.15, "font-size": unit, "font-weight": at ? "normal" : "bold" }, line)));
    svg.append(made);
    return made;
  };
  const shownValues = (names, moment) => names.map((name, at) => {
    const [before, after] = [moment.before[at], moment.values[at]];
    return before === after ? `${name} = ${after}` : `${name} = ${before} → ${after}`;
  });
  const moment = ({ names, moments }, at) => {
    clear();
    const { spec, mutant } = moments[at];
    mark("at-spec", spec.at);
    mark("at-mutant", mutant.at);
    mark("taken-spec", spec.edge === null ? [] : [spec.edge]);
    mark("taken-mutant", mutant.edge === null ? [] : [mutant.edge]);
    const [ofSpec, ofMutant] = [shownValues(names.spec, spec), shownValues(names.mutant, mutant)];
    const isSame = spec.at.join() === mutant.at.join() && ofSpec.join() === ofMutant.join();
    const [first] = spec.at;
    // Where processes are drawn, the values are those of all of them.
    if (first !== undefined && spec.at.length === 1) {
      if (isSame) card(first, "both", "both", ofSpec, "right");
      else {
        card(first, "spec", "specification", ofSpec, "right");
        if (mutant.at.length === 1) card(mutant.at[0], "mutant", "mutant", ofMutant, "left");
      }
    }
    reveal(".token, .at-spec, .at-mutant");
    return { ofSpec, ofMutant, isSame };
  };
  return { mark, reveal, begin, show, choose, clear, moment, zoom, fit, kept: () => ({ isFitted, scale, left: model.scrollLeft, top: model.scrollTop }) };
};
