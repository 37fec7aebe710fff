-- What channels of a kind need: what was received, mailboxes, web chat and widgets.

create table received_message (
  tenant_id uuid not null,
  channel_id uuid not null,
  fingerprint bytea not null,
  conversation_id uuid not null,
  message_id uuid not null,
  named_only boolean default false not null,
  constraint "PK_ed9eb26790fc371835a84cae5fd" primary key (tenant_id, channel_id, fingerprint),
  constraint "FK_68ecaab73bbdac6ae5d361d8023" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade,
  constraint "FK_112ce685d51b41564016b0719a7" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id) on delete cascade
);
create index received_message_of_conversation on received_message (tenant_id, conversation_id);
call isolate('received_message');

create table mailbox (
  tenant_id uuid not null,
  channel_id uuid not null,
  validity text,
  last_uid bigint not null default '0',
  newest_at timestamptz(3) not null default now(),
  failing_since timestamptz(3),
  reading_uid bigint,
  reading_attempts integer not null default 0,
  delta_link text,
  delta_read bigint[] not null default '{}',
  webhook_at timestamptz(3),
  webhook_error text,
  constraint "PK_d127312a42c5aa3b06a6bb2e588" primary key (tenant_id, channel_id),
  constraint "FK_d127312a42c5aa3b06a6bb2e588" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id) on delete cascade
);
call isolate('mailbox');

create table mailbox_lease (
  tenant_id uuid not null,
  channel_id uuid not null,
  holder uuid,
  held_until timestamptz(3) not null default now(),
  constraint "PK_ee6f9a1b5014fe5757189969bb1" primary key (tenant_id, channel_id),
  constraint "FK_ee6f9a1b5014fe5757189969bb1" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id) on delete cascade
);
create index mailbox_lease_of_holder on mailbox_lease (holder);
grant select, insert, update, delete on mailbox_lease to parley_app;

create table mail_delivery (
  tenant_id uuid not null,
  channel_id uuid not null,
  content text not null,
  attempts integer not null default 1,
  stored boolean not null default false,
  created_at timestamptz(3) not null default now(),
  constraint "PK_e4600a34a172ef56b5d45e6436d" primary key (tenant_id, channel_id, content),
  constraint "FK_cdf31baa2895400b9146452637c" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id) on delete cascade
);
call isolate('mail_delivery');

create table mail_token (
  tenant_id uuid not null,
  channel_id uuid not null,
  token text not null,
  content text not null,
  created_at timestamptz(3) not null default now(),
  constraint "PK_940f0b2304e210809c54cd3c57d" primary key (tenant_id, channel_id, token),
  constraint "FK_5fe75974faf3da3262444ea2001" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id) on delete cascade
);
call isolate('mail_token');

create table webchat_session (
  tenant_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  visitor_id uuid not null,
  contact_id uuid,
  signed boolean not null default false,
  number integer not null default 1,
  rotated_at timestamptz(3) not null default clock_timestamp(),
  confirmed_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint "PK_9b0ca7d840be282cdc60f31f84c" primary key (tenant_id, id),
  constraint "FK_f42ba0b82d83562be4c0e29603a" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id) on delete cascade
);
create index webchat_session_rotated on webchat_session (tenant_id, rotated_at);
create index webchat_session_of_contact on webchat_session (tenant_id, contact_id)
  where contact_id is not null;
create index webchat_session_of_channel on webchat_session (tenant_id, channel_id);
call isolate('webchat_session');

create table webchat_thread (
  tenant_id uuid not null,
  conversation_id uuid not null,
  visitor_id uuid not null,
  constraint "PK_1ba8f403cec2957bd2c97ad4ae0" primary key (tenant_id, conversation_id),
  constraint "FK_1ba8f403cec2957bd2c97ad4ae0" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index webchat_thread_of_visitor on webchat_thread (tenant_id, visitor_id);
call isolate('webchat_thread');

create table widget (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  kind text not null,
  channel_id uuid,
  name text not null,
  public_key text not null,
  allowed_origins text[] not null default '{}',
  settings jsonb not null,
  enabled boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_1bf20e6441c624bea59b1fdabee" primary key (tenant_id, id),
  constraint widget_kind check (kind in ('kb', 'contact_form')),
  constraint widget_channel check ((kind = 'contact_form') = (channel_id is not null)),
  constraint "FK_ab50825201e573eb9f4ee033a08" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id) on delete cascade,
  constraint "FK_84ad2b4fa98a3dcd736c47269e2" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index widget_of_channel on widget (tenant_id, channel_id) where channel_id is not null;
create index widget_of_workspace on widget (tenant_id, workspace_id, kind, created_at);
call isolate('widget');

create table widget_lookup (
  public_key text not null,
  tenant_id uuid not null,
  widget_id uuid not null,
  constraint "PK_d4789ec1cda23ef099dd1587d6b" primary key (public_key),
  constraint "FK_fb2db4202714de7787b5d32d85a" foreign key (tenant_id, widget_id)
    references widget (tenant_id, id) on delete cascade
);
create unique index widget_lookup_widget on widget_lookup (tenant_id, widget_id);
grant select, insert, update, delete on widget_lookup to parley_app;
