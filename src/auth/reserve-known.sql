-- Reserves what organisations on this server had when it was the only one; see reservations.ts. Called on control, at each start with
-- several servers.
create or replace function reserve_known() returns void language sql as $$
  insert into reservation (hash, holder, reserved_at)
  select sha256(convert_to(k.kind || ' ' || k.value, 'UTF8')), k.organisation_id, '-infinity'
  from (
    select 'external id' as kind, t.external_id as value, t.organisation_id from tenant t where t.external_id is not null
    union all
    select 'proven email', e.email, e.organisation_id from member_email e where e.proven_at is not null
    union all
    select 'identity', i.issuer || ' ' || i.subject, i.organisation_id from member_identity i
  ) k
  on conflict do nothing
$$;
revoke execute on function reserve_known() from public;
