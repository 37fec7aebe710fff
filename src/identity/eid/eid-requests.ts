import { ConflictException, Injectable, NotFoundException } from "@nestjs/common";
import { In } from "typeorm";
import { ContactsService } from "../../contacts/contacts.service.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { Sealer } from "../../platform/database/seal.js";
import type { Tx } from "../../platform/database/transaction.js";
import { recordIdentityEvent } from "../events/identity-event.js";
import { addFactor } from "../verification/assurance-level.js";
import { type VerificationContext, VerificationContexts } from "../verification/verification-context.js";
import { EidBindingEntity, EidDueEntity, type EidMode, EidRequestEntity, type EidStatus } from "./eid.entity.js";
import type { EidAnswer } from "./eid-provider.js";
import {
  BIND_PERSON,
  END,
  ERASE_CONTACTS,
  FIND_MERGE_CONFLICTS,
  FIND_REQUEST,
  type FoundRow,
  INSERT_REQUEST,
  IS_BOUND_PERSON,
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
    private readonly contacts: ContactsService,
    config: Config,
  ) {
    this.contexts = new VerificationContexts(config.secretKeys);
    this.sealer = new Sealer(config.secretKeys, "eid requests");
    this.persons = new Sealer(config.secretKeys, "eid persons");
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
    const { conversationId, settings } = await this.contexts.find(tx, known.conversationId, "exclusive");
    const [ended] = await tx.query(END, {
      id,
      status: typeof ending === "object" ? "granted" : ending === "forged" ? "failed" : ending,
    });
    if (!ended) return (await tx.findOne(EidRequestEntity, { id }))?.status;
    await tx.delete(EidDueEntity, { requestId: id });
    const { contactId, scheme, issuer } = ended;
    let { status } = ended;
    if (
      status === "granted" &&
      !(await this.bindPerson(tx, contactId, issuer, (ending as { person: string }).person))
    ) {
      status = "failed";
      await tx.update(EidRequestEntity, { id }, { status });
    }
    const origin = { conversationId, promptVersion: settings.promptVersion ?? undefined };
    const factor = { factorCategory: "possession", factorType: "eid_verified", evidenceRef: `eid:${scheme}` } as const;
    await recordIdentityEvent(
      tx,
      { ...origin, transitionKey: `eid:${id}:${status}` },
      { eventType: EVENT_OF[status as keyof typeof EVENT_OF], factorBoundToPrincipal: contactId, ...factor },
    );
    if (status === "granted")
      await addFactor(tx, { ...origin, contactId, ...factor, lifetimeMinutes: settings.factorLifetimeMinutes });
    return status;
  }

  /**
   * The first approval binds a person to the contact, and to no other contact of the tenant except those merged with it.
   * @returns whether the person is the one that the contact is bound to
   */
  private async bindPerson(tx: Tx, contactId: string, issuer: string, identifier: string): Promise<boolean> {
    // A binding under an older key is of the same person. From now on it is kept under the newest key.
    const persons = this.persons.hashes(JSON.stringify([tx.caller.tenantId, issuer, identifier]));
    const person = persons[0]!;
    const contactIds = await this.contacts.personOf(tx, contactId);
    if (persons.length > 1) await tx.update(EidBindingEntity, { issuer, person: In(persons) }, { person });
    await tx.query(BIND_PERSON, { contactId, issuer, person, contactIds });
    const [bound] = await tx.query(IS_BOUND_PERSON, { person, contactIds, issuer });
    return bound!.same === true;
  }

  /**
   * Moves the binding of a contact that is merged into another one.
   * @throws ConflictException if an eID proved that they are two people, or if a prompt waits for each of them
   */
  async moveContact(tx: Tx, from: string, to: string): Promise<void> {
    const [found] = await tx.query(FIND_MERGE_CONFLICTS, { from, to });
    if (found!.differentPeople) throw new ConflictException("The contacts have proven with an eID to be two people");
    if (found!.bothPrompted)
      throw new ConflictException(
        "Both contacts are being asked by an eID app at this moment; try again when that is over",
      );
    await tx.update(EidBindingEntity, { contactId: from }, { contactId: to });
  }

  /** @returns how many rows were deleted */
  async eraseContact(tx: Tx, contactIds: readonly string[]): Promise<number> {
    const [row] = await tx.query(ERASE_CONTACTS, { contactIds });
    return row!.erased;
  }
}

const EVENT_OF = {
  granted: "eid_approval_granted",
  denied: "eid_approval_denied",
  expired: "eid_approval_expired",
  failed: "factor_failed",
} as const;
