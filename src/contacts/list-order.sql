-- What lists of contacts and accounts are ordered and narrowed by.

-- Names without accents and in lower case, whatever the collation of the database. Only the beginning: an index takes no
-- more. Whoever has no name comes last.
create or replace function keep_sort_name() returns trigger language plpgsql as $$
begin
  new.sort_name := coalesce(left(search_fold(btrim(new.name)), 100), chr(1114111));
  return new;
end $$;
create or replace trigger sort_name before insert or update of name on contact
  for each row execute function keep_sort_name();
create or replace trigger sort_name before insert or update of name on account
  for each row execute function keep_sort_name();

-- contact_workspace repeats the order. The contact's row is locked here, and wherever a row of contact_workspace is added.
create or replace function copy_contact_order() returns trigger language plpgsql as $$
begin
  update contact_workspace p set contact_last_seen_at = new.last_seen_at, contact_sort_name = new.sort_name
  where p.tenant_id = new.tenant_id and p.contact_id = new.id;
  return null;
end $$;
create or replace trigger order_of_workspaces after update on contact
  for each row when ((new.last_seen_at, new.sort_name) is distinct from (old.last_seen_at, old.sort_name))
  execute function copy_contact_order();

-- contact_label repeats the labels. A contact without labels pays for the condition alone.
create or replace function keep_contact_labels() returns trigger language plpgsql as $$
begin
  delete from contact_label l where l.tenant_id = new.tenant_id and l.contact_id = new.id;
  insert into contact_label (tenant_id, contact_id, label)
  select distinct new.tenant_id, new.id, label from unnest(new.labels) as label;
  return null;
end $$;
create or replace trigger contact_labels_added after insert on contact
  for each row when (new.labels <> '{}') execute function keep_contact_labels();
create or replace trigger contact_labels_changed after update of labels on contact
  for each row when (new.labels is distinct from old.labels) execute function keep_contact_labels();

-- When a contact wrote last, to within a minute: a chat writes the contact once a minute and not with each message.
-- A message never waits for the contact's row, because whoever has locked it may wait for the message: a contact is
-- blocked like that. What is left out then is derived later.
create or replace function derive_last_seen(of_tenant uuid, given jsonb) returns void
language sql set search_path = public, pg_temp as $$
  update contact k set last_seen_at = (given ->> 'at')::timestamptz
  where k.tenant_id = of_tenant and k.id = (given ->> 'contact')::uuid and k.erased_at is null
    and k.last_seen_at < (given ->> 'at')::timestamptz
$$;
revoke all on function derive_last_seen(uuid, jsonb) from public;

create or replace function keep_last_seen() returns trigger language plpgsql as $$
declare
  seen timestamptz := (
    select k.last_seen_at from contact k
    where k.tenant_id = new.tenant_id and k.id = new.author_id and k.erased_at is null);
begin
  if seen is null or seen > new.created_at - interval '1 minute' then return null; end if;
  if current_setting('app.derived', true) is distinct from 'later' then
    update contact k set last_seen_at = greatest(k.last_seen_at, new.created_at)
    where k.tenant_id = new.tenant_id and k.id = (
      select f.id from contact f where f.tenant_id = new.tenant_id and f.id = new.author_id
      for no key update skip locked);
    if found then return null; end if;
  end if;
  perform derive_later(
    'last_seen', new.tenant_id, jsonb_build_object('contact', new.author_id, 'at', new.created_at));
  return null;
end $$;
create or replace trigger last_seen after insert on message
  for each row when (new.direction = 'inbound') execute function keep_last_seen();
