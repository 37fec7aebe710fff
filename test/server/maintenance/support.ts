import type { Client } from "../../support/client.js";
import type { TestDatabase } from "../../support/database.js";

/** A workspace with one conversation, from which bulk rows are copied. */
export interface Place {
  tenantId: string;
  workspaceId: string;
  conversationId: string;
  contactId: string;
}

export async function newPlace(client: Client, workspaceId: string): Promise<Place> {
  const { body: me } = await client.get("/api/me", 200);
  const { body } = await client.post(
    "/api/conversations",
    { workspaceId, contact: { name: "Ada" }, message: { body: "Hello" } },
    201,
  );
  return { tenantId: me.tenantId, workspaceId, conversationId: body.id, contactId: body.contactId };
}

/** Inserts identity events with these times, as the flows would have written them. */
export async function insertEvents(
  db: TestDatabase,
  place: Place,
  occurredAt: readonly (string | Date)[],
): Promise<void> {
  await db.query(
    `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, scope_dimension, scope_values, transition_key, occurred_at)
    select $1, gen_random_uuid(), $2, $3, 'ani_blocked', 'caller_ani', '["+4930901820"]', gen_random_uuid()::text, t from unnest($4::timestamptz[]) as t`,
    [place.tenantId, place.workspaceId, place.conversationId, occurredAt],
  );
}

/** The times of a conversation's events, oldest first, as the API returns them. */
export const eventTimes = async (client: Client, { conversationId }: Place): Promise<string[]> =>
  (
    await client.get<{ events: { occurredAt: string }[] }>(`/api/conversations/${conversationId}/identity-events`, 200)
  ).body.events.map(({ occurredAt }) => occurredAt);

/**
 * Copies a place's conversation with one message each, because creating many by requests would be slow.
 * @param ages for each copy, the seconds since its last activity
 */
export async function copyConversations(
  db: TestDatabase,
  { tenantId, conversationId }: Place,
  ages: readonly number[],
): Promise<void> {
  await db.query(
    `with copies as (
      insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id, external_id, last_sequence, message_count, last_activity_at)
      select c.tenant_id, gen_random_uuid(), c.workspace_id, c.brand_id, c.channel_id, c.contact_id, gen_random_uuid()::text, 1, 1, date_trunc('hour', now()) - make_interval(secs => age)
      from conversation c, unnest($3::float8[]) as age where c.tenant_id = $1 and c.id = $2 returning tenant_id, id)
    insert into message (tenant_id, id, conversation_id, sequence, direction, author_type, body, delivery_status, occurred_at)
    select tenant_id, gen_random_uuid(), id, 1, 'inbound', 'contact', 'Hello', 'delivered', now() from copies`,
    [tenantId, conversationId, ages],
  );
}

/** All items of a list, read page by page. */
export async function walk<Item extends { id: string }>(
  client: Client,
  path: string,
  limits: readonly number[] = [7],
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; ; page++) {
    const url = new URL(path, client.baseUrl);
    const limit = limits[page % limits.length]!;
    url.searchParams.set("limit", String(limit));
    if (cursor) url.searchParams.set("cursor", cursor);
    const { body } = await client.get<{ data: Item[]; nextCursor?: string }>(url.pathname + url.search, 200);
    if (body.nextCursor !== undefined && body.data.length !== limit)
      throw new Error(`a page of ${body.data.length} instead of ${limit}, and it is not the last one`);
    items.push(...body.data);
    cursor = body.nextCursor;
    if (cursor === undefined) return items;
  }
}
