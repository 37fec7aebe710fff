import { setImmediate as settled } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairShare } from "../../../src/platform/jobs/fair-share.js";

/** A share of which the test says when work ends. */
function shared(capacity: number) {
  const share = new FairShare(capacity);
  const running: { tenant: string; end: () => void }[] = [];
  const begin = (tenant: string, options?: { size?: number; signal?: AbortSignal }): Promise<void> =>
    share.run(tenant, () => new Promise<void>((end) => running.push({ tenant, end })), options);
  const end = (tenant: string): void =>
    running
      .splice(
        running.findIndex((one) => one.tenant === tenant),
        1,
      )[0]!
      .end();
  const counts = async (): Promise<Record<string, number>> => {
    await settled();
    return Object.fromEntries(
      [...new Set(running.map(({ tenant }) => tenant))].map((tenant) => [
        tenant,
        running.filter((one) => one.tenant === tenant).length,
      ]),
    );
  };
  return { begin, end, counts };
}

test("one tenant gets half, a second one a third, and there is room for each new one", async () => {
  const { begin, counts } = shared(12);
  for (let n = 0; n < 20; n++) void begin("a");
  expect(await counts()).toEqual({ a: 6 });
  for (let n = 0; n < 20; n++) void begin("b");
  expect(await counts()).toEqual({ a: 6, b: 3 });
  void begin("c");
  void begin("d");
  expect(await counts()).toEqual({ a: 6, b: 3, c: 1, d: 1 });
});

test("what one tenant ends goes to the one that has least, not to the one that waits longest", async () => {
  const { begin, end, counts } = shared(4);
  for (let n = 0; n < 5; n++) void begin("a");
  void begin("b");
  void begin("c");
  void begin("d");
  expect(await counts()).toEqual({ a: 2, b: 1, c: 1 });
  end("a");
  expect(await counts()).toEqual({ a: 1, b: 1, c: 1, d: 1 });
  end("b");
  expect(await counts()).toEqual({ a: 1, c: 1, d: 1 });
});

test("many tenants that take as much memory as they may leave room for a small mail", async () => {
  const MB = 1_048_576;
  const { begin, counts } = shared(256 * MB);
  for (let tenant = 0; tenant < 10; tenant++)
    for (const size of [40 * MB, 20 * MB, 10 * MB, 5 * MB]) void begin(`large ${tenant}`, { size });
  await counts();
  void begin("small", { size: 50_000 });
  expect(await counts()).toMatchObject({ small: 1 });
});

test("what is larger than any share runs alone, and work that fails or is not waited for takes nothing", async () => {
  const share = new FairShare(10);
  await expect(share.run("a", () => Promise.reject(new Error("failed")), { size: 50 })).rejects.toThrow("failed");
  const { begin, end, counts } = shared(1);
  void begin("a");
  const gone = new AbortController();
  const left = begin("b", { signal: gone.signal });
  gone.abort(new Error("no longer wanted"));
  await expect(left).rejects.toThrow("no longer wanted");
  end("a");
  void begin("c");
  expect(await counts()).toEqual({ c: 1 });
});
