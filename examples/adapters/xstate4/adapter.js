"use strict";
// Between tamper and the machine of xstate 4 that MACHINE names, a module of this folder.
const { serve } = require("tamper-sut");
const { chart } = require("tamper-sut/chart");
const { machine } = require(process.env.MACHINE);

serve(chart(require("xstate"), machine));
