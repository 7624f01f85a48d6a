// The processes of a network side by side, a frame each: where the frames are, so that the chosen process is large and all are seen.
const FRAME = { gap: 8, across: 12, down: 38 }; // Pixels between frames, and of a frame's border and name.

const framesOf = (sizes, large, room) => {
  const others = sizes.filter((_, at) => at !== large);
  const within = (size, width, height) => Math.max(0.05, Math.min((width - FRAME.across) / size.width, (height - FRAME.down) / size.height));
  const candidates = [1, 2, 3].filter((lines) => lines <= others.length).flatMap((lines) => [0.2, 0.26, 0.32, 0.4, 0.48].flatMap((share) => [true, false].map((isBeside) => {
    const along = Math.ceil(others.length / lines);
    const whole = isBeside ? room.width : room.height;
    const each = (whole * share) / lines - FRAME.gap;
    const rest = whole * (1 - share);
    const across = ((isBeside ? room.height : room.width) - (along - 1) * FRAME.gap) / along;
    const scale = isBeside ? within(sizes[large], rest, room.height) : within(sizes[large], room.width, rest);
    const small = others.map((size) => Math.min(1, isBeside ? within(size, each, across) : within(size, across, each)));
    const template = isBeside ? `repeat(${along}, minmax(0, 1fr)) / minmax(0, 1fr) repeat(${lines}, ${each}px)` : `minmax(0, 1fr) repeat(${lines}, ${each}px) / repeat(${along}, minmax(0, 1fr))`;
    return { worth: 2 * Math.min(1, scale) + (1.5 * small.reduce((sum, one) => sum + Math.min(0.9, one), 0)) / others.length, scale, small, template, area: isBeside ? "1 / 1 / -1 / 2" : "1 / 1 / 2 / -1" };
  })));
  return candidates.reduce((best, one) => (one.worth > best.worth ? one : best));
};
