import type { MigrationInterface, QueryRunner } from "typeorm";
import { audit, type Audited } from "./audit.js";
import { isolate } from "./isolate.js";

/** What is under audit. The other tables, with the reason, are in `src/audit/unaudited.ts`; a test compares. */
const AUDITED: Record<string, Audited> = {
  // The tenant's members belong to both of its sides: what is done to them stands in the live side's log.
  tenant: { type: "tenant", tenant: "it.id", except: ["environment"] },
  member: {
    type: "member",
    tenant: "it.organisation_id",
    except: ["last_seen_at", "presence", "invitation_expires_at"],
  },
  member_session: {
    type: "session",
    tenant: "it.organisation_id",
    member: "it.member_id",
    keepsDeletions: false,
    except: ["member_id", "environment", "refresh_hash", "rotated_at", "expires_at"],
  },
  member_workspace: { type: "member", id: "it.member_id", partOf: `'workspaceIds'` },
  api_key: { type: "apiKey" },
  brand: { type: "brand" },
  workspace: { type: "workspace", workspace: "it.id" },
  channel: { type: "channel" },
  identity_settings: { type: "identitySettings", id: "it.workspace_id", except: ["workspace_id"] },
  verification_source: {
    type: "workspace",
    id: "it.workspace_id",
    workspace: "it.workspace_id",
    partOf: `'verificationSources'`,
  },
  eid_scheme: { type: "workspace", id: "it.workspace_id", workspace: "it.workspace_id", partOf: `'eidSchemes'` },
  contact: { type: "contact", except: ["last_seen_at"] },
  contact_point: { type: "contact", id: "it.contact_id", partOf: `it.kind || 's'`, except: ["position"] },
  conversation: {
    type: "conversation",
    conversation: "it.id",
    except: [
      "last_sequence",
      "message_count",
      "unread_count",
      "last_message_preview",
      "last_activity_at",
      "waiting_since",
      "first_reply_at",
      "resolved_at",
      "resolved_by",
      "pending_action_count",
      "open_attention_count",
    ],
  },
  message: {
    type: "message",
    workspace:
      "(select c.workspace_id from conversation c where c.tenant_id = it.tenant_id and c.id = it.conversation_id)",
    except: ["conversation_id", "sequence", "delivery_status"],
  },
  attachment: { type: "attachment", except: ["conversation_id", "message_id", "position"], keepsDeletions: false },
  attention_item: { type: "attentionItem", except: ["occurrences", "resolved_at", "resolved_by"] },
  case_type: { type: "caseType" },
  support_case: { type: "case" },
  case_conversation: { type: "case", id: "it.case_id", partOf: `'conversationIds'` },
  kb_entry: { type: "kbEntry", except: ["retrieved", "answered", "helpful", "version", "reviewed_at", "reviewed_by"] },
};

