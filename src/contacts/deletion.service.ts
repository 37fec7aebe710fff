import { Injectable } from "@nestjs/common";
import { recordAuditEntry, suspendRowAudit } from "../audit/audit-entries.js";
import { type Caller, callerId, type SystemCaller } from "../platform/caller/caller.js";
import { GET_CONTACT } from "./contacts.queries.js";
import { ContactsService } from "./contacts.service.js";
import { forgetAnswers } from "../platform/database/stored-answers.js";
import { Database } from "../platform/database/database.js";
import { type Json, type Ok, ok } from "../platform/http/json.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { ContactsDeleted, ContactsLocking, ContactsPurged } from "./contact-events.js";

/** Contacts per transaction of a purge. */
const BATCH = 200;

/**
 * Deletes contacts. They are hidden immediately and purged after 30 days. Their conversations stay. Only an erasure
 * removes the text of messages too.
 */
@Injectable()
export class DeletionService {
  constructor(
    private readonly db: Database,
    private readonly contacts: ContactsService,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Deletes the contact and all contacts that were merged into it.
   * @throws NotFoundException (also the second time), ConflictException: it appears in workspaces out of the caller's reach
   */
  remove(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await tx.read(GET_CONTACT, { id, self: callerId(caller) });
      let ids = await this.contacts.personOf(tx, id);
      // Until the locks are held, another contact may be merged into this one.
      for (let held = 0; held < ids.length; ids = await this.contacts.personOf(tx, id)) {
        held = ids.length;
        await this.events.publish(tx, new ContactsLocking(ids));
        await this.contacts.hold(tx, ids);
      }
      await this.contacts.assertNowhereElse(tx, ids);
      await this.contacts.hide(tx, ids);
      await this.events.publish(tx, new ContactsDeleted(ids));
      await forgetAnswers(tx, ids);
      return ok();
    });
  }

  /**
   * Purges the contacts of one side that were deleted long enough ago.
   * @param keptFor a PostgreSQL interval @returns how many contacts, and identity events with them
   */
  async purge(caller: SystemCaller, keptFor: string): Promise<{ contacts: number; identityEvents: number }> {
    const total = { contacts: 0, identityEvents: 0 };
    for (let purged = BATCH; purged === BATCH;) {
      purged = await this.db.transaction(caller, async (tx) => {
        const ids = await this.contacts.lockDueForPurge(tx, keptFor, BATCH);
        if (!ids.length) return 0;
        await suspendRowAudit(tx);
        const purged = new ContactsPurged(ids);
        await this.events.publish(tx, purged);
        const { identityEvents } = purged;
        const { contacts } = await this.contacts.eraseContact(tx, ids);
        await recordAuditEntry(tx, {
          change: "deleted",
          resourceType: "contact",
          counts: { contacts, identityEvents },
        });
        total.contacts += contacts;
        total.identityEvents += identityEvents;
        return ids.length;
      });
    }
    return total;
  }
}
