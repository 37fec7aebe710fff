-- Calendar connections with their calendars and busy times, and bookings that are written to them.

create table calendar_connection (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  provider text not null,
  server_url text not null,
  account_email text,
  credentials bytea,
  credential_fingerprint text,
  status text not null default 'connected',
  revision integer not null default 1,
  attempts integer not null default 0,
  last_error text,
  failing_since timestamptz(3),
  next_retry_at timestamptz(3),
  last_synced_at timestamptz(3),
  discovered_at timestamptz(3),
  disconnected_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_b19a2caab934df69113799d1288" primary key (tenant_id, id),
  constraint calendar_connection_status check (status in ('connected', 'expired', 'error')),
  constraint calendar_connection_credentials check ((credentials is null) = (credential_fingerprint is null)),
  constraint calendar_connection_disconnected check (disconnected_at is null or credentials is null),
  constraint "FK_629acc45e5d313ce8683e627c2a" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index calendar_connection_of_workspace on calendar_connection
  (tenant_id, workspace_id, created_at, id);
call isolate('calendar_connection');

create table calendar (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  connection_id uuid not null,
  url text not null,
  name text not null,
  timezone text not null,
  is_primary boolean not null default false,
  writable boolean not null default true,
  available boolean not null default true,
  sync_token text,
  ctag text,
  known_until timestamptz(3),
  unreadable_events integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_7d2b1abc3b663a11d000e6a184d" primary key (tenant_id, id),
  constraint calendar_url unique (tenant_id, connection_id, url),
  constraint "FK_b19a2caab934df69113799d1288" foreign key (tenant_id, connection_id)
    references calendar_connection (tenant_id, id) on delete cascade,
  constraint "FK_67c936aab856add9d02f9e3890d" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index calendar_of_workspace on calendar (tenant_id, workspace_id);
call isolate('calendar');

create table calendar_event (
  tenant_id uuid not null,
  calendar_id uuid not null,
  resource text not null,
  etag text not null,
  readable boolean not null default true,
  constraint "PK_6cbb97989c4b6d874854935e3ab" primary key (tenant_id, calendar_id, resource),
  constraint "FK_ecd60f323daf71cf305afbe4a20" foreign key (tenant_id, calendar_id)
    references calendar (tenant_id, id) on delete cascade
);
call isolate('calendar_event');

create table calendar_busy (
  tenant_id uuid not null,
  calendar_id uuid not null,
  resource text not null,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  constraint "PK_f8fd1fdd26d18df15939176c06f" primary key (tenant_id, calendar_id, resource, starts_at),
  constraint "FK_1b3f48f8f0c5dffa4a640ed799f" foreign key (tenant_id, calendar_id, resource)
    references calendar_event (tenant_id, calendar_id, resource) on delete cascade
);
create index calendar_busy_times on calendar_busy (tenant_id, calendar_id, ends_at, starts_at);
call isolate('calendar_busy');

create table calendar_due (
  tenant_id uuid not null,
  connection_id uuid not null,
  due_at timestamptz(3) not null default now(),
  holder uuid,
  held_until timestamptz(3) not null default now(),
  constraint "PK_81add45fcfe6bdb7cd42a53264e" primary key (tenant_id, connection_id),
  constraint "FK_81add45fcfe6bdb7cd42a53264e" foreign key (tenant_id, connection_id)
    references calendar_connection (tenant_id, id) on delete cascade
);
create index calendar_due_next on calendar_due (due_at);
create index calendar_due_turn on calendar_due (tenant_id, due_at);
grant select, insert, update, delete on calendar_due to parley_app;

create table booking (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  calendar_id uuid not null,
  conversation_id uuid,
  contact_id uuid,
  title text not null,
  description text,
  location text,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  status text not null default 'confirmed',
  revision integer not null default 1,
  written integer not null default 0,
  url text,
  etag text,
  seen text,
  sent text,
  last_error text,
  conflict jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  redacted_at timestamptz(3),
  constraint "PK_b0ec827bee670a3639de949e0b1" primary key (tenant_id, id),
  constraint booking_status check (status in ('tentative', 'confirmed', 'cancelled', 'completed', 'no_show')),
  constraint booking_times check (starts_at < ends_at),
  constraint booking_erased check (
    redacted_at is null or (title = '' and description is null and location is null and contact_id is null
    and seen is null and sent is null and conflict is null)
  ),
  constraint "FK_c736b24c3c6d330e3ef1f20ba52" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id),
  constraint "FK_e3762c7e798c1af9b25b4fbf598" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade,
  constraint "FK_de266f8237f024e8341f220aafc" foreign key (tenant_id, calendar_id)
    references calendar (tenant_id, id) on delete cascade,
  constraint "FK_757b7b24d503da0a1785a8dc764" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index booking_of_contact on booking (tenant_id, contact_id, starts_at, id)
  where contact_id is not null;
create index booking_of_conversation on booking (tenant_id, conversation_id, starts_at, id)
  where conversation_id is not null;
create index booking_busy on booking (tenant_id, calendar_id, ends_at, starts_at)
  where status in ('tentative', 'confirmed');
create index booking_of_calendar on booking (tenant_id, calendar_id, starts_at, id);
create index booking_by_status on booking (tenant_id, workspace_id, status, starts_at, id);
create index booking_of_workspace on booking (tenant_id, workspace_id, starts_at, id);
call isolate('booking');

create table calendar_write (
  tenant_id uuid not null,
  booking_id uuid not null,
  connection_id uuid not null,
  due_at timestamptz(3) not null default now(),
  attempts integer not null default 0,
  constraint "PK_e70734c2587206e6ae2ef2c61d5" primary key (tenant_id, booking_id),
  constraint "FK_c67772c79897532e8a42bd78bc6" foreign key (tenant_id, connection_id)
    references calendar_connection (tenant_id, id) on delete cascade,
  constraint "FK_e70734c2587206e6ae2ef2c61d5" foreign key (tenant_id, booking_id)
    references booking (tenant_id, id) on delete cascade
);
create index calendar_write_due on calendar_write (tenant_id, connection_id, due_at);
call isolate('calendar_write');

alter table attention_item
  add constraint "FK_1d258abfa38dddce800c3be05fb" foreign key (tenant_id, calendar_connection_id)
    references calendar_connection (tenant_id, id) on delete cascade;
