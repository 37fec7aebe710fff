import { describe, expect, test } from "vitest";
import { ThreadIndexes } from "../../../src/channels/email/thread-index.js";
import { Sealer, type Sealers } from "../../../src/platform/database/seal.js";

const withKeys = (...keys: string[]): ThreadIndexes =>
  new ThreadIndexes({ for: (purpose: string) => new Sealer(keys, purpose) } as Sealers);
const [OLD, NEW] = ["o".repeat(32), "n".repeat(32)];
const ID = "0195c0de-1234-7abc-8def-000000000001";

describe("a thread index", () => {
  const index = withKeys(OLD).of("t", ID);

  test("is Outlook's: 22 bytes, which begin with the time of the conversation", () => {
    const bytes = Buffer.from(index, "base64");
    expect(bytes).toHaveLength(22);
    const ms = (Number(bytes.readUIntBE(0, 6)) * 2 ** 16) / 10_000 - 11_644_473_600_000;
    expect(Math.abs(ms - Number.parseInt("0195c0de1234", 16))).toBeLessThan(10);
  });

  test("finds its conversation, also with what Outlook adds, on its own side of its own tenant alone", () => {
    expect(withKeys(OLD).conversationsOf("t", index)).toEqual([ID]);
    expect(withKeys(OLD).conversationsOf("t", `${index.slice(0, -2)}AAAAAAAAAA`)).toHaveLength(1);
    expect(withKeys(OLD).conversationsOf("u", index)).not.toContain(ID);
    expect(withKeys(NEW).conversationsOf("t", index)).not.toContain(ID);
    expect(withKeys(NEW, OLD).conversationsOf("t", index)).toContain(ID);
    expect(withKeys(OLD).conversationsOf("t", "AAAA")).toEqual([]);
  });
});
