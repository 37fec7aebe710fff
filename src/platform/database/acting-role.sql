-- Reads call it where their connection does not act as the application's role (see `scoped` in statements.ts): row-level security
-- might not hold there. A connection whose statement failed with this code is not used again.
create or replace function refuse_acting_role() returns uuid language plpgsql as $$
begin
  raise exception using errcode = '08004', message = format('a connection acts as %s instead of parley_app', current_user);
end $$;
