-- Conversations with their messages, labels and attachments, their search index, and what is consumed.

create table label (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  colour text not null default 'gray',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_68461cf9b60fe3a49c305641173" primary key (tenant_id, id),
  constraint label_name unique (tenant_id, name),
  constraint label_colour check (
    colour in ('gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink')
  ),
  constraint "FK_ad20bb497b31610198080567a94" foreign key (tenant_id)
    references tenant (id)
);
call isolate('label');

create table conversation (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  brand_id uuid not null,
  channel_id uuid not null,
  contact_id uuid not null,
  external_id text,
  subject text,
  status text not null default 'open',
  handling_mode text not null default 'assistant',
  assignee_id uuid,
  priority text not null default 'none',
  labels text[] not null default '{}',
  language text,
  summary text,
  last_sequence integer not null default 0,
  message_count integer not null default 0,
  unread_count integer not null default 0,
  last_message_preview text,
  last_activity_at timestamptz(3) not null default now(),
  waiting_since timestamptz(3),
  first_reply_at timestamptz(3),
  snoozed_until timestamptz(3),
  resolved_at timestamptz(3),
  resolved_by uuid,
  resolution text,
  assurance_level text not null default 'none',
  csat_score real,
  pending_action_count integer not null default 0,
  open_attention_count integer not null default 0,
  previous_conversation_id uuid,
  metadata jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  redacted_at timestamptz(3),
  caller_id text,
  delivers boolean not null default false,
  assisted boolean not null default false,
  channel_type text,
  account_id uuid,
  last_turn integer not null default 0,
  context_from integer not null default 0,
  summary_derived boolean not null default false,
  sender_proof text,
  constraint "PK_3cb555caa730d0c744f09a4d5b1" primary key (tenant_id, id),
  constraint conversation_external_id unique (tenant_id, workspace_id, external_id),
  constraint conversation_status check (status in ('open', 'pending', 'snoozed', 'resolved')),
  constraint conversation_handling_mode check (handling_mode in ('assistant', 'human')),
  constraint conversation_priority check (priority in ('none', 'low', 'medium', 'high', 'urgent')),
  constraint conversation_resolution check (
    resolution in ('answered', 'escalated', 'abandoned', 'duplicate', 'spam')
  ),
  constraint conversation_assurance_level check (assurance_level in ('none', 'identified', 'high-assurance')),
  constraint conversation_sender_proof check (sender_proof in ('none', 'channel', 'signed')),
  constraint conversation_erased check (
    redacted_at is null or (external_id is null and subject is null and caller_id is null
    and summary is null and last_message_preview is null and labels = '{}' and metadata = '{}')
  ),
  constraint "FK_5c32e20a41627321b82f5e6761b" foreign key (tenant_id, previous_conversation_id)
    references conversation (tenant_id, id),
  constraint "FK_2c779341e4d6e432dad385ad8c5" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id),
  constraint "FK_2f42b49163c1517b8fd78437c38" foreign key (tenant_id, channel_id)
    references channel (tenant_id, id),
  constraint "FK_105099626434e0fdba05738152f" foreign key (tenant_id, workspace_id, brand_id)
    references workspace (tenant_id, id, brand_id)
);
create index conversation_of_channel on conversation (tenant_id, channel_id);
create unique index conversation_successor on conversation (tenant_id, previous_conversation_id)
  where previous_conversation_id is not null;
create index conversation_waiting_anywhere on conversation (tenant_id, waiting_since, id)
  where waiting_since is not null;
create index conversation_waiting on conversation (tenant_id, workspace_id, waiting_since, id)
  where waiting_since is not null;
create index conversation_unread_anywhere on conversation (tenant_id, last_activity_at, id)
  where unread_count > 0;
create index conversation_unread on conversation (tenant_id, workspace_id, last_activity_at, id)
  where unread_count > 0;
create index conversation_recent_of_assignee_anywhere on conversation
  (tenant_id, assignee_id, status, last_activity_at, id);
