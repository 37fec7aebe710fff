-- Approvals with an eID: the schemes of workspaces, requests, when to look at them again, and who is whom.

create table eid_scheme (
  tenant_id uuid not null,
  workspace_id uuid not null,
  name text not null,
  position integer not null,
  issuer text not null,
  client_id text not null,
  sealed bytea,
  acr_values text[] not null,
  person_identifier_claim text not null,
  binding jsonb not null,
  constraint "PK_aa34b007f64ad4185c7bf10d606" primary key (tenant_id, workspace_id, name),
  constraint "FK_cb24649027e76fc866a3525c663" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
call isolate('eid_scheme');

create table eid_request (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  contact_id uuid not null,
  scheme text not null,
  issuer text not null,
  mode text not null,
  status text not null default 'pending',
  sealed bytea,
  link_hash text,
  state_hash text,
  browser_hash text,
  returned_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  finished_at timestamptz(3),
  person bytea,
  confirmable_until timestamptz(3),
  constraint "PK_576f2e0d21a7d2e317557cc8540" primary key (tenant_id, id),
  constraint eid_request_mode check (mode in ('push', 'link')),
  constraint eid_request_status check (status in ('pending', 'granted', 'denied', 'expired', 'failed')),
  constraint eid_request_approval check (
    (person is null) = (confirmable_until is null) and (person is null or status = 'granted')
  ),
  constraint eid_request_over check (
    (status = 'pending') = (finished_at is null) and (status = 'pending' or sealed is null)
  ),
  constraint "FK_b26d3e23de55c135b64f669e7d6" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id),
  constraint "FK_5c0a7c15a8ec6532318559298d2" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create unique index eid_request_one_prompt on eid_request (tenant_id, contact_id)
  where status = 'pending' and mode = 'push';
create index eid_request_finished on eid_request (tenant_id, finished_at);
create index eid_request_of_contact on eid_request (tenant_id, contact_id);
create index eid_request_of_conversation on eid_request (tenant_id, conversation_id);
call isolate('eid_request');

create table eid_due (
  tenant_id uuid not null,
  request_id uuid not null,
  due_at timestamptz(3) not null,
  interval_seconds integer,
  ends_at timestamptz(3) not null,
  constraint "PK_609e4c63c3c3200a85a78c3c780" primary key (tenant_id, request_id),
  constraint "FK_609e4c63c3c3200a85a78c3c780" foreign key (tenant_id, request_id)
    references eid_request (tenant_id, id) on delete cascade
);
create index eid_due_next on eid_due (due_at);
create index eid_due_turn on eid_due (tenant_id, due_at);
grant select, insert, update, delete on eid_due to parley_app;

create table eid_binding (
  tenant_id uuid not null,
  contact_id uuid not null,
  issuer text not null,
  person bytea not null,
  bound_at timestamptz(3) not null default clock_timestamp(),
  constraint "PK_9d0d8384c0a14637734128cd3bf" primary key (tenant_id, contact_id, issuer),
  constraint "FK_bdc7874fcd2eaedbc74ca53168f" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id)
);
create unique index eid_binding_of_person on eid_binding (tenant_id, issuer, person);
call isolate('eid_binding');
