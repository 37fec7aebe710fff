import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { type Caller, callerId } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { notFound } from "../platform/http/errors.js";
import { Json } from "../platform/http/json.js";
import { ContactsLocking, ContactsMerged } from "./contact-events.js";
import { ContactEntity } from "./contact.entity.js";
import type { ContactDto } from "./contacts.dto.js";
import { GET_CONTACT } from "./contacts.queries.js";
import {
  ABSORB,
  LOCK_ACCOUNTS_OF_BOTH,
  LOCK_BOTH,
  MERGE_DOUBLE_POINTS,
  MOVE_POINTS,
  POINT_TO_SURVIVOR,
} from "./merge.queries.js";
import type { MergeContactsDto, MergePreviewDto } from "./merge.dto.js";

/** Merges two contacts that are the same person. */
@Injectable()
export class MergeService {
  constructor(
    private readonly db: Database,
    private readonly events: DomainEvents,
  ) {}

  /**
   * The contact in the path survives. A preview runs the real merge and rolls it back before other transactions can
   * read it. So it shows exactly what would happen, and fails if the merge would fail.
   * @throws NotFoundException (either contact), ConflictException (merged before, both have an externalId, both are
   * bound to an eID)
   */
  merge(
    caller: Caller,
    id: string,
    { sourceContactId: source, dryRun = false }: MergeContactsDto,
  ): Promise<Json<ContactDto | MergePreviewDto>> {
    if (source.toLowerCase() === id)
      throw new BadRequestException("sourceContactId must be another contact than the one in the path");
    return this.db.transaction(caller, async (tx): Promise<Json<ContactDto | MergePreviewDto>> => {
      const carryOut = async () => ({
        moved: await this.carryOut(tx, id, source.toLowerCase()),
        survivor: await tx.read(GET_CONTACT, { id, self: callerId(caller) }),
      });
      if (!dryRun) return (await carryOut()).survivor;
      const { moved, survivor } = await tx.preview(carryOut);
      return Json.of<MergePreviewDto>({ contact: survivor.parse(), ...moved });
    });
  }

  private async carryOut(tx: Tx, id: string, source: string): Promise<Omit<MergePreviewDto, "contact">> {
    await tx.query(LOCK_ACCOUNTS_OF_BOTH, { id, source, self: callerId(tx.caller) });
    await this.events.publish(tx, new ContactsLocking([id, source]));
    const taken = await this.hold(tx, id, source);
    // Move the addresses first. A later change of the name or of a conversation updates the search index with them.
    await this.movePoints(tx, id, source);
    await this.join(tx, id, source, taken);
    const merged = new ContactsMerged(source, id);
    await this.events.publish(tx, merged);
    return merged.moved;
  }

  /**
   * Locks both contacts, the lower id first. If two merges concern the same contacts, the second waits and then sees
   * the result of the first. A contact is never merged into itself.
   * @returns the source's externalId
   */
  private async hold(tx: Tx, id: string, source: string): Promise<string | null> {
    const held = await tx.query(LOCK_BOTH, { id, source, self: callerId(tx.caller) });
    const [survivor, other] = [id, source].map((one) => held.find((contact) => contact.id === one));
    if (!survivor) throw notFound();
    if (!other) throw notFound("sourceContactId");
    if (survivor.mergedIntoId)
      throw new ConflictException(`The contact was merged into ${survivor.mergedIntoId}, which stands for it now`);
    if (other.mergedIntoId)
      throw new ConflictException(`The contact in sourceContactId was merged into ${other.mergedIntoId} already`);
    if (survivor.externalId !== null && other.externalId !== null)
      throw new ConflictException("Both contacts have an externalId: to you they are two people");
    return other.externalId;
  }

  /** The survivor keeps its own values and takes over those that it lacks. */
  private async join(tx: Tx, id: string, source: string, externalId: string | null): Promise<void> {
    const { accountId } = await tx.findOrThrow(ContactEntity, { id: source });
    await tx.query(POINT_TO_SURVIVOR, { id, source });
    await tx.query(ABSORB, { id, source, externalId, accountId });
  }

  /** If both contacts have the same address, it becomes one. It is verified if either was. */
  private async movePoints(tx: Tx, id: string, source: string): Promise<void> {
    await tx.query(MERGE_DOUBLE_POINTS, { id, source });
    await tx.query(MOVE_POINTS, { id, source });
  }
}
