-- The audit log. The application reads it; the triggers of audit-triggers.sql write it.

create table audit_entry (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null,
  actor_kind text not null,
  actor_id uuid,
  action text not null,
  change text not null,
  resource_type text not null,
  resource_id uuid,
  workspace_id uuid,
  conversation_id uuid,
  fields text[] not null default '{}',
  counts jsonb,
  constraint "PK_32062de2305f210f80cd35c786c" primary key (tenant_id, id),
  constraint audit_entry_change check (change in ('created', 'updated', 'deleted'))
);
create index audit_entry_of_type on audit_entry (tenant_id, resource_type, id)
  where resource_type <> 'message';
create index audit_entry_of_resource on audit_entry (tenant_id, resource_id, id);
create index audit_entry_of_actor on audit_entry (tenant_id, actor_id, id);
call isolate('audit_entry', grants => 'select');
