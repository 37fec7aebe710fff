import { start } from "../../e2e/support.js";
import { heardWhole, settled } from "../../feed/support.js";
import type { Client } from "../../../support/client.js";
import { chatOf, Visitor } from "../../webchat/support.js";
import type { Normal } from "./normal.js";
import type { Place } from "./requests.js";

const MS = 150_000;
/** What is done, and the type of the last event that it causes: what a step causes comes together, and each step alone. */
type Step = [act: () => Promise<unknown>, last: string];

/** What a stream sends while the steps are taken, one after the other. Heartbeats are left out. */
async function heard(client: Client, path: string, steps: Step[]): Promise<string> {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${client.token}` };
  const { body, status } = await fetch(client.baseUrl + path, { headers, signal: stop.signal });
  if (status !== 200) throw new Error(`${path}: ${status}`);
  const left: Step[] = [[() => Promise.resolve(), "ready"], ...steps];
  let events = "";
  let unread = "";
  const late = setTimeout(() => {
    stop.abort(new Error(`${path}: no ${left[0]?.[1]} after ${events}`));
  }, MS);
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    unread += chunk;
    for (let end = unread.indexOf("\n\n"); end >= 0 && left.length; end = unread.indexOf("\n\n")) {
      const event = unread.slice(0, end + 2);
      unread = unread.slice(end + 2);
      if (event.startsWith(":")) continue;
      events += event;
      if (!event.includes(`event: ${left[0]![1]}\n`)) continue;
      left.shift();
      await left[0]?.[0]();
    }
    if (!left.length) break;
  }
  clearTimeout(late);
  return events;
}

/** Records each stream for its example. */
export const STREAMS: Record<string, (place: Place) => Promise<string>> = {
  "events.stream": ({ app, side }) =>
    heardWhole(async () => {
      await settled(app.db);
      let id: string;
      return heard(side.owner, "/api/events", [
        [
          async () => {
            ({ id } = await start(side.key, side.workspaceId));
          },
          "conversation.created",
        ],
        [
          () => side.key.post(`/api/conversations/${id}/messages`, { body: "Where is my parcel?" }, 201),
          "conversation.updated",
        ],
        [() => side.key.post(`/api/conversations/${id}/resolve`, {}, 200), "conversation.updated"],
      ]);
    }),
  "webchat.stream": async ({ app, tenant, side }) => {
    const { client, chat, id } = await visitorOf(app.baseUrl, tenant, side);
    return heard(client, `${chat.path}/stream`, [
      [() => side.owner.put(`/api/conversations/${id}/viewing`, { state: "typing" }, 200), "typing"],
      [() => side.key.post(`/api/conversations/${id}/reply`, { body: "It arrives today." }, 200), "message"],
    ]);
  },
};

/** A visitor who has written. */
async function visitorOf(baseUrl: string, tenant: Place["tenant"], { key }: Place["side"]) {
  const visitor = await Visitor.open(baseUrl, await chatOf(tenant));
  await visitor.write("Where is my parcel?");
  const { body } = await key.get("/api/conversations?limit=1", 200);
  return { client: visitor.client, chat: visitor.chat, id: body.data[0]!.id };
}

/** The text of a stream, with the values of its events as the examples show them. */
export const shown = (text: string, normal: Normal): string =>
  text
    .replace(/^id: (.*)$/gm, (_, id: string) => `id: ${normal.text(id, "cursor")}`)
    .replace(/^data: (.*)$/gm, (_, data: string) => `data: ${JSON.stringify(normal.of(JSON.parse(data)))}`);
