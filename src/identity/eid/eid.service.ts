import { BadRequestException, ConflictException, Injectable, ServiceUnavailableException } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { mintOpaqueToken } from "../../auth/sessions/session-tokens.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED, RetryLater } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { Outbox } from "../../platform/outbox/outbox.service.js";
import type { Situation } from "../verification/verification-context.js";
import type { EidRequestDto, EidRequestedDto } from "./eid.dto.js";
import { EidProvider, EidRefusal } from "./eid-provider.js";
import { EidRequests } from "./eid-requests.js";
import { EidSchemesService, type Scheme } from "./eid-schemes.service.js";
import { eidWords } from "./eid-texts.js";

/** So many for one person, in so many minutes: nobody is to be worn down until they approve. */
const MOST = 5;
const WITHIN_MINUTES = 10;
const WAITING = "An approval that was pushed to this contact still waits for its answer";

/** Asks a contact for an approval with an eID: by a prompt to the app, or by a link to open later. It stays open to the locked-out. */
@Injectable()
export class EidService {
  constructor(
    private readonly db: Database,
    private readonly schemes: EidSchemesService,
    private readonly requests: EidRequests,
    private readonly provider: EidProvider,
    private readonly outbox: Outbox,
    private readonly config: Config,
  ) {}

  /** @throws NotFoundException, ConflictException (no such scheme, not allowed, nobody to ask), RetryLater (too many), ServiceUnavailableException (the scheme) */
  request(caller: Caller, conversationId: string, body: EidRequestDto): Promise<Json<EidRequestedDto>> {
    if (body.mode === "push") return this.push(caller, conversationId, body);
    if (body.loginHint !== undefined)
      throw new BadRequestException("loginHint is for the mode push; a link asks the person");
    return this.link(caller, conversationId, body);
  }

  /** The scheme is called between two transactions: one that waited for it would keep a connection from everybody. */
  private async push(
    caller: Caller,
    conversationId: string,
    { scheme: name, loginHint }: EidRequestDto,
  ): Promise<Json<EidRequestedDto>> {
    const { scheme, hint } = await this.db.separateTransaction(caller, async (tx) => {
      const { situation, scheme } = await this.open(tx, conversationId, name);
      const { contactId } = situation;
      const [waiting] = await tx.query(
        `select id from eid_request where tenant_id = :tenant and contact_id = :contactId and status = 'pending' and mode = 'push'`,
        { contactId },
      );
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
      const { situation } = await this.open(tx, conversationId, name);
      const id = uuid();
      const expiresAt = await this.requests.add(tx, situation, {
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

  /** Nothing is asked of the scheme until the link is opened. */
  private link(
    caller: Caller,
    conversationId: string,
    { scheme: name }: EidRequestDto,
  ): Promise<Json<EidRequestedDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { situation, scheme, brand } = await this.open(tx, conversationId, name);
      const to = await this.addressOf(tx, situation.contactId, false);
      if (to === undefined) throw new ConflictException("The contact has no email that the link could be sent to");
      const id = uuid();
      const { token, hash: linkHash } = mintOpaqueToken(caller.tenantId, id);
      const minutes = situation.settings.magicLinkMinutes;
      const expiresAt = await this.requests.add(tx, situation, {
        id,
        scheme,
        mode: "link",
        seconds: minutes * 60,
        linkHash,
      });
      const { subject, mail } = eidWords(situation.language);
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
  ): Promise<{ situation: Situation; scheme: Scheme; brand: string }> {
    const situation = await this.requests.situations.find(tx, conversationId, "shared");
    const [place] = await tx.query<{ brand: string; archived: boolean; merged: boolean }>(
      `select b.name as brand, w.status = 'archived' as archived, k.merged_into_id is not null as merged
      from workspace w join brand b on b.tenant_id = w.tenant_id and b.id = w.brand_id join contact k on k.tenant_id = w.tenant_id and k.id = :contactId
      where w.tenant_id = :tenant and w.id = :workspaceId`,
      { workspaceId: situation.workspaceId, contactId: situation.contactId },
    );
    const { brand, archived, merged } = place!;
    if (archived) throw new ConflictException(ARCHIVED);
    if (merged) throw new ConflictException("The contact was merged into another one");
    if (!situation.settings.allowedFactors.includes("eid_verified"))
      throw new ConflictException("The workspace does not allow proof by eID (eid_verified)");
    const scheme = await this.schemes.find(tx, situation.workspaceId, name);
    if (!scheme) throw new ConflictException("The workspace has no eID scheme of this name");
    await this.assertNotTooMany(tx, situation.contactId);
    return { situation, scheme, brand: brand.replace(/\s+/g, " ").trim() };
  }

  private async assertNotTooMany(tx: Tx, contactId: string): Promise<void> {
    // One after the other, also from several conversations.
    await tx.query("select pg_advisory_xact_lock(hashtextextended(:name, 0))", {
      name: `eid ${tx.caller.tenantId} ${contactId}`,
    });
    const [full] = await tx.query<{ wait: number }>(
      `select greatest(1, ceil(extract(epoch from created_at + make_interval(mins => :minutes::int) - clock_timestamp())))::int as wait from eid_request
      where tenant_id = :tenant and contact_id = :contactId and created_at > clock_timestamp() - make_interval(mins => :minutes::int) order by created_at desc offset :most - 1 limit 1`,
      { contactId, minutes: WITHIN_MINUTES, most: MOST },
    );
    if (full)
      throw new RetryLater(
        `At most ${MOST} eID approvals are asked of one contact in ${WITHIN_MINUTES} minutes`,
        full.wait,
      );
  }

  /** Where the contact is reached: verified, a phone number before an email; or an email, one that is verified before others. */
  private async addressOf(tx: Tx, contactId: string, verified: boolean): Promise<string | undefined> {
    const [point] = await tx.query<{ value: string }>(
      `select p.value from contact_point p where p.tenant_id = :tenant and p.contact_id = :contactId
      and case when :verified then p.verified_at is not null else p.kind = 'email' end
      order by p.kind = 'email', p.verified_at is null, p.position limit 1`,
      { contactId, verified },
    );
    return point?.value;
  }
}

/** In words that tell what to do: the person or the client is not accepted, or the scheme is not there. */
function refused(error: unknown): never {
  if (!(error instanceof EidRefusal)) throw error as Error;
  if (error.reason === null) throw new ServiceUnavailableException("The eID scheme cannot be reached; try again");
  throw new ConflictException(
    error.reason === "unknown_user_id"
      ? "The eID scheme does not know this person"
      : `The eID scheme did not accept the request: ${error.reason}`,
  );
}
