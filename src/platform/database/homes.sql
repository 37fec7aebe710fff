-- Where organisations live: see home.entity.ts, and docs/decisions/0122-many-primaries.md.

create or replace function home_lock_key(organisation uuid) returns bigint language sql immutable as $$
  select hashtextextended('parley home ' || organisation::text, 0)
$$;

-- Whether this server, with this name, is where the tenant's organisation lives. If so, it cannot leave before the transaction ends.
-- It is volatile: the row is read after the lock is there, as whoever held it before has left it.
create or replace function hold_home(tenant uuid, this_server text) returns boolean language plpgsql volatile as $$
declare
  organisation uuid := coalesce((select t.organisation_id from tenant t where t.id = tenant),
    (select h.organisation_id from home h where h.test_id = tenant), tenant);
begin
  if not pg_try_advisory_xact_lock_shared(home_lock_key(organisation)) then return false; end if;
  return not exists (
    select from home h
    where h.organisation_id = organisation and (h.server <> this_server or h.state = 'moving')
  );
end $$;

-- Writes where an organisation lives, once no transaction relies on what the row said before. On control this is what counts. On
-- another server it closes (`moving`, or another name in `server`) or opens the door.
create or replace function set_home(organisation uuid, test uuid, server text, state text, other text default null)
returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(home_lock_key(organisation));
  insert into home as h (organisation_id, test_id, server, state, other)
  values (organisation, test, set_home.server, set_home.state, set_home.other)
  on conflict (organisation_id) do update set
    server = excluded.server, state = excluded.state, other = excluded.other, since = now();
end $$;
revoke execute on function set_home(uuid, uuid, text, text, text) from public;

-- All processes hear of it, on control and from the doors: a signal of changes.ts.
create or replace function tell_home() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_changes', 'home' || chr(10) || json_build_object(
    'tenantId', coalesce(new.organisation_id, old.organisation_id), 'workspaceId', null, 'type', 'home',
    'data', json_build_object('testId', coalesce(new.test_id, old.test_id))));
  return null;
end $$;
drop trigger if exists tell_home on home;
create trigger tell_home after insert or update or delete on home for each row execute function tell_home();
