import { BadRequestException, ConflictException, Injectable, ServiceUnavailableException } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { mintOpaqueToken } from "../../auth/sessions/session-tokens.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED, RetryLater } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import type { VerificationContext } from "../verification/verification-context.js";
import type { RequestEidDto, EidRequestedDto } from "./eid.dto.js";
import { EidRequestEntity } from "./eid.entity.js";
import { EidProvider, EidRefusal } from "./eid-provider.js";
import { EidRequests } from "./eid-requests.js";
import { EidSchemesService, type Scheme } from "./eid-schemes.service.js";
import { eidTexts } from "./eid-texts.js";

/** At most this many approvals are asked of one contact in this many minutes. Otherwise people could be worn down. */
const MAX_REQUESTS = 5;
const WINDOW_MINUTES = 10;
const WAITING = "An approval that was pushed to this contact still waits for its answer";

const LOCK_REQUESTS_OF_CONTACT = query<{ contactId: string }>()(
  "eid.lockContact",
  { unrestricted: "it takes an advisory lock and reads no rows" },
  ({ contactId }) =>
    sql`select pg_advisory_xact_lock(hashtextextended('eid ' || ${TENANT}::text || ' ' || ${contactId}::text, 0))`,
);

/** If `max` approvals were asked for in the last `minutes`: in how many seconds the first of them is that old. */
const FIND_WAIT = query<{ contactId: string; minutes: number; max: number }, { seconds: number }>()(
  "eid.findWait",
  "checked",
  ({ contactId, minutes, max }) => sql`
    select greatest(1, ceil(extract(epoch from
      r.created_at + make_interval(mins => ${minutes}::int) - clock_timestamp())))::int as seconds
    from eid_request r
    where r.tenant_id = ${TENANT} and r.contact_id = ${contactId}
      and r.created_at > clock_timestamp() - make_interval(mins => ${minutes}::int)
    order by r.created_at desc
    offset ${max} - 1
    limit 1`,
);

const FIND_SURROUNDINGS = query<
  { workspaceId: string; contactId: string },
  { brand: string; archived: boolean; merged: boolean }
>()(
  "eid.findSurroundings",
  "checked",
  ({ workspaceId, contactId }) => sql`
    select b.name as brand, w.status = 'archived' as archived, k.merged_into_id is not null as merged
    from workspace w
    join brand b on b.tenant_id = ${TENANT} and b.id = w.brand_id
    join contact k on k.tenant_id = ${TENANT} and k.id = ${contactId}
    where w.tenant_id = ${TENANT} and w.id = ${workspaceId}`,
);

/** A verified phone number before a verified email; or else an email, a verified one first. */
const FIND_ADDRESS = query<{ contactId: string; verified: boolean }>()(
  "eid.findAddress",
  "checked",
  ({ contactId, verified }) => sql`
    select p.value
    from contact_point p
    where p.tenant_id = ${TENANT} and p.contact_id = ${contactId}
      and case when ${verified} then p.verified_at is not null else p.kind = 'email' end
    order by p.kind = 'email', p.verified_at is null, p.position
    limit 1`,
);

/**
 * Asks a contact for an approval with an eID: by a prompt to their app, or by a link to open later. This works while
 * questions are locked too.
 */
@Injectable()
export class EidService {
  constructor(
    private readonly db: Database,
    private readonly schemes: EidSchemesService,
    private readonly requests: EidRequests,
    private readonly provider: EidProvider,
    private readonly outbox: OutboxService,
    private readonly config: Config,
  ) {}

  /**
   * @throws NotFoundException, ConflictException (no such scheme, not allowed, or no address), RetryLater (too many
   *   requests), ServiceUnavailableException (the scheme cannot be reached)
   */
  request(caller: Caller, conversationId: string, body: RequestEidDto): Promise<Json<EidRequestedDto>> {
    if (body.mode === "push") return this.push(caller, conversationId, body);
    if (body.loginHint !== undefined)
      throw new BadRequestException("loginHint is for the mode push; a link asks the person");
    return this.link(caller, conversationId, body);
  }

