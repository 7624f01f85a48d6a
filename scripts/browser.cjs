// What the checks of pages have in common: a browser without a network, pictures, and a judge of accessibility.
"use strict";
const assert = require("node:assert");
const path = require("node:path");
const { chromium } = require("playwright-core");

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", headless: true, args: FLAGS });

const text = (page, selector) => page.locator(selector).innerText();
const shownCount = async (page) => Number((await text(page, "#shown")).split(" ")[0].replaceAll(",", ""));
const settled = (page) => page.waitForTimeout(150); // The search waits for the next letter.

// A picture to be looked at. Chromium sometimes cannot take one on a busy machine, which says nothing about the page.
async function picture(page, file) {
  for (let left = 2; ; left -= 1) {
    try {
      return await page.screenshot({ path: file, fullPage: true });
    } catch (error) {
      if (!/Unable to capture screenshot/.test(String(error))) throw error;
      if (left === 0) return console.log(`${path.basename(file)}: the browser takes no picture`);
      await page.waitForTimeout(1000);
    }
  }
}

// A page that says nothing to the console and asks for nothing but what it may.
async function heard(context, mayAsk) {
  const page = await context.newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => { if (!mayAsk.test(request.url())) said.push(`asks for ${request.url()}`); });
  return { page, said };
}

// No violation that axe-core knows of.
async function accessible(page, name) {
  if (!(await page.evaluate(() => "axe" in window))) await page.addScriptTag({ path: require.resolve("axe-core/axe.min.js") });
  const { violations } = await page.evaluate(() => window.axe.run());
  const told = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any.map((one) => one.message).join("; ")}`).join(" | ")}`);
  assert(told.length === 0, `${name} is not accessible:\n${told.join("\n")}`);
}

// Drawing, list and details are side by side and in view; nothing is cropped.
async function inView(page, width, height = 900) {
  await page.setViewportSize({ width, height });
  await page.waitForTimeout(100);
  for (const part of ["#picture", "#model", "#list", "#details"]) {
    const box = await page.locator(part).boundingBox();
    assert(box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height, `${part} is in view at ${width}: ${JSON.stringify(box)}`);
    assert(box.width >= 250 && box.height >= 100, `${part} is large enough at ${width}: ${JSON.stringify(box)}`);
  }
  const [picture, list] = [await page.locator("#picture").boundingBox(), await page.locator("#list").boundingBox()];
  assert(picture.x + picture.width <= list.x, `drawing and list are side by side at ${width}`);
  assert(await page.locator("html").evaluate((html) => html.scrollWidth <= html.clientWidth && html.scrollHeight <= html.clientHeight), `nothing is cropped at ${width}`);
}

// No letter that is seen is smaller than 11 pixels on the screen, at any of these widths: neither in the drawing, however it is fitted, nor
// beside it. Says what the smallest is.
const LEAST = 11;
async function legible(page, name, widths = [[800, 900], [1280, 800], [1920, 1080]]) {
  const before = page.viewportSize();
  for (const [width, height] of widths) {
    await page.setViewportSize({ width, height });
    for (const how of ["as it opens", "all of it"]) {
      if (how === "all of it") await page.click("#fit");
      await page.waitForTimeout(100);
      const found = await page.evaluate(() => {
        const isSeen = (one) => one.getClientRects().length && getComputedStyle(one).visibility !== "hidden";
        const size = (one) => parseFloat(getComputedStyle(one).fontSize) * (one.getScreenCTM ? one.getScreenCTM().a : 1);
        const holds = (one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        const sizes = [...document.body.querySelectorAll("*")].filter((one) => !/^(SCRIPT|STYLE|TITLE|DESC|OPTION)$/i.test(one.tagName) && holds(one) && isSeen(one)).map((one) => [size(one), one.textContent.trim().slice(0, 40)]);
        const drawn = [...document.querySelectorAll("#model svg text")].filter(isSeen).map(size);
        return { least: sizes.reduce((best, one) => (one[0] < best[0] ? one : best)), drawn: Math.min(...drawn), n: drawn.length };
      });
      assert(found.n > 0, `${name} at ${width}, ${how}: some text is drawn`);
      assert(found.least[0] >= LEAST - 0.05, `${name} at ${width}, ${how}: ${found.least[1]} has ${found.least[0].toFixed(1)} pixels`);
      console.log(`${name} at ${width}, ${how}: ${found.n} texts are drawn, the smallest has ${found.drawn.toFixed(1)} pixels; of all of the page ${found.least[0].toFixed(1)}`);
    }
  }
  await page.setViewportSize(before);
}

module.exports = { launch, text, shownCount, settled, picture, heard, accessible, inView, legible };
