"use strict";
// Between tamper and a machine of XState: put yours in the place of the request. The kit is in packages/node, which says more.
const { serve } = require("tamper-sut");
const { chart } = require("tamper-sut/chart");
// MACHINE=light and MACHINE=dialog are the other two examples.
const { machine } = require(`./${process.env.MACHINE || "machine"}`);

const start = chart(require("xstate"), machine);

// Tests that `tamper harness` writes for runners of JavaScript call `start` themselves.
module.exports = { start };
if (require.main === module) serve(start);
