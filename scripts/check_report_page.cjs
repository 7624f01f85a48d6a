// Opens the pages in DIR with chromium and uses them: node check_report_page.cjs DIR SHOTS
"use strict";
const assert = require("node:assert");
const path = require("node:path");
const { chromium } = require("playwright-core");
const [dir, shots] = process.argv.slice(2);

const text = (page, selector) => page.locator(selector).innerText();
const shownCount = async (page) => Number((await text(page, "#shown")).split(" ")[0].replaceAll(",", ""));
const settled = (page) => page.waitForTimeout(150); // The search waits for the next letter.

async function open(context, name) {
  const page = await context.newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) said.push(`asks for ${request.url()}`); });
  const start = Date.now();
  await page.goto(`file://${path.join(dir, name)}.html`);
  await page.locator("html[data-ready=true]").waitFor();
  const rows = page.locator("#rows .row");
  await rows.first().waitFor();
  // What is drawn is seen: the first row is inside of the list.
  const [list, row] = [await page.locator("#list").boundingBox(), await rows.first().boundingBox()];
  assert(row.y >= list.y - 1 && row.y + row.height <= list.y + list.height, "the first row is seen");
  console.log(`${name}: opened in ${((Date.now() - start) / 1000).toFixed(2)} s, ${await shownCount(page)} mutants, ${await rows.count()} rows drawn`);
  return { page, said, shot: (part) => page.screenshot({ path: path.join(shots, `${name}-${part}.png`), fullPage: true }) };
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
  const steps = await page.locator("#details .trace ~ ol li").allInnerTexts();
  assert(steps.length > 1 && /specification/.test(steps.at(-1)), steps.join("\n"));
  console.log(`cas: ${await text(page, "#details h3")}\n  ${steps.join("\n  ")}`);
  await shot("counterexample");
  return said;
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
  await shot("middle");
  return said;
}

async function lamp(context) {
  const { page, said, shot } = await open(context, "lamp");
  assert(await page.locator("#tests-section").isVisible());
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
  return said;
}

// The places of the chosen mutant are inside of the frame of the drawing.
async function touchedIsSeen(page) {
  const [frame, place] = [await page.locator("#model").boundingBox(), await page.locator("#model .touched").first().boundingBox()];
  const isInside = place.x < frame.x + frame.width && place.x + place.width > frame.x && place.y < frame.y + frame.height && place.y + place.height > frame.y;
  assert(isInside, `${await text(page, "#details h3")} is drawn at ${JSON.stringify(place)}, the frame is ${JSON.stringify(frame)}`);
}

async function network(context) {
  const { page, said, shot } = await open(context, "network");
  await touchedIsSeen(page);
  await page.locator("#list").focus();
  await page.keyboard.press("ArrowDown");
  await touchedIsSeen(page);
  await shot("open");
  return said;
}

// Operators beyond the six of the papers, and a process that is drawn wider than the page, on a narrow and on a wide window.
async function beyond(context) {
  const { page, said, shot } = await open(context, "beyond");
  for (const width of [1000, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    await page.locator("html[data-ready=true]").waitFor();
    const operators = await page.locator("#operators tbody th").allInnerTexts();
    for (const operator of ["CTG", "COM", "CCM", "OBO"]) assert(operators.includes(operator), operators.join());
    for (const box of ["html", "#operators"]) assert(await page.locator(box).evaluate((box) => box.scrollWidth <= box.clientWidth), `${box} is as wide as its content at ${width}`);
    const scales = await page.locator("#model svg").evaluateAll((drawings) => drawings.map((one) => one.getBoundingClientRect().width / one.viewBox.baseVal.width));
    assert(Math.min(...scales) >= 0.6, `letters can be read at ${width}: ${scales}`);
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

const results = (name, use) => async (context) => {
  const page = await context.newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) said.push(`asks for ${request.url()}`); });
  await page.goto(`file://${path.join(dir, name)}.html`);
  await page.locator("html[data-ready=true]").waitFor();
  await use(page);
  await page.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true });
  console.log(`${name}: ${(await text(page, "#totals")).replaceAll("\n", " ")}`);
  return said;
};

const run = results("run", async (page) => {
  const rows = page.locator("tbody tr:not(.inside)");
  const all = await rows.count();
  await page.selectOption("select", "fail");
  const failed = await rows.count();
  assert(failed > 0 && failed < all);
  await page.fill("input[type=search]", "expected dim 1");
  assert((await rows.count()) > 0);
  // A row is opened by keyboard, and shows what happened when.
  await rows.first().locator("button").focus();
  await page.keyboard.press("Enter");
  assert.equal(await rows.first().locator("button").getAttribute("aria-expanded"), "true");
  assert(/dim! is seen/.test(await page.locator(".inside ol").first().innerText()));
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
  const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", headless: true, args: flags });
  try {
    for (const colorScheme of ["light", "dark"]) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme, offline: true });
      for (const use of colorScheme === "light" ? [cas, order2, lamp, network, masked, beyond, run, coverage, score] : [dark]) assert.deepEqual(await use(context), [], "the console says nothing");
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

async function dark(context) {
  const { said, shot } = await open(context, "cas");
  await shot("dark");
  return said;
}
