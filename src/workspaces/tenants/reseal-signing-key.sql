-- Replaces the sealed form of a signing key while the master key is rotated. The application's role cannot change
-- signing keys, so that certificates stay verifiable. This swaps the sealed form only if it is still `before`.
create or replace function reseal_signing_key(tenant uuid, key_id uuid, before bytea, after bytea) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('app.tenant_id', tenant::text, true);
  update signing_key set sealed = after where tenant_id = tenant and id = key_id and sealed = before;
  return found;
end $$;
revoke all on function reseal_signing_key(uuid, uuid, bytea, bytea) from public;
grant execute on function reseal_signing_key(uuid, uuid, bytea, bytea) to parley_app;
