"use strict";
const { serve } = require("tamper-sut");

serve(
  ({ say, after }) => {
    const { CronJob, CronTime } = require("cron");
    const hours = (n) => `0 0 */${n} * * *`;
    const job = new CronJob({ cronTime: hours(4), onTick: () => say("ran"), timeZone: "UTC" });
    after(() => job.stop());
    return {
      start: () => void job.start(),
      stop: () => void job.stop(),
      often: () => void job.setTime(new CronTime(hours(4), "UTC")),
      seldom: () => void job.setTime(new CronTime(hours(6), "UTC")),
    };
  },
  { unit: 3600000 }, // An hour.
);
