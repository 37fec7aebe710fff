-- Webhooks to the outside: endpoints of the tenants, what they are told, and up to where the feed was read for that.

create table webhook_endpoint (
  tenant_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  events text[] not null,
  status text not null default 'active',
  sealed bytea not null,
  previous_until timestamptz(3),
  active_after text not null,
  active_epoch text not null,
  failing_since timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_6a23e145a3a5bfb8704a39f76eb" primary key (tenant_id, id),
  constraint webhook_endpoint_status check (status in ('active', 'disabled')),
  constraint "FK_8985d739e54b22543b7d23e273a" foreign key (tenant_id)
    references tenant (id)
);
call isolate('webhook_endpoint');

create table webhook_delivery (
  tenant_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  type text not null,
  body text not null,
  status text not null,
  outbox_id uuid not null,
  attempts jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  constraint "PK_7e329a4f0d4da58274a581ebac9" primary key (tenant_id, id),
  constraint webhook_delivery_status check (status in ('queued', 'succeeded', 'failed', 'captured')),
  constraint "FK_02457cfc65be8faaca8e4dbc0b1" foreign key (tenant_id)
    references tenant (id)
);
create unique index webhook_delivery_event on webhook_delivery (tenant_id, endpoint_id, event_id);
create unique index webhook_delivery_outbox on webhook_delivery (tenant_id, outbox_id);
create index webhook_delivery_recent on webhook_delivery (tenant_id, endpoint_id, created_at, id);
create index webhook_delivery_by_status on webhook_delivery (tenant_id, endpoint_id, status, created_at, id);
create index webhook_delivery_by_age on webhook_delivery (tenant_id, created_at);
call isolate('webhook_delivery');

create table webhook_due (
  tenant_id uuid not null,
  transaction_id bigint not null,
  position bigint not null,
  epoch text not null,
  due_at timestamptz(3) not null,
  claimed boolean not null default false,
  constraint "PK_07a5656b612e4d595d3ddb94b36" primary key (tenant_id),
  constraint "FK_07a5656b612e4d595d3ddb94b36" foreign key (tenant_id)
    references tenant (id)
);
create index webhook_due_next on webhook_due (due_at);
grant select, insert, update, delete on webhook_due to parley_app;
