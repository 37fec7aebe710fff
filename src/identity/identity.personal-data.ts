import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsDeleted, ContactsErased, ContactsMerged, ContactsPurged } from "../contacts/contact-events.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { EidRequests } from "./eid/eid-requests.js";

interface Moved {
  identityEvents: number;
  verifications: number;
}

/** Identity events, and the questions, attempts, links, eID requests and factors of verifications. */
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
   * What is bound to the merged contact is the survivor's from now on, wrong answers that count included.
   * @throws ConflictException an eID knows them as two people, or has a prompt with each
   */
  private async move(tx: Tx, { from, to, moved }: ContactsMerged): Promise<void> {
    await this.eid.moveContact(tx, from, to);
    const tables = [
      "verification_question",
      "verification_attempt",
      "verification_factor",
      "magic_link",
      "eid_request",
    ];
    const [counts] = await tx.query<Moved>(
      `with ${tables.map((table) => `${table}_moved as (update ${table} set contact_id = :to where tenant_id = :tenant and contact_id = :from returning 1)`).join(", ")}
      select move_identity_events(:tenant, :from) as "identityEvents", (${tables.map((table) => `(select count(*) from ${table}_moved)`).join(" + ")})::int as verifications`,
      { from, to },
    );
    moved.identityEvents += counts!.identityEvents;
    moved.verifications += counts!.verifications;
  }

  /** A deleted contact proves nothing any more, and lets go of the person that an eID bound it to, who may come back as another contact. */
  private async hide(tx: Tx, contactIds: readonly string[]): Promise<void> {
    await tx.query(
      "update magic_link set replaced_at = clock_timestamp() where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) and redeemed_at is null and replaced_at is null",
      { contactIds },
    );
    await tx.query(
      `delete from eid_request where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) and status = 'pending'`,
      { contactIds },
    );
    await tx.query("delete from eid_binding where tenant_id = :tenant and contact_id = any(:contactIds::uuid[])", {
      contactIds,
    });
  }

  private async purge(tx: Tx, purged: ContactsPurged): Promise<void> {
    const { contactIds } = purged;
    await this.forgetVerifications(tx, contactIds);
    const [removed] = await tx.query<{ events: number }>(
      "select coalesce(sum(purge_identity_events(:tenant, id)), 0)::int as events from unnest(:contactIds::uuid[]) as id",
      { contactIds },
    );
    purged.identityEvents += removed!.events;
  }

  /** With the blocks of their calls and phone numbers, which only the owner's function can remove. */
  private async erase(tx: Tx, { contactIds, erased }: ContactsErased): Promise<void> {
    erased.verifications += await this.forgetVerifications(tx, contactIds);
    const [removed] = await tx.query<{ events: number }>(
      "select coalesce(sum(erase_identity_events(:tenant, id)), 0)::int as events from unnest(:contactIds::uuid[]) as id",
      { contactIds },
    );
    erased.identityEvents += removed!.events;
  }

  private async forgetVerifications(tx: Tx, contactIds: readonly string[]): Promise<number> {
    const [steps] = await tx.query<{ verifications: number }>(
      `with questions as (
        delete from verification_question where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) returning 1
      ), attempts as (
        delete from verification_attempt where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) returning 1
      ), links as (
        delete from magic_link where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) returning 1
      ), factors as (
        delete from verification_factor where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) returning 1
      ) select ((select count(*) from questions) + (select count(*) from attempts) + (select count(*) from links) + (select count(*) from factors))::int as verifications`,
      { contactIds },
    );
    return steps!.verifications + (await this.eid.eraseContact(tx, contactIds));
  }
}
