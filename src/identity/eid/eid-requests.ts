import { ConflictException, Injectable, NotFoundException } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { ContactsService } from "../../contacts/contacts.service.js";
import { Database } from "../../platform/database/database.js";
import { Sealer } from "../../platform/database/seal.js";
import { one, REACHABLE, time } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { recordIdentityEvent } from "../events/identity-event.js";
import { addFactor } from "../verification/assurance-level.js";
import { type Situation, Situations } from "../verification/verification-context.js";
import type { EidMode, EidStatus } from "./eid.entity.js";
import type { EidAnswer } from "./eid-provider.js";
import { EidSchemesService, type Scheme, SEALED_SCHEME, type SealedScheme } from "./eid-schemes.service.js";

export interface NewRequest {
  id: string;
  scheme: Scheme;
  mode: EidMode;
  secret?: unknown;
  seconds: number;
  intervalSeconds?: number;
  linkHash?: string;
}

interface Row {
  mode: EidMode;
  status: EidStatus;
  expired: boolean;
  workspaceId: string;
  language: string;
  brand: string;
  linkHash: string | null;
  stateHash: string | null;
  browserHash: string | null;
  sealed: string | null;
  scheme: SealedScheme | null;
}
/** `scheme`: the one that the request was made with; null where the workspace has another one, or none, by now. */
export interface Found<Secret> extends Omit<Row, "sealed" | "scheme"> {
  id: string;
  scheme: Scheme | null;
  secret: Secret | null;
}

const FIND = one<Row, { id: string }>(
  "eid-requests.find",
  "workspace",
  `select r.mode, r.status, r.expires_at <= clock_timestamp() as expired, w.id as "workspaceId", w.primary_language as language,
    (select b.name from brand b where b.tenant_id = w.tenant_id and b.id = w.brand_id) as brand,
    r.link_hash as "linkHash", r.state_hash as "stateHash", r.browser_hash as "browserHash", encode(r.sealed, 'base64') as sealed,
    (select row_to_json(i) from (select ${SEALED_SCHEME} from eid_scheme s where s.tenant_id = w.tenant_id and s.workspace_id = w.id and s.name = r.scheme and s.issuer = r.issuer) i) as scheme
  from eid_request r join conversation c on c.tenant_id = r.tenant_id and c.id = r.conversation_id join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id
  where r.tenant_id = :tenant and r.id = :id and ${REACHABLE}`,
);

/** What ends a request: an answer of the provider's that is final. */
export type Ending = Exclude<EidAnswer, string> | "denied" | "expired" | "forged";

/** The rows of requests, from the first to the last change, each with its events. */
@Injectable()
export class EidRequests {
  readonly situations: Situations;
  private readonly sealer: Sealer;
  private readonly persons: Sealer;

  constructor(
    private readonly db: Database,
    private readonly schemes: EidSchemesService,
    private readonly contacts: ContactsService,
    config: Config,
  ) {
    this.situations = new Situations(config.secretKeys);
    this.sealer = new Sealer(config.secretKeys, "eid requests");
    this.persons = new Sealer(config.secretKeys, "eid persons");
  }

  /** @returns until when it waits; undefined where a prompt is waiting for the contact already */
  async add(
    tx: Tx,
    { conversationId, contactId, settings }: Situation,
    { id, scheme, mode, secret, seconds, intervalSeconds, linkHash }: NewRequest,
  ): Promise<string | undefined> {
    const [row] = await tx.query<{ expiresAt: string }>(
      `with added as (
        insert into eid_request (tenant_id, id, conversation_id, contact_id, scheme, issuer, mode, sealed, link_hash, expires_at)
        values (:tenant, :id, :conversationId, :contactId, :name, :issuer, :mode, :sealed, :linkHash, clock_timestamp() + make_interval(secs => :seconds::int))
        on conflict do nothing returning tenant_id, id, expires_at
      ), due as (
        insert into eid_due (tenant_id, request_id, due_at, interval_seconds, ends_at)
        select tenant_id, id, least(clock_timestamp() + make_interval(secs => :intervalSeconds::int), expires_at), :intervalSeconds::int, expires_at from added
      ) select ${time("expires_at")} as "expiresAt" from added`,
      {
        id,
        conversationId,
        contactId,
        name: scheme.name,
        issuer: scheme.issuer,
        mode,
        sealed: secret === undefined ? null : this.seal(tx, id, secret),
        intervalSeconds,
        linkHash,
        seconds,
      },
    );
    if (!row) return undefined;
    await recordIdentityEvent(
      tx,
      { conversationId, transitionKey: `eid:${id}:begun`, promptVersion: settings.promptVersion ?? undefined },
      {
        eventType: mode === "push" ? "eid_approval_requested" : "eid_link_issued",
        factorCategory: "possession",
        factorType: "eid_verified",
        factorBoundToPrincipal: contactId,
        evidenceRef: `eid:${scheme.name}`,
      },
    );
    return row.expiresAt;
  }

  seal(tx: Tx, id: string, secret: unknown): Buffer {
    return this.sealer.seal(secret, tx.caller.tenantId + id);
  }

