-- A conversation is never assigned to a member who was removed or deactivated, and does not come back to one when it
-- is reopened. Its assignee is cleared instead. The row lock waits for a removal that is in progress.
create or replace function not_assigned_to_leavers() returns trigger language plpgsql as $$
declare
  gone boolean;
begin
  if tg_op = 'UPDATE' and new.assignee_id is not distinct from old.assignee_id
    and (old.status <> 'resolved' or new.status = 'resolved')
  then
    return new;
  end if;
  select m.removed_at is not null or m.deactivated_at is not null into gone from member m
    where m.organisation_id = (select t.organisation_id from tenant t where t.id = new.tenant_id)
      and m.id = new.assignee_id
    for key share;
  if gone then new.assignee_id := null; end if;
  return new;
end $$;

create or replace trigger not_assigned_to_leavers before insert on conversation
  for each row when (new.assignee_id is not null) execute function not_assigned_to_leavers();

create or replace trigger not_reassigned_to_leavers before update of assignee_id, status on conversation
  for each row when (new.assignee_id is not null) execute function not_assigned_to_leavers();
