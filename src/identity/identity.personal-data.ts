import { Injectable, type OnModuleInit } from "@nestjs/common";
import { In, IsNull } from "typeorm";
import { ContactsDeleted, ContactsErased, ContactsMerged, ContactsPurged } from "../contacts/contact-events.js";
import { identifier, joined, type Sql, sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { EidBindingEntity, EidRequestEntity } from "./eid/eid.entity.js";
import { EidRequests } from "./eid/eid-requests.js";
import { endFactors } from "./verification/assurance-level.js";
import { MagicLinkEntity } from "./magic-links/magic-link.entity.js";
import { OneTimeCodeEntity } from "./one-time-codes/one-time-code.entity.js";

const CONTACTS_CHOSEN = { unrestricted: "the merge, purge or erasure has chosen and locked the contacts" };
const VERIFICATIONS = [
  "verification_question",
  "verification_attempt",
  "verification_factor",
  "magic_link",
  "one_time_code",
];

/** One change for each table, as common table expressions, and the sum of their rows. */
const inEach = (tables: readonly string[], change: (table: Sql) => Sql): { changes: Sql; rows: Sql } => ({
  changes: joined(
    tables.map((table) => sql`${identifier(`${table}_changed`)} as (${change(identifier(table))} returning 1)`),
    ", ",
  ),
  rows: joined(
    tables.map((table) => sql`(select count(*) from ${identifier(`${table}_changed`)})`),
    " + ",
  ),
});

/** The right answers and open questions were about the merged contact. Only the wrong answers count for the survivor too. */
const MOVE = query<{ from: string; to: string }, { identityEvents: number; verifications: number }>()(
  "identityPersonalData.move",
  CONTACTS_CHOSEN,
  ({ from, to }) => {
    const { changes, rows } = inEach(
      ["verification_attempt", "eid_request", "magic_link", "one_time_code"],
      (table) => sql`update ${table} set contact_id = ${to} where tenant_id = ${TENANT} and contact_id = ${from}`,
    );
    return sql`
      with ${changes}, questions as (
        delete from verification_question where tenant_id = ${TENANT} and contact_id = ${from} returning 1
      )
      select move_identity_events(${TENANT}, ${from}) as "identityEvents",
        (${rows} + (select count(*) from questions))::int as verifications`;
  },
);

const DELETE_VERIFICATIONS = query<{ contactIds: readonly string[] }, { verifications: number }>()(
  "identityPersonalData.deleteVerifications",
  CONTACTS_CHOSEN,
  ({ contactIds }) => {
    const { changes, rows } = inEach(
      VERIFICATIONS,
      (table) => sql`delete from ${table} where tenant_id = ${TENANT} and contact_id = any(${contactIds}::uuid[])`,
    );
    return sql`
      with ${changes}
      select (${rows})::int as verifications`;
  },
);

const PURGE_EVENTS = query<{ contactIds: readonly string[] }, { events: number }>()(
  "identityPersonalData.purgeEvents",
  CONTACTS_CHOSEN,
  ({ contactIds }) => sql`
    select coalesce(sum(purge_identity_events(${TENANT}, id)), 0)::int as events
    from unnest(${contactIds}::uuid[]) as id`,
);

const ERASE_EVENTS = query<{ contactIds: readonly string[] }, { events: number }>()(
  "identityPersonalData.eraseEvents",
  CONTACTS_CHOSEN,
  ({ contactIds }) => sql`
    select coalesce(sum(erase_identity_events(${TENANT}, id)), 0)::int as events
    from unnest(${contactIds}::uuid[]) as id`,
);

/** Identity events, and the questions, attempts, links, codes, eID requests and factors of verifications. */
@Injectable()
export class IdentityPersonalData implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly eid: EidRequests,
  ) {}

  onModuleInit(): void {
    this.events.handle(ContactsMerged, (tx, merged) => this.move(tx, merged));
    this.events.handle(ContactsDeleted, (tx, { contactIds }) => this.hide(tx, contactIds));
    this.events.handle(ContactsPurged, (tx, purged) => this.purge(tx, purged));
    this.events.handle(ContactsErased, (tx, erasure) => this.erase(tx, erasure));
  }

  /**
   * Moves the events and the wrong answers to the contact that survives the merge. What the other one has proven is no
   * proof of the survivor, so it ends. So do the links and codes of both.
   * @throws ConflictException if an eID proved that they are two people
   */
  private async move(tx: Tx, { from, to, moved }: ContactsMerged): Promise<void> {
    await this.endProofs(tx, [from, to]);
    await this.eid.endOfMerged(tx, from, to);
    const { factors, levelsLost } = await endFactors(tx, from);
    const [rows] = await tx.query(MOVE, { from, to });
    moved.assuranceLevelsLost += levelsLost;
    moved.identityEvents += rows!.identityEvents;
    moved.verifications += rows!.verifications + factors;
  }

  /**
   * A deleted contact cannot prove anything. It also loses the person that an eID bound it to, because that person may
   * come back as another contact.
   */
  private async hide(tx: Tx, ids: readonly string[]): Promise<void> {
    const contactId = In(ids);
    await this.endProofs(tx, ids);
    await tx.delete(EidRequestEntity, { contactId, status: "pending" });
    await this.eid.forgetApprovals(tx, ids);
    await tx.delete(EidBindingEntity, { contactId });
  }

  /** Links and codes that wait no longer work. What a merge brings together was not there when they were sent. */
  private async endProofs(tx: Tx, ids: readonly string[]): Promise<void> {
    const open = { contactId: In(ids), redeemedAt: IsNull(), replacedAt: IsNull() };
    await tx.update(MagicLinkEntity, open, { replacedAt: () => "clock_timestamp()" });
    await tx.update(OneTimeCodeEntity, open, { replacedAt: () => "clock_timestamp()" });
  }

  private async purge(tx: Tx, purged: ContactsPurged): Promise<void> {
    const { contactIds } = purged;
    await this.deleteVerifications(tx, contactIds);
    const [removed] = await tx.query(PURGE_EVENTS, { contactIds });
    purged.identityEvents += removed!.events;
  }

  /** Also deletes the events of blocked calls and phone numbers, which only the owner's function can. */
  private async erase(tx: Tx, { contactIds, erased }: ContactsErased): Promise<void> {
    erased.verifications += await this.deleteVerifications(tx, contactIds);
    const [removed] = await tx.query(ERASE_EVENTS, { contactIds });
    erased.identityEvents += removed!.events;
  }

  private async deleteVerifications(tx: Tx, contactIds: readonly string[]): Promise<number> {
    const [deleted] = await tx.query(DELETE_VERIFICATIONS, { contactIds });
    return deleted!.verifications + (await this.eid.eraseContact(tx, contactIds));
  }
}