  /** Calls the scheme between two transactions, so that no connection to the database is held meanwhile. */
  private async push(
    caller: Caller,
    conversationId: string,
    { scheme: name, loginHint }: RequestEidDto,
  ): Promise<Json<EidRequestedDto>> {
    const { scheme, hint } = await this.db.separateTransaction(caller, async (tx) => {
      const { context, scheme } = await this.open(tx, conversationId, name);
      const { contactId } = context;
      const waiting = await tx.findOne(EidRequestEntity, { contactId, status: "pending", mode: "push" });
      if (waiting) throw new ConflictException(WAITING);
      const hint = loginHint ?? (await this.addressOf(tx, contactId, true));
      if (hint === undefined)
        throw new ConflictException(
          "The contact has no verified phone number or email that the scheme could know it by; give loginHint",
        );
      return { scheme, hint };
    });
    const {
      authReqId,
      expiresInSeconds: seconds,
      intervalSeconds,
    } = await this.provider.push(scheme, hint).catch(refused);
    return this.db.transaction(caller, async (tx) => {
      const { context } = await this.open(tx, conversationId, name);
      const id = uuid();
      const expiresAt = await this.requests.add(tx, context, {
        id,
        scheme,
        mode: "push",
        secret: { authReqId },
        seconds,
        intervalSeconds,
      });
      if (expiresAt === undefined) throw new ConflictException(WAITING);
      return Json.of<EidRequestedDto>({ ok: true, requestId: id, expiresAt });
    });
  }

  /** The scheme is not called until the person presses the button behind the link. */
  private link(
    caller: Caller,
    conversationId: string,
    { scheme: name }: RequestEidDto,
  ): Promise<Json<EidRequestedDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { context, scheme, brand } = await this.open(tx, conversationId, name);
      const to = await this.addressOf(tx, context.contactId, false);
      if (to === undefined) throw new ConflictException("The contact has no email that the link could be sent to");
      const id = uuid();
      const { token, hash: linkHash } = mintOpaqueToken(caller.tenantId, id);
      const minutes = context.settings.magicLinkMinutes;
      const expiresAt = await this.requests.add(tx, context, {
        id,
        scheme,
        mode: "link",
        seconds: minutes * 60,
        linkHash,
      });
      const { subject, mail } = eidTexts(context.language);
      await this.outbox.mail(tx, {
        to,
        subject: `${brand}: ${subject}`,
        body: mail(brand, `${this.config.publicUrl}/api/public/eid/start/${token}`, minutes),
      });
      return Json.of<EidRequestedDto>({ ok: true, requestId: id, expiresAt: expiresAt! });
    });
  }

  private async open(
    tx: Tx,
    conversationId: string,
    name: string,
  ): Promise<{ context: VerificationContext; scheme: Scheme; brand: string }> {
    const context = await this.requests.contexts.find(tx, conversationId, "shared");
    const { workspaceId, contactId, settings } = context;
    const [found] = await tx.query(FIND_SURROUNDINGS, { workspaceId, contactId });
    const { brand, archived, merged } = found!;
    if (archived) throw new ConflictException(ARCHIVED);
    if (merged) throw new ConflictException("The contact was merged into another one");
    if (!settings.allowedFactors.includes("eid_verified"))
      throw new ConflictException("The workspace does not allow proof by eID (eid_verified)");
    const scheme = await this.schemes.find(tx, workspaceId, name);
    if (!scheme) throw new ConflictException("The workspace has no eID scheme of this name");
    await this.assertNotTooMany(tx, contactId);
    return { context, scheme, brand: brand.replace(/\s+/g, " ").trim() };
  }

  private async assertNotTooMany(tx: Tx, contactId: string): Promise<void> {
    // Makes concurrent requests for one contact wait for each other, also from different conversations.
    await tx.query(LOCK_REQUESTS_OF_CONTACT, { contactId });
    const [full] = await tx.query(FIND_WAIT, { contactId, minutes: WINDOW_MINUTES, max: MAX_REQUESTS });
    if (full)
      throw new RetryLater(
        `At most ${MAX_REQUESTS} eID approvals are asked of one contact in ${WINDOW_MINUTES} minutes`,
        full.seconds,
      );
  }

  private async addressOf(tx: Tx, contactId: string, verified: boolean): Promise<string | undefined> {
    const [point] = await tx.query(FIND_ADDRESS, { contactId, verified });
    return point?.value;
  }
}

/** Explains to the caller why the scheme did not take the request. */
function refused(error: unknown): never {
  if (!(error instanceof EidRefusal)) throw error as Error;
  if (error.reason === null) throw new ServiceUnavailableException("The eID scheme cannot be reached; try again");
  throw new ConflictException(
    error.reason === "unknown_user_id"
      ? "The eID scheme does not know this person"
      : `The eID scheme did not accept the request: ${error.reason}`,
  );
}
