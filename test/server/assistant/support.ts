import { handOverText } from "../../../src/assistant/context/texts.js";
import type { Why } from "../../../src/assistant/context/why.js";
import { AssistantJob } from "../../../src/assistant/assistant.job.js";
import type { Schemas } from "../../support/api-types.js";
import type { TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";

/** Makes all runs due, and carries them out. */
export async function assist(app: TestApp, node = app): Promise<void> {
  await app.db.query(`update assistant_due set due_at = now() - interval '1 second' where not claimed`);
  await node.app.get(AssistantJob).tick();
}

export const ENTRIES = {
  parcel: { question: "Where is my parcel?", answer: "Your tracking link is in the mail of the dispatch." },
  refund: { question: "When do I get my refund?", answer: "Within five days after we have your return." },
  card: { question: "How do I change the card that I pay with?", answer: "In your account, under Payment." },
};

/** Adds approved entries. @returns their ids */
export async function teach(
  client: Client,
  workspaceId: string,
  entries: readonly object[] = Object.values(ENTRIES),
): Promise<string[]> {
  const ids: string[] = [];
  for (const entry of entries)
    ids.push((await client.post(`/api/workspaces/${workspaceId}/kb-entries`, entry, 201)).body.id);
  return ids;
}

export const messagesOf = async (client: Client, id: string): Promise<Schemas["Message"][]> =>
  (await client.get(`/api/conversations/${id}/messages?limit=100`, 200)).body.data;
/** What our side said: who, and what. */
export const saidIn = async (client: Client, id: string): Promise<string[]> =>
  (await messagesOf(client, id))
    .filter(({ direction }) => direction === "outbound")
    .map(({ authorType, body }) => `${authorType}: ${body}`);
export const activityOf = async (client: Client, id: string): Promise<Schemas["AgentRun"][]> =>
  (await client.get(`/api/conversations/${id}/agent-activity?limit=100`, 200)).body.data;
export const outcomesOf = async (client: Client, id: string): Promise<(string | null)[]> =>
  (await activityOf(client, id)).map(({ outcome }) => outcome).reverse();
export const itemsOf = async (client: Client, id: string): Promise<Schemas["AttentionItem"][]> =>
  (await client.get("/api/attention-items?limit=100", 200)).body.data.filter(
    ({ conversationId }) => conversationId === id,
  );
export const ask = (client: Client, id: string, body: string): Promise<unknown> =>
  client.post(`/api/conversations/${id}/messages`, { body }, 201);

/** What a contact is told in English when people take over, the first time. */
export const toldThat = (why: Why): string => `system: ${handOverText(why, [], "en", "en")}`;
