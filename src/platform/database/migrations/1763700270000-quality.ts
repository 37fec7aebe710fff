import type { MigrationInterface, QueryRunner } from "typeorm";
import { audit } from "./audit.js";
import { isolate } from "./isolate.js";

const TO = "ON DELETE CASCADE ON UPDATE NO ACTION";
const CHECKS = (table: string): string =>
  `CONSTRAINT "${table}_action" CHECK (action in ('pause_assistant', 'require_approval', 'notify')), CONSTRAINT "${table}_metric" CHECK (metric in ('csat', 'delivery', 'handoff', 'tool'))`;

/** Circuit breakers, and what feeds them: deliveries and hand-offs. */
export class Quality1763700270000 implements MigrationInterface {
  name = "Quality1763700270000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "circuit_breaker" ("tenant_id" uuid NOT NULL, "id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "entity_type" text NOT NULL, "entity_id" text NOT NULL, "metric" text NOT NULL, "action" text NOT NULL,
      "threshold" double precision NOT NULL, "window_days" integer NOT NULL, "sample_days" integer NOT NULL, "sample_size" integer NOT NULL, "observed" double precision NOT NULL, "low" double precision NOT NULL,
      "state" text NOT NULL DEFAULT 'tripped', "tripped_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL, "resolved_by" uuid, "resolved_at" TIMESTAMP(3) WITH TIME ZONE, "note" text,
      CONSTRAINT "circuit_breaker_resolved" CHECK ((state = 'resolved') = (resolved_at is not null)), CONSTRAINT "circuit_breaker_state" CHECK (state in ('tripped', 'resolved')),
      CONSTRAINT "circuit_breaker_entity_type" CHECK (entity_type in ('agent', 'kb_entry', 'channel', 'tool')), ${CHECKS("circuit_breaker")}, CONSTRAINT "PK_964db1595ba6c4ca8ebf1b90dd5" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE INDEX "circuit_breaker_recent" ON "circuit_breaker" ("tenant_id", "workspace_id", "tripped_at", "id")`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "circuit_breaker_tripped" ON "circuit_breaker" ("tenant_id", "entity_type", "entity_id", "workspace_id", "metric") WHERE state = 'tripped'`,
    );
    await runner.query(
      `ALTER TABLE "circuit_breaker" ADD CONSTRAINT "FK_bac78179873d545f57f90d69b91" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ${TO}`,
    );
    await runner.query(
      `ALTER TABLE "attention_item" ADD CONSTRAINT "FK_2593a826887eb7e0bc675a9b259" FOREIGN KEY ("tenant_id", "circuit_breaker_id") REFERENCES "circuit_breaker"("tenant_id","id") ${TO}`,
    );
    await runner.query(`CREATE TABLE "breaker_setting" ("tenant_id" uuid NOT NULL, "workspace_id" uuid NOT NULL, "metric" text NOT NULL, "enabled" boolean NOT NULL, "threshold" double precision NOT NULL, "window_days" integer NOT NULL, "minimum_sample" integer NOT NULL, "action" text NOT NULL,
      CONSTRAINT "breaker_setting_values" CHECK (threshold between 0.01 and 0.99 and window_days between 1 and 90 and minimum_sample between 20 and 100000), ${CHECKS("breaker_setting")}, CONSTRAINT "PK_81db210cad5867be6d813e94892" PRIMARY KEY ("tenant_id", "workspace_id", "metric"))`);
    await runner.query(
      `ALTER TABLE "breaker_setting" ADD CONSTRAINT "FK_18433adf656bbdf64a59e13e87f" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ${TO}`,
    );
    await runner.query(
      `CREATE TABLE "conversation_agent" ("tenant_id" uuid NOT NULL, "conversation_id" uuid NOT NULL, "agent_id" uuid NOT NULL, "ended_at" TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT "PK_7ae855a6d044fb1a3649ee5f981" PRIMARY KEY ("tenant_id", "conversation_id", "agent_id"))`,
    );
    await runner.query(`CREATE INDEX "conversation_agent_of_agent" ON "conversation_agent" ("tenant_id", "agent_id")`);
    await runner.query(
      `ALTER TABLE "conversation_agent" ADD CONSTRAINT "FK_a9568f61f6717d8fdc320fb2b89" FOREIGN KEY ("tenant_id", "agent_id") REFERENCES "agent"("tenant_id","id") ${TO}`,
    );
    await runner.query(
      `ALTER TABLE "conversation_agent" ADD CONSTRAINT "FK_eb027c2dabb492d3fc13858109f" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ${TO}`,
    );
    await runner.query(`ALTER TABLE "conversation" ADD "assisted" boolean NOT NULL DEFAULT false`);
    for (const table of ["circuit_breaker", "breaker_setting", "conversation_agent"]) await isolate(runner, table);
    await audit(runner, "circuit_breaker", { type: "circuitBreaker", except: ["resolved_at", "resolved_by"] });
    await audit(runner, "breaker_setting", {
      type: "workspace",
      id: "it.workspace_id",
      workspace: "it.workspace_id",
      partOf: `'breakerSettings'`,
    });
    await this.deliveries(runner);
    await this.handoffs(runner);
  }

  /** A message that leaves is good once it has left, and bad where it has not arrived after all; whichever it was before is taken back. All ways to learn of it come by here. */
  private async deliveries(runner: QueryRunner): Promise<void> {
    await runner.query(`create function count_delivery() returns trigger language plpgsql as $$
      begin
        insert into outcome (tenant_id, workspace_id, metric, entity_type, entity_id, scale, value, bad, weight)
        select c.tenant_id, c.workspace_id, 'delivery', 'channel', c.channel_id::text, 1, s.failed::integer, s.failed, s.weight
        from conversation c cross join (values (new.delivery_status, new.delivery_status = 'failed', 1), (old.delivery_status, old.delivery_status = 'failed', -1)) as s (status, failed, weight)
        where c.tenant_id = new.tenant_id and c.id = new.conversation_id and s.status <> 'queued';
        return null;
      end $$`);
    await runner.query(`create trigger count_delivery after update of delivery_status on message for each row
      when (new.direction = 'outbound' and new.delivery_status <> 'queued' and (old.delivery_status = 'queued' or (old.delivery_status = 'failed') <> (new.delivery_status = 'failed'))) execute function count_delivery()`);
  }

  /** Of each agent that has answered in a conversation, once: whether people took over, or it was resolved in the assistant's hands. Spam and duplicates say nothing about it. */
  private async handoffs(runner: QueryRunner): Promise<void> {
    await runner.query(`create function note_agent() returns trigger language plpgsql as $$
      begin
        insert into conversation_agent (tenant_id, conversation_id, agent_id) select a.tenant_id, new.conversation_id, a.id from agent a where a.tenant_id = new.tenant_id and a.id = new.author_id on conflict do nothing;
        update conversation set assisted = true where tenant_id = new.tenant_id and id = new.conversation_id and not assisted;
        return null;
      end $$`);
    await runner.query(
      `create trigger note_agent after insert on message for each row when (new.author_type = 'assistant' and new.direction = 'outbound') execute function note_agent()`,
    );
    await runner.query(`create function count_handoff() returns trigger language plpgsql as $$
      declare
        over boolean := new.handling_mode = 'human' or new.resolution is not distinct from 'escalated';
      begin
        with ended as (
          update conversation_agent set ended_at = clock_timestamp() where tenant_id = new.tenant_id and conversation_id = new.id and ended_at is null returning agent_id
        )
        insert into outcome (tenant_id, workspace_id, metric, entity_type, entity_id, scale, value, bad)
        select new.tenant_id, new.workspace_id, 'handoff', 'agent', e.agent_id::text, 1, over::integer, over from ended e;
        return null;
      end $$`);
    await runner.query(`create trigger count_handoff after update of handling_mode, status on conversation for each row
      when (new.assisted and new.redacted_at is null and old.handling_mode = 'assistant' and (new.handling_mode = 'human'
        or (new.status = 'resolved' and old.status <> 'resolved' and coalesce(new.resolution, '') not in ('spam', 'duplicate')))) execute function count_handoff()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, table] of [
      ["count_delivery", "message"],
      ["note_agent", "message"],
      ["count_handoff", "conversation"],
    ]) {
      await runner.query(`drop trigger ${name} on ${table}`);
      await runner.query(`drop function ${name}()`);
    }
    await runner.query("delete from attention_item where circuit_breaker_id is not null");
    await runner.query('ALTER TABLE "attention_item" DROP CONSTRAINT "FK_2593a826887eb7e0bc675a9b259"');
    await runner.query('ALTER TABLE "conversation" DROP COLUMN "assisted"');
    for (const table of ["conversation_agent", "breaker_setting", "circuit_breaker"])
      await runner.query(`DROP TABLE "${table}"`);
  }
}
