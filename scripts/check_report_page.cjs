// Opens the pages in DIR with chromium and uses them: node check_report_page.cjs DIR SHOTS
"use strict";
const assert = require("node:assert");
const path = require("node:path");
const { launch, text, shownCount, settled, picture, heard, accessible, inView, legible } = require("./browser.cjs");
const [dir, shots] = process.argv.slice(2);
const shotOf = (page, name) => picture(page, path.join(shots, `${name}.png`));

async function open(context, name) {
  const { page, said } = await heard(context, /^(file|data|blob):/);
  const start = Date.now();
  await page.goto(`file://${path.join(dir, name)}.html`);
  await page.locator("html[data-ready=true]").waitFor();
  const rows = page.locator("#rows .row");
  await rows.first().waitFor();
  // What is drawn is seen: the first row is inside of the list.
  const [list, row] = [await page.locator("#list").boundingBox(), await rows.first().boundingBox()];
  assert(row.y >= list.y - 1 && row.y + row.height <= list.y + list.height, "the first row is seen");
  console.log(`${name}: opened in ${((Date.now() - start) / 1000).toFixed(2)} s, ${await shownCount(page)} mutants, ${await rows.count()} rows drawn`);
  return { page, said, shot: (part) => shotOf(page, `${name}-${part}`) };
}

async function cas(context) {
  const { page, said, shot } = await open(context, "cas");
  assert.equal(await shownCount(page), 721);
  await shot("open");
  // A word, a verdict.
  await page.fill("#search", "cxl l1");
  await settled(page);
  const found = await shownCount(page);
  assert(found > 0 && found < 20, `${found} mutants of CXL at l1`);
  for (const row of await page.locator("#rows code").allInnerTexts()) assert(/cxl/i.test(row) && /l1/i.test(row), row);
  await page.click("button[type=reset]");
  await page.locator("#verdicts label", { hasText: "● non-subsumed" }).locator("input").uncheck();
  assert.equal(await shownCount(page), 721 - 328);
  await page.click("button[type=reset]");
  // A cell of the table is a filter.
  await page.click("#tab-operators");
  await page.locator("#operators tr", { hasText: "TMI" }).locator("button").nth(1).click();
  assert.equal(await shownCount(page), 71);
  // An edge of the model: its mutants, by pointer and by keyboard.
  await page.click("button[type=reset]");
  const edge = page.locator("#model [data-parts]").first();
  await edge.focus();
  await page.keyboard.press("Enter");
  const ofEdge = await shownCount(page);
  assert(ofEdge > 0 && ofEdge < 721);
  assert((await text(page, "#shown")).includes("changes"));
  assert.equal(await edge.getAttribute("aria-pressed"), "true");
  // The list by keyboard, and a counterexample.
  await page.click("button[type=reset]");
  await page.locator("#verdicts label", { hasText: "○ subsumed" }).locator("input").uncheck();
  await page.locator("#verdicts label", { hasText: "inconsistent" }).locator("input").uncheck();
  await page.locator("#list").focus();
  for (const key of ["Home", "ArrowDown", "ArrowDown", "ArrowDown", "PageDown", "ArrowUp"]) await page.keyboard.press(key);
  const active = await page.locator("#list").getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`#${active}`).getAttribute("aria-selected"), "true");
  await page.fill("#search", "CXL:guard");
  await settled(page);
  await page.keyboard.press("Tab");
  await page.locator("#list").focus();
  await page.keyboard.press("Home");
  assert(await page.locator("#details .trace svg").isVisible(), "a time line");
  const steps = await page.locator("#details .steps li").allInnerTexts();
  assert(steps.length > 1 && /specification/.test(steps.at(-1)), steps.join("\n"));
  console.log(`cas: ${await text(page, "#details h3")}\n  ${steps.join("\n  ")}`);
  await played(page, steps.length - 1);
  await shot("counterexample");
  await linked(page);
  await vanished(page);
  await keys(page);
  await legible(page, "cas");
  for (const width of [1000, 1400, 2000]) {
    await inView(page, width);
    await shot(width);
  }
  await saved(page);
  return said;
}

