// The rows of Parley's conversations in the tables that Parse Server has made, and a user with a session for each API key.
import { CONVERSATION_FIELDS } from "./schema.mjs";

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The column's value in Parse's type for it. */
const VALUES = {
  String: (column) => `${column}::text`,
  Number: (column) => column,
  Date: (column) => column,
  Array: (column) => `to_jsonb(${column})`,
  Object: (column) => column,
};
/** Parse has them in the class itself, so that its list needs no second query. */
const ELSEWHERE = { channelType: "ch.type", accountId: "co.account_id" };

/** @param keys {token, tenantId, brandId?, workspaceId?}[] */
export async function fill(client, keys, log) {
  if (await isFilled(client)) return;
  log("Parse Server's rows");
  const names = Object.keys(CONVERSATION_FIELDS);
  const values = names.map((name) => VALUES[CONVERSATION_FIELDS[name].type](ELSEWHERE[name] ?? `c.${snake(name)}`));
  await client.query("begin");
  await client.query(`truncate parse."Conversation", parse."_User", parse."_Session"`);
  await client.query(`
    insert into parse."Conversation" ("objectId", "createdAt", "updatedAt", ${names.map((name) => `"${name}"`).join(", ")})
    select c.id::text, c.created_at, c.updated_at, ${values.join(", ")}
    from conversation c
    join channel ch on ch.tenant_id = c.tenant_id and ch.id = c.channel_id
    join contact co on co.tenant_id = c.tenant_id and co.id = c.contact_id
    order by c.created_at`);
  await client.query(
    `with k as (select * from jsonb_to_recordset($1) as k("token" text, "tenantId" text, "brandId" text, "workspaceId" text)),
      users as (
        insert into parse."_User" ("objectId", "createdAt", "updatedAt", username, "tenantId", "brandId", "workspaceId")
        select md5(token), now(), now(), md5(token), "tenantId", "brandId", "workspaceId" from k
      )
    insert into parse."_Session" ("objectId", "createdAt", "updatedAt", "user", "sessionToken", "expiresAt")
    select md5(token), now(), now(), md5(token), token, now() + interval '1 year' from k`,
    [JSON.stringify(keys)],
  );
  await client.query("commit");
  await client.query(`vacuum analyze parse."Conversation", parse."_User", parse."_Session"`);
  await client.query("checkpoint");
}

/** Other parts of the bench write conversations. */
async function isFilled(client) {
  const content = (table, time) => `
    (select (count(*), sum(extract(epoch from ${time})), sum(hashtext(status)))::text from ${table})`;
  const { rows } = await client.query(
    `select ${content("conversation", "last_activity_at")} = ${content(`parse."Conversation"`, `"lastActivityAt"`)}
      and exists (select from parse."_Session" where "expiresAt" > now() + interval '1 day') as same`,
  );
  return rows[0].same;
}
