import type { MigrationInterface, QueryRunner } from "typeorm";

/** The tables, as TypeORM generates them from the entities. */
export class Tables1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "api_key" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "name" text NOT NULL,
      "prefix" text NOT NULL,
      "scopes" text array NOT NULL,
      "brand_id" uuid,
      "workspace_id" uuid,
      "expires_at" TIMESTAMP(3) WITH TIME ZONE,
      "revoked_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_by" uuid,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "api_key_scopes" CHECK (cardinality(scopes) > 0),
      CONSTRAINT "api_key_data_scope" CHECK (brand_id is null or workspace_id is null),
      CONSTRAINT "PK_d63104d57aadffab05951dc40be" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(`CREATE INDEX "api_key_recent" ON "api_key" ("tenant_id", "created_at")`);
    await runner.query(`CREATE TABLE "api_key_lookup" (
      "hash" bytea NOT NULL,
      "tenant_id" uuid NOT NULL,
      "api_key_id" uuid NOT NULL,
      "last_used_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "PK_19701cba38a9a7bd2fa353d3fa3" PRIMARY KEY ("hash"))`);
    await runner.query(`CREATE UNIQUE INDEX "api_key_lookup_key" ON "api_key_lookup" ("tenant_id", "api_key_id")`);
    await runner.query(`CREATE TABLE "member" (
      "organisation_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "email" text NOT NULL,
      "name" text NOT NULL,
      "role" text NOT NULL,
      "password_hash" text,
      "invitation_hash" text,
      "invitation_expires_at" TIMESTAMP(3) WITH TIME ZONE,
      "presence" text NOT NULL DEFAULT 'offline',
      "last_seen_at" TIMESTAMP(3) WITH TIME ZONE,
      "removed_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "member_presence" CHECK (presence in ('online', 'away', 'offline')),
      CONSTRAINT "member_role" CHECK (role in ('owner', 'admin', 'agent', 'observer', 'billing')),
      CONSTRAINT "PK_08cde7dd3eba65c713187e62c51" PRIMARY KEY ("organisation_id", "id"))`);
    await runner.query(`CREATE TABLE "member_email" (
      "email" text NOT NULL,
      "organisation_id" uuid NOT NULL,
      "member_id" uuid NOT NULL,
      CONSTRAINT "PK_7af8fd7fc8ceb23b711eef4ddb3" PRIMARY KEY ("email"))`);
    await runner.query(`CREATE UNIQUE INDEX "member_email_member" ON "member_email" ("organisation_id", "member_id")`);
    await runner.query(`CREATE TABLE "member_workspace" (
      "tenant_id" uuid NOT NULL,
      "member_id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "organisation_id" uuid NOT NULL,
      CONSTRAINT "PK_ff0ef328606185a09ea74124648" PRIMARY KEY ("tenant_id", "member_id", "workspace_id"))`);
    await runner.query(
      `CREATE INDEX "member_workspace_of_workspace" ON "member_workspace" ("tenant_id", "workspace_id")`,
    );
    await runner.query(
      `CREATE INDEX "member_workspace_of_member" ON "member_workspace" ("organisation_id", "member_id")`,
    );
    await runner.query(`CREATE TABLE "member_session" (
      "organisation_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "member_id" uuid NOT NULL,
      "environment" text NOT NULL,
      "refresh_hash" text NOT NULL,
      "rotated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "expires_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "ended_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_c46c664d3abca9fca745dca909f" PRIMARY KEY ("organisation_id", "id"))`);
    await runner.query(`CREATE INDEX "member_session_by_age" ON "member_session" ("organisation_id", "expires_at")`);
    await runner.query(`CREATE INDEX "member_session_of_member" ON "member_session" ("organisation_id", "member_id")`);
    await runner.query(`CREATE TABLE "login_attempt" (
      "subject" text NOT NULL,
      "attempts" integer NOT NULL,
      "started_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      CONSTRAINT "PK_3c29dcdaf70a18a42cf1df49d3e" PRIMARY KEY ("subject"))`);
    await runner.query(`CREATE TABLE "contact" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "external_id" text,
      "name" text,
      "language" text,
      "account_id" uuid,
      "labels" text array NOT NULL DEFAULT '{}',
      "attributes" jsonb NOT NULL DEFAULT '{}',
      "blocked" boolean NOT NULL DEFAULT false,
      "merged_into_id" uuid,
      "last_seen_at" TIMESTAMP(3) WITH TIME ZONE,
      "created_by" uuid,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "contact_external_id" UNIQUE ("tenant_id", "external_id"),
      CONSTRAINT "PK_adcc7062038573c7e9ea41dab26" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE INDEX "contact_merged_into" ON "contact" ("tenant_id", "merged_into_id") WHERE merged_into_id is not null`,
    );
    await runner.query(`CREATE INDEX "contact_recent" ON "contact" ("tenant_id", "created_at", "id")`);
    await runner.query(`CREATE TABLE "contact_point" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "contact_id" uuid NOT NULL,
      "kind" text NOT NULL,
      "value" text NOT NULL,
      "position" integer NOT NULL,
      "verified_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "contact_point_once" UNIQUE ("tenant_id", "contact_id", "kind", "value"),
      CONSTRAINT "contact_point_kind" CHECK (kind in ('email', 'phone')),
      CONSTRAINT "PK_55c718d5a7f426c8726f1dc3d5d" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(`CREATE INDEX "contact_point_value" ON "contact_point" ("tenant_id", "kind", "value")`);
    await runner.query(
      `CREATE UNIQUE INDEX "contact_point_verified" ON "contact_point" ("tenant_id", "kind", "value") WHERE verified_at is not null`,
    );
    await runner.query(`CREATE TABLE "conversation" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "brand_id" uuid NOT NULL,
      "channel_id" uuid NOT NULL,
      "contact_id" uuid NOT NULL,
      "external_id" text,
      "subject" text,
      "status" text NOT NULL DEFAULT 'open',
      "handling_mode" text NOT NULL DEFAULT 'assistant',
      "assignee_id" uuid,
      "priority" text NOT NULL DEFAULT 'none',
      "labels" text array NOT NULL DEFAULT '{}',
      "language" text,
      "summary" text,
      "last_sequence" integer NOT NULL DEFAULT '0',
      "message_count" integer NOT NULL DEFAULT '0',
      "unread_count" integer NOT NULL DEFAULT '0',
      "last_message_preview" text,
      "last_activity_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "waiting_since" TIMESTAMP(3) WITH TIME ZONE,
      "first_reply_at" TIMESTAMP(3) WITH TIME ZONE,
      "snoozed_until" TIMESTAMP(3) WITH TIME ZONE,
      "resolved_at" TIMESTAMP(3) WITH TIME ZONE,
      "resolved_by" uuid,
      "resolution" text,
      "assurance_level" text NOT NULL DEFAULT 'none',
      "csat_score" real,
      "pending_action_count" integer NOT NULL DEFAULT '0',
      "open_attention_count" integer NOT NULL DEFAULT '0',
      "previous_conversation_id" uuid,
      "metadata" jsonb NOT NULL DEFAULT '{}',
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "conversation_external_id" UNIQUE ("tenant_id", "workspace_id", "external_id"),
      CONSTRAINT "conversation_assurance_level" CHECK (assurance_level in ('none', 'identified', 'high-assurance')),
      CONSTRAINT "conversation_resolution" CHECK (resolution in ('answered', 'escalated', 'abandoned', 'duplicate', 'spam')),
      CONSTRAINT "conversation_priority" CHECK (priority in ('none', 'low', 'medium', 'high', 'urgent')),
      CONSTRAINT "conversation_handling_mode" CHECK (handling_mode in ('assistant', 'human')),
      CONSTRAINT "conversation_status" CHECK (status in ('open', 'pending', 'snoozed', 'resolved')),
      CONSTRAINT "PK_3cb555caa730d0c744f09a4d5b1" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(`CREATE INDEX "conversation_of_channel" ON "conversation" ("tenant_id", "channel_id")`);
    await runner.query(
      `CREATE UNIQUE INDEX "conversation_successor" ON "conversation" ("tenant_id", "previous_conversation_id") WHERE previous_conversation_id is not null`,
    );
    await runner.query(
      `CREATE INDEX "conversation_recent_of_assignee" ON "conversation" ("tenant_id", "assignee_id", "last_activity_at", "id") WHERE assignee_id is not null`,
    );
    await runner.query(
      `CREATE INDEX "conversation_recent_of_contact" ON "conversation" ("tenant_id", "contact_id", "last_activity_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "conversation_recent_by_status" ON "conversation" ("tenant_id", "workspace_id", "status", "last_activity_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "conversation_recent_in_workspace" ON "conversation" ("tenant_id", "workspace_id", "last_activity_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "conversation_recent_in_brand" ON "conversation" ("tenant_id", "brand_id", "last_activity_at", "id")`,
    );
    await runner.query(`CREATE INDEX "conversation_recent" ON "conversation" ("tenant_id", "last_activity_at", "id")`);
    await runner.query(`CREATE TABLE "message" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "conversation_id" uuid NOT NULL,
      "sequence" integer NOT NULL,
      "direction" text NOT NULL,
      "author_type" text NOT NULL,
      "author_id" uuid,
      "body" text NOT NULL,
      "body_format" text NOT NULL DEFAULT 'text',
      "external_id" text,
      "client_message_id" text,
      "delivery_status" text NOT NULL,
      "citations" jsonb NOT NULL DEFAULT '[]',
      "confidence" real,
      "redacted_at" TIMESTAMP(3) WITH TIME ZONE,
      "occurred_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "message_sequence" UNIQUE ("tenant_id", "conversation_id", "sequence"),
      CONSTRAINT "message_delivery_status" CHECK (delivery_status in ('queued', 'sent', 'delivered', 'read', 'failed')),
      CONSTRAINT "message_body_format" CHECK (body_format in ('text', 'markdown')),
      CONSTRAINT "message_author_type" CHECK (author_type in ('contact', 'assistant', 'member', 'api', 'system')),
      CONSTRAINT "message_direction" CHECK (direction in ('inbound', 'outbound', 'internal')),
      CONSTRAINT "PK_d79d20af5afc02a1f502c71995c" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE UNIQUE INDEX "message_client_message_id" ON "message" ("tenant_id", "conversation_id", "client_message_id") WHERE client_message_id is not null`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX "message_external_id" ON "message" ("tenant_id", "conversation_id", "external_id") WHERE external_id is not null`,
    );
    await runner.query(`CREATE TABLE "idempotency_key" (
      "tenant_id" uuid NOT NULL,
      "fingerprint" bytea NOT NULL,
      "body_hash" bytea NOT NULL,
      "status" smallint,
      "response" text,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_27a1c614f69f5f5502a5e1a2398" PRIMARY KEY ("tenant_id", "fingerprint"))`);
    await runner.query(`CREATE INDEX "idempotency_key_by_age" ON "idempotency_key" ("tenant_id", "created_at")`);
    await runner.query(`CREATE TABLE "rate_window" (
      "client" text NOT NULL,
      "started_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "granted" integer NOT NULL,
      "last_grant" integer NOT NULL,
      CONSTRAINT "PK_03f11c656fb567e704fdd6dc766" PRIMARY KEY ("client"))`);
    await runner.query(`CREATE TABLE "identity_event" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "conversation_id" uuid NOT NULL,
      "written" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
      "occurred_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(),
      "event_type" text NOT NULL,
      "factor_category" text,
      "factor_type" text,
      "factor_bound_to_principal" uuid,
      "scope_dimension" text,
      "scope_values" jsonb,
      "evidence_ref" text,
      "prompt_version" text,
      "transition_key" text NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT clock_timestamp(),
      CONSTRAINT "identity_event_only_factors" CHECK (factor_category is null or event_type in ('factor_added', 'factor_failed', 'kbv_question_asked', 'kbv_question_passed', 'kbv_question_failed', 'eid_approval_requested', 'eid_link_issued', 'eid_approval_granted', 'eid_approval_denied', 'eid_approval_expired')),
      CONSTRAINT "identity_event_eid" CHECK (event_type not in ('eid_approval_requested', 'eid_link_issued', 'eid_approval_granted', 'eid_approval_denied', 'eid_approval_expired') or coalesce(factor_category = 'possession' and factor_type = 'eid_verified' and factor_bound_to_principal is not null and evidence_ref like 'eid:_%', false)),
      CONSTRAINT "identity_event_context" CHECK (event_type not in ('verification_agent_context_used') or coalesce(factor_bound_to_principal is not null and evidence_ref like 'tool:_%', false)),
      CONSTRAINT "identity_event_unconfigured" CHECK (event_type not in ('verification_not_configured') or coalesce(scope_dimension = 'workspace_id' and scope_values = jsonb_build_array(workspace_id::text), false)),
      CONSTRAINT "identity_event_assurance" CHECK (event_type not in ('assurance_level_reached') or coalesce(factor_bound_to_principal is not null and scope_dimension = 'assurance_level' and scope_values in ('["identified"]', '["high-assurance"]'), false)),
      CONSTRAINT "identity_event_ani" CHECK (event_type not in ('ani_blocked') or coalesce(scope_dimension = 'caller_ani' and jsonb_typeof(scope_values) = 'array' and jsonb_array_length(scope_values) = 1, false)),
      CONSTRAINT "identity_event_locked_per_24h" CHECK (event_type not in ('identity_locked_per_24h') or coalesce(factor_bound_to_principal is not null and evidence_ref ~ '^per_24h:cap=[0-9]+$', false)),
      CONSTRAINT "identity_event_locked_per_call" CHECK (event_type not in ('identity_locked_per_call') or coalesce(factor_bound_to_principal is not null and evidence_ref ~ '^lockout:per_call:cap=[0-9]+$', false)),
      CONSTRAINT "identity_event_question" CHECK (event_type not in ('kbv_question_asked', 'kbv_question_passed', 'kbv_question_failed') or coalesce(factor_category = 'knowledge' and factor_bound_to_principal is not null and evidence_ref like 'tool:_%', false)),
      CONSTRAINT "identity_event_factor" CHECK (event_type not in ('factor_added', 'factor_failed') or coalesce(factor_category is not null and factor_type is not null and factor_bound_to_principal is not null and evidence_ref is not null, false)),
      CONSTRAINT "identity_event_category" CHECK (factor_category in ('knowledge', 'possession', 'inherence')),
      CONSTRAINT "identity_event_type" CHECK (event_type in ('factor_added', 'factor_failed', 'kbv_question_asked', 'kbv_question_passed', 'kbv_question_failed', 'identity_locked_per_call', 'identity_locked_per_24h', 'ani_blocked', 'assurance_level_reached', 'verification_not_configured', 'verification_agent_context_used', 'eid_approval_requested', 'eid_link_issued', 'eid_approval_granted', 'eid_approval_denied', 'eid_approval_expired')),
      CONSTRAINT "PK_58f1fe3b0655b57856f557916f7" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE UNIQUE INDEX "identity_event_transition" ON "identity_event" ("tenant_id", "transition_key")`,
    );
    await runner.query(
      `CREATE INDEX "identity_event_of_principal" ON "identity_event" ("tenant_id", "factor_bound_to_principal") WHERE factor_bound_to_principal is not null`,
    );
    await runner.query(
      `CREATE INDEX "identity_event_by_age" ON "identity_event" ("tenant_id", "workspace_id", "occurred_at")`,
    );
    await runner.query(
      `CREATE INDEX "identity_event_of_conversation" ON "identity_event" ("tenant_id", "conversation_id", "occurred_at", "written")`,
    );
    await runner.query(`CREATE TABLE "kb_entry" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "status" text NOT NULL,
      "question" text NOT NULL,
      "answer" text NOT NULL,
      "alternate_questions" text array NOT NULL DEFAULT '{}',
      "language" text NOT NULL,
      "labels" text array NOT NULL DEFAULT '{}',
      "source" text NOT NULL DEFAULT 'manual',
      "confidence" double precision,
      "evidence" jsonb NOT NULL DEFAULT '[]',
      "duplicate_of_id" uuid,
      "reviewed_by" uuid,
      "reviewed_at" TIMESTAMP(3) WITH TIME ZONE,
      "rejection_reason" text,
      "valid_until" TIMESTAMP(3) WITH TIME ZONE,
      "retrieved" integer NOT NULL DEFAULT '0',
      "answered" integer NOT NULL DEFAULT '0',
      "helpful" integer NOT NULL DEFAULT '0',
      "version" integer NOT NULL DEFAULT '1',
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "kb_entry_confidence" CHECK (confidence between 0 and 1),
      CONSTRAINT "kb_entry_source" CHECK (source in ('manual', 'learning', 'import')),
      CONSTRAINT "kb_entry_status" CHECK (status in ('pending', 'approved', 'rejected', 'archived')),
      CONSTRAINT "PK_3193994bd7f102b964f1ac4de05" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE INDEX "kb_entry_duplicates" ON "kb_entry" ("tenant_id", "duplicate_of_id") WHERE duplicate_of_id is not null`,
    );
    await runner.query(
      `CREATE INDEX "kb_entry_by_status" ON "kb_entry" ("tenant_id", "workspace_id", "status", "created_at", "id")`,
    );
    await runner.query(
      `CREATE INDEX "kb_entry_of_workspace" ON "kb_entry" ("tenant_id", "workspace_id", "created_at", "id")`,
    );
    await runner.query(`CREATE TABLE "job_run" (
      "name" text NOT NULL,
      "started_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "finished_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL,
      "result" jsonb NOT NULL,
      CONSTRAINT "PK_a72b11a6ed99e4f8554c29addef" PRIMARY KEY ("name"))`);
    await runner.query(`CREATE TABLE "outbox_message" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "channel" text NOT NULL,
      "status" text NOT NULL,
      "sealed" bytea NOT NULL,
      "attempts" integer NOT NULL DEFAULT '0',
      "last_error" text,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "sent_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "outbox_message_status" CHECK (status in ('queued', 'sent', 'captured', 'dead')),
      CONSTRAINT "outbox_message_channel" CHECK (channel in ('email')),
      CONSTRAINT "PK_9a6c2fc5269c102491a62fb8980" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE INDEX "outbox_message_recent" ON "outbox_message" ("tenant_id", "status", "created_at", "id")`,
    );
    await runner.query(`CREATE TABLE "outbox_queue" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "due_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_7de3a65423b8bb4353a65bec075" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(`CREATE INDEX "outbox_queue_due" ON "outbox_queue" ("due_at")`);
    await runner.query(`CREATE TABLE "tenant" (
      "id" uuid NOT NULL,
      "organisation_id" uuid NOT NULL,
      "environment" text NOT NULL,
      "name" text NOT NULL,
      "external_id" text,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "UQ_f19ccd188c3059519b8bb6a831a" UNIQUE ("external_id"),
      CONSTRAINT "tenant_organisation" UNIQUE ("id", "organisation_id"),
      CONSTRAINT "tenant_sides" UNIQUE ("organisation_id", "environment"),
      CONSTRAINT "tenant_environment" CHECK (environment in ('live', 'test')),
      CONSTRAINT "PK_da8c6efd67bb301e810e56ac139" PRIMARY KEY ("id"))`);
    await runner.query(`CREATE TABLE "brand" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "name" text NOT NULL,
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "PK_3d964a24a729352bc44363c4274" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(`CREATE TABLE "workspace" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "brand_id" uuid NOT NULL,
      "name" text NOT NULL,
      "status" text NOT NULL DEFAULT 'active',
      "primary_language" text NOT NULL DEFAULT 'en',
      "timezone" text NOT NULL DEFAULT 'UTC',
      "assistant_enabled" boolean NOT NULL DEFAULT true,
      "identity_retention_months" smallint NOT NULL DEFAULT '24',
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "deleted_at" TIMESTAMP(3) WITH TIME ZONE,
      CONSTRAINT "workspace_brand" UNIQUE ("tenant_id", "id", "brand_id"),
      CONSTRAINT "workspace_retention" CHECK (identity_retention_months between 3 and 84),
      CONSTRAINT "workspace_status" CHECK (status in ('active', 'inactive', 'archived')),
      CONSTRAINT "PK_1ffa5d928c6cc9f8dde5914e756" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(
      `CREATE INDEX "workspace_deleted" ON "workspace" ("tenant_id", "id") WHERE deleted_at is not null`,
    );
    await runner.query(`CREATE INDEX "workspace_of_brand" ON "workspace" ("tenant_id", "brand_id")`);
    await runner.query(`CREATE TABLE "channel" (
      "tenant_id" uuid NOT NULL,
      "id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      "type" text NOT NULL,
      "name" text NOT NULL,
      "status" text NOT NULL DEFAULT 'active',
      "created_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      "updated_at" TIMESTAMP(3) WITH TIME ZONE NOT NULL DEFAULT now(),
      CONSTRAINT "channel_status" CHECK (status in ('provisioning', 'active', 'error', 'disabled')),
      CONSTRAINT "channel_type" CHECK (type in ('webchat', 'email', 'sms', 'voice', 'contact_form', 'api')),
      CONSTRAINT "PK_11a09fe0a2af965944a7887a36c" PRIMARY KEY ("tenant_id", "id"))`);
    await runner.query(`CREATE INDEX "channel_of_workspace" ON "channel" ("tenant_id", "workspace_id")`);
    await runner.query(`CREATE TABLE "purge_queue" (
      "tenant_id" uuid NOT NULL,
      "workspace_id" uuid NOT NULL,
      CONSTRAINT "PK_f7b39ef94018ef81fa030da823b" PRIMARY KEY ("tenant_id", "workspace_id"))`);
    await runner.query(
      `ALTER TABLE "api_key" ADD CONSTRAINT "FK_6101b7dd3373e2cef8f373551de" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "api_key_lookup" ADD CONSTRAINT "FK_bd531bdeca19656cfe7faf0462e" FOREIGN KEY ("tenant_id", "api_key_id") REFERENCES "api_key"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "member" ADD CONSTRAINT "FK_7594a52369dbe0de68f8ed7168e" FOREIGN KEY ("organisation_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "member_email" ADD CONSTRAINT "FK_7e095e102da9b821f96d5ecd82b" FOREIGN KEY ("organisation_id", "member_id") REFERENCES "member"("organisation_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "member_workspace" ADD CONSTRAINT "FK_c921ba4e08782963095ffc9aece" FOREIGN KEY ("tenant_id", "organisation_id") REFERENCES "tenant"("id","organisation_id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "member_workspace" ADD CONSTRAINT "FK_4923b755b7086cb54e81ac5bf47" FOREIGN KEY ("organisation_id", "member_id") REFERENCES "member"("organisation_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "member_workspace" ADD CONSTRAINT "FK_95bf5664317bdf93d5cf3515029" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "member_session" ADD CONSTRAINT "FK_ee33aa258ad478c5f1186b8f703" FOREIGN KEY ("organisation_id", "member_id") REFERENCES "member"("organisation_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "contact" ADD CONSTRAINT "FK_2309babdc97315ac4ac9a3008c9" FOREIGN KEY ("tenant_id", "merged_into_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "contact" ADD CONSTRAINT "FK_08659a4b4210fdb80bd62139099" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "contact_point" ADD CONSTRAINT "FK_f2d1cadbd0fb575747a97d202a7" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "conversation" ADD CONSTRAINT "FK_5c32e20a41627321b82f5e6761b" FOREIGN KEY ("tenant_id", "previous_conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "conversation" ADD CONSTRAINT "FK_2c779341e4d6e432dad385ad8c5" FOREIGN KEY ("tenant_id", "contact_id") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "conversation" ADD CONSTRAINT "FK_2f42b49163c1517b8fd78437c38" FOREIGN KEY ("tenant_id", "channel_id") REFERENCES "channel"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "conversation" ADD CONSTRAINT "FK_105099626434e0fdba05738152f" FOREIGN KEY ("tenant_id", "workspace_id", "brand_id") REFERENCES "workspace"("tenant_id","id","brand_id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "message" ADD CONSTRAINT "FK_71a40827f97e1ad6cb9510195fd" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "idempotency_key" ADD CONSTRAINT "FK_a938d0bc4de73d634552dd67d7b" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "identity_event" ADD CONSTRAINT "FK_d1ce366f65305ca2b484e9ff3c8" FOREIGN KEY ("tenant_id", "factor_bound_to_principal") REFERENCES "contact"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "identity_event" ADD CONSTRAINT "FK_b1695072f286f3caf5daf358500" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "identity_event" ADD CONSTRAINT "FK_e2b5c10512d7dc12150b982e9bf" FOREIGN KEY ("tenant_id", "conversation_id") REFERENCES "conversation"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "kb_entry" ADD CONSTRAINT "FK_524daee3632d836730340ccb7f8" FOREIGN KEY ("tenant_id", "duplicate_of_id") REFERENCES "kb_entry"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "kb_entry" ADD CONSTRAINT "FK_9efd96ff26a226a1ce2090abf31" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "outbox_message" ADD CONSTRAINT "FK_dce6640d98d190a8e9ee667d220" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "outbox_queue" ADD CONSTRAINT "FK_7de3a65423b8bb4353a65bec075" FOREIGN KEY ("tenant_id", "id") REFERENCES "outbox_message"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "brand" ADD CONSTRAINT "FK_515de745acc073b9917eaed3a78" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "workspace" ADD CONSTRAINT "FK_b4805f6ed3daffdba7b9240548c" FOREIGN KEY ("tenant_id", "brand_id") REFERENCES "brand"("tenant_id","id") ON DELETE NO ACTION ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "channel" ADD CONSTRAINT "FK_f0db86a6148348eba6561896a24" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
    await runner.query(
      `ALTER TABLE "purge_queue" ADD CONSTRAINT "FK_f7b39ef94018ef81fa030da823b" FOREIGN KEY ("tenant_id", "workspace_id") REFERENCES "workspace"("tenant_id","id") ON DELETE CASCADE ON UPDATE NO ACTION`,
    );
  }

  down(): Promise<void> {
    return Promise.reject(new Error("Migrations go forward only: restore a backup instead"));
  }
}
