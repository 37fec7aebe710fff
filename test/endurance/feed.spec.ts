import fs from "node:fs";
import { afterAll, beforeAll, test } from "vitest";
import { type OwnPostgres, ownPostgres } from "../server/feed/own-postgres.js";
import { soak } from "../server/feed/soak.js";
import { allowTimeForProcesses, cleanUp, newFolder } from "../server/process/support.js";
import { runs } from "../support/seed.js";

allowTimeForProcesses();

// A short run, and a longer one in a hunt. The long one is `npm run bench -- feed-soak`, which sets these.
const CHANGES = Number(process.env.FEED_SOAK_CHANGES ?? runs(300, 1_000));
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
      writers: LONG ? 32 : runs(4, 12),
      processes: LONG ? 3 : 2,
      kills: LONG ? Math.max(10, Math.floor(CHANGES / 10_000)) : runs(2, 3),
      postgresKills: LONG ? Math.max(5, Math.floor(CHANGES / 20_000)) : 1,
      log: (line) => {
        if (LONG) process.stderr.write(`${new Date().toISOString().slice(11, 19)} feed-soak: ${line}\n`);
      },
    });
    if (LONG) fs.writeFileSync(LONG, JSON.stringify(report));
  },
  600_000 + CHANGES * 50,
);
