import { ConflictException, Injectable, NotFoundException } from "@nestjs/common";
import { In, IsNull, Not } from "typeorm";
import { recordAuditEntry } from "../../audit/audit-entries.js";
import { ContactEntity } from "../../contacts/contact.entity.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { type Sealer, Sealers } from "../../platform/database/seal.js";
import type { Tx } from "../../platform/database/transaction.js";
import { recordIdentityEvent } from "../events/identity-event.js";
import { addFactor } from "../verification/assurance-level.js";
import { type VerificationContext, VerificationContexts } from "../verification/verification-context.js";
import { EidBindingEntity, EidDueEntity, type EidMode, EidRequestEntity, type EidStatus } from "./eid.entity.js";
import type { Approval, EidAnswer } from "./eid-provider.js";
import {
  ARE_TWO_PEOPLE,
  BIND_PERSON,
  END,
  type EndedRequest,
  ERASE_CONTACTS,
  FIND_BINDING,
  FIND_REQUEST,
  type FoundRow,
  INSERT_REQUEST,
  KEEP_APPROVAL,
  REKEY_PERSON,
} from "./eid-requests.queries.js";
import { EidSchemesService, type Scheme } from "./eid-schemes.service.js";

export interface NewRequest {
  id: string;
  scheme: Scheme;
  mode: EidMode;
  /** Sealed into the request. */
  secret?: unknown;
  /** Until the request expires. */
  seconds: number;
  /** Between two polls; without it there is nothing to poll. */
  intervalSeconds?: number;
  linkHash?: string;
}

export interface FoundRequest<Secret> extends Omit<FoundRow, "sealed" | "scheme"> {
  id: string;
  /** The scheme that the request was made with. Null if the workspace removed it or gave it another issuer. */
  scheme: Scheme | null;
  secret: Secret | null;
}

/** A final answer of the provider, which ends a request. */
export type Ending = Exclude<EidAnswer, string> | "denied" | "expired" | "forged";

/** Stores requests for approval and ends them, each change with its identity events. */
@Injectable()
export class EidRequests {
  readonly contexts: VerificationContexts;
  private readonly sealer: Sealer;
  private readonly persons: Sealer;

  constructor(
    private readonly db: Database,
    private readonly schemes: EidSchemesService,
    config: Config,
    sealers: Sealers,
  ) {
    this.contexts = new VerificationContexts(config.secretKeys);
    this.sealer = sealers.for("eid requests");
    this.persons = sealers.for("eid persons");
  }

  /** @returns when the request expires; undefined if another prompt already waits for the contact */
  async add(
    tx: Tx,
    { conversationId, contactId, settings }: VerificationContext,
    { id, scheme: { name, issuer }, mode, secret, seconds, intervalSeconds, linkHash }: NewRequest,
  ): Promise<string | undefined> {
    const sealed = secret === undefined ? null : this.seal(tx, id, secret);
    const [row] = await tx.query(INSERT_REQUEST, {
      id,
      conversationId,
      contactId,
      scheme: name,
      issuer,
      mode,
      sealed,
      linkHash,
      seconds,
      intervalSeconds,
    });
    if (!row) return undefined;
    await recordIdentityEvent(
      tx,
      { conversationId, transitionKey: `eid:${id}:begun`, promptVersion: settings.promptVersion ?? undefined },
      {
        eventType: mode === "push" ? "eid_approval_requested" : "eid_link_issued",
        factorCategory: "possession",
        factorType: "eid_verified",
        factorBoundToPrincipal: contactId,
        evidenceRef: `eid:${name}`,
      },
    );
    return row.expiresAt;
  }

  seal(tx: Tx, id: string, secret: unknown): Buffer {
    return this.sealer.seal(secret, tx.caller.tenantId + id);
  }

  /** @returns undefined if there is no such request, or its contact or workspace is gone */
  async find<Secret>(caller: Caller, id: string): Promise<FoundRequest<Secret> | undefined> {
    try {
      const { sealed, scheme, ...request } = (await this.db.read(caller, FIND_REQUEST, { id })).parse();
      return {
        ...request,
        id,
        scheme: scheme && this.schemes.open(caller, request.workspaceId, scheme),
        secret: sealed === null ? null : this.sealer.open<Secret>(Buffer.from(sealed, "base64"), caller.tenantId + id),
      };
    } catch (error) {
      if (error instanceof NotFoundException) return undefined;
      throw error;
    }
  }

