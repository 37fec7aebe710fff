-- The application's role, the record of applied .sql files, and a helper for the files that follow.

-- Roles belong to the whole server, which several databases of Parley may share, so the role may exist already.
do $$ begin
  if not exists (select from pg_roles where rolname = 'parley_app') then create role parley_app nologin; end if;
exception when duplicate_object or unique_violation then null;
end $$;

-- The user that migrates acts as the application where no other login is configured.
do $$ begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant parley_app to %I', current_user);
  end if;
exception when insufficient_privilege then
  if not pg_has_role(current_user, 'parley_app', 'usage') then raise; end if;
end $$;

grant usage on schema public to parley_app;
grant select on migrations to parley_app;

-- Which version of each .sql file of functions and triggers was applied last (sql-files.ts).
create table schema_object (
  name text not null,
  checksum text not null,
  applied_at timestamptz(3) not null default now(),
  constraint schema_object_pkey primary key (name)
);
grant select on schema_object to parley_app;

-- What every table of a tenant gets: the application's role may use it, and row-level security limits each
-- transaction to the rows of its tenant. It is forced, so that it holds for the owner too. After a commit the setting
-- is '' rather than null. The sub-select makes PostgreSQL evaluate it once a query rather than once a row.
-- The last step of the migration drops the helper.
create procedure isolate(relation regclass, grants text default 'select, insert, update, delete')
language plpgsql as $$
declare
  tenant text := $q$(select nullif(current_setting('app.tenant_id', true), '')::uuid)$q$;
  rule text := case
    -- Members are shared by both sides of a tenant, so their tables belong to an organisation.
    when exists (select from pg_attribute where attrelid = relation and attname = 'tenant_id')
    then format('tenant_id = %s', tenant)
    else format('organisation_id = (select t.organisation_id from tenant t where t.id = %s)', tenant)
  end;
begin
  execute format('grant %s on %s to parley_app', grants, relation);
  execute format('alter table %s enable row level security', relation);
  execute format('alter table %s force row level security', relation);
  execute format('create policy isolation on %s using (%s) with check (%s)', relation, rule, rule);
end $$;