// The counterexample of the chosen mutant, of so many steps: by its buttons, by keys, by itself.
async function played(page, steps) {
  await page.locator("#details[data-played=true]").waitFor();
  const at = () => text(page, ".player output");
  await page.click('[aria-label="To the start"]');
  assert.equal(await at(), `0 of ${steps}`);
  // At the start all clocks are 0, and both games are at the same place.
  for (const value of await page.locator(".values td:not(:empty)").allInnerTexts()) assert.equal(value, "0");
  assert.equal(await page.locator("#model .token.both").count(), 1);
  assert.equal(await page.locator("#model .at-spec.at-mutant").count(), 1);
  await page.keyboard.press("Escape");
  await page.locator("#list").focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await at(), `1 of ${steps}`);
  assert.equal(await page.locator("#model .taken-spec, #model .taken-mutant").count() > 0, true);
  assert.equal(await page.locator(".steps [aria-current=step]").count(), 1);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press(" ");
  await page.locator(".player output", { hasText: `${steps} of ${steps}` }).waitFor();
  // What is played is seen, and what the cards say is inside of the drawing.
  const frame = await page.locator("#model").boundingBox();
  for (const token of await page.locator("#model .token").all()) {
    const box = await token.boundingBox();
    assert(box.x >= frame.x - 1 && box.x + box.width <= frame.x + frame.width + 1, `${JSON.stringify(box)} in ${JSON.stringify(frame)}`);
  }
}

// A mutant has an address.
async function linked(page) {
  const id = await text(page, "#details h3");
  await settled(page);
  await settled(page);
  assert.equal(decodeURIComponent(new URL(page.url()).hash), `#mutant=${id}`);
  const other = await page.locator("#rows code").last().innerText();
  await page.goto(`${page.url().split("#")[0]}#mutant=${encodeURIComponent(other)}`);
  await page.locator("#details h3", { hasText: other }).waitFor();
  await page.reload();
  await page.locator("html[data-ready=true]").waitFor();
  assert.equal(await text(page, "#details h3"), other);
}

