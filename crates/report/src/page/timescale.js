
// Times: numbers of time units, said in the user's unit, and where they are drawn. A wait that would leave no room for all else is drawn
// shorter, and marked.
const moment = (text) => {
  const [top, bottom = "1"] = String(text).split("/");
  return Number(top) / Number(bottom);
};

// How times up to `most` are said: planned ones exactly, measured ones in milliseconds.
const speech = (most) => {
  const micros = data.unit_us ? most * data.unit_us : 0;
  const [power, unit, digits] = !data.unit_us ? [0, "", 4] : micros >= 1e6 ? [6, "s", 3] : micros >= 1e3 || !micros ? [3, "ms", micros < 1e5 ? 1 : 0] : [0, "µs", 0];
  const factor = data.unit_us ? data.unit_us / 10 ** power : 1;
  const number = (time) => {
    const fixed = (time * factor).toFixed(digits);
    const text = fixed.includes(".") ? fixed.replace(/\.?0+$/, "") : fixed;
    return unit === "s" && !text.includes(".") ? `${text}.0` : text;
  };
  const span = (time) => (unit ? `${number(time)} ${unit}` : `${number(time)} time unit${number(time) === "1" ? "" : "s"}`);
  return { factor, number, span, time: (time) => (unit ? span(time) : number(time)), axis: unit || "time units" };
};

// Where the moments `times` are drawn in so many pixels; times less than `close` apart are the same.
const timescale = (times, close, room) => {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const knots = sorted.filter((time, at) => at === 0 || time - sorted[at - 1] > close);
  const last = sorted[sorted.length - 1];
  if (knots.length < 2) knots[1] = knots[0] + 1;
  if (last > knots[knots.length - 1]) knots[knots.length - 1] = Math.max(last, knots[knots.length - 1]);
  const gaps = knots.slice(1).map((time, at) => time - knots[at]);
  const most = longest(gaps, room);
  const drawn = gaps.map((gap) => (gap > 2 * most ? most : gap));
  const scale = room / drawn.reduce((sum, gap) => sum + gap, 0);
  let x = 0;
  const parts = gaps.map((gap, at) => {
    const part = { from: knots[at], to: knots[at + 1], left: x, right: x + drawn[at] * scale, isShort: drawn[at] < gap };
    x = part.right;
    return part;
  });
  const place = (time) => {
    const part = parts.find((part) => time <= part.to) || parts[parts.length - 1];
    const share = Math.max(0, Math.min(1, (time - part.from) / (part.to - part.from)));
    return part.left + share * (part.right - part.left);
  };
  return { place, parts, scale, end: knots[knots.length - 1] };
};

// The longest gap that is drawn as long as it is: a typical one keeps some pixels.
const longest = (gaps, room) => {
  const sorted = [...gaps].sort((a, b) => a - b);
  const typical = sorted[(sorted.length - 1) >> 1];
  const aim = Math.min(26, (0.4 * room) / gaps.length);
  const scale = (most) => room / gaps.reduce((sum, gap) => sum + (gap > 2 * most ? most : gap), 0);
  let most = sorted[sorted.length - 1];
  while (most > 2 * typical && scale(most) * typical < aim) most *= 0.8;
  return most;
};

// Moments to be written at an axis, apart enough to be read: round ones, and where a shortened wait ends.
const ticks = (scale, says, apart) => {
  const least = apart / scale.scale / (1 / says.factor) || 1; // In the unit in which times are said.
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((n) => n * power).find((step) => step >= least * 0.999);
  const found = [];
  const add = (time) => {
    const x = scale.place(time);
    if (found.every((other) => Math.abs(other.x - x) >= apart)) found.push({ time, x });
  };
  add(0);
  const whole = scale.parts.filter((part) => !part.isShort);
  scale.parts.filter((part) => part.isShort).forEach((part) => add(part.to));
  for (const part of whole) {
    const [first, end] = [part.from, part.to].map((time) => (time * says.factor) / step);
    for (let n = Math.ceil(first - 1e-9); n <= end + 1e-9; n++) add((n * step) / says.factor);
  }
  return found.sort((a, b) => a.x - b.x);
};
