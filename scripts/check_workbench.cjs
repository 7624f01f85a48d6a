// Uses `tamper open` in chromium while models are edited: node check_workbench.cjs TAMPER DIR SHOTS
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { spawn } = require("node:child_process");
const { launch, text, shownCount, settled, picture, heard, accessible, inView, legible } = require("./browser.cjs");
const [tamper, dir, shots] = process.argv.slice(2);

// `tamper open` of a copy of a model.
async function opened(context, source, ...options) {
  const model = path.join(dir, `edited-${path.basename(path.dirname(source))}-${path.basename(source)}`);
  fs.copyFileSync(source, model);
  const child = spawn(tamper, ["open", model, "--quiet", ...options], { stdio: ["pipe", "pipe", "inherit"] });
  const address = await new Promise((done, failed) => {
    child.stdout.once("data", (bytes) => done(String(bytes).trim()));
    child.once("exit", (code) => failed(new Error(`tamper open ended with ${code}`)));
  });
  const { page, said } = await heard(context, new RegExp(`^(data:|blob:|${address.replace(/[/.]/g, "\\$&")})`));
  await page.goto(address);
  await page.locator("html[data-ready=true][data-version]").waitFor();
  const version = () => page.evaluate(() => Number(document.documentElement.dataset.version));
  // Saves the model, and waits until the page shows it: milliseconds.
  const save = async (change) => {
    const before = await version();
    const text = change(fs.readFileSync(model, "utf8"));
    const seen = page.waitForFunction((before) => Number(document.documentElement.dataset.version) > before, before, { polling: "raf" });
    const start = performance.now();
    fs.writeFileSync(model, text);
    await seen;
    return performance.now() - start;
  };
  // Its standard input ends, and so does it; the page stays.
  const end = async () => {
    const ended = new Promise((done) => child.once("exit", done));
    child.stdin.end();
    assert.equal(await ended, 0);
    await page.locator("#live.bad").waitFor();
    assert.match(await text(page, "#live"), /tamper has ended/);
    // The browser says by itself that nobody answers.
    const own = said.filter((text) => !/Failed to load resource/.test(text));
    await page.close();
    return own;
  };
  return { page, save, end };
}

// One more, or one less, in the first bound of a guard or invariant.
const bound = (by) => (text) => text.replace(/(kind="(?:invariant|guard)"[^>]*>[^<]*?(?:&lt;|&gt;)=?\s*)(\d+)/, (_, before, number) => before + (Number(number) + by));

