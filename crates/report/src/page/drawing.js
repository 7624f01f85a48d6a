// The drawing of the model: its parts are chosen, marked and counted; it is moved and enlarged; games are shown where they are.
const LETTERS = 11; // Pixels: the height of letters in a drawing, and the least on the screen.
const LEAST_SCALE = 0.75; // Of a drawing with all its texts: below, letters of that height would hide each other.
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

  let scale = 1; // Of the only drawing, or of the process that is large.
  let large = 0;
  let isFitted = true;
  const sizes = pictures.map((svg) => ({ svg, figure: svg.closest("figure"), width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height }));
  const isNetwork = sizes.length > 1;
  // The element that scrolls.
  const frame = () => (isNetwork ? sizes[large].svg.parentElement : model);
  // From afar there are only the names that find room, inside of the frame, and what is marked.
  const thin = (svg, scale) => {
    const [names, kept] = [[...svg.querySelectorAll("text.name")], []];
    const room = svg.parentElement.getBoundingClientRect();
    names.forEach((name) => { name.classList.remove("hides"); name.style.transform = ""; });
    for (const name of names) {
      const beyond = isNetwork ? name.getBoundingClientRect().right - room.right + 4 : 0;
      if (beyond > 0) name.style.transform = `translate(${-beyond / scale}px, 0)`;
      const box = name.getBoundingClientRect();
      const isFree = kept.every((other) => box.right < other.left || other.right < box.left || box.bottom < other.top || other.bottom < box.top);
      name.classList.toggle("hides", !isFree);
      if (isFree) kept.push(box);
    }
  };
  const size = ({ svg, width, height }, scale) => {
    svg.style.width = `${width * scale}px`;
    svg.style.height = `${height * scale}px`;
    svg.style.setProperty("--grow", Math.max(1, 1 / scale));
    svg.classList.toggle("far", scale < LEAST_SCALE - 0.001);
    if (scale < LEAST_SCALE) thin(svg, scale);
    else for (const name of svg.querySelectorAll("text.name")) name.style.transform = "";
  };
  const setScale = (wanted) => {
    scale = Math.max(0.1, Math.min(MOST_SCALE, wanted));
    if (sizes.length) size(sizes[large], scale);
    byId("zoom").textContent = `${Math.round(scale * 100)} %`;
  };
  const arrange = (frames) => {
    model.style.gridTemplate = frames.template;
    const small = [...frames.small];
    sizes.forEach((one, at) => {
      const isLarge = at === large;
      one.figure.classList.toggle("large", isLarge);
      one.figure.style.gridArea = isLarge ? frames.area : "";
      one.figure.querySelector("button").setAttribute("aria-pressed", String(isLarge));
      if (!isLarge) size(one, small.shift());
    });
  };
  // The largest scale at which all is seen; `least` where that would be smaller.
  const fit = (least = 0.1) => {
    isFitted = true;
    const room = { width: model.clientWidth - 16, height: model.clientHeight - 16 };
    if (!sizes.length || room.width <= 0 || room.height <= 0) return;
    const frames = isNetwork ? framesOf(sizes, large, room) : { scale: Math.min(room.width / sizes[0].width, room.height / sizes[0].height) };
    if (isNetwork) arrange(frames);
    setScale(Math.max(least, Math.min(1.6, frames.scale)));
  };
  const enlarge = (at) => {
    if (!isNetwork || at < 0 || at === large) return;
    large = at;
    fit(LEAST_SCALE);
  };
  // Enlarges around a point of the frame: what is there stays there.
  const zoom = (by, point = { x: frame().clientWidth / 2, y: frame().clientHeight / 2 }) => {
    const before = scale;
    const [x, y] = [frame().scrollLeft + point.x, frame().scrollTop + point.y];
    isFitted = false;
    setScale(scale * by);
    frame().scrollTo(x * (scale / before) - point.x, y * (scale / before) - point.y);
  };
  // What is marked is seen, with what is next to it, large enough to be read.
  const reveal = (selector = ".touched") => {
    const MARGIN = 40;
    const marked = [...frame().querySelectorAll(selector)];
    if (!marked.length) return;
    if (scale < LEAST_SCALE) { isFitted = false; setScale(LEAST_SCALE); }
    const room = frame().getBoundingClientRect();
    const boxes = marked.map((one) => one.getBoundingClientRect());
    const edge = (name, pick) => pick(...boxes.map((box) => box[name]));
    let place = { left: edge("left", Math.min), right: edge("right", Math.max), top: edge("top", Math.min), bottom: edge("bottom", Math.max) };
    // Places that do not fit together: the first one.
    if (place.right - place.left > room.width - MARGIN || place.bottom - place.top > room.height - MARGIN) place = boxes[0];
    const by = (from, to, start, end) => (start >= from + MARGIN && end <= to - MARGIN ? 0 : (start + end - from - to) / 2);
    frame().scrollBy({ left: by(room.left, room.right, place.left, place.right), top: by(room.top, room.bottom, place.top, place.bottom), behavior: "instant" });
  };
  const begin = (kept) => {
    if (!sizes.length) return;
    model.classList.toggle("network", isNetwork);
    fit(LEAST_SCALE);
    if (kept && !kept.isFitted) { isFitted = false; setScale(kept.scale); frame().scrollTo(kept.left, kept.top); }
    sizes.forEach(({ figure }, at) => { if (isNetwork) figure.addEventListener("click", (event) => { if (!event.target.closest("[data-parts]")) enlarge(at); }); });
    byId("larger").addEventListener("click", () => zoom(1.25));
    byId("smaller").addEventListener("click", () => zoom(0.8));
    byId("fit").addEventListener("click", () => fit());
    byId("zoom").addEventListener("click", () => { zoom(1 / scale); reveal(); });
    new ResizeObserver(() => { if (isFitted || isNetwork) fit(LEAST_SCALE); reveal(); }).observe(model);
    model.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const room = frame().getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 300), { x: event.clientX - room.left, y: event.clientY - room.top });
    }, { passive: false });
    // Dragging moves; what is a click stays one.
    let from = null;
    model.addEventListener("pointerdown", (event) => { if (event.button === 0 && event.pointerType === "mouse") from = { x: event.clientX, y: event.clientY, left: frame().scrollLeft, top: frame().scrollTop, isMoved: false }; });
    addEventListener("pointermove", (event) => {
      if (!from) return;
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > 4) { from.isMoved = true; model.classList.add("dragged"); }
      if (from.isMoved) frame().scrollTo(from.left - (event.clientX - from.x), from.top - (event.clientY - from.y));
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
  // Texts and circles of a drawing; texts as wide as they are in a drawing of the least size.
  const known = new Map();
  const boxesOf = (svg) => {
    const box = (one) => { const { x, y, width, height } = one.getBBox(); return { x, y, height, width: one.tagName === "text" ? width / LEAST_SCALE : width }; };
    if (!known.has(svg)) known.set(svg, [...svg.querySelectorAll("[data-parts] > text, circle.hit")].map(box));
    return known.get(svg);
  };
  // The first of these middles at which a sign of that size hides the least.
  const freest = (svg, width, height, middles) => {
    const over = ({ x, y }) => boxesOf(svg).reduce((sum, box) => {
      const [across, down] = [Math.min(x + width / 2, box.x + box.width) - Math.max(x - width / 2, box.x), Math.min(y + height / 2, box.y + box.height) - Math.max(y - height / 2, box.y)];
      return sum + Math.max(0, across) * Math.max(0, down);
    }, 0);
    const place = middles.reduce((best, one) => (over(one) < over(best) - 1 ? one : best));
    boxesOf(svg).push({ x: place.x - width / 2, y: place.y - height / 2, width, height });
    return place;
  };
  // In a location's circle, or beside it where a letter is there, or no room; on an edge, or beside its texts.
  const badge = (group, { all, worth, text }) => {
    const hit = group.querySelector(".hit");
    if (!hit || !all) return;
    const svg = hit.ownerSVGElement;
    const middle = { "text-anchor": "middle", "aria-hidden": "true" };
    const width = text.length * 7 + 8;
    if (hit.tagName === "circle") {
      const [x, y, r] = [hit.cx.baseVal.value, hit.cy.baseVal.value, hit.r.baseVal.value];
      const isBeside = text.length > 2 || group.querySelector(":scope > text[text-anchor]");
      const beside = [[1, -1], [-1, -1], [0, -1.6], [1, 1], [-1, 1], [0, 1.6]].map(([across, down]) => ({ x: x + across * (0.7 * r + width / 2), y: y + down * (r + 1) }));
      const place = isBeside ? freest(svg, width, 14, beside) : { x, y };
      group.insertBefore(drawn("text", { class: `counted ${isBeside ? "beside" : ""} ${worth ? "worth" : ""}`, x: place.x, y: place.y + 4, ...middle }, text), hit);
      return;
    }
    const places = [0.62, 0.5, 0.74, 0.38, 0.84, 0.26, 0.16].map((part) => hit.getPointAtLength(hit.getTotalLength() * part));
    const texts = [...group.querySelectorAll(":scope > text")].map((one) => one.getBBox());
    if (texts.length) {
      const [left, top, bottom] = [Math.min(...texts.map((box) => box.x)), Math.min(...texts.map((box) => box.y)), Math.max(...texts.map((box) => box.y + box.height))];
      for (const y of [top - 9, bottom + 9]) places.push({ x: left + width / 2, y });
    }
    const place = freest(svg, width, 16, places);
    const shapes = drawn("g", { class: "sized" }, drawn("rect", { x: -width / 2, y: -8, width, height: 16, rx: 8 }), drawn("text", { x: 0, y: 4, ...middle }, text));
    group.append(drawn("g", { class: `badge ${worth ? "worth" : ""}`, "aria-hidden": "true", transform: `translate(${place.x},${place.y})` }, shapes));
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
    byId("model-hint").textContent = data.untimed ? "Choose a line: its mutants." : "Choose a part to list its mutants.";
    byId("zooms").hidden = byId("legend").hidden = !sizes.length;
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
    // A box may stand for several locations.
    const hitOf = (one) => one.group.querySelector(":scope > circle.hit, :scope > rect.hit");
    const group = groups.find((one) => one.parts.includes(part) && hitOf(one));
    if (!group) return null;
    const hit = hitOf(group);
    const svg = hit.ownerSVGElement;
    const { x: beginsAt, y: topAt, width: wide, height: high } = hit.getBBox();
    const [x, y] = [beginsAt + wide / 2, topAt + high / 2];
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
  // Marks the parts that a mutant changes, and shows them.
  const touch = (parts) => {
    mark("touched", parts);
    const of = groups.find((one) => one.parts.includes(parts[parts.length - 1]));
    if (of) enlarge(sizes.findIndex(({ figure }) => figure.contains(of.group)));
    reveal();
  };
  return { mark, touch, reveal, begin, show, choose, clear, moment, zoom, fit, kept: () => ({ isFitted, scale, left: frame().scrollLeft, top: frame().scrollTop }) };
};
