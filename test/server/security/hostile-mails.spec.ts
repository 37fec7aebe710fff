import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MailParser } from "../../../src/channels/email/mail-parser.js";
import { MAX_BODY } from "../../../src/conversations/message-limits.js";
import { longestTurn } from "../../support/cost.js";
import { runs } from "../../support/seed.js";
import { hostileMails } from "../../unit/fuzz/hostile-mails.js";

// Reads mails that are written to hurt, in the worker threads that the server has, and watches the thread that answers everybody
// else. All 500 in a hunt, and otherwise 20, each of another kind.

const MAILS = hostileMails().filter((_, n) => n % runs(25, 1) === 0);
const MAX_DELAY_MS = 100;
/** Something else holds up the thread now and then. A mail that holds it up does so each time. */
const ROUNDS = 3;
/** Of the whole process, with both workers. */
const MAX_MORE_BYTES = 1_000_000_000;

describe("a mail that is written to hurt", () => {
  const parser = new MailParser();
  const before = process.memoryUsage.rss();
  const read = (source: Buffer) =>
    parser.parse("tenant", { at: new Date("2026-05-01"), source, size: source.length }, "support@example.com");
  beforeAll(() => read(Buffer.from("From: a@b.example\r\n\r\nx")));
  afterAll(() => parser.onApplicationShutdown());

  test.each(MAILS)("is read in its time, while the server goes on: $name", async ({ make }) => {
    for (let round = 1; ; round++) {
      const source = make();
      const longest = longestTurn();
      // Throws if it takes longer, or more memory, than a mail may.
      const { message } = await read(source);
      const ms = longest();
      expect([...message.body].length).toBeLessThanOrEqual(MAX_BODY);
      expect(process.memoryUsage.rss() - before).toBeLessThan(MAX_MORE_BYTES);
      if (ms < MAX_DELAY_MS) return;
      expect(round, `held up the server for ${Math.round(ms)} ms`).toBeLessThan(ROUNDS);
    }
  });
});