async function follows(context) {
  const { page, save, end } = await opened(context, "case-studies/wfas/model.xml");
  await accessible(page, "the workbench");
  // What is chosen: a mutant, a filter, a part, a size of the drawing.
  await page.locator("#verdicts label", { hasText: "inconsistent" }).locator("input").uncheck();
  await page.fill("#search", "tad");
  await settled(page);
  await page.click("#larger");
  await page.locator("#list").focus();
  for (const key of ["Home", "ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  const state = () => page.evaluate(() => [document.querySelector("#details h3").textContent, document.querySelector("#search").value, document.querySelector("#zoom").textContent, document.activeElement.id, [...document.querySelectorAll("#verdicts input:not(:checked)")].map((box) => box.parentElement.textContent.trim()).join()]);
  const [before, shown] = [await state(), await shownCount(page)];
  const took = await save(bound(1));
  const after = await state();
  assert.deepEqual(after, before, `what was chosen stays: ${before} and ${after}`);
  assert.match(await text(page, "#live"), /^Saved at .*(changed|same verdicts)/);
  console.log(`workbench: the page follows in ${took.toFixed(0)} ms: ${await text(page, "#live")}; ${shown} mutants were listed, now ${await shownCount(page)}`);
  // Constants are part of ids: those of the other bound are new.
  await page.click("button[type=reset]");
  const remarks = async () => (await page.locator("#rows .row > :last-child").allInnerTexts()).join();
  await page.fill("#search", "cxl");
  await settled(page);
  assert.match(await remarks(), /new|was/);
  // An error: the page stays, and says where.
  const mutants = await shownCount(page);
  await save((text) => text.replace("</nta>", ""));
  assert.match(await text(page, "#problem"), /model\.xml:\d+:\d+/);
  assert.equal(await shownCount(page), mutants);
  await accessible(page, "the workbench with an error");
  await picture(page, path.join(shots, "workbench-error.png"));
  await save((text) => `${text.trimEnd()}\n</nta>\n`);
  assert(!(await page.locator("#problem").isVisible()));
  // A counterexample is asked for.
  await page.click("button[type=reset]");
  await page.locator("#verdicts input").evaluateAll((boxes) => boxes.slice(1).forEach((box) => box.click()));
  await page.locator("#list").focus();
  await page.keyboard.press("Home");
  await page.locator("#details[data-played=true]").waitFor();
  for (let at = 0; at < 3; at += 1) await page.keyboard.press("ArrowRight");
  assert((await page.locator("#model .token").count()) > 0);
  await picture(page, path.join(shots, "workbench.png"));
  return end();
}

// Views of the page, light and dark, at all widths.
async function views(page, name) {
  for (const [width, scheme] of [[1000, "light"], [1400, "dark"], [2000, "light"]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await inView(page, width);
    await picture(page, path.join(shots, `workbench-${name}-${width}-${scheme}.png`));
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: 900 });
}

// Tests are made, shown and run against a mutant; a condition keeps some mutants.
async function suites(context) {
  const { page, save, end } = await opened(context, "case-studies/wfas/model.xml");
  const all = await shownCount(page);
  // A condition, and one that is wrong: the list stays as it was.
  await page.fill("#keep", "non-subsumed && !duplicate");
  await page.waitForFunction((all) => !document.querySelector("#shown").textContent.startsWith(`${all} `), all);
  const kept = await shownCount(page);
  await page.fill("#keep", "colour == red");
  await page.locator("#keep-problem").waitFor();
  assert.match(await text(page, "#keep-problem"), /colour/);
  assert.equal(await shownCount(page), kept);
  await accessible(page, "the workbench with a wrong condition");
  await views(page, "keep");
  await page.click("#filters button[type=reset]");
  assert.equal(await shownCount(page), all);
  assert(!(await page.locator("#keep-problem").isVisible()));
  // Tests, made by a key; the page says what they kill.
  await page.locator("#list").focus();
  await page.keyboard.press("t");
  await page.locator("#tests tbody tr").first().waitFor();
  assert.match(await text(page, "#live"), /^\d+ tests? made: they kill \d+ of \d+ mutants$/);
  assert.equal(await page.locator("#making").isVisible(), false);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#suite-file")]);
  const suite = JSON.parse(fs.readFileSync(await download.path(), "utf8"));
  assert.equal(suite.tests.length, await page.locator("#tests tbody tr").count());
  await accessible(page, "the tests of the workbench");
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, path.join(shots, "workbench-tests-dark.png"));
  await page.emulateMedia({ colorScheme: "light" });
  await picture(page, path.join(shots, "workbench-tests.png"));
  // A test leads to what it kills, and that mutant fails it, which is drawn.
  const name = await text(page, "#tests tbody tr:first-child th");
  await page.locator("#tests tbody tr:first-child td button").first().click();
  await page.keyboard.press("Home");
  await page.keyboard.press("r");
  await page.locator(".against[data-ran=true] .drawing svg").waitFor();
  // What was asked for is seen at once: the details are scrolled to it.
  const [room, told] = [await page.locator("#details").boundingBox(), await page.locator(".against > p").boundingBox()];
  assert(told.y >= room.y && told.y + told.height <= room.y + room.height, `the results are in view: ${JSON.stringify(told)} in ${JSON.stringify(room)}`);
  assert((await page.locator(".against .id").allInnerTexts()).includes(name));
  assert.match(await text(page, ".against > p"), /always fail|can fail/);
  await page.locator(".against .drawing svg").scrollIntoViewIfNeeded();
  await accessible(page, "a mutant that fails tests");
  await views(page, "against");
  // The tests are those of one version of the model.
  await save(bound(1));
  await page.click("#tab-tests");
  assert.equal(await page.locator("#tests tbody tr").count(), 0);
  assert.match(await text(page, "#making-says"), /before it was saved/);
  // One that is stopped.
  await page.selectOption("#strategy", "fewest");
  await page.click("#make-button");
  await page.locator("#stop").click();
  await page.waitForFunction(() => !document.querySelector("#make-button").disabled);
  console.log(`workbench: a condition keeps ${kept} of ${all} mutants; ${suite.tests.length} tests made, saved and run`);
  return end();
}

// A network: where its processes are is marked.
async function network(context) {
  const { page, save, end } = await opened(context, "uppaal-models/networks/crossing.xml");
  await page.locator("#verdicts input").evaluateAll((boxes) => boxes.slice(1).forEach((box) => box.click()));
  await page.locator("#list").focus();
  await page.keyboard.press("Home");
  await page.locator("#details[data-played=true]").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  for (const figure of await page.locator("#model figure").all()) assert((await figure.locator(".at-spec").count()) > 0, "each process is somewhere");
  await accessible(page, "the workbench of a network");
  await inView(page, 1400);
  await picture(page, path.join(shots, "workbench-network.png"));
  console.log(`workbench: crossing.xml follows in ${(await save(bound(1))).toFixed(0)} ms`);
  return end();
}

// Mutants of order 2: the page is there before they are decided, and lists those that are.
async function order2(context) {
  const start = performance.now();
  const { page, end } = await opened(context, "case-studies/cas/model.xml", "--order", "2");
  const took = performance.now() - start;
  const bar = page.locator("#deciding");
  await bar.waitFor();
  await page.waitForFunction(() => /^[\d,]+ of [\d,]+ mutants decided/.test(document.querySelector("#live").textContent));
  const all = Number((await text(page, "#live")).match(/of ([\d,]+)/)[1].replaceAll(",", ""));
  const listed = () => page.locator("#shown").innerText().then((shown) => Number(shown.match(/of ([\d,]+)/)[1].replaceAll(",", "")));
  await page.waitForFunction(() => document.querySelectorAll("#rows .row").length > 3);
  const some = await listed();
  assert(some > 0 && some < all, `${some} of ${all} are listed`);
  // They can be looked at meanwhile; a link to one that is not decided yet says so.
  await page.locator("#list").focus();
  await page.keyboard.press("End");
  const id = await text(page, "#details h3");
  await accessible(page, "the workbench while it decides");
  await picture(page, path.join(shots, "workbench-order2.png"));
  await page.waitForFunction((some) => Number(document.querySelector("#shown").textContent.match(/of ([\d,]+)/)[1].replaceAll(",", "")) > some, some, { timeout: 120_000 });
  assert.equal(await text(page, "#details h3"), id, "what was chosen stays");
  console.log(`workbench: order 2: the page is there after ${(took / 1000).toFixed(1)} s with ${some} of ${all} mutants, later ${await listed()}`);
  return end();
}

// From saving to new verdicts, of the six studies: the median of five.
async function times(context) {
  for (const study of fs.readdirSync("case-studies").filter((name) => fs.existsSync(`case-studies/${name}/model.xml`))) {
    const { page, save, end } = await opened(context, `case-studies/${study}/model.xml`);
    const took = [];
    for (let at = 0; at < 5; at += 1) took.push(await save((text) => `${text.trimEnd()}${"\n".repeat(at + 1)}`));
    took.sort((a, b) => a - b);
    console.log(`workbench: ${study}: ${await shownCount(page)} mutants, ${took[2].toFixed(0)} ms from saving to new verdicts (${took[0].toFixed(0)} to ${took[4].toFixed(0)})`);
    assert.deepEqual(await end(), []);
  }
  return [];
}

(async () => {
  const browser = await launch();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    for (const use of [follows, suites, network, order2, times]) assert.deepEqual(await use(context), [], "the console says nothing");
  } finally {
    await browser.close();
  }
  console.log("check-report-page: the workbench follows its model; no word on the console");
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
