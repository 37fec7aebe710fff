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

interface Account {
  externalId: string;
  /** The external ids of those who work there. */
  contacts: string[];
}

/** The companies of some customers. An earlier start may have been interrupted. */
export async function addAccounts(client: ApiClient): Promise<void> {
  const accounts = JSON.parse(await fs.readFile(new URL("demo/accounts.json", ROOT), "utf8")) as Account[];
  for (const { contacts, ...account } of accounts) {
    const { body: known } = await client.get<Page>(`/api/accounts?externalId=${account.externalId}`);
    const accountId = known.data[0]?.id ?? (await client.post<{ id: string }>("/api/accounts", account)).body.id;
    for (const externalId of contacts) {
      const { body: found } = await client.get<Page>(`/api/contacts?externalId=${externalId}`);
      const ids = found.data.map(({ id }) => id);
      await client.post("/api/contacts/bulk-actions", { ids, type: "link", accountId });
    }
  }
}
interface Page {
  data: { id: string }[];
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
