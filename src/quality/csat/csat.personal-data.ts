import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased, ContactsMerged } from "../../contacts/contact-events.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";

const WHOLE_PERSON = { unrestricted: "a merge or erasure covers the contact in every workspace" };

const DELETE_DUE_OF_CONTACTS = query<{ contactIds: string[] }>()(
  "surveys.deleteDueOfContacts",
  WHOLE_PERSON,
  ({ contactIds }) => sql`
    delete from csat_due d using conversation c
    where d.tenant_id = ${TENANT} and c.tenant_id = ${TENANT} and c.id = d.conversation_id
      and c.contact_id = any(${contactIds}::uuid[])`,
);

const MOVE_SURVEYS = query<{ from: string; to: string }>()(
  "surveys.moveToContact",
  WHOLE_PERSON,
  ({ from, to }) => sql`
    update csat_survey set contact_id = ${to} where tenant_id = ${TENANT} and contact_id = ${from}`,
);

const DELETE_DUE = query<{ conversationIds: readonly string[] }>()(
  "surveys.deleteDue",
  WHOLE_PERSON,
  ({ conversationIds }) => sql`
    delete from csat_due where tenant_id = ${TENANT} and conversation_id = any(${conversationIds}::uuid[])`,
);

/** A row for each comment that was erased. */
const ERASE_COMMENTS = query<{ conversationIds: readonly string[] }>()(
  "surveys.eraseComments",
  WHOLE_PERSON,
  ({ conversationIds }) => sql`
    update csat_survey set comment = null
    where tenant_id = ${TENANT} and conversation_id = any(${conversationIds}::uuid[]) and comment is not null
    returning 1`,
);

@Injectable()
export class CsatPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsMerged, (tx, { from, to }) => this.move(tx, from, to));
    this.events.handle(ContactsErased, (tx, erasure) => this.erase(tx, erasure));
  }

  /** The survivor was asked when the merged contact was; neither is asked about the time before the merge. */
  private async move(tx: Tx, from: string, to: string): Promise<void> {
    await tx.query(DELETE_DUE_OF_CONTACTS, { contactIds: [from, to] });
    await tx.query(MOVE_SURVEYS, { from, to });
  }

  /** What they wrote goes; that they answered, and how, stays as anonymous statistics, as their conversations do. */
  private async erase(tx: Tx, { conversationIds, erased }: ContactsErased): Promise<void> {
    await tx.query(DELETE_DUE, { conversationIds });
    erased.csatComments += (await tx.query(ERASE_COMMENTS, { conversationIds })).length;
  }
}
