-- What the assistant missed and people answered, and which conversations are still to be looked at.

create table learning_evidence (
  tenant_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  conversation_id uuid not null,
  sequence integer not null,
  message_id uuid not null,
  question text not null,
  answer text not null,
  language text not null,
  terms integer[] not null,
  entry_id uuid,
  created_at timestamptz(3) not null default now(),
  constraint "PK_4a9957a1e419fcc9d3dc74d20a2" primary key (tenant_id, id),
  constraint learning_evidence_of_message unique (tenant_id, conversation_id, sequence),
  constraint "FK_40182f03a9881246a9133076415" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index learning_evidence_recent on learning_evidence (tenant_id, workspace_id, created_at);
create index learning_evidence_by_age on learning_evidence (tenant_id, created_at);
create index learning_evidence_of_entry on learning_evidence (tenant_id, entry_id) where entry_id is not null;
call isolate('learning_evidence');

create table learning_due (
  tenant_id uuid not null,
  conversation_id uuid not null,
  after_sequence integer not null,
  until_sequence integer not null,
  due_at timestamptz(3) not null,
  revision integer not null default 1,
  constraint "PK_54866b736aa01d432e4269385f9" primary key (tenant_id, conversation_id),
  constraint "FK_54866b736aa01d432e4269385f9" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index learning_due_next on learning_due (due_at);
create index learning_due_turn on learning_due (tenant_id, due_at);
grant select, insert, update, delete on learning_due to parley_app;

create table learning_origin (
  tenant_id uuid not null,
  conversation_id uuid not null,
  origin_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint "PK_bcf3d47252f5336a9d946b36391" primary key (tenant_id, conversation_id),
  constraint "FK_bcf3d47252f5336a9d946b36391" foreign key (tenant_id, conversation_id)
    references conversation (tenant_id, id) on delete cascade
);
create index learning_origin_by_age on learning_origin (tenant_id, created_at);
call isolate('learning_origin');
