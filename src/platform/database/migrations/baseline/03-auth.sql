-- Members and their sessions, which both sides of a tenant share, and API keys, which belong to one side.

create table member (
  organisation_id uuid not null,
  id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  password_hash text,
  invitation_hash text,
  invitation_expires_at timestamptz(3),
  invitation_mailed boolean not null default false,
  presence text not null default 'offline',
  last_seen_at timestamptz(3),
  removed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deactivated_at timestamptz(3),
  constraint "PK_08cde7dd3eba65c713187e62c51" primary key (organisation_id, id),
  constraint member_role check (role in ('owner', 'admin', 'agent', 'observer', 'billing')),
  constraint member_presence check (presence in ('online', 'away', 'offline')),
  constraint "FK_7594a52369dbe0de68f8ed7168e" foreign key (organisation_id)
    references tenant (id)
);
call isolate('member');

create table member_email (
  organisation_id uuid not null,
  member_id uuid not null,
  email text not null,
  proven_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint "PK_7e095e102da9b821f96d5ecd82b" primary key (organisation_id, member_id),
  constraint "FK_7e095e102da9b821f96d5ecd82b" foreign key (organisation_id, member_id)
    references member (organisation_id, id) on delete cascade
);
create unique index member_email_of_tenant on member_email (organisation_id, email);
create unique index member_email_proven on member_email (email) where proven_at is not null;
create index member_email_known on member_email (email);
grant select, insert, update, delete on member_email to parley_app;

create table member_identity (
  issuer text not null,
  subject text not null,
  organisation_id uuid not null,
  member_id uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint "PK_a7ab2ecd87ca2ac8efca0da9c34" primary key (issuer, subject),
  constraint "FK_3fcb29c69417fff2f1b7ff2bb8b" foreign key (organisation_id, member_id)
    references member (organisation_id, id) on delete cascade
);
create unique index member_identity_of_member on member_identity (organisation_id, member_id, issuer);
grant select, insert, update, delete on member_identity to parley_app;

create table member_link (
  organisation_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  purpose text not null,
  hash text not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint "PK_d0ea79a930162ec0670a2ac3535" primary key (organisation_id, id),
  constraint member_link_purpose check (purpose in ('email_proof', 'password_reset')),
  constraint "FK_9f10b7916114b91ecaf236588e0" foreign key (organisation_id, member_id)
    references member (organisation_id, id) on delete cascade
);
create index member_link_of_member on member_link (organisation_id, member_id, created_at);
create index member_link_by_age on member_link (organisation_id, expires_at);
call isolate('member_link');

