import { setImmediate } from "node:timers/promises";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { zip, type ZipFile } from "../../../src/platform/http/zip.js";
import { unzip } from "../../support/unzip.js";

/** An endless file that counts the chunks read and records whether it was closed. */
function endless(): { bytes: AsyncIterable<Buffer>; read: () => number; closed: () => boolean } {
  let [read, closed] = [0, false];
  const chunk = Buffer.alloc(65_536, "x");
  return {
    read: () => read,
    closed: () => closed,
    bytes: (async function* () {
      try {
        for (;;) {
          read++;
          await setImmediate();
          yield chunk;
        }
      } finally {
        closed = true;
      }
    })(),
  };
}

test("an archive holds each file under its name, byte for byte, and is identical each time it is created", async () => {
  const files: Record<string, Buffer> = {
    "person.json": Buffer.from("{}"),
    "attachments/1/Rechnung für Æther – 2025.pdf": Buffer.from([0, 255, 10, 13]),
    "attachments/2/日本語 👩‍👩‍👧.txt": Buffer.from("emoji"),
    "attachments/3/c:evil & <b>.txt": Buffer.from("colon"),
    "attachments/4/__proto__.txt": Buffer.alloc(300_000, "PK\u0005\u0006"),
    "attachments/5/empty": Buffer.alloc(0),
    [`attachments/6/${"long".repeat(60)}.txt`]: Buffer.from("long"),
  };
  const given = (): ZipFile[] =>
    Object.entries(files).map(([path, bytes]) => ({ path, bytes: [bytes.subarray(0, 2), bytes.subarray(2)] }));
  const first = await buffer(zip(given()));
  // Comparing large buffers byte by byte takes seconds.
  const hex = (all: Record<string, Buffer>): Record<string, string> =>
    Object.fromEntries(Object.entries(all).map(([name, bytes]) => [name, bytes.toString("hex")]));
  expect(hex(await unzip(first))).toEqual(hex(files));
  expect((await buffer(zip(given()))).equals(first)).toBe(true);
});

test("an archive reads its files only as fast as it is consumed, and closes the file when the reader stops", async () => {
  const file = endless();
  let asked = 0;
  const files = (async function* (): AsyncGenerator<ZipFile> {
    for (;;) {
      asked++;
      yield { path: `file-${asked}`, bytes: file.bytes };
    }
  })();
  const reader = zip(files);
  for (let chunks = 0; chunks < 20; chunks++) await reader.next();
  for (let turns = 0; turns < 200; turns++) await setImmediate();
  expect(file.read()).toBeGreaterThan(10);
  expect(file.read()).toBeLessThan(40);
  await reader.return(undefined);
  await expect.poll(file.closed).toBe(true);
  expect(asked).toBe(1);
});

test.each(["first", "second"])(
  "an archive whose %s file breaks off fails with that error and is incomplete",
  async (which) => {
    const whole = which === "first" ? [] : [{ path: "one", bytes: [Buffer.from("1")] }];
    const broken = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from("begun");
      throw new Error("The disk is gone");
    };
    const sent: Buffer[] = [];
    await expect(
      (async () => {
        for await (const chunk of zip([...whole, { path: "two", bytes: broken() }])) sent.push(chunk);
      })(),
    ).rejects.toThrow("The disk is gone");
    await expect(unzip(Buffer.concat(sent))).rejects.toThrow();
  },
);
