import { Injectable } from "@nestjs/common";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { inReach, one, polled, projection, time } from "../platform/database/statement.js";
import type { Tx } from "../platform/database/transaction.js";
import type { Json } from "../platform/http/json.js";
import { EidRequests } from "./eid/eid-requests.js";
import type { IdentityEventDto, IdentityEventsDto } from "./events/identity-events.dto.js";

/** An identity event `e`. */
export const EVENT = projection<IdentityEventDto>({
  id: "e.id",
  tenantId: "e.tenant_id",
  conversationId: "e.conversation_id",
  occurredAt: time("e.occurred_at"),
  eventType: "e.event_type",
  factorCategory: "e.factor_category",
  factorType: "e.factor_type",
  factorBoundToPrincipal: "e.factor_bound_to_principal",
  scopeDimension: "e.scope_dimension",
  scopeValues: "e.scope_values",
  evidenceRef: "e.evidence_ref",
  promptVersion: "e.prompt_version",
  createdAt: time("e.created_at"),
});

/** @public also measured by itself */
export const LIST_IDENTITY_EVENTS = polled(
  one<IdentityEventsDto, { conversationId: string }>(
    "identity-events.list",
    "workspace",
    `select (select coalesce(json_agg(i), '[]') from (
      select ${EVENT} from identity_event e where e.tenant_id = c.tenant_id and e.conversation_id = c.id
        and not exists (select from contact k where k.tenant_id = e.tenant_id and k.id = e.factor_bound_to_principal and k.deleted_at is not null) order by e.occurred_at, e.written) i) as events
   from conversation c where c.tenant_id = :tenant and c.id = :conversationId and ${inReach("c")}`,
  ),
);

@Injectable()
export class IdentityEventsService {
  constructor(
    private readonly db: Database,
    private readonly eid: EidRequests,
  ) {}

  list(caller: Caller, conversationId: string): Promise<Json<IdentityEventsDto>> {
    return this.db.read(caller, LIST_IDENTITY_EVENTS, { conversationId });
  }

  /**
   * Deletes what is bound to erased contacts: the events, with the blocks of their calls and phone numbers, which only the
   * owner's function can; and the questions, attempts, links, eID requests and factors of their verification, with the person that an eID bound them to.
   */
  async eraseContact(
    tx: Tx,
    contactIds: readonly string[],
  ): Promise<{ identityEvents: number; verifications: number }> {
    const verifications = await this.forgetVerifications(tx, contactIds);
    const [erased] = await tx.query<{ identityEvents: number }>(
      'select coalesce(sum(erase_identity_events(:tenant, id)), 0)::int as "identityEvents" from unnest(:contactIds::uuid[]) as id',
      { contactIds },
    );
    return { ...erased!, verifications };
  }

  /** The same for contacts that were deleted 30 days ago, of whom only what is bound to them goes. @returns how many events */
  async purgeContact(tx: Tx, contactIds: readonly string[]): Promise<number> {
    await this.forgetVerifications(tx, contactIds);
    const [purged] = await tx.query<{ events: number }>(
      "select coalesce(sum(purge_identity_events(:tenant, id)), 0)::int as events from unnest(:contactIds::uuid[]) as id",
      { contactIds },
    );
    return purged!.events;
  }

  /** A deleted contact proves nothing any more, and lets go of the person that an eID bound it to, who may come back as another contact. */
  async hideContact(tx: Tx, contactIds: readonly string[]): Promise<void> {
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

  /**
   * What is bound to a contact that was merged is the survivor's from now on, wrong answers that count included.
   * @throws ConflictException: an eID knows them as two people, or has a prompt with each
   */
  async moveContact(tx: Tx, from: string, to: string): Promise<Moved> {
    await this.eid.moveContact(tx, from, to);
    const tables = [
      "verification_question",
      "verification_attempt",
      "verification_factor",
      "magic_link",
      "eid_request",
    ];
    const [moved] = await tx.query<Moved>(
      `with ${tables.map((table) => `${table}_moved as (update ${table} set contact_id = :to where tenant_id = :tenant and contact_id = :from returning 1)`).join(", ")}
      select move_identity_events(:tenant, :from) as "identityEvents", (${tables.map((table) => `(select count(*) from ${table}_moved)`).join(" + ")})::int as verifications`,
      { from, to },
    );
    return moved!;
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

/** What came along with a merged contact, in rows. */
interface Moved {
  identityEvents: number;
  verifications: number;
}
