import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { type Caller, callerId } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { notFound } from "../platform/http/errors.js";
import { Json } from "../platform/http/json.js";
import { ContactsLocking, ContactsMerged } from "./contact-events.js";
import type { ContactDto } from "./contacts.dto.js";
import { GET, VISIBLE } from "./contacts.queries.js";
import type { MergeDto, MergePreviewDto } from "./merge.dto.js";

interface Held {
  id: string;
  externalId: string | null;
  mergedIntoId: string | null;
}

/** Makes one contact of two that are the same person. */
@Injectable()
export class MergeService {
  constructor(
    private readonly db: Database,
    private readonly events: DomainEvents,
  ) {}

  /**
   * The path's contact survives. A preview is the merge itself, undone before anybody sees it: it tells exactly what would
   * happen, and is refused where the merge would be.
   * @throws NotFoundException (either of them), ConflictException (merged before, both with your own id, both known to an eID)
   */
  merge(
    caller: Caller,
    id: string,
    { sourceContactId: source, dryRun = false }: MergeDto,
  ): Promise<Json<ContactDto | MergePreviewDto>> {
    if (source.toLowerCase() === id)
      throw new BadRequestException("sourceContactId must be another contact than the one in the path");
    return this.db.transaction(caller, async (tx): Promise<Json<ContactDto | MergePreviewDto>> => {
      const carryOut = async () => ({
        moved: await this.carryOut(tx, id, source.toLowerCase()),
        survivor: await tx.read(GET, { id, self: callerId(caller) }),
      });
      if (!dryRun) return (await carryOut()).survivor;
      const { moved, survivor } = await tx.preview(carryOut);
      return Json.of<MergePreviewDto>({ contact: survivor.parse(), ...moved });
    });
  }

  private async carryOut(tx: Tx, id: string, source: string): Promise<Omit<MergePreviewDto, "contact">> {
    await this.events.publish(tx, new ContactsLocking([id, source]));
    const taken = await this.hold(tx, id, source);
    // The addresses before the name and the conversations, whose changes have the search take up what the contact has by then.
    await this.movePoints(tx, id, source);
    await this.join(tx, id, source, taken);
    const merged = new ContactsMerged(source, id);
    await this.events.publish(tx, merged);
    return merged.moved;
  }

  /**
   * Both are held, the lower id first, so that of two merges of the same contacts one waits for the other, and then finds
   * what it made of them: no contact ends in itself, whichever way round.
   * @returns the source's externalId
   */
  private async hold(tx: Tx, id: string, source: string): Promise<string | null> {
    const held = await tx.query<Held>(
      `select r.id, r.external_id as "externalId", r.merged_into_id as "mergedIntoId" from contact r
      where r.tenant_id = :tenant and r.id in (:id, :source) and ${VISIBLE} order by r.id for update of r`,
      { id, source, self: callerId(tx.caller) },
    );
    const [survivor, other] = [id, source].map((one) => held.find((contact) => contact.id === one));
    if (!survivor || !other) throw notFound();
    if (survivor.mergedIntoId)
      throw new ConflictException(`The contact was merged into ${survivor.mergedIntoId}, which stands for it now`);
    if (other.mergedIntoId)
      throw new ConflictException(`The contact in sourceContactId was merged into ${other.mergedIntoId} already`);
    if (survivor.externalId !== null && other.externalId !== null)
      throw new ConflictException("Both contacts have an externalId: to you they are two people");
    return other.externalId;
  }

  /** What the survivor has stays as it is; what it lacks it gets. */
  private async join(tx: Tx, id: string, source: string, externalId: string | null): Promise<void> {
    const [{ accountId }] = (await tx.query<{ accountId: string | null }>(
      'select account_id as "accountId" from contact where tenant_id = :tenant and id = :source',
      { source },
    )) as [{ accountId: string | null }];
    // What was merged into the source stands one step from the survivor, too.
    await tx.query(
      `update contact set merged_into_id = :id, updated_at = now(), external_id = case when id = :source then null else external_id end, account_id = null
      where tenant_id = :tenant and (id = :source or merged_into_id = :source)`,
      { id, source },
    );
    await tx.query(
      `update contact t set external_id = coalesce(t.external_id, :externalId), name = coalesce(t.name, s.name), language = coalesce(t.language, s.language),
        account_id = coalesce(t.account_id, :accountId::uuid), labels = t.labels || array(select l from unnest(s.labels) with ordinality as o (l, n) where l <> all(t.labels) order by n),
        attributes = s.attributes || t.attributes, blocked = t.blocked or s.blocked, last_seen_at = greatest(t.last_seen_at, s.last_seen_at), updated_at = now()
      from contact s where t.tenant_id = :tenant and t.id = :id and s.tenant_id = :tenant and s.id = :source`,
      { id, source, externalId, accountId },
    );
  }

  /** An address that both have is one, proven where it was in either. */
  private async movePoints(tx: Tx, id: string, source: string): Promise<void> {
    await tx.query(
      `with doubled as (
        delete from contact_point s using contact_point t
        where s.tenant_id = :tenant and s.contact_id = :source and t.tenant_id = :tenant and t.contact_id = :id and t.kind = s.kind and t.value = s.value returning s.kind, s.value, s.verified_at
      ) update contact_point t set verified_at = d.verified_at from doubled d
      where t.tenant_id = :tenant and t.contact_id = :id and t.kind = d.kind and t.value = d.value and t.verified_at is null and d.verified_at is not null`,
      { id, source },
    );
    await tx.query(
      `update contact_point set contact_id = :id, position = position + 1 + coalesce((select max(t.position) from contact_point t where t.tenant_id = :tenant and t.contact_id = :id), -1)
      where tenant_id = :tenant and contact_id = :source`,
      { id, source },
    );
  }
}
