import fc from "fast-check";
import { expect, test } from "vitest";
import { EventReader, type ServerSentEvent } from "../../../sdk/src/sse.js";
import { growth } from "../../support/cost.js";

const read = (pieces: string[]): ServerSentEvent[] => {
  const reader = new EventReader();
  return pieces.flatMap((piece) => [...reader.push(piece)]);
};

test("fields, comments, several lines of data, and what is no event", () => {
  expect(
    read([
      ": a comment\n\nid: 1\nevent: ready\ndata: {}\n\ndata:one\ndata:  two\nunknown: x\ndata\n\nid: 2\n\nid: a\0b\ndata: z\n\ndata: unfinished",
    ]),
  ).toEqual([
    { id: "1", type: "ready", data: "{}" },
    { id: undefined, type: "message", data: "one\n two\n" },
    { id: undefined, type: "message", data: "z" },
  ]);
});

test("pieces of any size and any line ends say the same", () => {
  const lines = ["id: 7", "event: message.created", 'data: {"a":1}', "", ": beat", "", "data: x", "data: y", "", ""];
  const whole = read([lines.join("\n")]);
  expect(whole).toHaveLength(2);
  fc.assert(
    fc.property(fc.constantFrom("\n", "\r\n", "\r"), fc.array(fc.nat(120), { maxLength: 20 }), (end, cuts) => {
      const text = lines.join(end);
      const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      expect(read(at.slice(1).map((to, i) => text.slice(at[i], to)))).toEqual(whole);
    }),
    { numRuns: 300 },
  );
});

test("a line that arrives character by character takes linear time", () => {
  const push = (length: number): void => {
    const reader = new EventReader();
    for (let i = 0; i < length; i++) for (const event of reader.push("x")) expect.unreachable(event.data);
  };
  expect(growth(push, 100_000)).toBeLessThan(40);
});

test("a line, or the data of an event, has a limit", () => {
  expect(() => read(["x".repeat(700_000), "x".repeat(700_000)])).toThrow("too long");
  expect(() => read(Array<string>(20).fill(`data: ${"x".repeat(65_000)}\n`))).toThrow("too long");
  expect(read(Array<string>(40).fill(`: ${"x".repeat(65_000)}\n`))).toEqual([]);
  expect(read(Array<string>(40).fill(`data: ${"x".repeat(65_000)}\n\n`))).toHaveLength(40);
});
