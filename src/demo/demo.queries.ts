import { sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, type NoArgs, query } from "../platform/database/statements.js";

const WHOLE_DEMO = { unrestricted: "the demo fills its whole tenant" };

/** `tenantId`: null unless the demo tenant exists. */
export const FIND_DEMO = globalQuery<{ externalId: string }>()(
  "demo.find",
  ({ externalId }) => sql`
    select count(*)::int as tenants,
      exists (select from job_run where name = 'demo') as complete,
      (select id from tenant where external_id = ${externalId}) as "tenantId"
    from tenant`,
);

export const MARK_COMPLETE = globalQuery<NoArgs>()(
  "demo.markComplete",
  () => sql`
    insert into job_run (name, started_at, finished_at, result) values ('demo', now(), now(), '{}')
    on conflict do nothing`,
);

/** Those whose caller is not verified yet: an earlier start may have been interrupted. */
export const LIST_BANK_CONVERSATIONS = query<NoArgs>()(
  "demo.listBankConversations",
  WHOLE_DEMO,
  () => sql`
    select id as "conversationId", contact_id as "contactId" from conversation
    where tenant_id = ${TENANT} and metadata->'domains' ? 'bank' and assurance_level = 'none'
    order by created_at`,
);
