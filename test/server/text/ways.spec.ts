import fs from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { RADICALE, WITHOUT_RADICALE } from "../calendar/radicale.js";
import { DOVECOT, WITHOUT_DOVECOT } from "../channels/dovecot.js";
import { SEED as RUN_SEED } from "../../support/seed.js";
import { everyNth, WHOLE } from "../../support/sweep.js";
import { BLANKS, madeTexts, NAUGHTY, sampleOf, SIGNS, textsOfDialogues } from "../../support/texts.js";
import { EVERY, type Seen, WAYS, type Way } from "./ways.js";
import { openWorld, type World } from "./world.js";

/** The full set of dialogues, for the benchmark: every text through the API, and as many sampled through each other way. */
const FULL = process.env.PARLEY_TEXTS;
const SAMPLED = Number(process.env.PARLEY_TEXTS_SAMPLED ?? 2_000);
/** Where the benchmark reads how many texts went through each way. */
const REPORT = process.env.PARLEY_TEXTS_REPORT;
const SEED = Number(process.env.PARLEY_TEXTS_SEED ?? (FULL ? Date.now() % 1_000_000 : 45 + RUN_SEED));

const made = madeTexts(SEED, FULL ? 2_000 : 60);
const hard = [...SIGNS, ...BLANKS, ...made];
const dialogues = textsOfDialogues(FULL ?? new URL("../../../demo/star-excerpt.ndjson", import.meta.url));

function textsFor(way: Way): string[] {
  // All ways lead to the same columns, which this one tries most.
  if (way === EVERY.api)
    return FULL ? [...hard, ...NAUGHTY] : [...SIGNS, ...BLANKS, ...everyNth([...made, ...NAUGHTY], 8)];
  // A browser types each: all of them at night.
  if (way === EVERY.desk) {
    const nth = process.env.HUNT ? 1 : WHOLE ? 8 : 40;
    return [...hard, ...NAUGHTY].filter((_, i) => i % nth === 0);
  }
  // test/server/replay/real.spec.ts compares all of them, as dialogues.
  if (way === EVERY.dialogues) return FULL ? dialogues : everyNth(dialogues, 12);
  if (FULL) return sampleOf([...hard, ...NAUGHTY, ...dialogues], SAMPLED);
  return sampleOf([...hard, ...NAUGHTY], Math.ceil(way.quick / (WHOLE ? 2 : 6)));
}

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());
// A session ends after a quarter of an hour, and the full set takes longer.
beforeEach(async () => {
  world.owner = await world.tenant.owner();
});

const MISSING: Record<string, string> = {
  ...(DOVECOT ? {} : { mail: WITHOUT_DOVECOT }),
  ...(RADICALE ? {} : { calendars: WITHOUT_RADICALE }),
};
const missing = (way: Way): string => Object.entries(MISSING).find(([what]) => way.name.includes(what))?.[1] ?? "";

describe(`texts (seed ${SEED}) come out as they came in, through`, () => {
  for (const way of WAYS)
    test.skipIf(missing(way))(
      `${way.name}${missing(way)}`,
      async () => {
        const texts = textsFor(way);
        const started = performance.now();
        const wrong: Seen[] = [];
        let seen = 0;
        for (let from = 0; from < texts.length; from += way.batch) {
          const all = await way.carry(world, texts.slice(from, from + way.batch));
          seen += all.length;
          wrong.push(...all.filter(({ expected, found }) => JSON.stringify(expected) !== JSON.stringify(found)));
        }
        if (REPORT)
          fs.appendFileSync(
            REPORT,
            `${JSON.stringify({ way: way.name, texts: texts.length, seen, wrong: wrong.length, seconds: Math.round((performance.now() - started) / 100) / 10 })}\n`,
          );
        expect(wrong.slice(0, 10)).toEqual([]);
        expect(seen).toBeGreaterThan(0);
      },
      FULL ? 3_600_000 : 300_000,
    );
});

test("nothing of all this was left to repair: each text went into its indexes at once", async () => {
  expect(await world.app.db.query("select kind, subject from derived_repair")).toEqual([]);
});

test("a body of length zero is the only one that is refused", async () => {
  const { id } = (
    await world.key.post("/api/conversations", { workspaceId: world.workspaceId, contact: { name: "Ada" } }, 201)
  ).body;
  for (const path of ["messages", "reply", "notes"])
    await world.key.post(`/api/conversations/${id}/${path}`, { body: "" }, 400);
});
