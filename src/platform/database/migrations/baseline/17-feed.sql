-- The change feed: which resource changed when. The triggers of feed-triggers.sql write it.

-- Orders the rows that have the same transaction number. Without a cache, because a connection that holds a block of numbers would
-- give them out of order.
create sequence resource_change_position;
grant usage on sequence resource_change_position to parley_app;

create table resource_change (
  tenant_id uuid not null,
  transaction_id bigint not null,
  position bigint not null,
  written_by bigint not null,
  at timestamptz(3) not null,
  change text not null,
  resource_type text not null,
  resource_id uuid not null,
  workspace_id uuid,
  conversation_id uuid,
  state jsonb,
  constraint "PK_75e4351b21d6b3932303b8e0af1" primary key (tenant_id, transaction_id, position),
  constraint resource_change_change check (change in ('created', 'updated', 'deleted', 'merged', 'erased'))
);
call isolate('resource_change', grants => 'select, insert, delete');

-- Behind which position the feed of a side is whole. What was before it is no longer kept.
create table resource_change_floor (
  tenant_id uuid not null,
  transaction_id bigint not null,
  position bigint not null,
  constraint "PK_f3aa51edfe05d782bef02428eee" primary key (tenant_id)
);
call isolate('resource_change_floor', grants => 'select, insert, update');