// A link to a mutant that is not there says so, until another one is chosen; the address stays until then.
async function vanished(page) {
  const gone = "CXL:guard:l0->l99#0";
  const address = `${page.url().split("#")[0]}#mutant=${encodeURIComponent(gone)}`;
  await page.goto(address);
  await page.locator("#details .missing", { hasText: gone }).waitFor();
  await page.reload();
  await page.locator("html[data-ready=true]").waitFor();
  assert.match(await text(page, "#details .missing"), /^There is no mutant CXL:guard:l0->l99#0 here\. /);
  await settled(page);
  await settled(page);
  assert.equal(page.url(), address);
  await accessible(page, "a link to a mutant that is not there");
  await page.keyboard.press("j");
  assert.equal(await page.locator("#details .missing").count(), 0);
}

async function keys(page) {
  await page.keyboard.press("?");
  assert(await page.locator("#help").isVisible());
  await accessible(page, "the list of keys");
  await page.keyboard.press("Escape");
  assert(!(await page.locator("#help").isVisible()));
  const id = await text(page, "#details h3");
  await page.keyboard.press("j");
  assert.notEqual(await text(page, "#details h3"), id);
  await page.keyboard.press("k");
  assert.equal(await text(page, "#details h3"), id);
  await page.keyboard.press("/");
  await page.keyboard.type("tad j");
  await settled(page);
  assert.equal(await page.inputValue("#search"), "tad j", "letters are letters in a search");
  const all = (await text(page, "#shown")).match(/of ([\d,]+)/)[1];
  assert((await shownCount(page)) < Number(all.replaceAll(",", "")));
  // Escape leaves the search, and what was searched for: all are listed again.
  await page.keyboard.press("Escape");
  await settled(page);
  assert.equal(await page.inputValue("#search"), "");
  assert.equal(await page.evaluate(() => document.activeElement.id), "list");
  assert.equal(await text(page, "#shown"), `${all} of ${all} mutants`);
  await page.locator("#verdicts input").first().uncheck();
  await page.keyboard.press("Escape");
  assert((await shownCount(page)) < Number(all.replaceAll(",", "")), "Escape is for the search only");
  await page.keyboard.press("x");
  assert.equal(await text(page, "#shown"), `${all} of ${all} mutants`);
  await page.keyboard.press("2");
  assert(await page.locator("#operators").isVisible() && !(await page.locator("#list").isVisible()));
  await accessible(page, "the verdicts by operator");
  await page.keyboard.press("1");
  const scale = () => page.locator("#model svg").first().evaluate((svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width);
  const before = await scale();
  await page.keyboard.press("+");
  assert((await scale()) > before * 1.2);
  await page.keyboard.press("m");
  await touchedIsSeen(page);
  await page.keyboard.press("0");
  const [frame, whole] = [await page.locator("#model").boundingBox(), await page.locator("#model svg").first().boundingBox()];
  assert(whole.width <= frame.width && whole.height <= frame.height, "all of the drawing is seen");
}

// The listed mutants as a file.
async function saved(page) {
  await page.fill("#search", "cxl l1");
  await settled(page);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  const lines = require("node:fs").readFileSync(await download.path(), "utf8").trim().split("\n");
  assert.equal(lines[0], "id,verdict,decided_by,violates,witness");
  assert.equal(lines.length - 1, await shownCount(page));
  await page.click("button[type=reset]");
}

async function order2(context) {
  const { page, said, shot } = await open(context, "cas-2");
  const all = await shownCount(page);
  const start = Date.now();
  await page.fill("#search", "smi:l3 cxl");
  await settled(page);
  console.log(`cas-2: ${await shownCount(page)} of ${all} found in ${((Date.now() - start) / 1000).toFixed(2)} s`);
  await page.click("button[type=reset]");
  // To the very end of a list that is longer than a browser's highest element.
  await page.locator("#list").focus();
  await page.keyboard.press("End");
  const active = await page.locator("#list").getAttribute("aria-activedescendant");
  assert.equal(active, `row-${all - 1}`);
  await page.locator("#list").evaluate((list) => { list.scrollTop = list.scrollHeight / 2; });
  await settled(page);
  const [box, rows] = [await page.locator("#list").boundingBox(), page.locator("#rows .row")];
  assert((await rows.count()) > 10);
  const at = await rows.nth(5).boundingBox();
  assert(at.y >= box.y && at.y < box.y + box.height, "rows in the middle are seen");
  for (const width of [1000, 1400, 2000]) {
    await inView(page, width);
    await shot(width);
  }
  return said;
}

async function lamp(context) {
  const { page, said, shot } = await open(context, "lamp");
  await page.click("#tab-tests");
  assert(await page.locator("#tests-section").isVisible());
  await accessible(page, "the tests");
  const button = page.locator("#tests tbody button").first();
  const kills = Number(await button.innerText());
  await button.click();
  assert.equal(await shownCount(page), kills);
  assert((await text(page, "#shown")).includes("killed by t01"));
  await page.click("#shown .chip");
  await page.selectOption("#fate", "survives");
  console.log(`lamp: ${await text(page, "#tests-hint")} ${await shownCount(page)} non-subsumed mutants are not killed`);
  await page.selectOption("#fate", "");
  await shot("suite");
  await legible(page, "lamp");
  await page.click("#tab-mutants");
  await page.click("#filters button[type=reset]");
  assert.match(await text(page, "#subtitle"), /semantics definition/);
  return said;
}

// The places of the chosen mutant are inside of the frame of the drawing.
async function touchedIsSeen(page) {
  const [frame, place] = [await page.locator("#model").boundingBox(), await page.locator("#model .touched").first().boundingBox()];
  const isInside = place.x < frame.x + frame.width && place.x + place.width > frame.x && place.y < frame.y + frame.height && place.y + place.height > frame.y;
  assert(isInside, `${await text(page, "#details h3")} is drawn at ${JSON.stringify(place)}, the frame is ${JSON.stringify(frame)}`);
}

// Each process has a frame, which is in view; the chosen mutant's is the large one, and others can be made large.
async function framed(page) {
  const figures = page.locator("#model figure");
  const boxes = () => figures.evaluateAll((all) => all.map((one) => { const { left, right, top, bottom } = one.getBoundingClientRect(); return { left, right, top, bottom, area: (right - left) * (bottom - top), isLarge: one.classList.contains("large"), border: parseFloat(getComputedStyle(one).borderTopWidth) }; }));
  const check = async (what) => {
    const [all, room] = [await boxes(), await page.locator("#model").boundingBox()];
    assert.equal(all.filter((one) => one.isLarge).length, 1, what);
    const large = all.find((one) => one.isLarge);
    all.forEach((one, at) => {
      assert(one.border >= 1 && one.left >= room.x && one.right <= room.x + room.width && one.top >= room.y && one.bottom <= room.y + room.height, `${what}: the frame of process ${at} is in view`);
      assert(one === large || one.area < large.area, `${what}: process ${at} is larger than the chosen one`);
      for (const other of all.slice(at + 1)) assert(one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top, `${what}: frames are apart`);
    });
    return all.indexOf(large);
  };
  const n = await figures.count();
  assert(n > 1);
  const first = await check("as it opens");
  assert.equal(await figures.nth(first).locator(".touched").count() > 0, true, "the chosen mutant's process is large");
  // By keyboard, and back by choosing the mutant again.
  const other = (first + 1) % n;
  await figures.nth(other).locator("figcaption button").focus();
  await page.keyboard.press("Enter");
  assert.equal(await check("another one"), other);
  assert.equal(await figures.nth(other).locator("figcaption button").getAttribute("aria-pressed"), "true");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  assert.equal(await check("the chosen one again"), first);
}

// A network of three processes.
async function three(context) {
  const { page, said, shot } = await open(context, "three");
  assert.equal(await page.locator("#model figure").count(), 3);
  await accessible(page, "three processes");
  for (const [width, height] of [[800, 900], [1280, 800], [1920, 1080]]) {
    await page.setViewportSize({ width, height });
    await settled(page);
    await framed(page);
    await shot(width);
  }
  await legible(page, "three");
  return said;
}

async function network(context) {
  const { page, said, shot } = await open(context, "network");
  await touchedIsSeen(page);
  await page.locator("#list").focus();
  await page.keyboard.press("ArrowDown");
  await touchedIsSeen(page);
  await accessible(page, "a network");
  for (const width of [1000, 1400, 2000]) {
    await inView(page, width);
    await touchedIsSeen(page);
    await shot(width);
  }
  return said;
}

// Operators beyond the six of the papers, and a process that is drawn wider than the page, on a narrow and on a wide window.
async function beyond(context) {
  const { page, said, shot } = await open(context, "beyond");
  for (const width of [1000, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    await page.locator("html[data-ready=true]").waitFor();
    await page.click("#tab-operators");
    const operators = await page.locator("#operators tbody th").allInnerTexts();
    for (const operator of ["CTG", "COM", "CCM", "OBO"]) assert(operators.includes(operator), operators.join());
    for (const box of ["html", "#operators"]) assert(await page.locator(box).evaluate((box) => box.scrollWidth <= box.clientWidth), `${box} is as wide as its content at ${width}`);
    await legible(page, "beyond", [[width, 900]]);
    await page.click("#tab-mutants");
    await page.locator("#list").focus();
    for (const key of ["Home", "PageDown", "End", "PageUp", "Home"]) {
      await page.keyboard.press(key);
      await touchedIsSeen(page);
    }
    await shot(width);
  }
  // Why a mutant has no meaning is a run: each of its steps is a line.
  await page.locator("#verdicts input").evaluateAll((boxes) => boxes.slice(0, -1).forEach((box) => box.click()));
  await page.locator("#list").focus();
  await page.keyboard.press("End");
  const why = page.locator("#details dt", { hasText: "reason" }).locator("+ dd");
  assert((await why.innerText()).split("\n").length > 2, await why.innerText());
  await shot("invalid");
  return said;
}

async function masked(context) {
  const { page, said, shot } = await open(context, "masked");
  await page.selectOption("#alone", "masked");
  const all = await shownCount(page);
  assert(all > 0);
  await page.click("button[type=reset]");
  // The table of processes is a filter, too.
  await page.click("#tab-processes");
  await page.locator("#processes tr", { hasText: "Train" }).locator("button").nth(2).click();
  assert.equal(await shownCount(page), all, "the Keeper is not judged by itself");
  await page.locator("#list").focus();
  await page.keyboard.press("Home");
  assert((await text(page, "#details")).includes("Masked"));
  // An edge of the second process has mutants of that process only.
  await page.click("button[type=reset]");
  await page.locator("#model figure").nth(1).locator("[data-parts]").first().focus();
  await page.keyboard.press("Enter");
  for (const row of await page.locator("#rows code").allInnerTexts()) assert(row.startsWith("Keeper/"), row);
  assert((await page.locator("#rows code").count()) > 0);
  await page.click("button[type=reset]");
  await page.selectOption("#alone", "masked");
  await page.locator("#list").focus();
  await page.keyboard.press("Home");
  console.log(`masked: ${all} mutants are masked by the network, such as ${await text(page, "#details h3")}`);
  await shot("open");
  return said;
}

const results = (name, use, part = "") => async (context) => {
  const { page, said } = await heard(context, /^(file|data|blob):/);
  await page.goto(`file://${path.join(dir, name)}.html`);
  await page.locator("html[data-ready=true]").waitFor();
  await use(page);
  await shotOf(page, `${name}${part}`);
  console.log(`${name}: ${(await text(page, "#totals")).replaceAll("\n", " ")}`);
  return said;
};

// A test of the page of a run, opened, with what its timeline says of itself.
async function timeline(page, id) {
  const test = page.locator(`.test[data-test="${id}"]`);
  if ((await test.locator("h3 button").getAttribute("aria-expanded")) === "false") await test.locator("h3 button").click();
  await test.locator("svg title").first().waitFor({ state: "attached" });
  return { test, wrong: test.locator(".wrong-at"), window: (output) => test.locator(`.window[data-output="${output}"]`) };
}

const middle = async (locator) => { const box = await locator.boundingBox(); return box.x + box.width / 2; };

// Opens everything; no two texts of a drawing lie on each other, nor on the line where it went wrong, and nothing leaves the page.
async function readable(page, width) {
  await page.setViewportSize({ width, height: 900 });
  await page.locator(".group > h2 button[aria-expanded=false]").evaluateAll((all) => all.forEach((button) => button.click()));
  await page.locator(".test > h3 button[aria-expanded=false]").evaluateAll((all) => all.slice(0, 60).forEach((button) => button.click()));
  await settled(page);
  const found = await page.locator(".drawing svg").evaluateAll((drawings) => drawings.flatMap((svg) => {
    const boxes = [...svg.querySelectorAll("text")].map((text) => ({ text: text.lastChild.data, box: text.getBoundingClientRect() }));
    const isOn = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const line = svg.querySelector(".wrong-at line");
    const on = boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) => isOn(one.box, other.box)).map((other) => `${one.text} on ${other.text}`));
    const end = svg.getBoundingClientRect();
    const out = boxes.filter(({ box }) => box.right > end.right + 1 || box.left < end.left - 1).map(({ text }) => `${text} is outside`);
    const crossed = line ? boxes.filter(({ box }) => { const { left, top, bottom } = line.getBoundingClientRect(); return left > box.left && left < box.right && box.top < bottom - 1 && box.bottom > top; }).map(({ text }) => `${text} is crossed`) : [];
    return [...on, ...out, ...crossed].map((what) => `${svg.querySelector("title").textContent}: ${what}`);
  }));
  assert.deepEqual(found, [], `labels at ${width}`);
  assert(await page.locator("html").evaluate((html) => html.scrollWidth <= html.clientWidth), `the page is as wide as the window at ${width}`);
}

