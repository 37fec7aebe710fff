import { expect, test } from "vitest";
import { Failing } from "../../../src/platform/jobs/failing.js";

test("a failure that goes on is logged once a minute, another one at once, and its end with how often it failed", () => {
  let now = 0;
  const lines: string[] = [];
  const failing = new Failing(
    { log: (line: string) => lines.push(line), warn: (line: string) => lines.push(`! ${line}`) },
    () => now,
  );
  failing.succeeded();
  failing.failed("no database");
  for (now = 1_000; now < 60_000; now += 1_000) failing.failed("no database");
  expect(lines.splice(0)).toEqual(["! no database"]);
  failing.failed("no database");
  failing.failed("starting up");
  failing.succeeded();
  failing.succeeded();
  expect(lines.splice(0)).toEqual(["! no database", "! starting up", "works again after 62 failures"]);
  failing.failed("starting up");
  failing.succeeded();
  expect(lines).toEqual(["! starting up"]);
});