  /** @returns undefined where there is none, or no longer: with its contact, or its workspace */
  async find<Secret>(caller: Caller, id: string): Promise<Found<Secret> | undefined> {
    try {
      const { sealed, scheme, ...request } = (await this.db.read(caller, FIND, { id })).parse();
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
   * Ends a pending request, with its events. Of any number at once one does; what comes after its time, whatever it says,
   * ends it as expired.
   * @returns what became of it, whoever ended it; undefined where it is gone with its contact
   */
  async end(tx: Tx, id: string, ending: Ending): Promise<EidStatus | undefined> {
    const [known] = await tx.query<{ conversationId: string }>(
      'select conversation_id as "conversationId" from eid_request where tenant_id = :tenant and id = :id',
      { id },
    );
    if (!known) return undefined;
    const situation = await this.situations.find(tx, known.conversationId, "alone");
    const [ended] = await tx.query<{ status: EidStatus; contactId: string; scheme: string; issuer: string }>(
      `update eid_request
      set status = case when expires_at <= clock_timestamp() then 'expired' else :status end, sealed = null, finished_at = clock_timestamp()
      where tenant_id = :tenant and id = :id and status = 'pending' returning status, contact_id as "contactId", scheme, issuer`,
      { id, status: typeof ending === "object" ? "granted" : ending === "forged" ? "failed" : ending },
    );
    if (!ended)
      return (
        await tx.query<{ status: EidStatus }>("select status from eid_request where tenant_id = :tenant and id = :id", {
          id,
        })
      )[0]?.status;
    await tx.query("delete from eid_due where tenant_id = :tenant and request_id = :id", { id });
    const { contactId, scheme, issuer } = ended;
    let { status } = ended;
    if (
      status === "granted" &&
      !(await this.isThePerson(tx, contactId, issuer, (ending as { person: string }).person))
    ) {
      status = "failed";
      await tx.query("update eid_request set status = :status where tenant_id = :tenant and id = :id", { id, status });
    }
    const where = {
      conversationId: situation.conversationId,
      promptVersion: situation.settings.promptVersion ?? undefined,
    };
    const factor = { factorCategory: "possession", factorType: "eid_verified", evidenceRef: `eid:${scheme}` } as const;
    await recordIdentityEvent(
      tx,
      { ...where, transitionKey: `eid:${id}:${status}` },
      { eventType: EVENT_OF[status as keyof typeof EVENT_OF], factorBoundToPrincipal: contactId, ...factor },
    );
    if (status === "granted")
      await addFactor(tx, {
        ...where,
        contactId,
        ...factor,
        lifetimeMinutes: situation.settings.factorLifetimeMinutes,
      });
    return status;
  }

  /**
   * The first approval binds a person to the contact, and to no other contact of the tenant but those that are merged with
   * it; from then on it must be that person.
   */
  private async isThePerson(tx: Tx, contactId: string, issuer: string, identifier: string): Promise<boolean> {
    // Bound under an older key, it is still the same person; from now on under the newest.
    const persons = this.persons.hashes(JSON.stringify([tx.caller.tenantId, issuer, identifier]));
    const [person] = persons;
    const contactIds = await this.contacts.personOf(tx, contactId);
    if (persons.length > 1)
      await tx.query(
        "update eid_binding set person = :person where tenant_id = :tenant and issuer = :issuer and person = any(:persons::bytea[])",
        { person, issuer, persons },
      );
    await tx.query(
      `insert into eid_binding (tenant_id, contact_id, issuer, person)
      select :tenant, :contactId, :issuer, :person where not exists (select from eid_binding where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) and issuer = :issuer)
      on conflict do nothing`,
      { contactId, issuer, person, contactIds },
    );
    const [row] = await tx.query<{ same: boolean | null }>(
      "select bool_and(person = :person) as same from eid_binding where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) and issuer = :issuer",
      { person, contactIds, issuer },
    );
    return row!.same === true;
  }

  /** The person that an eID bound a merged contact to is the survivor's. @throws ConflictException: it knows them as two people, or has a prompt with each */
  async moveContact(tx: Tx, from: string, to: string): Promise<void> {
    const [row] = await tx.query<{ strangers: boolean; prompted: boolean }>(
      `select
        exists (select from eid_binding a join eid_binding b on b.tenant_id = a.tenant_id and b.issuer = a.issuer where a.tenant_id = :tenant and a.contact_id = :from and b.contact_id = :to) as strangers,
        (select count(*) > 1 from eid_request where tenant_id = :tenant and contact_id in (:from, :to) and status = 'pending' and mode = 'push') as prompted`,
      { from, to },
    );
    if (row!.strangers) throw new ConflictException("The contacts have proven with an eID to be two people");
    if (row!.prompted)
      throw new ConflictException(
        "Both contacts are being asked by an eID app at this moment; try again when that is over",
      );
    await tx.query("update eid_binding set contact_id = :to where tenant_id = :tenant and contact_id = :from", {
      from,
      to,
    });
  }

  /** @returns how many rows were bound to these contacts */
  async eraseContact(tx: Tx, contactIds: readonly string[]): Promise<number> {
    const [row] = await tx.query<{ erased: number }>(
      `with requests as (
        delete from eid_request where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) returning 1
      ), bindings as (
        delete from eid_binding where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) returning 1
      ) select ((select count(*) from requests) + (select count(*) from bindings))::int as erased`,
      { contactIds },
    );
    return row!.erased;
  }
}

const EVENT_OF = {
  granted: "eid_approval_granted",
  denied: "eid_approval_denied",
  expired: "eid_approval_expired",
  failed: "factor_failed",
} as const;
