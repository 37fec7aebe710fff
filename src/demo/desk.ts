import fs from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../platform/config/root.js";
import type { ApiClient } from "../replay/client.js";

const FAREWELL = /\bgood ?bye\b/i;
/** The assistant answers within two seconds. A demo without its answers is better than none. */
const MAX_WAIT_MS = 15_000;

interface Conversation {
  id: string;
  status: string;
  lastMessagePreview: string | null;
}
interface Page<T> {
  data: T[];
}
interface Waiting {
  externalId: string;
  contact: Record<string, unknown>;
  message: string;
}

/**
 * Makes a desk of the played dialogues: those that ended with a farewell are resolved, and new customers have written. The
 * assistant answers some of them and hands the others over.
 */
export async function fillDesk(client: ApiClient, workspaceId: string): Promise<void> {
  const { body: played } = await client.get<Page<Conversation>>("/api/conversations?limit=100");
  for (const { id, status, lastMessagePreview } of played.data)
    if (status !== "resolved" && FAREWELL.test(lastMessagePreview ?? ""))
      await client.post(`/api/conversations/${id}/resolve`, { resolution: "answered" });

  const waiting = JSON.parse(await fs.readFile(new URL("demo/waiting.json", ROOT), "utf8")) as Waiting[];
  const deadline = Date.now() + MAX_WAIT_MS;
  const ids = [];
  for (const { externalId, contact, message } of waiting) {
    const conversation = { workspaceId, externalId, contact, message: { body: message, externalId } };
    ids.push((await client.post<Conversation>("/api/conversations", conversation)).body.id);
  }
  for (const id of ids) while (!(await isHandled(client, id)) && Date.now() < deadline) await sleep(100);
}

async function isHandled(client: ApiClient, id: string): Promise<boolean> {
  const { body } = await client.get<Page<{ outcome: string | null }>>(`/api/conversations/${id}/agent-activity`);
  return body.data.some(({ outcome }) => outcome !== null);
}
