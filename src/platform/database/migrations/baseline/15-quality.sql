-- Customer satisfaction, and the settings of circuit breakers.

create table csat_config (
  tenant_id uuid not null,
  workspace_id uuid not null,
  enabled boolean not null,
  scale smallint not null,
  delay_minutes integer not null,
  ask_once_per_days integer not null,
  low_score_threshold smallint not null,
  questions jsonb not null,
  constraint "PK_d4cbedcda7fec9778a4a0c4a973" primary key (tenant_id, workspace_id),
  constraint csat_config_scale check (scale in (2, 5, 10)),
  constraint csat_config_delay check (delay_minutes between 0 and 10080),
  constraint csat_config_frequency check (ask_once_per_days between 0 and 365),
  constraint csat_config_threshold check (low_score_threshold >= 1 and low_score_threshold < scale),
  constraint "FK_d4cbedcda7fec9778a4a0c4a973" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
call isolate('csat_config');

create table csat_due (
  tenant_id uuid not null,
  conversation_id uuid not null,
  due_at timestamptz(3) not null,
  constraint "PK_5ae371e4d84e763559c4259c255" primary key (tenant_id, conversation_id),
  constraint "FK_5ae371e4d84e763559c4259c255" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index csat_due_next on csat_due (due_at);
create index csat_due_turn on csat_due (tenant_id, due_at);
grant select, insert, update, delete on csat_due to parley_app;

create table csat_survey (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  conversation_id uuid not null,
  contact_id uuid not null,
  channel_id uuid not null,
  member_id uuid,
  agent_ids uuid[] not null,
  kb_entry_ids uuid[] not null,
  scale smallint not null,
  low_score_threshold smallint not null,
  question text not null,
  question_language text not null,
  language text not null,
  asked_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  not_sent text,
  score smallint,
  comment text,
  rated_at timestamptz(3),
  constraint "PK_dd0960dd08273327413a6e455be" primary key (tenant_id, id),
  constraint csat_survey_scale check (scale in (2, 5, 10)),
  constraint csat_survey_score check (score between 1 and scale),
  constraint csat_survey_answer check (
    (score is null) = (rated_at is null) and (comment is null or rated_at is not null)
  ),
  constraint csat_survey_not_sent check (not_sent is null or rated_at is null),
  constraint "FK_3782f2470bd7bc8c07a19f5240f" foreign key (tenant_id, contact_id)
    references contact (tenant_id, id),
  constraint "FK_48a440260acd0e551126dccbaca" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade,
  constraint "FK_807ef0d3f0db61cc91d6a7889a7" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
create index csat_survey_rated on csat_survey (tenant_id, workspace_id, rated_at, id)
  where rated_at is not null;
create index csat_survey_of_conversation on csat_survey (tenant_id, conversation_id, rated_at, id);
create index csat_survey_of_contact on csat_survey (tenant_id, contact_id, workspace_id, asked_at);
call isolate('csat_survey');

create table breaker_setting (
  tenant_id uuid not null,
  workspace_id uuid not null,
  metric text not null,
  enabled boolean not null,
  threshold double precision not null,
  window_days integer not null,
  minimum_sample integer not null,
  action text not null,
  constraint "PK_81db210cad5867be6d813e94892" primary key (tenant_id, workspace_id, metric),
  constraint breaker_setting_metric check (metric in ('answer', 'csat', 'delivery', 'handoff', 'tool')),
  constraint breaker_setting_action check (action in ('pause_assistant', 'require_approval', 'notify')),
  constraint breaker_setting_values check (
    threshold between 0.01 and 0.99 and window_days between 1 and 90 and minimum_sample between 20
    and 100000
  ),
  constraint "FK_18433adf656bbdf64a59e13e87f" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
call isolate('breaker_setting');

create table open_time (
  tenant_id uuid not null,
  conversation_id uuid not null,
  number integer not null,
  workspace_id uuid not null,
  channel_id uuid not null,
  started_at timestamptz(3) not null,
  opened_at timestamptz(3) not null,
  closed_at timestamptz(3) not null default 'infinity',
  latest boolean not null default true,
  seconds integer,
  member_id uuid,
  handled_by text,
  assisted boolean not null default false,
  resolution text,
  constraint "PK_fe0939dba63befc4a2bcd0d2c3f" primary key (tenant_id, conversation_id, number),
  constraint open_time_handled_by check (handled_by is null or handled_by in ('assistant', 'people')),
  constraint open_time_resolution check (
    resolution is null or resolution in ('answered', 'escalated', 'abandoned', 'duplicate', 'spam')
  ),
  constraint "FK_8f3fa07097520b45262ffa7ddfa" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index open_time_closed on open_time (tenant_id, workspace_id, closed_at, latest, seconds);
create index open_time_opened on open_time (tenant_id, workspace_id, opened_at, number);
call isolate('open_time');

create table reply_time (
  tenant_id uuid not null,
  conversation_id uuid not null,
  sequence integer not null,
  workspace_id uuid not null,
  channel_id uuid not null,
  at timestamptz(3) not null,
  seconds integer not null,
  first boolean not null,
  member_id uuid,
  handled_by text not null,
  constraint "PK_4424312982a87db8831a6c6f3c3" primary key (tenant_id, conversation_id, sequence),
  constraint reply_time_handled_by check (handled_by in ('assistant', 'people')),
  constraint "FK_79b20686a157b245fb272d86049" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index reply_time_first on reply_time (tenant_id, workspace_id, at, seconds) where first;
create index reply_time_replied on reply_time (tenant_id, workspace_id, at, seconds);
call isolate('reply_time');

create table assistant_time (
  tenant_id uuid not null,
  conversation_id uuid not null,
  workspace_id uuid not null,
  channel_id uuid not null,
  began_at timestamptz(3) not null,
  answered_sequence integer,
  settled_at timestamptz(3),
  replied boolean not null,
  replied_at timestamptz(3),
  constraint "PK_5d598b20bc95591d869e00347e7" primary key (tenant_id, conversation_id),
  constraint assistant_time_answered check ((answered_sequence is null) = (settled_at is null)),
  constraint "FK_5d598b20bc95591d869e00347e7" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index assistant_time_began on assistant_time (tenant_id, workspace_id, began_at);
create index assistant_time_settled on assistant_time (tenant_id, workspace_id, settled_at)
where settled_at is not null;
call isolate('assistant_time');

create table hand_over (
  tenant_id uuid not null,
  conversation_id uuid not null,
  sequence integer not null,
  workspace_id uuid not null,
  channel_id uuid not null,
  at timestamptz(3) not null,
  reason text not null,
  constraint "PK_cb7440f54dc1a6666285e520a09" primary key (tenant_id, conversation_id, sequence),
  constraint hand_over_reason check (
    reason in ('nothing_found', 'unsure', 'unfounded', 'opposite', 'not_helped', 'repeated', 'wants_person', 'angry', 'complaint', 'details', 'passed_on', 'used_up', 'failed')
  ),
  constraint "FK_43f90e52912f00b68b5df9df586" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index hand_over_at on hand_over (tenant_id, workspace_id, at);
call isolate('hand_over');

create table report_day (
  tenant_id uuid not null,
  workspace_id uuid not null,
  kind text not null,
  day date not null,
  moments bytea not null,
  seconds bytea,
  channel bytea not null,
  channel_keys json not null,
  member bytea not null,
  member_keys json not null,
  label bytea not null,
  label_keys json not null,
  resolution bytea not null,
  resolution_keys json not null,
  handled_by bytea not null,
  handled_by_keys json not null,
  reason bytea,
  reason_keys json,
  constraint "PK_601a4ac3c39b7f8de16f4e1f664" primary key (tenant_id, workspace_id, kind, day),
  constraint report_day_kind check (
    kind in ('opened', 'open', 'closed', 'replied', 'began', 'settled', 'handed_over', 'rated')
  ),
  constraint "FK_01094f2c2d314e65de7d646faec" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
-- A report unpacks hundreds of days. PostgreSQL would spend more time on its compression than on reading what it saves: 40 MB a year
-- with a million conversations.
alter table report_day
  alter column moments set storage external,
  alter column seconds set storage external,
  alter column channel set storage external,
  alter column member set storage external,
  alter column label set storage external,
  alter column resolution set storage external,
  alter column handled_by set storage external,
  alter column reason set storage external;
call isolate('report_day');

create table report_day_until (
  tenant_id uuid not null,
  until date not null,
  constraint "PK_0dbc056a3090a807a0bed78f50b" primary key (tenant_id),
  constraint "FK_0dbc056a3090a807a0bed78f50b" foreign key (tenant_id)
    references tenant (id)
);
grant select, insert, update on report_day_until to parley_app;

create table report_day_change (
  tenant_id uuid not null,
  workspace_id uuid not null,
  day date not null,
  id uuid not null,
  constraint "PK_136ae152d32aef6aa6746586f06" primary key (tenant_id, workspace_id, day, id),
  constraint "FK_99f6f993020d03c2c361303523b" foreign key (tenant_id, workspace_id)
    references workspace (tenant_id, id) on delete cascade
);
grant select, insert, delete on report_day_change to parley_app;
