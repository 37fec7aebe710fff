import { v7 as uuid } from "uuid";
import { callerId } from "../../platform/caller/caller.js";
import { type Sql, sql, TENANT } from "../../platform/database/sql.js";
import {
  inReach,
  isConversationInReach,
  list,
  one,
  polled,
  projection,
  query,
  time,
} from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { MAX_PEOPLE } from "./addresses.js";
import type { ParticipantDto } from "./participants.dto.js";
import type { ParticipantRole, ParticipantState } from "./participant.entity.js";

/** A participant `r`. */
export const PARTICIPANT = projection<ParticipantDto>({
  id: sql`r.id`,
  contactId: sql`r.contact_id`,
  address: sql`r.address`,
  name: sql`r.name`,
  role: sql`r.role`,
  addedBy: sql`r.added_by`,
  addedAt: time(sql`r.added_at`),
});

export const LIST_PARTICIPANTS = polled(
  list<ParticipantDto, { conversationId: string }>("participants.list", "restricted", ({ conversationId }) => ({
    rows: sql`
      select ${PARTICIPANT} from conversation_participant r
      where r.tenant_id = ${TENANT} and r.conversation_id = ${conversationId} and r.state = 'listed'
      order by r.added_at, r.id`,
    visible: isConversationInReach(conversationId),
  })),
);

export const GET_PARTICIPANT = one<ParticipantDto, { conversationId: string; address: string }>(
  "participants.get",
  "checked",
  ({ conversationId, address }) => sql`
    select ${PARTICIPANT} from conversation_participant r
    where r.tenant_id = ${TENANT} and r.conversation_id = ${conversationId} and r.address = ${address}`,
);

/** What decides whom a message of the conversation may go to. `ours`: those of the addresses that are mailboxes of the tenant. */
export const FIND_ADDRESSED = query<
  { conversationId: string; asked: readonly string[] },
  { mailed: boolean; participants: string[]; ours: string[] }
>()(
  "participants.findAddressed",
  "restricted",
  ({ conversationId, asked }) => sql`
    select c.channel_type in ('email', 'contact_form') as mailed,
      array(
        select p.address from conversation_participant p
        where p.tenant_id = ${TENANT} and p.conversation_id = c.id and p.state = 'listed'
          and not exists (
            select from channel ch where ch.tenant_id = ${TENANT} and ch.type = 'email' and ch.address = p.address
          )
        order by p.added_at, p.id
      ) as participants,
      array(
        select ch.address from channel ch
        where ch.tenant_id = ${TENANT} and ch.type = 'email' and ch.address = any(${asked}::text[])
      ) as ours
    from conversation c
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and ${inReach("c")}`,
);

/** Whether the contact got or wrote a message `m`: not what a participant wrote, and not a reply to somebody else that left them out. */
export const isWithContact = (contactId: Sql): Sql => sql`
  not m.by_participant and (
    m.direction = 'inbound' or coalesce(m.recipients -> 'to', '[]') = '[]' or exists (
      select from contact_point p
      where p.tenant_id = ${TENANT} and p.contact_id = ${contactId} and p.kind = 'email'
        and (m.recipients -> 'to' ? p.value or m.recipients -> 'cc' ? p.value)
    )
  )`;

/** Holds the conversation, as every change of it does, so that two changes of its people wait for each other. */
export const HOLD_CONVERSATION = query<
  { conversationId: string },
  { workspaceId: string; mailed: boolean; archived: boolean; erased: boolean; listed: number }
>()(
  "participants.holdConversation",
  "restricted",
  ({ conversationId }) => sql`
    select c.workspace_id as "workspaceId", c.channel_type in ('email', 'contact_form') as mailed,
      w.status = 'archived' as archived, c.redacted_at is not null as erased,
      (
        select count(*)::int from conversation_participant p
        where p.tenant_id = ${TENANT} and p.conversation_id = c.id and p.state = 'listed'
      ) as listed
    from conversation c join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and ${inReach("c")}
    for no key update of c`,
);

interface Person {
  address: string;
  name?: string | null;
  role: ParticipantRole;
  state: ParticipantState;
}

/**
 * Keeps people whom a message names. Who is listed stays so. Who was removed is listed again only if somebody of ours names them. A
 * contact is looked for in the conversation's own workspace, as for everything that nothing proves. Beyond `max`, nobody is listed.
 */