create table member_workspace (
  tenant_id uuid not null,
  member_id uuid not null,
  workspace_id uuid not null,
  organisation_id uuid not null,
  constraint "PK_ff0ef328606185a09ea74124648" primary key (tenant_id, member_id, workspace_id),
  constraint "FK_c921ba4e08782963095ffc9aece" foreign key (tenant_id, organisation_id)
    references tenant (id, organisation_id),
  constraint "FK_4923b755b7086cb54e81ac5bf47" foreign key (organisation_id, member_id)
    references member (organisation_id, id) on delete cascade,
  constraint "FK_95bf5664317bdf93d5cf3515029" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index member_workspace_of_workspace on member_workspace (tenant_id, workspace_id);
create index member_workspace_of_member on member_workspace (organisation_id, member_id);
call isolate('member_workspace');

create table member_preferences (
  organisation_id uuid not null,
  member_id uuid not null,
  value jsonb not null default '{}',
  signature text,
  updated_at timestamptz(3) not null default now(),
  constraint "PK_e21baf3da8a3ce00ecb8e3a99f7" primary key (organisation_id, member_id),
  constraint "FK_e21baf3da8a3ce00ecb8e3a99f7" foreign key (organisation_id, member_id)
    references member (organisation_id, id) on delete cascade
);
call isolate('member_preferences');

create table member_session (
  organisation_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  environment text not null,
  refresh_number integer not null default 1,
  used_number integer not null default 0,
  rotated_at timestamptz(3) not null default now(),
  authenticated_at timestamptz(3) not null default now(),
  external boolean not null default false,
  device text not null,
  address text not null,
  network text not null,
  last_used_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint "PK_c46c664d3abca9fca745dca909f" primary key (organisation_id, id),
  constraint "FK_ee33aa258ad478c5f1186b8f703" foreign key (organisation_id, member_id)
    references member (organisation_id, id) on delete cascade
);
create index member_session_by_age on member_session (organisation_id, expires_at);
create index member_session_of_member on member_session (organisation_id, member_id);
call isolate('member_session');

create table second_factor (
  organisation_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  type text not null,
  name text not null,
  sealed bytea,
  last_step integer,
  tries integer not null default 0,
  tries_since timestamptz(3) not null default now(),
  challenge text,
  credential_id text,
  public_key text,
  counter bigint not null default '0',
  transports text[] not null default '{}',
  confirmed_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint "PK_4a2bc84d5fe0c4b4916e934925b" primary key (organisation_id, id),
  constraint second_factor_credential unique (organisation_id, credential_id),
  constraint second_factor_type check (type in ('totp', 'passkey')),
  constraint second_factor_totp_secret check ((type = 'totp') = (sealed is not null)),
  constraint second_factor_passkey_key check (type = 'totp' or confirmed_at is null or public_key is not null),
  constraint "FK_e1e4ee7b0424e854e78cb5a82ed" foreign key (organisation_id, member_id)
    references member (organisation_id, id) on delete cascade
);
create index second_factor_of_member on second_factor (organisation_id, member_id);
create unique index second_factor_totp on second_factor (organisation_id, member_id) where type = 'totp';
call isolate('second_factor');

create table recovery_code (
  organisation_id uuid not null,
  member_id uuid not null,
  hash text not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint "PK_6b6c58548a67ca363aa8eb9dfc5" primary key (organisation_id, member_id, hash),
  constraint "FK_792e7abb70168a484691e9dfc4b" foreign key (organisation_id, member_id)
    references member (organisation_id, id) on delete cascade
);
call isolate('recovery_code');

create table pending_sign_in (
  organisation_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  environment text not null,
  token_hash text not null,
  challenge text,
  tries integer not null default 0,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  constraint "PK_1a4d9cd9a07d8780a60a984bd06" primary key (organisation_id, id),
  constraint "FK_bf7593c9cb46da7ececd46a4a87" foreign key (organisation_id, member_id)
    references member (organisation_id, id) on delete cascade
);
create index pending_sign_in_of_member on pending_sign_in (organisation_id, member_id);
create index pending_sign_in_by_age on pending_sign_in (organisation_id, expires_at);
call isolate('pending_sign_in');

create table release_queue (
  tenant_id uuid not null,
  member_id uuid not null,
  queued_at timestamptz(3) not null default now(),
  constraint "PK_bbbd5bc2dcb0becaa6b3e37e193" primary key (tenant_id, member_id)
);
grant select, insert, update, delete on release_queue to parley_app;

create table login_attempt (
  subject text not null,
  attempts integer not null,
  started_at timestamptz(3) not null,
  constraint "PK_3c29dcdaf70a18a42cf1df49d3e" primary key (subject)
);
grant select, insert, update, delete on login_attempt to parley_app;

create table security_event (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null,
  type text not null,
  actor_kind text not null,
  actor_id uuid,
  member_id uuid,
  address text,
  user_agent text,
  detail jsonb not null,
  constraint "PK_4290101f34ce8d28f5e9ab119ea" primary key (tenant_id, id),
  constraint "FK_41df27b2a7eb5b8829f97e38f5f" foreign key (tenant_id)
    references tenant (id)
);
create index security_event_of_type on security_event (tenant_id, type, id);
create index security_event_of_actor on security_event (tenant_id, actor_id, id);
create index security_event_of_member on security_event (tenant_id, member_id, id);
call isolate('security_event', grants => 'select');

create table api_key (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  scopes text[] not null,
  brand_id uuid,
  workspace_id uuid,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created_by uuid,
  lineage_id uuid,
  created_at timestamptz(3) not null default now(),
  constraint "PK_d63104d57aadffab05951dc40be" primary key (tenant_id, id),
  constraint api_key_data_scope check (brand_id is null or workspace_id is null),
  constraint api_key_scopes check (cardinality(scopes) > 0),
  constraint "FK_6101b7dd3373e2cef8f373551de" foreign key (tenant_id)
    references tenant (id)
);
create index api_key_recent on api_key (tenant_id, created_at);
call isolate('api_key');

create table api_key_lookup (
  hash bytea not null,
  tenant_id uuid not null,
  api_key_id uuid not null,
  last_used_at timestamptz(3),
  constraint "PK_19701cba38a9a7bd2fa353d3fa3" primary key (hash),
  constraint "FK_bd531bdeca19656cfe7faf0462e" foreign key (tenant_id, api_key_id)
    references api_key (tenant_id, id) on delete cascade
);
create unique index api_key_lookup_key on api_key_lookup (tenant_id, api_key_id);
grant select, insert, update, delete on api_key_lookup to parley_app;
