import fs from "node:fs/promises";
import { ROOT } from "../platform/config/root.js";
import type { ApiClient } from "../replay/client.js";

const FAREWELL = /\bgood ?bye\b/i;
interface Conversation {
  id: string;
  status: string;
  lastMessagePreview: string | null;
}
interface Waiting {
  externalId: string;
  contact: Record<string, unknown>;
  message: string;
}

/**
 * Makes a desk of the played dialogues: those that ended with a farewell are resolved, and new customers write. The
 * assistant answers some of them two seconds later, and hands the others over.
 */
export async function fillDesk(client: ApiClient, workspaceId: string): Promise<void> {
  const { body: played } = await client.get<{ data: Conversation[] }>("/api/conversations?limit=100");
  for (const { id, status, lastMessagePreview } of played.data)
    if (status !== "resolved" && FAREWELL.test(lastMessagePreview ?? ""))
      await client.post(`/api/conversations/${id}/resolve`, { resolution: "answered" });

  const waiting = JSON.parse(await fs.readFile(new URL("demo/waiting.json", ROOT), "utf8")) as Waiting[];
  for (const { externalId, contact, message } of waiting)
    await client.post("/api/conversations", {
      workspaceId,
      externalId,
      contact,
      message: { body: message, externalId },
    });
}
