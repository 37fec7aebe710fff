import { describe, expect, test } from "vitest";
import { Spare } from "../../../src/platform/database/read-engine/spare.js";

describe("spare memory", () => {
  const spare = (): Spare<Buffer> => new Spare<Buffer>((length) => Buffer.alloc(length), 100);

  test("is used again for what fits, by one at a time", () => {
    const rooms = spare();
    const first = rooms.take(80);
    const second = rooms.take(80);
    expect(second).not.toBe(first);
    rooms.giveBack(first);
    expect(rooms.take(60)).toBe(first);
    expect(rooms.take(60)).not.toBe(first);
  });

  test("is made anew where it does not fit, and not kept where it is too long", () => {
    const rooms = spare();
    rooms.giveBack(rooms.take(10));
    expect(rooms.take(11)).toHaveLength(11);
    const long = rooms.take(101);
    rooms.giveBack(long);
    expect(rooms.take(90)).not.toBe(long);
  });
});
