import { Injectable } from "@nestjs/common";
import { SecurityLogService } from "../../auth/security-log/security-log.service.js";
import { AttachmentsService } from "../../conversations/attachments/attachments.service.js";
import { PENDING_ACTION } from "../../assistant/pending-actions/pending-actions.queries.js";
import { ATTENTION_ITEM } from "../../conversations/attention/attention-items.queries.js";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { BOOKING, bookingsOf } from "../../calendar/bookings/bookings.queries.js";
import { CASE, CASE_EVENT, casesOf } from "../../conversations/cases/cases.queries.js";
import { isVisible, type Self } from "../../contacts/contact-reach.js";
import { CONTACT } from "../../contacts/contacts.queries.js";
import { CONVERSATION } from "../../conversations/conversations.queries.js";
import { messageFor } from "../../conversations/messages.queries.js";
import { PARTICIPANT } from "../../conversations/participants/participants.queries.js";
import { RATING } from "../../quality/csat/ratings/ratings.queries.js";
import { Database } from "../../platform/database/database.js";
import { quoted, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { inReach, mayLag, one } from "../../platform/database/statements.js";
import type { ZipFile } from "../../platform/http/zip.js";
import { EVENT } from "../../identity/events/identity-events.service.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import type { ContactExportDto } from "./contact-export.dto.js";

const all = (rows: Sql): Sql => sql`(select coalesce(json_agg(row_to_json(v)), '[]') from (${rows}) v)`;
/** The conversations `r` of the person. */
const THEIRS = sql`conversation r where r.tenant_id = ${TENANT} and r.contact_id = any(p.ids) and ${inReach("r")}`;
const THEIR_IDS = sql`select r.id from ${THEIRS}`;
const THEIR_MESSAGE = messageFor(sql`p.ids`);
/** The rows of a table, each with a list of its parts. Their projections use the alias `r` for both. */
const withParts = (table: Sql, row: Sql, name: string, parts: Sql): Sql => sql`
      select ${row}, (select coalesce(json_agg(row_to_json(m)), '[]') from (${parts}) m) as ${quoted(name)}
      from (select * from ${table}) r cross join lateral (select r.id as whole) o order by r.created_at, r.id`;

/** The person `p`: the contact and all contacts that were merged into it. */
const EXPORT = mayLag(
  one<Omit<ContactExportDto, "mails">, Self & { id: string }>(
    "contacts.export",
    "restricted",
    ({ id, self }) => sql`
    select
      ${all(sql`
      select ${CONTACT} from contact r where r.tenant_id = ${TENANT} and r.id = any(p.ids)
      order by r.merged_into_id is not null, r.created_at, r.id`)} as contacts,
      ${all(
        withParts(
          THEIRS,
          CONVERSATION,
          "messages",
          sql`select ${THEIR_MESSAGE} from message r where r.tenant_id = ${TENANT} and r.conversation_id = o.whole order by r.sequence`,
        ),
      )} as conversations,
      ${all(sql`
      select ${PARTICIPANT}, r.conversation_id as "conversationId", (
        select coalesce(json_agg(row_to_json(m)), '[]') from (
          select ${THEIR_MESSAGE} from message r
          where r.tenant_id = ${TENANT} and r.conversation_id = o.whole and r.by_participant
            and r.author_id = any(p.ids)
          order by r.sequence
        ) m
      ) as messages
      from conversation_participant r
        cross join lateral (select r.conversation_id as whole) o
        join conversation c on c.tenant_id = ${TENANT} and c.id = r.conversation_id
      where r.tenant_id = ${TENANT} and r.contact_id = any(p.ids) and ${inReach("c")}
      order by r.added_at, r.id`)} as participations,
      ${all(sql`
      select ${EVENT} from identity_event e
      where e.tenant_id = ${TENANT} and e.factor_bound_to_principal = any(p.ids)
      order by e.occurred_at, e.written`)} as "identityEvents",
      ${all(sql`
      select ${ATTENTION_ITEM} from attention_item r where r.tenant_id = ${TENANT} and r.conversation_id in (${THEIR_IDS})
      order by r.created_at, r.id`)} as "attentionItems",
      ${all(sql`
      select ${PENDING_ACTION} from pending_action r where r.tenant_id = ${TENANT} and r.conversation_id in (${THEIR_IDS})
      order by r.created_at, r.id`)} as "pendingActions",
      ${all(sql`
      select ${RATING} from csat_survey r
      where r.tenant_id = ${TENANT} and r.conversation_id in (${THEIR_IDS}) and r.rated_at is not null
      order by r.rated_at, r.id`)} as "csatRatings",
      ${all(
        withParts(
          sql`support_case r where r.tenant_id = ${TENANT} and r.id in (${casesOf(sql`p.ids`, sql`array(${THEIR_IDS})`)}) and ${inReach("r")}`,
          CASE,
          "events",
          sql`
          select ${CASE_EVENT} from case_event r where r.tenant_id = ${TENANT} and r.case_id = o.whole
          order by r.occurred_at, r.id`,
        ),
      )} as cases,
      ${all(sql`
      select ${BOOKING} from booking r
      where r.tenant_id = ${TENANT} and r.id in (${bookingsOf(sql`p.ids`, sql`array(${THEIR_IDS})`)}) and ${inReach("r")}
      order by r.starts_at, r.id`)} as bookings
    from (
      select array(
        select k.id from contact k
        where k.tenant_id = ${TENANT} and coalesce(r.merged_into_id, r.id) in (k.id, k.merged_into_id)
      ) as ids
      from contact r where r.tenant_id = ${TENANT} and r.id = ${id} and ${isVisible(self)}
    ) p`,
  ),
);

/** Exports what is stored about a person (GDPR, Article 15). */
@Injectable()
export class ExportService {
  constructor(
    private readonly db: Database,
    private readonly attachments: AttachmentsService,
    private readonly outbox: OutboxService,
    private readonly security: SecurityLogService,
  ) {}

  /** The person's data from one snapshot, then the mails to the person, as JSON. The security log has it before anything is sent. @throws NotFoundException */
  async document(caller: Caller, id: string): Promise<string> {
    const said = (await this.db.read(caller, EXPORT, { id, self: callerId(caller) })).parse();
    // The look-up uses a keyed hash of each address, which the database cannot compute.
    const addresses = said.contacts.flatMap(({ emails, phones }) => [...emails, ...phones].map(({ value }) => value));
    const mails = await this.outbox.sentTo(
      caller,
      addresses,
      said.conversations.map((conversation) => conversation.id),
    );
    await this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await this.security.record(tx, { type: "data_exported", detail: { contactId: id } });
    });
    return JSON.stringify({ ...said, mails } satisfies ContactExportDto);
  }

  /** The document, followed by the files that it names. */
  async *files({ tenantId }: Caller, document: string): AsyncGenerator<ZipFile> {
    yield { path: "person.json", bytes: [Buffer.from(document)] };
    const { conversations, participations } = JSON.parse(document) as ContactExportDto;
    for (const { id, fileName } of [...conversations, ...participations].flatMap(({ messages }) =>
      messages.flatMap(({ attachments }) => attachments),
    )) {
      yield { path: `attachments/${id}/${fileName}`, bytes: await this.attachments.bytes({ tenantId, id }) };
    }
  }
}