create index conversation_recent_of_assignee on conversation
  (tenant_id, workspace_id, assignee_id, status, last_activity_at, id);
create index conversation_recent_of_contact_anywhere on conversation
  (tenant_id, contact_id, last_activity_at, id);
create index conversation_recent_of_contact on conversation
  (tenant_id, workspace_id, contact_id, last_activity_at, id);
create index conversation_recent_by_status_anywhere on conversation (tenant_id, status, last_activity_at, id);
create index conversation_recent_by_status on conversation
  (tenant_id, workspace_id, status, last_activity_at, id);
create index conversation_recent_in_workspace on conversation (tenant_id, workspace_id, last_activity_at, id);
create index conversation_recent_in_brand on conversation (tenant_id, brand_id, last_activity_at, id);
create index conversation_recent on conversation (tenant_id, last_activity_at, id);
call isolate('conversation');

-- Without it the planner takes workspace and tenant for independent, and combines two bitmaps.
create statistics conversation_workspace (dependencies, mcv) on tenant_id, brand_id, workspace_id from conversation;

create table message (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  sequence integer not null,
  direction text not null,
  author_type text not null,
  author_id uuid,
  brought_by uuid,
  body text not null,
  body_format text not null default 'text',
  external_id text,
  client_message_id text,
  delivery_status text not null,
  citations jsonb not null default '[]',
  confidence real,
  authentication jsonb,
  redacted_at timestamptz(3),
  occurred_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  mentions uuid[],
  held_until timestamptz(3),
  waited_since timestamptz(3),
  unread_before integer,
  undo jsonb,
  sender_proof text,
  recipients jsonb,
  by_participant boolean not null default false,
  choices text[],
  constraint "PK_d79d20af5afc02a1f502c71995c" primary key (tenant_id, id),
  constraint message_sequence unique (tenant_id, conversation_id, sequence),
  constraint message_direction check (direction in ('inbound', 'outbound', 'internal')),
  constraint message_author_type check (author_type in ('contact', 'assistant', 'member', 'api', 'system')),
  constraint message_body_format check (body_format in ('text', 'markdown')),
  constraint message_sender_proof check (sender_proof in ('none', 'channel', 'signed')),
  constraint message_delivery_status check (
    delivery_status in ('held', 'queued', 'sent', 'delivered', 'read', 'failed', 'cancelled')
  ),
  constraint "FK_71a40827f97e1ad6cb9510195fd" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id)
);
create unique index message_client_message_id on message (tenant_id, conversation_id, client_message_id)
  where client_message_id is not null;
create unique index message_external_id on message (tenant_id, conversation_id, external_id)
  where external_id is not null;
-- Counts the mails of the last hour, however many notes came after them. No other message pays for it.
create index message_mails on message (tenant_id, conversation_id, created_at)
  where direction = 'inbound' and authentication is not null;
call isolate('message');

