import { ConflictException, Injectable } from "@nestjs/common";
import { recordAuditEntry } from "../../audit/audit-entries.js";
import { ContactsLocking } from "../../contacts/contact-events.js";
import { ContactsService } from "../../contacts/contacts.service.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { addFactor, endFactors, refreshLevel } from "../verification/assurance-level.js";
import { EidRequestEntity } from "./eid.entity.js";
import { EidRequests, factorOf } from "./eid-requests.js";
import { TAKE_APPROVAL } from "./eid-requests.queries.js";

/** Members bind a person to a contact, and unbind them. */
@Injectable()
export class EidBindingsService {
  constructor(
    private readonly db: Database,
    private readonly requests: EidRequests,
    private readonly contacts: ContactsService,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Binds the person of an approval to the contact. The approval alone does not prove that the person is the contact, and
   * neither does the member alone: another proof must have identified the caller, and must still count.
   * @throws NotFoundException (the request), ConflictException (not identified, nothing to confirm, or not free)
   */
  confirm(caller: Caller, requestId: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const { conversationId } = await tx.findOrThrow(EidRequestEntity, { id: requestId });
      const { contactId, workspaceId, settings } = await this.requests.contexts.find(tx, conversationId, "exclusive");
      const { level } = await refreshLevel(tx, conversationId);
      if (!settings.allowedFactors.includes("eid_verified"))
        throw new ConflictException("The workspace does not allow proof by eID (eid_verified)");
      const [approval] = await tx.query(TAKE_APPROVAL, { id: requestId, conversationId });
      if (!approval)
        throw new ConflictException(
          level === "none"
            ? "Another proof must identify the caller before you can confirm the eID"
            : "No approval of this request waits for a confirmation",
        );
      const { issuer, person, scheme, minutes } = approval;
      if ((await this.requests.bind(tx, { contactId, issuer, person })) !== "bound")
        throw new ConflictException(
          "The contact is bound to another person of the eID, or the person to another contact",
        );
      await addFactor(tx, {
        conversationId,
        promptVersion: settings.promptVersion ?? undefined,
        contactId,
        ...factorOf(scheme),
        lifetimeMinutes: minutes,
      });
      await recordAuditEntry(tx, {
        change: "updated",
        resourceType: "contact",
        resourceId: contactId,
        workspaceId,
        conversationId,
        fields: ["eidBinding"],
      });
      return ok();
    });
  }

  /**
   * Unbinds every eID of a contact. What the eIDs proved in its conversations ends, and the events stay.
   * @throws NotFoundException, ConflictException: the contact was merged
   */
  unbind(caller: Caller, contactId: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      // Conversations first, as verification does. Then no approval is under way.
      await this.events.publish(tx, new ContactsLocking([contactId]));
      await this.contacts.hold(tx, [contactId]);
      await this.contacts.assertVisible(tx, contactId);
      await this.requests.unbind(tx, contactId);
      await endFactors(tx, contactId, ["eid_verified"]);
      return ok();
    });
  }
}