const KEEP = query<{ conversationId: string; people: string; by: string | null; isOurs: boolean; max: number }>()(
  "participants.keep",
  "checked",
  ({ conversationId, people, by, isOurs, max }) => sql`
    with given as (
      select n.position, (n.value ->> 'id')::uuid as id, n.value ->> 'address' as address, n.value ->> 'name' as name,
        n.value ->> 'role' as role, n.value ->> 'state' as state, c.workspace_id
      from conversation c, json_array_elements(${people}::json) with ordinality n (value, position)
      where c.tenant_id = ${TENANT} and c.id = ${conversationId}
    ), ranked as (
      select g.*, row_number() over (partition by g.state = 'listed' order by g.position) as place
      from given g
      where not exists (
        select from conversation_participant p
        where p.tenant_id = ${TENANT} and p.conversation_id = ${conversationId} and p.address = g.address
          and p.state = 'listed'
      )
    )
    insert into conversation_participant as x (tenant_id, id, conversation_id, contact_id, address, name, role, state,
      added_by, added_at)
    select ${TENANT}, g.id, ${conversationId}::uuid, (
        select k.contact_id
        from contact_point k join contact o on o.tenant_id = ${TENANT} and o.id = k.contact_id
        where k.tenant_id = ${TENANT} and k.kind = 'email' and k.value = g.address
          and o.erased_at is null and o.deleted_at is null and o.merged_into_id is null
          and exists (
            select from conversation c
            where c.tenant_id = ${TENANT} and c.workspace_id = g.workspace_id and c.contact_id = k.contact_id
          )
        order by o.created_at, o.id limit 1
      ), g.address, g.name, g.role,
      case when g.state = 'listed' and g.place > ${max}::int - (
          select count(*) from conversation_participant p
          where p.tenant_id = ${TENANT} and p.conversation_id = ${conversationId} and p.state = 'listed'
        ) then 'named' else g.state end,
      ${by}::uuid, clock_timestamp()
    from ranked g
    on conflict (tenant_id, conversation_id, address) do update set
      state = excluded.state, role = excluded.role, name = coalesce(excluded.name, x.name),
      contact_id = coalesce(x.contact_id, excluded.contact_id), added_by = excluded.added_by,
      added_at = excluded.added_at
    where x.state <> 'listed' and excluded.state = 'listed' and (x.state <> 'removed' or ${isOurs}::boolean)`,
);

export async function keepPeople(tx: Tx, conversationId: string, people: readonly Person[]): Promise<void> {
  if (!people.length) return;
  const isOurs = tx.caller.kind !== "provider";
  await tx.query(KEEP, {
    conversationId,
    people: JSON.stringify(people.map((person) => ({ ...person, id: uuid() }))),
    by: isOurs ? callerId(tx.caller) : null,
    isOurs,
    max: MAX_PEOPLE,
  });
}

/** Those whom a reply named for the first time leave again if it is cancelled. */
export const FORGET_NAMED = query<{ messageId: string; self: string | null }>()(
  "participants.forgetNamed",
  "checked",
  ({ messageId, self }) => sql`
    update conversation_participant p set state = 'named'
    from message m
    where m.tenant_id = ${TENANT} and m.id = ${messageId} and p.tenant_id = ${TENANT}
      and p.conversation_id = m.conversation_id and p.state = 'listed' and p.added_by = ${self}::uuid
      and p.added_at >= m.created_at and (m.recipients -> 'to' ? p.address or m.recipients -> 'cc' ? p.address)`,
);

/** The people go along into the conversation that continues another. */
export const COPY_PEOPLE = query<{ from: string; to: string }>()(
  "participants.copy",
  "checked",
  ({ from, to }) => sql`
    insert into conversation_participant (tenant_id, id, conversation_id, contact_id, address, name, role, state,
      added_by, added_at)
    select p.tenant_id, gen_random_uuid(), ${to}::uuid, p.contact_id, p.address, p.name, p.role, p.state, p.added_by,
      p.added_at
    from conversation_participant p where p.tenant_id = ${TENANT} and p.conversation_id = ${from}`,
);

/** The contact behind a participant's address, as far as the conversation's workspace knows one: from this conversation or another. */
export const FIND_WRITER = query<{ conversationId: string; address: string }>()(
  "participants.findWriter",
  { unrestricted: "the mailbox brings a mail in, and looks in the workspace of its conversation only" },
  ({ conversationId, address }) => sql`
    select case when k.merged_into_id is null then k.id else k.merged_into_id end as id
    from conversation c
      join conversation_participant p on p.tenant_id = ${TENANT} and p.address = ${address}
      join conversation o on o.tenant_id = ${TENANT} and o.id = p.conversation_id and o.workspace_id = c.workspace_id
      join contact k on k.tenant_id = ${TENANT} and k.id = p.contact_id and k.erased_at is null and k.deleted_at is null
    where c.tenant_id = ${TENANT} and c.id = ${conversationId}
    order by p.conversation_id = c.id desc, k.created_at, k.id limit 1`,
);
