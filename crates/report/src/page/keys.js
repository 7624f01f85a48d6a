// Keys of the whole page, where nothing else takes them.
const openHelp = () => byId("help").showModal();
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || byId("help").open) return;
  const focused = document.activeElement;
  const isText = focused && (/^(SELECT|TEXTAREA)$/.test(focused.tagName) || (focused.tagName === "INPUT" && focused.type !== "checkbox"));
  if (isText) {
    if (event.key === "Escape") {
      // An event, so that the wait for a next letter begins anew.
      if (focused.type === "search" && focused.value) {
        focused.value = "";
        focused.dispatchEvent(new Event("input"));
      }
      byId("list").focus();
    }
    return;
  }
  const isButton = focused && /^(BUTTON|INPUT)$/.test(focused.tagName);
  const tabs = ["mutants", "operators", "processes", "tests"];
  const keys = {
    "?": openHelp, "/": () => byId("search").focus(), j: () => workbench.go(1), k: () => workbench.go(-1), ArrowDown: () => workbench.go(1), ArrowUp: () => workbench.go(-1),
    ArrowRight: () => workbench.step(1), ArrowLeft: () => workbench.step(-1), " ": () => workbench.play(), x: () => workbench.reset(),
    "+": () => workbench.drawing.zoom(1.25), "-": () => workbench.drawing.zoom(0.8), "0": () => workbench.drawing.fit(), m: () => workbench.drawing.reveal(),
    ...(workbench.suites ? { t: workbench.suites.make, r: () => { if (byId("run-tests")) byId("run-tests").click(); } } : {}),
  };
  tabs.forEach((name, at) => { keys[at + 1] = () => workbench.tab(name); });
  const does = keys[event.key];
  if (!does || (isButton && event.key === " ")) return;
  // Arrows move what is scrolled, where that has the focus.
  const isAcross = event.key === "ArrowLeft" || event.key === "ArrowRight";
  if (event.key.startsWith("Arrow") && focused && focused.closest(isAcross ? ".scroll, #model, .trace" : ".scroll, #model, #details")) return;
  event.preventDefault();
  if (event.key === "/") workbench.tab("mutants");
  does();
});
for (const part of byId("help").querySelectorAll(".live")) part.hidden = !data.live;
byId("help-button").addEventListener("click", openHelp);