// Lamp, early-dim. By the model `dim` is allowed from 1 to 2 after `press`, which t01 gives at 0; the lamp says it at 1/2.
const run = results("run", async (page) => {
  assert.equal(await page.locator(".drawing svg").count(), 1, "what is not open is not drawn");
  const { test, wrong, window } = await timeline(page, "t01");
  assert.equal(await wrong.getAttribute("data-at"), "0.5");
  assert.deepEqual(await window("dim!").evaluateAll((all) => all.map(({ dataset }) => [dataset.from, dataset.by])), [["1", "2"]]);
  // Where it is drawn: half a unit before the window, which is a unit wide; `press` another half before.
  const box = await window("dim!").locator(".open").boundingBox();
  const [x, press] = [await middle(wrong.locator("line")), await middle(test.locator(".mark.input path"))];
  for (const [what, is, ought] of [["the window", box.x - x, box.width / 2], ["press", x - press, box.width / 2]]) assert(Math.abs(is - ought) < 2, `${what}: ${is}, not ${ought}`);
  // The sentence stands at the line.
  const sentence = test.locator(".said-so");
  assert.equal(await sentence.innerText(), "✕ fail: expected dim 1 to 2 time units after press; it came at 0.5");
  const beside = await sentence.boundingBox();
  assert(Math.abs(beside.x - x) < 3 || Math.abs(beside.x + beside.width - x) < 3, `the sentence is at ${beside.x}, the line at ${x}`);
  // Those who do not see it are told.
  assert(/Here it went wrong, at 0.5: expected dim/.test(await test.locator("svg desc").first().textContent()));
  assert(/×?the relay clicks/.test(await test.locator(".mark.log").getAttribute("aria-label")));
  const lines = await test.locator(".lines tbody tr").allInnerTexts();
  assert.deepEqual(lines.map((line) => line.replaceAll("\t", " ")), ["0 sent press is given", "0 allowed dim from 1 to 2", "0 log the relay clicks", "0.5 ✕ came dim comes"]);
  // By keyboard: from where it went wrong to what was before.
  await test.locator(".mark.wrong").focus();
  assert(/^at 0.5: dim comes. Here it went wrong: expected dim/.test(await test.locator(".readout").innerText()));
  await page.keyboard.press("Home");
  assert(/^at 0: press is given/.test(await test.locator(".readout").innerText()));
  // Filters: by kind, by words.
  const shown = async () => Number((await text(page, "#shown")).split(" ")[0]);
  const all = await shown();
  await page.locator("#kinds label", { hasText: "pass" }).locator("input").uncheck();
  const failed = await shown();
  assert(failed > 0 && failed < all);
  await page.locator("#kinds label", { hasText: "fail" }).locator("input").uncheck();
  assert.equal(await shown(), 0);
  await page.locator("#kinds label", { hasText: "fail" }).locator("input").check();
  await page.fill("#search", "t01 dim");
  assert.equal(await shown(), 1);
  await page.fill("#search", "");
  for (const width of [1000, 1600]) await readable(page, width);
});