create table conversation_participant (
  tenant_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  contact_id uuid,
  address text not null,
  name text,
  role text not null,
  state text not null,
  added_by uuid,
  added_at timestamptz(3) not null default now(),
  constraint "PK_4472773e27df35d13ef30d67c20" primary key (tenant_id, id),
  constraint conversation_participant_address unique (tenant_id, conversation_id, address),
  constraint conversation_participant_role check (role in ('to', 'cc')),
  constraint conversation_participant_state check (state in ('listed', 'removed', 'named')),
  constraint "FK_3d2b9af6c1ab0d25c80162bf087" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index conversation_participant_by_address on conversation_participant (tenant_id, address);
create index conversation_participant_of_contact on conversation_participant (tenant_id, contact_id)
  where contact_id is not null;
call isolate('conversation_participant');

create table conversation_label (
  tenant_id uuid not null,
  conversation_id uuid not null,
  label text not null,
  workspace_id uuid not null,
  last_activity_at timestamptz(3) not null,
  constraint "PK_e649f0a94bb32c68454122e480f" primary key (tenant_id, conversation_id, label),
  constraint "FK_acb64ffce0a001f800e49970912" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index conversation_label_recent_anywhere on conversation_label
  (tenant_id, label, last_activity_at, conversation_id);
create index conversation_label_recent on conversation_label
  (tenant_id, workspace_id, label, last_activity_at, conversation_id);
call isolate('conversation_label');

create table conversation_viewer (
  tenant_id uuid not null,
  conversation_id uuid not null,
  member_id uuid not null,
  state text not null,
  until timestamptz(3) not null,
  constraint "PK_dc0966c58f0aeddfc02158af0cc" primary key (tenant_id, conversation_id, member_id),
  constraint conversation_viewer_state check (state in ('viewing', 'typing')),
  constraint "FK_0b177906619cf0aba54c94581ce" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index conversation_viewer_expiry on conversation_viewer (tenant_id, until);
call isolate('conversation_viewer');

create table draft (
  tenant_id uuid not null,
  conversation_id uuid not null,
  member_id uuid not null,
  body text not null,
  is_note boolean not null,
  attachment_ids uuid[] not null,
  based_on_sequence integer,
  updated_at timestamptz(3) not null,
  constraint "PK_6ab0b15ad10756ecfaff013bc61" primary key (tenant_id, conversation_id, member_id),
  constraint "FK_be69d2b1c0503ffe5ff17cf23c4" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index draft_of_member on draft (tenant_id, member_id);
create index draft_by_age on draft (tenant_id, updated_at);
call isolate('draft');

create table snooze_due (
  tenant_id uuid not null,
  conversation_id uuid not null,
  due_at timestamptz(3) not null,
  constraint "PK_0edf6ea237c103a66506b18874f" primary key (tenant_id, conversation_id),
  constraint "FK_0edf6ea237c103a66506b18874f" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index snooze_due_next on snooze_due (due_at);
create index snooze_due_turn on snooze_due (tenant_id, due_at);
grant select, insert, update, delete on snooze_due to parley_app;

create table bulk_action (
  tenant_id uuid not null,
  id uuid not null,
  author_kind text not null,
  author_id uuid not null,
  action jsonb not null,
  total integer not null,
  created_at timestamptz(3) not null default now(),
  constraint "PK_5dce2b08cf02114185d9fac7227" primary key (tenant_id, id),
  constraint bulk_action_author check (author_kind in ('member', 'apiKey')),
  constraint "FK_bcb8b25c436691078858d14bd13" foreign key (tenant_id)
    references tenant (id)
);
create index bulk_action_by_age on bulk_action (tenant_id, created_at);
call isolate('bulk_action');

create table bulk_action_item (
  tenant_id uuid not null,
  action_id uuid not null,
  conversation_id uuid not null,
  error text,
  constraint "PK_9aca322f4746fea5d6bd921607c" primary key (tenant_id, action_id, conversation_id),
  constraint "FK_cdf4b9d0e2d70f652d12c2a6b7b" foreign key (tenant_id, action_id)
    references bulk_action (tenant_id, id) on delete cascade
);
create index bulk_action_item_pending on bulk_action_item (tenant_id, action_id, conversation_id)
  where error is null;
call isolate('bulk_action_item');

create table bulk_action_due (
  tenant_id uuid not null,
  action_id uuid not null,
  due_at timestamptz(3) not null,
  constraint "PK_bb64e7001ccff8320a2768925a3" primary key (tenant_id, action_id),
  constraint "FK_bb64e7001ccff8320a2768925a3" foreign key (tenant_id, action_id)
    references bulk_action (tenant_id, id) on delete cascade
);
create index bulk_action_due_next on bulk_action_due (due_at);
create index bulk_action_due_turn on bulk_action_due (tenant_id, due_at);
grant select, insert, update, delete on bulk_action_due to parley_app;

create table attachment (
  tenant_id uuid not null,
  id uuid not null,
  file_name text not null,
  content_type text not null,
  size integer not null,
  width integer,
  height integer,
  uploaded_by uuid,
  conversation_id uuid,
  message_id uuid,
  original text,
  position integer,
  created_at timestamptz(3) not null default now(),
  constraint "PK_2fb7654f0fd48a42b883d9e7fa8" primary key (tenant_id, id),
  constraint attachment_attached check ((message_id is null) = (conversation_id is null)),
  constraint attachment_size check (size > 0),
  constraint attachment_original check (original in ('html', 'text')),
  constraint "FK_ce96f20e879163745a11ed83ee3" foreign key (tenant_id, message_id)
    references message (tenant_id, id) on delete cascade,
  constraint "FK_2457e63ab73192d9fe6d53f3af9" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index attachment_unattached on attachment (tenant_id, created_at) where message_id is null;
create index attachment_of_message on attachment (tenant_id, message_id, position);
create index attachment_of_conversation on attachment (tenant_id, conversation_id, created_at, id);
call isolate('attachment');

create table attachment_usage (
  tenant_id uuid not null,
  bytes bigint not null default '0',
  quota_bytes bigint,
  constraint "PK_298260dd2cb2623bac3d738201e" primary key (tenant_id),
  constraint "FK_298260dd2cb2623bac3d738201e" foreign key (tenant_id) references tenant (id)
);
call isolate('attachment_usage');

create table attachment_removal (
  tenant_id uuid not null,
  id uuid not null,
  constraint "PK_6c5133e9d65f725c6c59c4c9954" primary key (tenant_id, id)
);
grant select, insert, update, delete on attachment_removal to parley_app;

create table search_entry (
  tenant_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  at timestamptz(3) not null,
  words text not null,
  constraint "PK_e431281744e81dec2feeb251e5e" primary key (tenant_id, conversation_id, id),
  constraint "FK_c257d8f1f5497c70091d8a9ff20" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
-- No grant: the application's role can neither read nor write this table.

create table search_word (
  tenant_id uuid not null,
  word text collate "C" not null,
  conversation_id uuid not null,
  entry_id uuid not null,
  slips bigint[] not null,
  constraint "PK_cd817c87104e46c726c62a368d6" primary key (tenant_id, word),
  constraint "FK_e2985b09c1e60dc108e20759588" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index search_word_slips on search_word using gin (slips) with (fastupdate = off);
create index search_word_of_conversation on search_word (tenant_id, conversation_id);
-- No grant: the application's role can neither read nor write this table.

create table consumption (
  tenant_id uuid not null,
  day date not null,
  workspace_id uuid not null,
  slot smallint not null,
  inbound integer not null,
  outbound integer not null,
  input_tokens bigint not null default '0',
  output_tokens bigint not null default '0',
  constraint "PK_4f5cfc708c2d71abc22e9c48302" primary key (tenant_id, day, workspace_id, slot)
);
call isolate('consumption');

create table canned_reply (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid,
  shortcut text not null,
  title text not null,
  body text not null,
  language text,
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_d411b7ccf6e1f8cc66f8410eb8a" primary key (tenant_id, id),
  constraint "FK_929c33a6fa8b4c5c5829d5d8e45" foreign key (tenant_id)
    references tenant (id),
  constraint "FK_d983eb118f4bccdcd34c50183ac" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create unique index canned_reply_shortcut_of_workspace on canned_reply (tenant_id, workspace_id, shortcut)
  where workspace_id is not null;
create unique index canned_reply_shortcut_of_all on canned_reply (tenant_id, shortcut)
  where workspace_id is null;
call isolate('canned_reply');

create table saved_view (
  tenant_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  shared boolean not null,
  name text not null,
  filter jsonb not null,
  sort text not null,
  position integer not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint "PK_175f4206e8b721d035d0a85366b" primary key (tenant_id, id),
  constraint saved_view_sort check (sort in ('recent', 'waiting')),
  constraint "FK_35b21db3728ba98f959d7516472" foreign key (tenant_id)
    references tenant (id)
);
create index saved_view_of_member on saved_view (tenant_id, member_id);
create index saved_view_shared on saved_view (tenant_id) where shared;
call isolate('saved_view');
