import { BadRequestException } from "@nestjs/common";
import { describe, expect, it } from "vitest";
import { type Fields, fromCsv, fromNdjson, type Line } from "../../../src/knowledge/review/entry-lines.js";
import { leastHold } from "../../support/cost.js";

// What is short as bytes can be long as lines. Others have their turn while an import is read.

const FIELDS: Fields = { question: "text", answer: "text" };
const HEADER = "question,answer\n";
const csv = (lines: string): Promise<Line[]> => fromCsv(HEADER + lines, FIELDS);
const hold = (read: () => Promise<Line[]>): Promise<number> =>
  leastHold(() => read().catch((error: unknown) => expect(error).toBeInstanceOf(BadRequestException)), 100);

describe("an import", () => {
  it.each<[string, () => Promise<Line[]>]>([
    ["300,000 lines of NDJSON that are none", () => fromNdjson("x\n".repeat(300_000))],
    ["10,000 of them", () => fromNdjson("x\n".repeat(10_000))],
    ["a million empty ones", () => fromNdjson("\n".repeat(1_000_000))],
    ["300,000 lines of CSV", () => csv("x\n".repeat(300_000))],
    ["10,000 of them", () => csv("x\n".repeat(10_000))],
    ["a million empty ones", () => csv("\n".repeat(1_000_000))],
    ["300,000 quotes that never end", () => csv('x"\n'.repeat(300_000))],
    ["500,000 columns", () => csv(",".repeat(500_000))],
    ["100,000 unknown columns", () => fromCsv("x,".repeat(100_000), FIELDS)],
  ])("of %s holds up nobody for long", async (_, read) => {
    // Ten times what it may take on a quiet machine. It took 1.2 to 7.5 s.
    expect(await hold(read)).toBeLessThan(1_000);
  });

  it.each<[string, (lines: number) => Promise<Line[]>]>([
    ["NDJSON", (lines) => fromNdjson("{}\n\n".repeat(lines))],
    ["CSV", (lines) => csv('x,"a\nb"\n'.repeat(lines))],
    ["lines of CSV that are none", (lines) => csv('x,a"b\n'.repeat(lines))],
  ])("takes 10,000 entries and no more: %s", async (_, read) => {
    expect(await read(10_000)).toHaveLength(10_000);
    await expect(read(10_001)).rejects.toThrow(
      "content has more than 10000 entries, the most that can be imported at once",
    );
  });

  it("names the first unknown columns", async () => {
    await expect(fromCsv("question,colour,size\n", FIELDS)).rejects.toThrow(
      "content names unknown columns: colour, size",
    );
    await expect(fromCsv("x,".repeat(100_000), FIELDS)).rejects.toThrow(
      /^content names unknown columns: (?:x, ){19}x$/,
    );
  });
});
