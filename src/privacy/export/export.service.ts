import { Injectable } from "@nestjs/common";
import { AttachmentsService } from "../../conversations/attachments/attachments.service.js";
import { ATTENTION_ITEM } from "../../conversations/attention/attention-items.queries.js";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { BOOKING, bookingsOf } from "../../calendar/bookings/bookings.queries.js";
import { CASE, CASE_EVENT, casesOf } from "../../conversations/cases/cases.queries.js";
import { CONTACT, type Self, VISIBLE } from "../../contacts/contacts.queries.js";
import { CONVERSATION } from "../../conversations/conversations.queries.js";
import { MESSAGE } from "../../conversations/messages.queries.js";
import { RATING } from "../../quality/csat/ratings/ratings.queries.js";
import { Database } from "../../platform/database/database.js";
import { sql } from "../../platform/database/sql.js";
import { inReach, one, toNamed } from "../../platform/database/statement.js";
import type { ArchivedFile } from "../../platform/http/archive.js";
import { EVENT } from "../../identity/identity-events.service.js";
import { Outbox } from "../../platform/outbox/outbox.service.js";
import type { ContactExportDto } from "./contact-export.dto.js";

const all = (rows: string): string => `(select coalesce(json_agg(row_to_json(v)), '[]') from (${rows}) v)`;
/** A conversation `r` of the person's. */
const THEIRS = `conversation r where r.tenant_id = :tenant and r.contact_id = any(p.ids) and ${inReach("r")}`;
/** Rows of `table` with a list of what hangs on each; both are called `r` where they are described. */
const withParts = (
  table: string,
  row: string,
  name: string,
  parts: string,
): string => `select ${row}, (select coalesce(json_agg(row_to_json(m)), '[]') from (${parts}) m) as ${name}
      from (select * from ${table}) r cross join lateral (select r.id as whole) o order by r.created_at, r.id`;

/** The person `p`: the contact with all that was merged into it. */
const EXPORT = one<Omit<ContactExportDto, "mails">, Self & { id: string }>(
  "contacts.export",
  "workspace",
  `select
    ${all(`select ${CONTACT} from contact r where r.tenant_id = :tenant and r.id = any(p.ids) order by r.merged_into_id is not null, r.created_at, r.id`)} as contacts,
    ${all(withParts(THEIRS, toNamed(CONVERSATION), "messages", `select ${toNamed(MESSAGE)} from message r where r.tenant_id = :tenant and r.conversation_id = o.whole order by r.sequence`))} as conversations,
    ${all(`select ${EVENT} from identity_event e where e.tenant_id = :tenant and e.factor_bound_to_principal = any(p.ids) order by e.occurred_at, e.written`)} as "identityEvents",
    ${all(`select ${toNamed(ATTENTION_ITEM)} from attention_item r where r.tenant_id = :tenant and r.conversation_id in (select r.id from ${THEIRS}) order by r.created_at, r.id`)} as "attentionItems",
    ${all(`select ${RATING} from csat_survey r where r.tenant_id = :tenant and r.conversation_id in (select r.id from ${THEIRS}) and r.rated_at is not null order by r.rated_at, r.id`)} as "csatRatings",
    ${all(
      withParts(
        `support_case r where r.tenant_id = :tenant and r.id in (${toNamed(casesOf(sql`p.ids`, sql([`array(select r.id from ${THEIRS})`])))}) and ${inReach("r")}`,
        toNamed(CASE),
        "events",
        `select ${toNamed(CASE_EVENT)} from case_event r where r.tenant_id = :tenant and r.case_id = o.whole order by r.occurred_at, r.id`,
      ),
    )} as cases,
    ${all(`select ${BOOKING} from booking r where r.tenant_id = :tenant and r.id in (${bookingsOf("p.ids", `array(select r.id from ${THEIRS})`)}) and ${inReach("r")} order by r.starts_at, r.id`)} as bookings
  from (select array(select k.id from contact k where k.tenant_id = r.tenant_id and coalesce(r.merged_into_id, r.id) in (k.id, k.merged_into_id)) as ids
    from contact r where r.tenant_id = :tenant and r.id = :id and ${VISIBLE}) p`,
);

/** What is kept about a person (GDPR, article 15). */
@Injectable()
export class ExportService {
  constructor(
    private readonly db: Database,
    private readonly attachments: AttachmentsService,
    private readonly outbox: Outbox,
  ) {}

  /** All that is said of them, at one moment, and then what was sent to them, as JSON. @throws NotFoundException */
  async document(caller: Caller, id: string): Promise<string> {
    const said = (await this.db.read(caller, EXPORT, { id, self: callerId(caller) })).parse();
    // Found by a keyed hash of each address, which the database cannot make.
    const addresses = said.contacts.flatMap(({ emails, phones }) => [...emails, ...phones].map(({ value }) => value));
    const mails = await this.outbox.sentTo(
      caller,
      addresses,
      said.conversations.map((conversation) => conversation.id),
    );
    return JSON.stringify({ ...said, mails } satisfies ContactExportDto);
  }

  /** The document, and behind it the files that it names. */
  async *files({ tenantId }: Caller, document: string): AsyncGenerator<ArchivedFile> {
    yield { path: "person.json", bytes: [Buffer.from(document)] };
    const { conversations } = JSON.parse(document) as ContactExportDto;
    for (const { id, fileName } of conversations.flatMap(({ messages }) =>
      messages.flatMap(({ attachments }) => attachments),
    )) {
      yield { path: `attachments/${id}/${fileName}`, bytes: await this.attachments.bytes({ tenantId, id }) };
    }
  }
}
