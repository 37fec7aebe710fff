-- What members are told of while they look elsewhere: their devices, mentions that nobody read yet, and up to where the feed was
-- read for that.

create table push_subscription (
  organisation_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  session_id uuid,
  device text not null,
  language text not null,
  endpoint_hash bytea not null,
  keys_hash bytea not null,
  sealed bytea not null,
  last_success_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint "PK_14472267e88033622355c5c9a8a" primary key (organisation_id, id),
  constraint "FK_e4792962f7b87320461cb90bf40" foreign key (organisation_id, member_id)
    references member (organisation_id, id) on delete cascade,
  constraint "FK_522e53c7fc3ce8750e780858519" foreign key (organisation_id, session_id)
    references member_session (organisation_id, id) on delete cascade
);
create unique index push_subscription_endpoint on push_subscription (organisation_id, endpoint_hash);
create index push_subscription_of_member on push_subscription (organisation_id, member_id);
create index push_subscription_of_session on push_subscription (organisation_id, session_id);
call isolate('push_subscription');

create table unread_mention (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  member_id uuid not null,
  sequence integer not null,
  due_at timestamptz(3) not null,
  constraint "PK_1ff7d4ca6d8619576db6f8913b0" primary key (tenant_id, id),
  constraint "FK_73d7ad47bf573d5eec543431fe0" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create unique index unread_mention_of_member on unread_mention (tenant_id, conversation_id, member_id);
create index unread_mention_next on unread_mention (due_at);
create index unread_mention_turn on unread_mention (tenant_id, due_at);
grant select, insert, update, delete on unread_mention to parley_app;

create table notice_due (
  tenant_id uuid not null,
  transaction_id bigint not null,
  position bigint not null,
  epoch text not null,
  due_at timestamptz(3) not null,
  claimed boolean not null default false,
  constraint "PK_a0be2a1d679cd8e67f821c2db45" primary key (tenant_id),
  constraint "FK_a0be2a1d679cd8e67f821c2db45" foreign key (tenant_id)
    references tenant (id)
);
create index notice_due_next on notice_due (due_at);
grant select, insert, update, delete on notice_due to parley_app;
