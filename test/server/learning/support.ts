import { LearningJob } from "../../../src/learning/learning.job.js";
import { assist, ask } from "../assistant/support.js";
import { start } from "../e2e/support.js";
import type { Schemas } from "../../support/api-types.js";
import type { TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";

/** Looks at all conversations that were resolved. */
export async function learn(app: TestApp, node = app): Promise<void> {
  await app.db.query(`update learning_due set due_at = now() - interval '1 second'`);
  await node.app.get(LearningJob).tick();
}

let contacts = 0;
/** A contact asks what the assistant misses, and somebody answers. @returns the conversation, which is not resolved */
export async function answered(
  app: TestApp,
  client: Client,
  workspaceId: string,
  { question, replies, contact, by = client }: { question: string; replies: string[]; contact?: object; by?: Client },
): Promise<Schemas["Conversation"]> {
  const given = { contact: { name: `Lovelace${"abcdefghijklmnopqrstuvwxyz"[contacts++ % 26]} Byron`, ...contact } };
  const conversation = await start(client, workspaceId, { ...given, message: { body: question } });
  await assist(app);
  for (const body of replies) await by.post(`/api/conversations/${conversation.id}/reply`, { body }, 200);
  return conversation;
}

/** The same, and the conversation is resolved. */
export async function taught(...args: Parameters<typeof answered>): Promise<Schemas["Conversation"]> {
  const conversation = await answered(...args);
  await args[1].post(`/api/conversations/${conversation.id}/resolve`, {}, 200);
  return conversation;
}

/** The same contact asks again in the conversation, which is open again then, and is answered. */
export async function askedAgain(
  app: TestApp,
  client: Client,
  id: string,
  question: string,
  reply: string,
): Promise<void> {
  await client.post(`/api/conversations/${id}/reopen`, {}, 200);
  await client.post(`/api/conversations/${id}/release`, {}, 200);
  await ask(client, id, question);
  await assist(app);
  await client.post(`/api/conversations/${id}/reply`, { body: reply }, 200);
  await client.post(`/api/conversations/${id}/resolve`, {}, 200);
}

export const pendingIn = async (client: Client, workspaceId: string): Promise<Schemas["KbEntry"][]> =>
  (await client.get(`/api/workspaces/${workspaceId}/kb-entries/pending`, 200)).body;
