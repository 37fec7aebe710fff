import type { MigrationInterface, QueryRunner } from "typeorm";
import { audit } from "./audit.js";
import { isolate } from "./isolate.js";

/** Definitions of agents: the platform's, which every tenant has, and its own. */
export class Agents1763700170000 implements MigrationInterface {
  name = "Agents1763700170000";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "agent" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "kind" text NOT NULL,
      "name" text NOT NULL,
      "role" text NOT NULL,
      "status" text NOT NULL DEFAULT 'active',
      "instructions" text NOT NULL,
      "instructions_version" integer NOT NULL DEFAULT '1',
      "tools" text array NOT NULL DEFAULT '{}',
      "guardrails" jsonb NOT NULL DEFAULT '[]',
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "agent_status" CHECK (status in ('active', 'paused')),
      CONSTRAINT "agent_kind" CHECK (kind in ('platform', 'custom')),
      CONSTRAINT "PK_df221f601d2c4c0fa741b2b421f" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE UNIQUE INDEX "agent_of_platform" ON "agent" ("tenant_id", "role") WHERE kind = 'platform'`,
    );
    await runner.query(`CREATE TABLE "agent_workspace" (
      "tenant_id" uuid NOT NULL,
      "agent_id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      CONSTRAINT "PK_710125b1116edbf068b11f45837" PRIMARY KEY ("tenant_id", "agent_id", "workspace_id"))`);
    await runner.query(`CREATE TABLE "agent_instructions" (
      "tenant_id" uuid NOT NULL,
      "agent_id" uuid NOT NULL,
      "version" integer NOT NULL,
      "instructions" text NOT NULL,
      "changed_by" uuid,
      "reason" text,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_3c861f749bf5b51c47e9babfc43" PRIMARY KEY ("tenant_id", "agent_id", "version"))`);
    await runner.query(
      `CREATE INDEX "agent_workspace_by_workspace" ON "agent_workspace" ("tenant_id", "workspace_id")`,
    );
    await runner.query(
      `ALTER TABLE "agent" ADD CONSTRAINT "FK_8089c65ed6ce39a2a79405bb0e7" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "agent_workspace" ADD CONSTRAINT "FK_8c7d7afd574f8982b76e7d5373f" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "agent_workspace" ADD CONSTRAINT "FK_1aae7ecffd2d894a5bb9f9cc9b3" FOREIGN KEY ("tenant_id", "agent_id") REFERENCES "agent"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "agent_instructions" ADD CONSTRAINT "FK_30f0755a6eec797cdb6dd085aea" FOREIGN KEY ("tenant_id", "agent_id") REFERENCES "agent"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    for (const table of ["agent", "agent_workspace", "agent_instructions"]) await isolate(runner, table);
    await audit(runner, "agent", { type: "agent", except: ["instructions_version"] });
    await audit(runner, "agent_workspace", { type: "agent", id: "it.agent_id", partOf: `'workspaceIds'` });
    await this.platform(runner);
  }

  /** The platform's agents stand in the database alone: a tenant has them from its provisioning on, and a later migration changes those of all tenants. */
  private async platform(runner: QueryRunner): Promise<void> {
    await runner.query(`create function add_platform_agents(of_tenant uuid) returns void language sql as $$
      with added as (
        insert into agent (tenant_id, id, kind, name, role, instructions, tools)
        select of_tenant, audit_id(clock_timestamp()), 'platform', p.name, p.role, p.instructions, p.tools from (values
          ('Assistant', 'assistant', array['search_knowledge', 'evaluate_policies', 'require_verification', 'hand_over'],
            'Answer the contact from the approved knowledge of the workspace and from nothing else, in the language of the conversation. Say what an answer rests on. Before you use a tool, evaluate the policies about it and do what they demand. Hand over to a person where the contact asks for one, where a policy says so, or where you do not know the answer.'),
          ('Verification', 'verification', array['ask_question', 'send_magic_link', 'request_eid', 'hand_over'],
            'Find out who the contact is, as sure as it was asked for and no surer. Ask one question at a time. Never say whether a wrong answer was close, what the right one is, or what is known about the contact. When a limit is reached, offer another way or hand over to a person.'),
          ('Learning', 'learning', array['search_knowledge', 'propose_kb_entry', 'propose_policy_entry'],
            'Read resolved conversations and propose what the workspace does not know yet, as pending entries with the messages that they rest on. Leave out names, addresses, numbers and whatever else belongs to one person. Propose nothing that an approved or pending entry says already.')
        ) p (name, role, tools, instructions)
        on conflict do nothing returning *
      )
      insert into agent_instructions (tenant_id, agent_id, version, instructions) select tenant_id, id, 1, instructions from added $$`);
    await runner.query(`do $$ declare side uuid; begin
      for side in select id from tenant loop
        perform set_config('app.tenant_id', side::text, true);
        perform add_platform_agents(side);
      end loop;
      perform set_config('app.tenant_id', '', true);
    end $$`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
