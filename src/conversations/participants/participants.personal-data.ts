import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased, ContactsMerged } from "../../contacts/contact-events.js";
import { ContactsService } from "../../contacts/contacts.service.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { inReach, query } from "../../platform/database/statements.js";

const OF_PERSON = { unrestricted: "a merge or an erasure concerns all conversations of the person" };

const MERGE = query<{ from: string; to: string }>()(
  "participants.merge",
  OF_PERSON,
  ({ from, to }) => sql`
    with gone as (
      -- Who is the contact now is not in copy as well.
      delete from conversation_participant p using conversation c
      where p.tenant_id = ${TENANT} and p.contact_id in (${from}::uuid, ${to}::uuid) and c.tenant_id = ${TENANT}
        and c.id = p.conversation_id and c.contact_id in (${from}::uuid, ${to}::uuid)
      returning p.id
    )
    update conversation_participant p set contact_id = ${to}
    where p.tenant_id = ${TENANT} and p.contact_id = ${from} and not exists (select from gone g where g.id = p.id)
    returning 1`,
);

/**
 * The words of a text, each between spaces, so that an address is found as a whole and not within another one. A sign that an
 * address may have counts only between letters and digits: before or after them it belongs to the sentence.
 */
const words = (text: Sql): Sql => sql`(' ' || regexp_replace(lower(${text}),
          '[^[:alnum:]@._%+-]+|(?<![[:alnum:]])[._%+-]+|[._%+-]+(?![[:alnum:]])', ' ', 'g') || ' ')`;
/** A note `m` that names somebody of `w`: of a forwarded message, or one of the system about a bounce or an answer to that. */
const naming = sql`(m.direction = 'internal' and (m.author_type = 'system' or m.recipients ? 'forward') and exists (
          select from unnest(w.addresses) a where strpos(${words(sql`m.body`)}, ${words(sql`a`)}) > 0
        ))`;
const theirs = (contactIds: Parameter): Sql =>
  sql`(coalesce(m.author_id = any(${contactIds}::uuid[]), false) or ${naming})`;

/**
 * Removes a person from the conversations of others: their address, and what they wrote there. By its address alone, somebody is
 * found only within the caller's reach: whoever may erase in one workspace must not change what another one holds.
 */
const ERASE = query<
  { contactIds: readonly string[]; addresses: readonly string[]; conversationIds: readonly string[] },
  {
    messages: number;
    attachmentIds: string[];
  }
>()(
  "participants.erase",
  "restricted",
  ({ contactIds, addresses, conversationIds }) => sql`
    with gone as (
      delete from conversation_participant p using conversation c
      where p.tenant_id = ${TENANT} and c.tenant_id = ${TENANT} and c.id = p.conversation_id
        and (p.contact_id = any(${contactIds}::uuid[]) or (p.address = any(${addresses}::text[]) and ${inReach("c")}))
      returning p.conversation_id, p.address
    ), own as (
      delete from conversation_participant p
      where p.tenant_id = ${TENANT} and p.conversation_id = any(${conversationIds}::uuid[])
        and not exists (
          select from gone g where g.conversation_id = p.conversation_id and g.address = p.address
        )
    ), whole as (
      select g.conversation_id, array_agg(g.address) as addresses from gone g group by g.conversation_id
    ), forgotten as (
      update message m set
        recipients = case when m.recipients is not null then m.recipients || jsonb_build_object(
          'to', (select coalesce(jsonb_agg(a), '[]') from jsonb_array_elements_text(m.recipients -> 'to') a where a <> all(w.addresses)),
          'cc', (select coalesce(jsonb_agg(a), '[]') from jsonb_array_elements_text(m.recipients -> 'cc') a where a <> all(w.addresses))
        ) || case when m.recipients ? 'bcc' then jsonb_build_object(
          'bcc', (select coalesce(jsonb_agg(a), '[]') from jsonb_array_elements_text(m.recipients -> 'bcc') a where a <> all(w.addresses))
        ) else '{}' end end,
        body = case when ${theirs(contactIds)} then '' else m.body end,
        external_id = case when ${theirs(contactIds)} then null else m.external_id end,
        authentication = case when ${theirs(contactIds)} then null else m.authentication end,
        redacted_at = case when ${theirs(contactIds)} then coalesce(m.redacted_at, now()) else m.redacted_at end
      from whole w
      where m.tenant_id = ${TENANT} and m.conversation_id = w.conversation_id
        and m.conversation_id <> all(${conversationIds}::uuid[])
        and (m.recipients is not null or (m.by_participant and m.author_id = any(${contactIds}::uuid[])) or ${naming})
      returning m.id, m.conversation_id, ${theirs(contactIds)} as theirs
    ), repeated as (
      -- What a conversation repeats of its messages.
      update conversation c set updated_at = now(), summary = case when c.summary_derived then null else c.summary end,
        last_message_preview = case when (
          select n.by_participant and n.author_id = any(${contactIds}::uuid[]) from message n
          where n.tenant_id = ${TENANT} and n.conversation_id = c.id and n.direction <> 'internal'
            and n.author_type <> 'system'
          order by n.sequence desc limit 1
        ) then null else c.last_message_preview end
      where c.tenant_id = ${TENANT} and c.id in (select f.conversation_id from forgotten f where f.theirs)
    )
    select (select count(*)::int from forgotten f where f.theirs) as messages,
      array(
        select a.id from attachment a join forgotten f on f.id = a.message_id and f.theirs where a.tenant_id = ${TENANT}
      ) as "attachmentIds"
    from (select 1) one`,
);

const DELETE_FILES = query<{ ids: readonly string[] }>()(
  "participants.deleteFiles",
  OF_PERSON,
  ({ ids }) =>
    sql`delete from attachment a where a.tenant_id = ${TENANT} and a.id = any(${ids}::uuid[]) returning a.id`,
);

@Injectable()
export class ParticipantsPersonalData implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly contacts: ContactsService,
  ) {}

  onModuleInit(): void {
    this.events.handle(ContactsMerged, async (tx, { from, to }) => {
      await tx.query(MERGE, { from, to });
    });
    this.events.handle(ContactsErased, async (tx, { contactIds, conversationIds, erased, removedIds }) => {
      const addresses = await this.contacts.addressesOf(tx, contactIds);
      const [found] = await tx.query(ERASE, { contactIds, addresses, conversationIds });
      erased.messages += found!.messages;
      if (!found!.attachmentIds.length) return;
      const gone = await tx.query(DELETE_FILES, { ids: found!.attachmentIds });
      erased.attachments += gone.length;
      removedIds.push(...gone.map(({ id }) => id));
    });
  }
}
