import fs from "node:fs";
import { afterAll, beforeAll, test } from "vitest";
import { type OwnPostgres, ownPostgres } from "../server/feed/own-postgres.js";
import { soak } from "../server/feed/soak.js";
import { allowTimeForProcesses, cleanUp, newFolder } from "../server/process/support.js";
import { WHOLE } from "../support/sweep.js";

allowTimeForProcesses();

// A short run, in CI a longer one. The long one is `npm run bench -- feed-soak`, which sets these.
const CHANGES = Number(process.env.FEED_SOAK_CHANGES ?? (WHOLE ? 1_000 : 400));
const MINUTES = Number(process.env.FEED_SOAK_MINUTES ?? Infinity);
const LONG = process.env.FEED_SOAK_REPORT;

let db: OwnPostgres;
beforeAll(async () => {
  db = await ownPostgres(process.env.FEED_SOAK_DATA ?? newFolder());
});
afterAll(async () => {
  await db.stop();
  await cleanUp();
});

test(
  "both readers have exactly what the database has: nothing is missing, doubled or out of order",
  async () => {
    const report = await soak(db, {
      changes: CHANGES,
      minutes: MINUTES,
      writers: LONG ? 32 : 12,
      processes: LONG ? 3 : 2,
      kills: LONG ? Math.max(10, Math.floor(CHANGES / 10_000)) : 3,
      postgresKills: LONG ? Math.max(5, Math.floor(CHANGES / 20_000)) : 1,
      log: (line) => {
        if (LONG) process.stderr.write(`${new Date().toISOString().slice(11, 19)} feed-soak: ${line}\n`);
      },
    });
    if (LONG) fs.writeFileSync(LONG, JSON.stringify(report));
  },
  600_000 + CHANGES * 50,
);
