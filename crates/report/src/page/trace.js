// A counterexample as a timed trace: read from one line, drawn as a line of time, and told step by step.
const fraction = (text) => { const [top, bottom = "1"] = text.split("/"); return [BigInt(top), BigInt(bottom)]; };
const sum = ([a, b], [c, d]) => {
  let [top, bottom] = [a * d + c * b, b * d];
  let [x, y] = [top < 0n ? -top : top, bottom];
  while (y) [x, y] = [y, x % y];
  return x ? [top / x, bottom / x] : [0n, 1n];
};
const shownTime = ([top, bottom]) => (bottom === 1n ? `${top}` : `${top}/${bottom}`);
const timeValue = ([top, bottom]) => Number(top) / Number(bottom);

// `+1/2 a?; +0 b! is not allowed`: delays and actions, as records have them.
const traceSteps = (witness) => {
  let at = [0n, 1n];
  return witness.split("; +").map((step) => {
    const [, delay, action] = /^\+?(\d+(?:\/\d+)?):? ?(.*)$/.exec(step) || [null, "0", step];
    at = sum(at, fraction(delay));
    const end = / (is not allowed|is refused|has \d+ answers, which all lose)$/.exec(action);
    const name = end ? action.slice(0, end.index) : action;
    const isDelay = action === "the delay is not allowed";
    return { text: step.startsWith("+") ? step : `+${step}`, at, delay, name: isDelay ? "" : name, end: isDelay ? "is not allowed" : end ? end[1] : "", isInput: /\?( \(ignored\))?$/.test(name), isDelay };
  });
};

const saidStep = (step) => step.isDelay ? `the mutant lets time pass to ${shownTime(step.at)}, which the specification does not allow`
  : step.end === "is refused" ? `${step.name} is given; the specification accepts it, the mutant does not`
  : step.end === "is not allowed" ? `the mutant does ${step.name}, which the specification does not allow`
  : step.end ? `${step.name} ${step.end}` : step.isInput ? `${step.name} is given` : `${step.name} is seen`;

// The line of time, at least `room` wide.
const traceLine = (all, room) => {
  const longest = Math.max(...all.map((step) => Math.max(step.name.length, 6)));
  const apart = Math.max(56, longest * 7.2 + 14);
  const whole = Math.max(...all.map((step) => timeValue(step.at)));
  const left = 72 + apart / 2;
  const scale = whole > 0 ? Math.max(0, room - left - apart / 2 - 12) / whole : 0;
  let x = left - apart;
  const xs = all.map((step) => (x = Math.max(x + apart, left + timeValue(step.at) * scale)));
  const width = Math.max(room, x + apart / 2 + 12);
  const svg = drawn("svg", { width, height: 118, viewBox: `0 8 ${width} 118`, role: "img", "aria-label": "The same as a line of time", "font-size": 13 });
  const text = (x, y, content, more = {}) => svg.append(drawn("text", { x, y, ...more }, content));
  text(8, 32, "inputs ?");
  text(8, 92, "outputs !");
  text(8, 118, "time");
  svg.append(drawn("line", { x1: left - 20, y1: 60, x2: width - 8, y2: 60, "stroke-width": 1.5 }));
  all.forEach((step, at) => {
    const x = xs[at];
    const group = drawn("g", { class: step.end ? "fails" : "", "data-step": at + 1 });
    const put = (...shapes) => group.append(...shapes);
    const middle = { "text-anchor": "middle" };
    if (step.isDelay) put(drawn("line", { x1: at ? xs[at - 1] : left, y1: 60, x2: x, y2: 60, "stroke-width": 5, "stroke-dasharray": "6 4" }));
    else if (step.isInput) put(drawn("line", { x1: x, y1: 38, x2: x, y2: 54, "stroke-width": 2 }), drawn("path", { class: "full", d: `M${x - 5} 50 L${x + 5} 50 L${x} 60 Z` }), drawn("text", { x, y: 32, ...middle }, step.name));
    else put(drawn("line", { x1: x, y1: 60, x2: x, y2: 72, "stroke-width": 2 }), drawn("path", { class: "open", d: `M${x - 5} 70 L${x + 5} 70 L${x} 80 Z`, "stroke-width": 1.5 }), drawn("text", { x, y: 96, ...middle }, step.name));
    if (step.end) put(drawn("path", { d: `M${x - 6} 54 L${x + 6} 66 M${x - 6} 66 L${x + 6} 54`, "stroke-width": 3 }));
    put(drawn("text", { x, y: 118, ...middle }, shownTime(step.at)));
    svg.append(group);
  });
  return svg;
};
