-- Where organisations live, if not on the server `control`. What counts stands on control; on another server it closes the door to
-- an organisation that has left.

create table home (
  organisation_id uuid not null,
  test_id uuid not null,
  server text not null,
  state text not null default 'open',
  other text,
  since timestamptz(3) not null default now(),
  constraint home_pkey primary key (organisation_id),
  constraint home_test unique (test_id),
  constraint home_state check (state in ('open', 'copying', 'draining', 'moving', 'purging')),
  constraint home_other check ((state = 'open') = (other is null) and other is distinct from server)
);
grant select, insert on home to parley_app;

-- What only one organisation on all servers may have, by its hash. What counts stands on control.
create table reservation (
  hash bytea not null,
  holder uuid not null,
  reserved_at timestamptz(3) not null default now(),
  constraint reservation_pkey primary key (hash)
);
grant select, insert, update, delete on reservation to parley_app;