  /**
   * Ends a pending request, with its events. Only one of several concurrent calls does. A request whose time is over
   * ends as expired, whatever the ending says.
   * @returns the status now, whichever call ended the request; undefined if it was erased with its contact
   */
  async end(tx: Tx, id: string, ending: Ending): Promise<EidStatus | undefined> {
    const known = await tx.findOne(EidRequestEntity, { id });
    if (!known) return undefined;
    const context = await this.contexts.find(tx, known.conversationId, "exclusive");
    const { conversationId, settings } = context;
    const [ended] = await tx.query(END, {
      id,
      status: typeof ending === "object" ? "granted" : ending === "forged" ? "failed" : ending,
    });
    if (!ended) return (await tx.findOne(EidRequestEntity, { id }))?.status;
    await tx.delete(EidDueEntity, { requestId: id });
    const { contactId, scheme } = ended;
    let { status } = ended;
    const whose = status === "granted" ? await this.identify(tx, id, context, ended, ending as Approval) : undefined;
    if (whose === "another") {
      status = "failed";
      await tx.update(EidRequestEntity, { id }, { status });
    }
    const origin = { conversationId, promptVersion: settings.promptVersion ?? undefined };
    const factor = factorOf(scheme);
    await recordIdentityEvent(
      tx,
      { ...origin, transitionKey: `eid:${id}:${status}` },
      { eventType: EVENT_OF[status as keyof typeof EVENT_OF], factorBoundToPrincipal: contactId, ...factor },
    );
    if (whose === "bound")
      await addFactor(tx, { ...origin, contactId, ...factor, lifetimeMinutes: settings.factorLifetimeMinutes });
    return status;
  }

  /**
   * Whether the person who approved is the contact. An approval proves who approves, not that they are the contact: the
   * caller may have named their own eID. So a first approval binds only if what the eID says of the person is on file.
   * Otherwise a member may confirm it for as long as a factor counts.
   */
  private async identify(
    tx: Tx,
    id: string,
    { contactId, language, settings }: VerificationContext,
    { issuer }: EndedRequest,
    { person: identifier, matches }: Approval,
  ): Promise<"bound" | "another" | "unproven"> {
    const persons = this.persons.hashes(JSON.stringify([tx.caller.tenantId, issuer, identifier]));
    const person = persons[0]!;
    if (persons.length > 1) await tx.query(REKEY_PERSON, { issuer, persons, person });
    const binding = { contactId, issuer, person };
    const [known] = await tx.query(FIND_BINDING, binding);
    if (known!.same === true) return "bound";
    if (known!.same === false || known!.elsewhere) return "another";
    const onFile = await tx.findOrThrow(ContactEntity, { id: contactId });
    if (matches(onFile, language)) return this.bind(tx, binding);
    await tx.query(KEEP_APPROVAL, { id, person, minutes: settings.factorLifetimeMinutes });
    return "unproven";
  }

  /** Binds a person to a contact. A contact has one person for each issuer, and a person has one contact of the tenant. */
  async bind(tx: Tx, binding: { contactId: string; issuer: string; person: Buffer }): Promise<"bound" | "another"> {
    await tx.query(BIND_PERSON, binding);
    const [known] = await tx.query(FIND_BINDING, binding);
    return known!.same === true ? "bound" : "another";
  }

  /**
   * Ends what waits for a contact that is merged into another one, and unbinds its eID: that the two are one person was
   * said by whoever merges them, not proven by the eID. The lock on the contacts holds off answers of the provider.
   * @throws ConflictException if an eID proved that they are two people
   */
  async endOfMerged(tx: Tx, from: string, to: string): Promise<void> {
    const [found] = await tx.query(ARE_TWO_PEOPLE, { from, to });
    if (found!.different) throw new ConflictException("The contacts have proven with an eID to be two people");
    const ended = await tx.updateReturning(
      EidRequestEntity,
      { contactId: from, status: "pending" },
      { status: "expired", sealed: null, finishedAt: () => "clock_timestamp()" },
      ["id", "conversationId", "scheme"],
    );
    for (const { id, conversationId, scheme } of ended) {
      await tx.delete(EidDueEntity, { requestId: id });
      await recordIdentityEvent(
        tx,
        { conversationId, transitionKey: `eid:${id}:expired` },
        { eventType: "eid_approval_expired", factorBoundToPrincipal: from, ...factorOf(scheme) },
      );
    }
    await this.unbind(tx, from);
  }

  /** Unbinds every eID of a contact. Approvals that wait for a confirmation are void. */
  async unbind(tx: Tx, contactId: string): Promise<void> {
    await this.forgetApprovals(tx, [contactId]);
    const eidBindings = await tx.delete(EidBindingEntity, { contactId });
    if (!eidBindings) return;
    await recordAuditEntry(tx, {
      change: "updated",
      resourceType: "contact",
      resourceId: contactId,
      fields: ["eidBinding"],
      counts: { eidBindings },
    });
  }

  /** Nobody can confirm the approvals of these contacts any more. */
  async forgetApprovals(tx: Tx, contactIds: readonly string[]): Promise<void> {
    await tx.update(
      EidRequestEntity,
      { contactId: In([...contactIds]), person: Not(IsNull()) },
      { person: null, confirmableUntil: null },
    );
  }

  /** @returns how many rows were deleted */
  async eraseContact(tx: Tx, contactIds: readonly string[]): Promise<number> {
    const [row] = await tx.query(ERASE_CONTACTS, { contactIds });
    return row!.erased;
  }
}

export const factorOf = (scheme: string) =>
  ({ factorCategory: "possession", factorType: "eid_verified", evidenceRef: `eid:${scheme}` }) as const;

const EVENT_OF = {
  granted: "eid_approval_granted",
  denied: "eid_approval_denied",
  expired: "eid_approval_expired",
  failed: "factor_failed",
} as const;