/** Who changed what: the log, and the triggers that no write can pass by. */
export class Audit1763700130000 implements MigrationInterface {
  name = "Audit1763700130000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE "audit_entry" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "actor_kind" text NOT NULL, "actor_id" uuid, "action" text NOT NULL, "change" text NOT NULL, "resource_type" text NOT NULL, "resource_id" uuid, "workspace_id" uuid, "conversation_id" uuid, "fields" text array NOT NULL DEFAULT '{}', "counts" jsonb, CONSTRAINT "audit_entry_change" CHECK (change in ('created', 'updated', 'deleted')), CONSTRAINT "PK_32062de2305f210f80cd35c786c" PRIMARY KEY ("tenant_id", "id"))`,
    );
    await runner.query(
      `CREATE INDEX "audit_entry_of_type" ON "audit_entry" ("tenant_id", "resource_type", "id") WHERE resource_type <> 'message'`,
    );
    await runner.query(`CREATE INDEX "audit_entry_of_resource" ON "audit_entry" ("tenant_id", "resource_id", "id")`);
    await runner.query(`CREATE INDEX "audit_entry_of_actor" ON "audit_entry" ("tenant_id", "actor_id", "id")`);
    await runner.query(`ALTER TABLE "purge_queue" ADD "removed" jsonb NOT NULL DEFAULT '{}'`);
    await isolate(runner, "audit_entry", "select");
    await this.functions(runner);
    for (const [table, audited] of Object.entries(AUDITED)) await audit(runner, table, audited);
    await this.sweeps(runner);
    await this.purge(runner);
  }

  private async functions(runner: QueryRunner): Promise<void> {
    // A UUID of version 7, in the order of writing to the microsecond: the log is read by it.
    await runner.query(`create function audit_id(at timestamptz) returns uuid language sql volatile as $$
      select encode(substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3)
        || int2send((28672 + (extract(microseconds from at)::integer % 1000) * 4)::smallint) || substring(uuid_send(gen_random_uuid()) from 9), 'hex')::uuid $$`);
    // The one entry for what is not told row by row.
    await runner.query(`create function audit_note(change text, type text, resource uuid, workspace uuid, conversation uuid, fields text[], counts jsonb) returns void
      language sql security definer set search_path = public, pg_temp as $$
        insert into audit_entry (tenant_id, id, at, actor_kind, actor_id, action, change, resource_type, resource_id, workspace_id, conversation_id, fields, counts)
        select current_setting('app.tenant_id')::uuid, audit_id(at), date_trunc('milliseconds', at),
          nullif(split_part(current_setting('app.actor', true), ':', 1), ''), nullif(split_part(current_setting('app.actor', true), ':', 2), '')::uuid,
          nullif(current_setting('app.action', true), ''), change, type, resource, workspace, conversation, fields, counts
        from clock_timestamp() as at $$`);
    await onlyForTheApplication(runner, "audit_note(text, text, uuid, uuid, uuid, text[], jsonb)");
    await runner.query(`create function add_counts(a jsonb, b jsonb) returns jsonb language sql immutable as $$
      select coalesce(jsonb_object_agg(what, total), '{}') from (
        select key as what, sum(value::bigint) as total from (select * from jsonb_each_text(a) union all select * from jsonb_each_text(b)) c group by key having sum(value::bigint) > 0) t $$`);
  }

  /** As before, with an entry for each batch; and the log itself, which is kept for 24 months. */
  private async sweeps(runner: QueryRunner): Promise<void> {
    await runner.query(`create or replace function sweep_identity_events(tenant uuid, of_workspace uuid, batch integer) returns integer
      language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
      declare
        kept interval;
        removed integer;
      begin
        perform set_config('app.tenant_id', tenant::text, true);
        select make_interval(months => w.identity_retention_months) into kept from workspace w where w.tenant_id = tenant and w.id = of_workspace;
        delete from identity_event where ctid = any (array(
          select e.ctid from identity_event e
          where e.tenant_id = tenant and e.workspace_id = of_workspace and e.occurred_at < now() - kept + interval '4 days' and e.occurred_at + kept <= now()
          order by e.occurred_at limit batch));
        get diagnostics removed = row_count;
        if removed > 0 then
          perform audit_note('deleted', 'identityEvent', null, of_workspace, null, '{}', jsonb_build_object('identityEvents', removed));
        end if;
        return removed;
      end $$`);
    await runner.query(`create function sweep_audit_log(tenant uuid, batch integer) returns integer
      language plpgsql security definer set search_path = public, pg_temp set timezone = 'UTC' as $$
      declare
        removed integer;
        edge timestamptz := now() - interval '24 months';
        edge_id uuid := audit_id(edge);
      begin
        perform set_config('app.tenant_id', tenant::text, true);
        delete from audit_entry where tenant_id = tenant and id = any (array(
          select e.id from audit_entry e where e.tenant_id = tenant and e.id < edge_id and e.at < edge order by e.id limit batch));
        get diagnostics removed = row_count;
        if removed > 0 then
          perform audit_note('deleted', 'auditEntry', null, null, null, '{}', jsonb_build_object('auditEntries', removed));
        end if;
        return removed;
      end $$`);
    await onlyForTheApplication(runner, "sweep_audit_log(uuid, integer)");
  }

  /** As before, and it sums up what it frees: one entry when the workspace is gone. */
  private async purge(runner: QueryRunner): Promise<void> {
    await runner.query(`create or replace function purge_workspace(tenant uuid, of_workspace uuid, batch integer) returns boolean
      language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        gone uuid[];
        freed integer;
        counts jsonb := '{}';
      begin
        perform set_config('app.tenant_id', tenant::text, true);
        perform from workspace w where w.tenant_id = tenant and w.id = of_workspace and w.deleted_at is not null for update;
        if not found then return false; end if;
        gone := array(select c.id from conversation c where c.tenant_id = tenant and c.workspace_id = of_workspace
          order by c.last_activity_at desc, c.id desc limit batch);
        if cardinality(gone) > 0 then
          delete from identity_event where tenant_id = tenant and conversation_id = any (gone);
          get diagnostics freed = row_count;
          counts := counts || jsonb_build_object('identityEvents', freed);
          delete from attention_item where tenant_id = tenant and conversation_id = any (gone);
          get diagnostics freed = row_count;
          counts := counts || jsonb_build_object('attentionItems', freed);
          delete from message where tenant_id = tenant and conversation_id = any (gone);
          get diagnostics freed = row_count;
          counts := counts || jsonb_build_object('messages', freed);
          update conversation set previous_conversation_id = null where tenant_id = tenant and previous_conversation_id = any (gone);
          delete from conversation where tenant_id = tenant and id = any (gone);
          get diagnostics freed = row_count;
          counts := counts || jsonb_build_object('conversations', freed);
          update purge_queue q set removed = add_counts(q.removed, counts) where q.tenant_id = tenant and q.workspace_id = of_workspace;
          return true;
        end if;
        gone := array(select e.id from kb_entry e where e.tenant_id = tenant and e.workspace_id = of_workspace limit batch);
        if cardinality(gone) > 0 then
          update kb_entry set duplicate_of_id = null where tenant_id = tenant and duplicate_of_id = any (gone);
          delete from kb_entry where tenant_id = tenant and id = any (gone);
          get diagnostics freed = row_count;
          update purge_queue q set removed = add_counts(q.removed, jsonb_build_object('kbEntries', freed)) where q.tenant_id = tenant and q.workspace_id = of_workspace;
          return true;
        end if;
        gone := array(select c.id from support_case c where c.tenant_id = tenant and c.workspace_id = of_workspace limit batch);
        if cardinality(gone) > 0 then
          delete from case_event where tenant_id = tenant and case_id = any (gone);
          delete from support_case where tenant_id = tenant and id = any (gone);
          get diagnostics freed = row_count;
          update purge_queue q set removed = add_counts(q.removed, jsonb_build_object('cases', freed)) where q.tenant_id = tenant and q.workspace_id = of_workspace;
          return true;
        end if;
        perform audit_note('deleted', 'workspace', of_workspace, of_workspace, null, '{}',
          coalesce((select q.removed from purge_queue q where q.tenant_id = tenant and q.workspace_id = of_workspace), '{}'));
        delete from workspace where tenant_id = tenant and id = of_workspace;
        return false;
      end $$`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}

async function onlyForTheApplication(runner: QueryRunner, signature: string): Promise<void> {
  await runner.query(`revoke all on function ${signature} from public`);
  await runner.query(`grant execute on function ${signature} to parley_app`);
}
