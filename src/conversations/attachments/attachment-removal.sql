-- Queues the file of a deleted attachment for removal, in the transaction that deletes the row. Rows are deleted by an
-- erasure, by the cascade of a purge, by the daily task and by hand; the trigger covers all of them.
create or replace function queue_attachment_removal() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  insert into attachment_removal (tenant_id, id) values (old.tenant_id, old.id) on conflict do nothing;
  return null;
end $$;

create or replace trigger queue_removal after delete on attachment
  for each row execute function queue_attachment_removal();

-- Takes the bytes of deleted attachments off the tenant's usage, once for each statement.
create or replace function return_attachment_bytes() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  update attachment_usage u set bytes = greatest(u.bytes - g.bytes, 0)
    from (select tenant_id, sum(size)::bigint as bytes from gone group by tenant_id) g
    where u.tenant_id = g.tenant_id;
  return null;
end $$;

create or replace trigger return_bytes after delete on attachment
  referencing old table as gone
  for each statement execute function return_attachment_bytes();