// Lamp, no-auto-off, from a file of results: `bright` came at 3, so `off` is due at 23, and never comes.
const on = results("on", async (page) => {
  const id = await page.locator(".test").first().getAttribute("data-test");
  const { test, wrong, window } = await timeline(page, id);
  assert.equal(await wrong.getAttribute("data-at"), "23");
  assert.deepEqual(await window("off!").evaluateAll((all) => all.map(({ dataset }) => [dataset.from, dataset.by])), [["23", "23"]]);
  assert(/nothing came by/.test(await test.locator(".said-so").innerText()));
  assert((await text(page, "#facts")).includes("--fault no-auto-off"));
  // The long waits before and behind it are drawn shorter, and say so.
  assert((await test.locator(".cut").count()) > 0);
  for (const width of [1000, 1600]) await readable(page, width);
});

// The first lamp, had the tester been slow: `press`, due at 0, is given at 0.08, and `dim` comes at 0.5. What was allowed stands
// behind what it was allowed after.
const slow = results("slow", async (page) => {
  const { test } = await timeline(page, "t01");
  const lines = await test.locator(".lines tbody tr").allInnerTexts();
  assert.deepEqual(lines.map((line) => line.replaceAll("\t", " ")), ["0.08 sent press is given", "0.08 allowed dim from 1 to 2", "0.5 ✕ came dim comes"]);
});

