import { ConnectionError, NotFoundError } from "@parley/sdk/core";
import { describe, expect, test } from "vitest";
import { changeAll } from "../../../web/src/api/many.js";

const ids = new Set(Array.from({ length: 250 }, (_, n) => `id ${n}`));
const all = (some: string[]) => Promise.resolve({ done: some.length, errors: [] });

describe("a change of many rows", () => {
  test("is a hundred with each request", async () => {
    const sizes: number[] = [];
    const { done, errors } = await changeAll(ids, (some) => {
      sizes.push(some.length);
      return all(some);
    });
    expect([sizes, done, errors]).toEqual([[100, 100, 50], 250, []]);
  });

  test("goes on past a hundred that are gone, and past those that were refused", async () => {
    let requests = 0;
    const changed = await changeAll(ids, (some) => {
      requests++;
      if (requests === 1) throw new NotFoundError("Not found", { status: 404 });
      return requests === 2 ? Promise.resolve({ done: 99, errors: [{ error: "No" }] }) : all(some);
    });
    expect(changed).toEqual({ done: 149, errors: [...Array<string>(100).fill("Not found"), "No"] });
  });

  test("says what failed after something was changed", async () => {
    let requests = 0;
    const changed = await changeAll(ids, (some) => {
      if (++requests > 1) throw new ConnectionError("The connection failed");
      return all(some);
    });
    expect([changed.done, changed.errors.length]).toEqual([100, 150]);
  });

  test.each([new NotFoundError("Not found", { status: 404 }), new ConnectionError("The connection failed")])(
    "of which nothing was changed is what the server said: %s",
    async (error) => {
      await expect(changeAll(ids, () => Promise.reject(error))).rejects.toBe(error);
    },
  );
});
