import { expect, test } from "vitest";
import type { Message, Page } from "../../../src/channels/browser/webchat/connection.js";
import { Thread } from "../../../src/channels/browser/webchat/thread.js";

/** The nth message of a conversation. */
const message = (n: number): Message => ({
  id: String(n).padStart(4, "0"),
  direction: "outbound",
  author: "Noor",
  automated: false,
  body: `message ${n}`,
  bodyFormat: "text",
  choices: [],
  attachments: [],
  clientMessageId: null,
  createdAt: new Date(Date.UTC(2030, 0, 1) + n * 1_000).toISOString(),
});
const numbered = (count: number): Message[] => Array.from({ length: count }, (_, at) => message(at + 1));

/** What the server has, newest first, in pages whose cursor is the id of the last message. `isDown` may change. */
function served(has: Message[]): { thread: Thread; server: { isDown: boolean } } {
  const server = { isDown: false };
  const thread = new Thread((limit, cursor): Promise<Page> => {
    if (server.isDown) return Promise.reject(new Error("503"));
    const left = has.filter(({ id }) => cursor === undefined || id < cursor).toReversed();
    const data = left.slice(0, limit);
    return Promise.resolve({ data, ...(left.length > limit && { nextCursor: data.at(-1)!.id }) });
  });
  return { thread, server };
}

/** Reads all earlier messages, as a visitor who presses the button until it is gone. */
async function readAll(thread: Thread): Promise<Message[]> {
  thread.add(await thread.readNewest());
  while (thread.cursor !== undefined) thread.add(await thread.readOlder());
  return [...thread.messages];
}

test("the earlier messages are offered if the first load failed after a message had arrived", async () => {
  const all = numbered(200);
  const { thread, server } = served(all);
  server.isDown = true;
  await expect(thread.readNewest()).rejects.toThrow("503");
  thread.hasUpTo(all.at(-1)!);
  thread.add([all.at(-1)!]);
  server.isDown = false;
  expect(await readAll(thread)).toEqual(all);
});

test("a load that failed on its second page leaves no gap after the next one", async () => {
  const all = numbered(500);
  const known = all.slice(0, 250);
  const { thread, server } = served(known);
  thread.add(await thread.readNewest());
  const before = thread.cursor;
  known.push(...all.slice(250));
  server.isDown = true;
  await expect(thread.readNewest()).rejects.toThrow("503");
  server.isDown = false;
  thread.add(await thread.readNewest());
  expect(thread.cursor).toBe(before);
  expect(await readAll(thread)).toEqual(all);
});

test("each message is there once, in the order of the server, whichever way it came", async () => {
  const all = numbered(40);
  const { thread } = served(all);
  expect(thread.add([all[39]!, all[38]!])).toBe(true);
  expect(thread.add([all[39]!])).toBe(false);
  expect(await readAll(thread)).toEqual(all);
});