const runDark = results("on", (page) => readable(page, 1000), "-dark");

// A lamp in real time: measured times, tolerances beside the windows.
const random = results("random", async (page) => {
  for (const width of [1000, 1600]) await readable(page, width);
  assert((await text(page, "#facts")).includes("10 ms"));
});

const many = results("many", async (page) => {
  const start = Date.now();
  await page.reload();
  await page.locator("html[data-ready=true]").waitFor();
  console.log(`many: ${await text(page, "#shown")} opened in ${((Date.now() - start) / 1000).toFixed(2)} s`);
  assert.equal(await page.locator(".drawing svg").count(), 1);
  assert((await page.locator(".test").count()) <= 200);
  await page.fill("#search", "n1999");
  assert.equal(await page.locator(".group:visible").count(), 1);
  // A test has an address of its own.
  await page.goto(page.url().replace(/#.*|$/, "#n1998"));
  await page.reload();
  await page.locator('.test[data-test="n1998"] svg').waitFor();
});

const coverage = results("coverage", async (page) => {
  assert(/incomplete/.test(await text(page, "#totals")));
  assert((await text(page, "#facts")).includes("what escapes"));
  assert((await page.locator("section").count()) === 2);
});

const score = results("score", async (page) => {
  assert.equal(await page.locator("section").count(), 3);
  const operators = await page.locator("section").first().locator("tbody th").allInnerTexts();
  assert(operators.includes("CXL") && operators.length > 3, operators.join());
  // The tests are enough to be searched.
  const tests = page.locator("section").nth(2);
  await tests.locator("input[type=search]").fill("t03");
  assert.equal(await tests.locator("tbody tr").count(), 1);
});

(async () => {
  const browser = await launch();
  try {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme, offline: true });
      for (const use of colorScheme === "light" ? [cas, order2, lamp, network, three, masked, beyond, run, slow, on, random, many, coverage, score] : [dark, networkDark, runDark]) assert.deepEqual(await use(context), [], "the console says nothing");
      await context.close();
    }
  } finally {
    await browser.close();
  }
  console.log("check-report-page: the pages open, filter, and show counterexamples; no word on the console");
})().catch((error) => {
  console.error(error);
  process.exit(1);
});

// In dark surroundings the drawing is dark, too.
async function dark(context) {
  const { page, said, shot } = await open(context, "cas");
  const colours = await page.locator("#model").evaluate((model) => {
    const light = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
    const style = (selector, name) => light(getComputedStyle(model.querySelector(selector))[name]);
    return { ground: style("svg > rect", "fill"), text: style("svg text[fill]", "fill"), line: style("svg [data-parts] path:not(.hit)", "stroke"), node: style("svg [data-parts] circle", "fill") };
  });
  assert(colours.ground < 150 && colours.node < 150 && colours.text > 500 && colours.line > 500, JSON.stringify(colours));
  await accessible(page, "a game in the dark");
  for (const width of [1000, 1400, 2000]) {
    await inView(page, width);
    await shot(`dark-${width}`);
  }
  return said;
}

async function networkDark(context) {
  const { page, said, shot } = await open(context, "network");
  await accessible(page, "a network in the dark");
  await inView(page, 1400);
  await shot("dark-1400");
  return said;
}
